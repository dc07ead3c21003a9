#!/usr/bin/env python3
"""Compares original and fused programs on a GPU, bit for bit, and times them.

Usage: gpu-verify.py FOLDER

Every sub-folder of FOLDER holds original.cu, fused.cu, optionally
`arguments` (one line, for the comparison), `large` (one line, for the timing)
and `dead` (names of arrays that the fused program never stores, one a line;
their content is left out). Both are built by nvcc with its default flags.
Prints one line a program; exits 3 when any pair differs.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TRACE = os.path.join(HERE, "..", "runtime", "gpu", "trace.cuh")


def lines(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return file.read().split("\n")


def build(folder, name):
    output = os.path.join(folder, name)
    subprocess.run(
        ["nvcc", "-std=c++17", "-include", TRACE, "-Xlinker",
         "--wrap=__cudaLaunchKernel", "-I", folder, output + ".cu", "-o", output],
        check=True, capture_output=True, text=True)


def run(folder, name, arguments, variables):
    return subprocess.run(
        [os.path.join(folder, name)] + arguments, capture_output=True,
        text=True, errors="replace", timeout=300,
        env=dict(os.environ, **variables))


def comparable(folder, trace, dead):
    def kept(line):
        label = re.match(r"(free|exit) (.*)#\d+ ", line)
        return not (label and label.group(2) in dead)
    return [line for line in lines(folder, trace) if kept(line)]


def verify(folder):
    for name in ("original", "fused"):
        try:
            build(folder, name)
        except subprocess.CalledProcessError as error:
            return f"{name} does not build: {error.stderr[:400]}"
    arguments = " ".join(lines(folder, "arguments")).split()
    large = " ".join(lines(folder, "large")).split() or arguments
    dead = set(lines(folder, "dead"))
    results = {}
    for name in ("original", "fused"):
        trace = os.path.join(folder, name + ".trace")
        done = run(folder, name, arguments, {"KFUSE_TRACE": trace})
        results[name] = (done.returncode, done.stdout,
                         comparable(folder, name + ".trace", dead))
    if results["original"] != results["fused"]:
        for part, what in enumerate(("exit code", "output", "trace")):
            was, now = (results[name][part] for name in ("original", "fused"))
            if was != now:
                return f"DIFFERENT {what}: {str(was)[:200]} / {str(now)[:200]}"
    times = {}
    for name in ("original", "fused"):
        best = None
        for _ in range(3):
            path = os.path.join(folder, name + ".times")
            run(folder, name, large, {"KFUSE_TIMES": path})
            launches, milliseconds = " ".join(lines(folder, name + ".times")).split()
            best = min(best or 1e30, float(milliseconds))
        times[name] = (int(launches), best)
    (n0, t0), (n1, t1) = times["original"], times["fused"]
    return (f"equal ({len(results['fused'][2])} trace lines, exit "
            f"{results['fused'][0]}); launches {n0} -> {n1}; "
            f"kernel time {t0:.3f} -> {t1:.3f} ms, {t0 / max(t1, 1e-9):.2f}x")


def main():
    root = sys.argv[1]
    failed = 0
    for name in sorted(os.listdir(root)):
        folder = os.path.join(root, name)
        if not os.path.isdir(folder):
            continue
        verdict = verify(folder)
        failed += not verdict.startswith("equal")
        print(f"{name:28} {verdict}", flush=True)
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
