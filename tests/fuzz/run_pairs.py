#!/usr/bin/env python3
"""Builds what make_pairs.py made with nvcc, and compares the runs on a GPU.

    run_pairs.py FOLDER [--sanitizer=TOOL] [--every=N]

With --sanitizer compute-sanitizer's TOOL runs every Nth fused version too.
Prints what differs, then the counts; exits 1 when anything does.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import subprocess
import sys

import execute

TRACE = pathlib.Path(__file__).resolve().parents[2] / "runtime/gpu/trace.cuh"


@dataclasses.dataclass
class Hidden:
    """Arrays that a fused version may leave otherwise."""

    dead: list
    swapped: list
    lost: list


def build(folder):
    # For this GPU alone: else each run would compile all kernels once more.
    command = ["nvcc", "-std=c++17", "-arch=native", "-include", TRACE]
    command += ["-Xlinker", "--wrap=__cudaLaunchKernel", folder / "joined.cu"]
    command += ["-o", folder / "joined", *(folder / "flags").read_text().split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr[:2000] if done.returncode else ""


def sanitized(folder, name, tool):
    """What the sanitizer finds in a run; empty where that is nothing."""
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode=77"]
    command += [folder / "joined", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"{tool}: {done.stdout[-1500:]}"


class Comparison:
    def __init__(self, options):
        self.options = options
        self.equal = self.unsteady = self.sanitized = self.number = 0
        self.failures = []

    def is_broken(self, folder):
        """Whether the folder doesn't build; else looks at all its pairs."""
        wrong = build(folder)
        if wrong:
            print(f"{folder.name}: does not build: {wrong}", flush=True)
            return True
        self.look_at(folder)
        return False

    def look_at(self, folder):
        steady = {}
        for pair in json.loads((folder / "pairs.json").read_text()):
            name, fused = pair["original"], pair["fused"]
            hidden = Hidden(pair["dead"], pair["swapped"], pair["lost"])
            if name not in steady:
                runs = [execute.Outcome(folder, name, {}) for _ in range(3)]
                alike = bool(runs[0].events) and all(
                    run.is_clean()
                    and run.events == runs[0].events
                    and run.output == runs[0].output
                    for run in runs
                )
                steady[name] = runs[0] if alike else None
            if not steady[name]:
                self.unsteady += 1
                continue
            run = execute.Outcome(folder, fused, {})
            wrong = execute.difference(steady[name], run, hidden)
            self.number += 1
            if not wrong and self.options.sanitizer:
                if self.number % self.options.every == 0:
                    wrong = sanitized(folder, fused, self.options.sanitizer)
                    self.sanitized += 1
            if wrong:
                self.failures.append(f"{folder.name}/{fused}: {wrong}")
                print(self.failures[-1], flush=True)
            else:
                self.equal += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--sanitizer")
    parser.add_argument("--every", type=int, default=20)
    options = parser.parse_args()
    folders = sorted(path.parent for path in options.folder.glob("*/pairs.json"))
    comparison = Comparison(options)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        broken = 0
        for number, is_broken in enumerate(pool.map(comparison.is_broken, folders)):
            broken += is_broken
            if number % 50 == 49:
                print(f"so far: {comparison.equal} equal", flush=True)
    print(
        f"equal {comparison.equal}, different {len(comparison.failures)}, "
        f"sanitized {comparison.sanitized}, originals that differ from run to run "
        f"{comparison.unsteady}, folders that don't build {broken}"
    )
    return 1 if comparison.failures or broken or not comparison.equal else 0


if __name__ == "__main__":
    sys.exit(main())
