#!/usr/bin/env python3
"""Measures how well the cost model tells what fused kernels take.

Usage: measure-model.py prepare FOLDER KFUSE [--programs=4] [--first=1]
       measure-model.py run FOLDER OUTPUT        on a machine with a GPU
       measure-model.py report FOLDER KFUSE MEASURED [--anchored] [--csv=FILE]

`prepare` writes generated weather codes at two sizes, one whose arrays fit in
the L2 and one far beyond, and fuses random legal groups of their kernels: the
model has no say in which. `run` builds them and takes each kernel's time from
Nsight Compute, in the order of the program and with the caches as they are.
`report` projects the same plans again and compares; with `--anchored` kfuse is
given the times of the kernels that aren't fused.
"""
import argparse
import csv
import io
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = {"small": "128x64x16", "large": "512x256x64"}
OPTIONS = ["--relaxed-rounding", "--quiet", "--emit=json"]
METRICS = {
    "seconds": "gpu__time_duration.sum",
    "read": "dram__bytes_read.sum",
    "written": "dram__bytes_write.sum",
    "registers": "launch__registers_per_thread",
}
UNITS = {"ns": 1e-9, "us": 1e-6, "usecond": 1e-6, "nsecond": 1e-9, "ms": 1e-3,
         "msecond": 1e-3, "s": 1, "second": 1, "byte": 1, "Kbyte": 1e3,
         "Mbyte": 1e6, "Gbyte": 1e9}


def path(options, name):
    return os.path.join(options.folder, name)


def fuse(kfuse, source, *options):
    """What kfuse says of the program, as JSON."""
    done = subprocess.run([kfuse, *OPTIONS, source, *options],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def prepare(options):
    os.makedirs(options.folder, exist_ok=True)
    for seed in range(options.first, options.first + options.programs):
        for size, cells in SIZES.items():
            with open(path(options, f"{seed}-{size}.cu"), "w") as file:
                subprocess.run(
                    [sys.executable, os.path.join(HERE, "make-weather.py"),
                     f"--seed={seed}", f"--cells={cells}", "--steps=3",
                     "--real=" + ("double" if seed % 2 else "float")],
                    stdout=file, check=True)
        for number in range(options.partitions):
            plan = path(options, f"{seed}-{number}.json")
            # Most random groups only share inputs; every other partition has
            # none of unrelated kernels.
            fuse(options.kfuse, path(options, f"{seed}-large.cu"),
                 "--search=random", f"--seed={100 * seed + number}",
                 *(["--no-horizontal"] if number % 2 else []),
                 f"--save-plan={plan}", "-o", os.devnull)
            for size in SIZES:
                found = fuse(options.kfuse, path(options, f"{seed}-{size}.cu"),
                             f"--plan={plan}", "-o",
                             path(options, f"{seed}-{number}-{size}.fused.cu"))
            groups = [g for g in found["groups"] if len(g["launches"]) > 1]
            print(f"{seed}-{number}: {len(groups)} groups of "
                  f"{sum(len(g['launches']) for g in groups)} kernels",
                  flush=True)


EMPTY = """
__global__ void nothing() {}
int main() {
  for (int i = 0; i < 100; ++i)
    nothing<<<132, 256>>>();
  return cudaDeviceSynchronize();
}
"""


def measureEmpty(folder):
    """What Nsight Compute says of a kernel that does nothing."""
    source = os.path.join(os.path.abspath(folder), "empty.cu")
    with open(source, "w") as file:
        file.write(EMPTY)
    subprocess.run(["nvcc", "-arch=native", source, "-o", source[:-3]],
                   check=True)
    os.remove(source)
    return measureOne(source[:-3])["nothing"]["seconds"]


def measureOne(program):
    """By kernel: the medians of what Nsight Compute counts."""
    done = subprocess.run(
        ["ncu", "--csv", "--page", "raw", "--cache-control", "none",
         "--clock-control", "none", "--metrics", ",".join(METRICS.values()),
         program], capture_output=True, text=True, check=False)
    start = done.stdout.find('"ID"')
    if start < 0:
        return {"error": (done.stdout + done.stderr)[-500:]}
    rows = list(csv.DictReader(io.StringIO(done.stdout[start:])))
    units, found = rows[0], {}
    for row in rows[1:]:
        kernel = found.setdefault(row["Kernel Name"].split("(")[0], {})
        for key, metric in METRICS.items():
            if row.get(metric):
                value = float(row[metric].replace(",", ""))
                kernel.setdefault(key, []).append(
                    value * UNITS.get(units[metric], 1))
    return {name: {key: statistics.median(values)
                   for key, values in kernel.items()}
            for name, kernel in found.items()}


def run(options):
    sources = sorted(name for name in os.listdir(options.folder)
                     if name.endswith(".cu"))

    def build(name):
        source = path(options, name)
        subprocess.run(["nvcc", "-std=c++17", "-arch=native", source, "-o",
                        source[:-3]], check=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(build, sources))
    measured = {"empty": measureEmpty(options.folder)}
    for name in sources:
        program = os.path.join(os.path.abspath(options.folder), name[:-3])
        measured[name[:-3]] = measureOne(program)
        with open(options.output, "w") as file:
            json.dump(measured, file, indent=1)
        print(name, len(measured[name[:-3]]), "kernels", flush=True)


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0.0] * len(values)
    for place, i in enumerate(order):
        result[i] = place
    return result


