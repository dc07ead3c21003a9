#!/usr/bin/env python3
"""Counts the global memory traffic of programs before and after fusion.

usage: traffic.py [--check] [--option=KFUSE_OPTION]... KFUSE PROGRAM...

A PROGRAM is a file, with arguments after colons: `nine-kernels.cu:100000`. It
is fused, and both versions run once on the CPU executor, which records what
device code touches (kfuse-cpu is taken from beside KFUSE). Each gets a row:

  before, after  kilobytes that the launches read and wrote. Of each launch the
                 distinct sectors of 32 bytes count, the least that a GPU's
                 memory moves; so what the threads of a launch read twice, as
                 the halos of tiles, counts once.
  floor          what no program of these results can do without: the bytes
                 that launches load as the host, or nobody, set them, and the
                 bytes that they store and the host then copies, or that are
                 in an array at its end which isn't dead; each value once.
  counted        after / before
  predicted      the same of kfuse's model (bytesRead + bytesWritten of
                 --emit=json), for launches of the size of those that ran
  error          the model's bytes of the fused program over those counted,
                 less one

The model gets the sizes of the run: `argc > 1 ? atoi(argv[1]) : 1000` in the
program is replaced by its value for that, and --assume-threads is the launch's.

With --check, the exit code is 1 when the model is further off than it may be.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SECTOR = 32
MOST_ERROR = 0.15
COLUMNS = ["program", "before", "after", "floor", "counted", "predicted", "error"]
SIZE = re.compile(r"argc > (\d+) \? ([^:]*) : ([^,;]*)")
ARGUMENT = re.compile(r"\w+\(argv\[(\d+)\][^)]*\)")


def run(command, variables=None):
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, env=variables
    )
    if done.returncode:
        what = " ".join(str(word) for word in command)
        sys.exit(f"traffic.py: {what}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def with_sizes(text, arguments):
    """The program's text with the values of its arguments in it."""

    def value(match):
        if int(match[1]) > len(arguments):
            return match[3]
        return ARGUMENT.sub(lambda use: arguments[int(use[1]) - 1], match[2])

    return SIZE.sub(value, text)


class Count:
    """What one run moved."""

    def __init__(self, kfuse_cpu, source, include, arguments, folder):
        program, record = folder / "program", folder / "bytes"
        run([kfuse_cpu, "--record", f"-I{include}", source, "-o", program])
        run([program, *arguments], {"KFUSE_CPU_BYTES": str(record)})
        lines = [json.loads(line) for line in record.read_text().splitlines()]
        self.launches = [line for line in lines if "launch" in line]
        self.arrays = [line for line in lines if "inputs" in line]

    def bytes(self):
        return SECTOR * sum(
            launch["sectorsRead"] + launch["sectorsWritten"]
            for launch in self.launches
        )

    def floor(self, dead):
        """`dead` are labels of arrays that nobody sees at the end."""
        total = 0
        for array in self.arrays:
            total += array["inputs"] + array["outputs"]
            if array["array"].split("#")[0] not in dead:
                total += array["left"]
        return total


class Model:
    """What kfuse says of a program's traffic."""

    def __init__(self, kfuse, source, arguments, options, folder):
        sized = folder / source.name
        sized.write_text(with_sizes(source.read_text(), arguments))
        self.command = [kfuse, f"-I{source.parent}", sized, "--quiet", *options]
        self.answers = {}
        self.fused, self.apart = folder / "fused.json", folder / "apart.json"
        run([kfuse, source, "--quiet", *options, f"--save-plan={self.fused}"]
            + ["-o", folder / "fused.cu"])
        answer = self.ask(self.fused, 1)
        self.launches, self.dead = answer["launches"], answer.get("deadLabels", [])
        seen, groups = collections.Counter(), []
        for launch in self.launches:
            key = launch["kernel"], launch["line"]
            entry = {"kernel": key[0], "line": key[1], "index": seen[key]}
            groups.append({"launches": [entry]})
            seen[key] += 1
        self.apart.write_text(json.dumps({"version": 1, "groups": groups}))

    def ask(self, plan, threads):
        key = plan, threads
        if key not in self.answers:
            options = [f"--plan={plan}", f"--assume-threads={threads}", "--emit=json"]
            self.answers[key] = json.loads(run([*self.command, *options]))
        return self.answers[key]

    def numbers(self, ran):
        """For each launch that ran, its number in the text: launches of one
        kernel in one line take turns. None when kfuse doesn't know it."""
        turns = collections.Counter()
        for launch in ran:
            name = launch["kernel"].split("<")[0].split("::")[-1]
            known = [
                number
                for number, one in enumerate(self.launches)
                if (one["kernel"], one["line"]) == (name, launch["line"])
            ]
            # A function's launches run in the copies of its statements.
            function = known and self.launches[known[0]]["function"]
            copies = [k for k in known if self.launches[k]["function"] != function]
            known = copies or known
            yield known[turns[name, launch["line"]] % len(known)] if known else None
            turns[name, launch["line"]] += 1

    def bytes(self, plan, ran):
        """Of the plan's kernels, each as often as its first launch ran."""
        total = 0
        numbers = list(self.numbers(ran))
        for launch, number in zip(ran, numbers):
            threads = 1
            for extent in launch["grid"] + launch["block"]:
                threads *= extent
            if number is None:
                continue
            for group in self.ask(plan, threads)["groups"]:
                # A memset that became a stage doesn't run as a launch.
                first = next((n for n in group["launches"] if n in numbers), None)
                if first == number:
                    projection = group["projection"]
                    total += projection["bytesRead"] + projection["bytesWritten"]
        return total


def measure(kfuse, text, options):
    name, *arguments = text.split(":")
    source = pathlib.Path(name).absolute()
    kfuse_cpu = kfuse.with_name("kfuse-cpu")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        model = Model(kfuse, source, arguments, options, folder)
        before = Count(kfuse_cpu, source, source.parent, arguments, folder)
        fused = folder / "fused.cu"
        after = Count(kfuse_cpu, fused, source.parent, arguments, folder)
        predicted = model.bytes(model.fused, before.launches)
        apart = model.bytes(model.apart, before.launches)
    return {
        "program": source.stem,
        "before": before.bytes(),
        "after": after.bytes(),
        "floor": before.floor(model.dead),
        "counted": after.bytes() / before.bytes(),
        "predicted": predicted / apart,
        "error": predicted / after.bytes() - 1,
    }


def show(row):
    texts = [row["program"]]
    texts += [f"{row[name] / 1000:.1f}" for name in ("before", "after", "floor")]
    texts += [f"{row[name]:.3f}" for name in ("counted", "predicted")]
    texts.append(f"{100 * row['error']:+.1f} %")
    print("| " + " | ".join(texts) + " |", flush=True)


def complaint(row):
    name = row["program"]
    if abs(row["error"]) > MOST_ERROR:
        return f"{name}: the model is off by more than {MOST_ERROR:.0%}"
    if row["floor"] > row["after"]:
        return f"{name}: moves less than it must"
    return None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kfuse", type=pathlib.Path)
    parser.add_argument("program", nargs="+")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--option", action="append", default=[])
    given = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |")
    print("|" + "---|" * len(COLUMNS), flush=True)
    complaints = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = pool.map(
            lambda program: measure(given.kfuse.absolute(), program, given.option),
            given.program,
        )
        for row in rows:
            show(row)
            complaints.append(complaint(row))
    if given.check:
        found = [text for text in complaints if text]
        print("\n".join(found) if found else "traffic: as the model says")
        return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
