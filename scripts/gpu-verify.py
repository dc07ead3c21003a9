#!/usr/bin/env python3
"""Compares original and fused programs on a GPU, bit for bit, and times them.

Usage: gpu-verify.py [--untimed] FOLDER

Every sub-folder of FOLDER holds original.cu, fused.cu, optionally
`arguments` (one line, for the comparison), `large` (one line, for the timing),
`flags` (one line, for nvcc, which else gets none that change the code) and
`dead` (labels of arrays that the fused program never stores, one a line:
`deadLabels` of --emit=json; their content is left out) and `swapped` (labels of
arrays whose pointers the host may have swapped, each set on a line:
`swappedLabels`; only copies of them are compared) and `kernels` (a line for each
fused kernel: its name and those of its members; one that never ran though its
members did fails the pair, and one none of whose members ran is named). Lines
that the original prints differently when it runs again, such as times, aren't
compared.
Prints one line a program; exits 3 when any pair differs. With --untimed it only
compares, several programs at once.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

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
         "--wrap=__cudaLaunchKernel", "-I", folder, output + ".cu", "-o", output]
        + " ".join(lines(folder, "flags")).split(),
        check=True, capture_output=True, text=True)


def run(folder, name, arguments, variables):
    return subprocess.run(
        [os.path.join(folder, name)] + arguments, capture_output=True,
        text=True, errors="replace", timeout=300,
        env=dict(os.environ, **variables))


def comparable(folder, trace, dead, swapped):
    def kept(line):
        label = re.match(r"(free|exit) (.*)#\d+ ", line)
        return not (label and label.group(2) in dead.union(*swapped))

    def renamed(line):
        label = re.match(r"copy (.*)#\d+ ", line)
        for labels in swapped:
            if label and label.group(1) in labels:
                return f"copy {labels[0]} {line[label.end():]}"
        return line
    # Host compilers name an instance of a template with its arguments.
    named = [re.sub(r"^(\w+ \w+)<.*>:", r"\1:", line)
             for line in lines(folder, trace)]
    return [renamed(line) for line in named if kept(line)]


def differing(one, other):
    """Numbers of the lines in which two outputs differ."""
    one, other = one.split("\n"), other.split("\n")
    if len(one) != len(other):
        return {-1}
    return {i for i in range(len(one)) if one[i] != other[i]}


def runOf(folder, kernels):
    """Which of the kernels the fused program launched, by what it counted."""
    counted = [line.partition(" ")[2] for line in lines(folder, "fused.launches")]
    return {
        kernel for kernel in kernels
        if any(re.search(rf"(?<!\d){len(kernel)}{kernel}", name) for name in counted)
    }


def kernelsThatDidNotRun(folder):
    """Fused kernels instead of which their members ran, and those without."""
    instead, without = [], []
    for fused, *members in (line.split() for line in lines(folder, "kernels") if line):
        ran = runOf(folder, {fused, *members})
        if fused not in ran:
            (instead if ran.issuperset(members) else without).append(fused)
    return instead, without


def unsteadyLines(folder, arguments, output):
    unsteady = set()
    for _ in range(3):
        again = run(folder, "original", arguments, {})
        unsteady |= differing(output, again.stdout)
    return unsteady


def verify(folder, builds, isTimed):
    for name in ("original", "fused"):
        try:
            builds[name].result()
        except subprocess.CalledProcessError as error:
            return f"{name} does not build: {error.stderr[:400]}"
    arguments = " ".join(lines(folder, "arguments")).split()
    large = " ".join(lines(folder, "large")).split() or arguments
    dead = set(lines(folder, "dead"))
    swapped = [line.split() for line in lines(folder, "swapped") if line]
    results = {}
    for name in ("original", "fused"):
        trace = os.path.join(folder, name + ".trace")
        counted = os.path.join(folder, name + ".launches")
        done = run(folder, name, arguments,
                   {"KFUSE_TRACE": trace, "KFUSE_LAUNCHES": counted})
        results[name] = (done.returncode, done.stdout,
                         comparable(folder, name + ".trace", dead, swapped))
    was, now = results["original"], results["fused"]
    different = differing(was[1], now[1])
    if different:
        different -= unsteadyLines(folder, arguments, was[1])
    if different:
        return f"DIFFERENT output: {was[1][:200]} / {now[1][:200]}"
    if was[0] != now[0]:
        return f"DIFFERENT exit code: {was[0]} / {now[0]}"
    if was[2] != now[2]:
        pairs = [f"{a} / {b}" for a, b in zip(was[2], now[2]) if a != b]
        return (f"DIFFERENT trace ({len(was[2])} and {len(now[2])} lines): "
                + ", ".join(pairs[:4]))
    instead, without = kernelsThatDidNotRun(folder)
    if instead:
        return f"NEVER RAN: {', '.join(instead)}; the members ran instead"
    equal = (f"equal ({len(results['fused'][2])} trace lines, exit "
             f"{results['fused'][0]})")
    if without:
        equal += f"; not run: {', '.join(without)}"
    if not isTimed:
        return equal
    times = {}
    for name in ("original", "fused"):
        best = None
        for _ in range(3):
            path = os.path.join(folder, name + ".times")
            # Else a kernel's first launch takes the time of loading it too.
            run(folder, name, large, {"KFUSE_TIMES": path,
                                      "CUDA_MODULE_LOADING": "EAGER"})
            launches, milliseconds = " ".join(lines(folder, name + ".times")).split()
            best = min(best or 1e30, float(milliseconds))
        times[name] = (int(launches), best)
    (n0, t0), (n1, t1) = times["original"], times["fused"]
    return (f"{equal}; launches {n0} -> {n1}; "
            f"kernel time {t0:.3f} -> {t1:.3f} ms, {t0 / max(t1, 1e-9):.2f}x")


def main():
    isTimed = "--untimed" not in sys.argv
    root = sys.argv[-1]
    folders = {name: os.path.join(root, name) for name in sorted(os.listdir(root))
               if os.path.isdir(os.path.join(root, name))}
    failed = 0
    # nvcc takes seconds and no GPU; what is timed runs alone.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        builds = {name: {part: pool.submit(build, folder, part)
                         for part in ("original", "fused")}
                  for name, folder in folders.items()}
    with ThreadPoolExecutor(1 if isTimed else 8) as pool:
        verdicts = pool.map(
            lambda name: verify(folders[name], builds[name], isTimed), folders)
        for name, verdict in zip(folders, verdicts):
            failed += not verdict.startswith("equal")
            print(f"{name:28} {verdict}", flush=True)
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
