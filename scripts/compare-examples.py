#!/usr/bin/env python3
"""Compares every example with what kfuse makes of it, on this machine.

Usage: compare-examples.py [--kfuse=OPTIONS] [--seconds=5] [--runs=N]
                           [--json=FILE] [--profiles=FOLDER] [FILE...]

Prints the table of docs/measurements.md: CUDA runs on the GPU if there is one,
else on the executor, where only small sizes are run;
OpenCL runs on the device that the example chooses. `kfuse-bench compare` checks
before it measures that original and fused program do the same.

In the end it says how far the projected times of kernels are from the measured
ones. With --json it keeps all measurements, and with --profiles a profile of
both programs of each pair.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
BENCH = os.path.join(ROOT, "build", "bin", "kfuse-bench")

# Arguments with which kernels take long enough on a GPU to be told from their
# launches.
LARGE = {
    "black-scholes": "4000000",
    "block-norm": "5000000",
    "burgers": "4000 4",
    "canny": "6000 6000",
    "fisher": "4000 4",
    "grid-stride": "100000000",
    "half-grid": "200000",
    "harris-corner": "6000",
    "image-pipeline": "20000",
    "jacobi-pair": "4000 5",
    "layer-wrappers": "50000",
    "nine-kernels": "30000000",
    "gemm-bias-activation.cu": "4096 4096 1024",
    "opencl-adam": "40000000 10",
    "opencl-image": "16000 8000 5",
    "opencl-rows": "100000 256 5",
    "opencl-terrain": "8000 8000 5",
    "particles": "1000000",
    "periodic": "4096 5",
    "shallow-water": "3000 3000 5",
    "side-by-side": "8000",
    "two-streams": "20000000",
    "unsharp-mask": "6000",
    "vector-chain": "20000000",
    "wave-2d": "4000 4",
}
# The same for OpenCL on a processor.
LARGE_ON_CPU = {
    "opencl-adam": "20000000 3",
    "opencl-image": "4000 4000 3",
    "opencl-rows": "40000 256 3",
    "opencl-terrain": "4000 4000 3",
}
# Sizes that a program is compiled with.
FLAGS = {
    "gemm-bias-activation.c": "-DROWS={0} -DCOLUMNS={0} -DDEPTH={0}",
}
# What the sizes keep, and kfuse doesn't test in OpenCL.
PROMISES = {
    "opencl-rows": "--assume=no-wrap",
    "opencl-terrain": "--assume=no-wrap",
}


def has_gpu():
    found = subprocess.run([BENCH, "devices", "--json", "-p", "cuda"],
                           capture_output=True, text=True)
    return found.returncode == 0


def examples():
    folder = os.path.join(ROOT, "examples")
    files = [os.path.join(folder, name) for name in os.listdir(folder)
             if name.endswith((".cu", ".c"))]
    # The ladder beside them has nothing to fuse.
    return sorted(files + [os.path.join(folder, "gemm", name) for name in (
        "gemm-bias-activation.c", "gemm-bias-activation.cu")])


def compare(path, name, arguments, options):
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result.json")
        file = os.path.basename(path)
        words = [BENCH, "compare", f"--seconds={options.seconds}",
                 f"--json={result}", path]
        kfuse = f"{options.kfuse} {PROMISES.get(name, '')}".strip()
        if kfuse:
            words.insert(2, f"--kfuse={kfuse}")
        if file in FLAGS:
            size = 2048 if options.is_large else 512
            words.insert(2, "--flags=" + FLAGS[file].format(size))
        if options.runs:
            words.insert(2, f"--runs={options.runs}")
        if options.profiles:
            words.insert(2, f"--profile={options.profiles}/{name}.json")
        run = subprocess.run(words + ["--"] + arguments, capture_output=True,
                             text=True)
        if run.returncode != 0:
            return None, run.stderr.strip().split("\n")[0]
        with open(result) as file:
            return json.load(file), ""


def verdict(ratio, half_width):
    if half_width is None or abs(ratio - 1) <= half_width:
        return "no difference"
    return f"{ratio:.2f} ± {half_width:.2f}x"


def milliseconds(seconds):
    return f"{1e3 * seconds:.3f}"


def row(name, result):
    whole = verdict(result["ratio"], result["halfWidth"])
    kernels = result.get("kernels")
    if not kernels:
        return f"| {name} | | | | | {whole} |"

    def total(side, key):
        values = [each[side].get(key, 0) for each in kernels]
        return sum(values)

    before, after = total("original", "seconds"), total("fused", "seconds")
    launches = f"{total('original', 'launches')} -> {total('fused', 'launches')}"
    projected = ""
    if total("original", "projected") and total("fused", "projected"):
        gain = total("original", "projected") / total("fused", "projected")
        projected = f"{gain:.2f}x"
    return (f"| {name} | {launches} | {milliseconds(before)} -> "
            f"{milliseconds(after)} | {before / after:.2f}x | {projected} | "
            f"{whole} |")


def pairs(results):
    """Measured and projected seconds of each side of each row."""
    for result in results.values():
        for each in result.get("kernels", []):
            for side in ("original", "fused"):
                if each[side].get("projected") and each[side]["seconds"] > 0:
                    yield each[side]["seconds"], each[side]["projected"]


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    places = [0] * len(values)
    for place, index in enumerate(order):
        places[index] = place
    return places


def report_errors(results):
    found = list(pairs(results))
    if len(found) < 3:
        return
    errors = [abs(projected / measured - 1) for measured, projected in found]
    measured = ranks([each[0] for each in found])
    projected = ranks([each[1] for each in found])
    same = right = 0
    for result in results.values():
        for each in result.get("kernels", []):
            before, after = each["original"], each["fused"]
            if not (before.get("projected") and after.get("projected")):
                continue
            if before["kernels"] == after["kernels"]:
                continue
            same += 1
            right += ((before["projected"] > after["projected"]) ==
                      (before["seconds"] > after["seconds"]))
    print(f"\n{len(found)} times of kernels: median error "
          f"{100 * statistics.median(errors):.0f} %, rank correlation "
          f"{statistics.correlation(measured, projected):.2f}; of {same} fused "
          f"groups the gain has the right sign in {right}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kfuse", default="", help="options for kfuse")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--runs", type=int, help="at most so many pairs of runs")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--profiles", metavar="FOLDER")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    files = options.files or examples()
    options.is_large = has_gpu()
    print("| program | launches | kernels [ms] | | projected | whole program |\n"
          "|---|---|---|---|---|---|")
    results, failures = {}, 0
    if options.profiles:
        os.makedirs(options.profiles, exist_ok=True)
    for path in files:
        file = os.path.basename(path)
        name = os.path.splitext(file)[0]
        sizes = LARGE if options.is_large else LARGE_ON_CPU
        arguments = sizes.get(file, sizes.get(name, "")).split()
        if name in results:
            name = file  # one in CUDA and one in OpenCL
        result, why = compare(path, name, arguments, options)
        label = " ".join([name] + arguments)
        if result is None:
            failures += 1
            print(f"| {label} | | | | | {why} |", flush=True)
            continue
        results[name] = result
        print(row(label, result), flush=True)
    report_errors(results)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