def correlation(one, other):
    return statistics.correlation(ranks(one), ranks(other))


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def anchor(options, alone):
    """The option that tells kfuse what the kernels took."""
    if not options.anchored:
        return []
    profile = os.path.join(tempfile.gettempdir(), "kfuse-anchor.json")
    with open(profile, "w") as file:
        json.dump({"version": 1, "kernels": [
            {"name": name, "seconds": kernel["seconds"]}
            for name, kernel in alone.items()]}, file)
    return [f"--profile={profile}"]


def collect(options, measured):
    """By size: single kernels and groups, each as projected and as measured."""
    cases = {size: {"single": {}, "group": {}} for size in SIZES}
    for case in sorted(name for name in measured if name.endswith(".fused")):
        seed, number, size = case.removesuffix(".fused").split("-")
        alone, fused = measured[f"{seed}-{size}"], measured[case]
        found = fuse(options.kfuse, path(options, f"{seed}-{size}.cu"),
                     "--plan=" + path(options, f"{seed}-{number}.json"),
                     f"--device={options.device}", "-o", os.devnull,
                     *anchor(options, alone))
        names = [launch["kernel"] for launch in found["launches"]]
        for group in found["groups"]:
            members = [names[n] for n in group["launches"]]
            for member, projection in zip(members, group["members"]):
                if member in alone:
                    cases[size]["single"][seed, member] = {
                        "projection": projection, "measured": alone[member],
                        "schedule": "single", "members": 1}
            if len(members) > 1 and group["name"] in fused:
                cases[size]["group"][seed, number, group["name"]] = {
                    "projection": group["projection"],
                    "measured": fused[group["name"]],
                    "schedule": group["schedule"], "members": len(members),
                    "projectedApart": sum(m["seconds"]
                                          for m in group["members"]),
                    "measuredApart": sum(alone[m]["seconds"]
                                         for m in members)}
    return {size: {kind: [{"name": " ".join(name), **entry}
                          for name, entry in entries.items()]
                   for kind, entries in kinds.items()}
            for size, kinds in cases.items()}


def printErrors(cases, launch):
    print("| size | kernels | count | median error | 90th percentile | rank "
          "correlation |\n|---|---|---|---|---|---|")
    for size, kinds in cases.items():
        for kind, entries in kinds.items():
            projected = [e["projection"]["seconds"] for e in entries]
            took = [e["measured"]["seconds"] + launch for e in entries]
            errors = [abs(p / t - 1) for p, t in zip(projected, took)]
            print(f"| {size} | {kind} | {len(entries)} | "
                  f"{statistics.median(errors):.1%} | "
                  f"{quantile(errors, 0.9):.1%} | "
                  f"{correlation(projected, took):.3f} |")


def printDecisions(cases, launch):
    """Each group fused or not, as the model says, beside the better of both."""
    print("\n| size | groups | gain has the right sign | fused, and slower | "
          "regret |\n|---|---|---|---|---|")
    for size, kinds in cases.items():
        right = slower = 0
        chosen = best = 0.0
        for entry in kinds["group"]:
            took = entry["measured"]["seconds"] + launch
            apart = entry["measuredApart"] + launch * entry["members"]
            says = entry["projection"]["seconds"] < entry["projectedApart"]
            right += says == (took < apart)
            slower += says and took > apart
            chosen += took if says else apart
            best += min(took, apart)
        count = len(kinds["group"])
        print(f"| {size} | {count} | {right / count:.1%} | "
              f"{slower / count:.1%} | {chosen / best - 1:.2%} |")


def writeRows(cases, path):
    rows = [{"size": size, "kind": kind,
             **{k: v for k, v in entry.items()
                if k not in ("projection", "measured")},
             **entry["projection"],
             **{"measured " + k: v for k, v in entry["measured"].items()}}
            for size, kinds in cases.items()
            for kind, entries in kinds.items() for entry in entries]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, sorted({k for row in rows for k in row}))
        writer.writeheader()
        writer.writerows(rows)


def report(options):
    with open(options.measured) as file:
        measured = json.load(file)
    # Nsight Compute sees what an empty kernel takes, but not what lies between
    # two launches; that depends on the host.
    with open(options.device) as file:
        launch = json.load(file)["launchSeconds"]["value"] - measured["empty"]
    cases = collect(options, measured)
    printErrors(cases, launch)
    printDecisions(cases, launch)
    if options.csv:
        writeRows(cases, options.csv)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)

    prepared = commands.add_parser("prepare")
    prepared.add_argument("folder")
    prepared.add_argument("kfuse")
    prepared.add_argument("--programs", type=int, default=4)
    prepared.add_argument("--partitions", type=int, default=2)
    prepared.add_argument("--first", type=int, default=1, help="seed")
    prepared.set_defaults(action=prepare)

    measuring = commands.add_parser("run")
    measuring.add_argument("folder")
    measuring.add_argument("output")
    measuring.set_defaults(action=run)

    reported = commands.add_parser("report")
    reported.add_argument("folder")
    reported.add_argument("kfuse")
    reported.add_argument("measured")
    reported.add_argument("--device", default=os.path.join(
        HERE, "..", "cost", "devices", "h200.json"))
    reported.add_argument("--anchored", action="store_true")
    reported.add_argument("--csv", help="every kernel's figures")
    reported.set_defaults(action=report)

    options = parser.parse_args()
    options.action(options)


if __name__ == "__main__":
    main()
