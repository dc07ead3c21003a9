#!/usr/bin/env python3
"""Random programs whose sums take one product each, for a GPU.

    make_sums.py KFUSE FOLDER [--programs=N] [--seed=S] [--nvcc=COMMAND]
    scripts/gpu-verify.py FOLDER

The executor never contracts a product and a sum; nvcc does, unless it has moved
one of them into another basic block. These kernels have loops, branches, calls
and quotients for it to do so, and stencils and guards for kfuse to pass values
in registers, in tiles and through memory. Each launch writes arrays of its own,
so that there is no race. Some have structures, also as elements of the arrays, functions that load and store,
values that are stored twice or loaded again or given back by reference, numbers
made of integers or below zero, arrays of a thread's own that functions are lent,
and one array under two names; in some the last kernels alone have results, and
read elements from anywhere. With --nvcc some sums take two products, which this
compiler may prove. What kfuse fuses goes to FOLDER, a folder a program.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess

from summing_kernels import FUNCTIONS, KernelText, generic, members

BLOCKS = [[(128,), (64,), (96,)], [(32, 4), (16, 8)], [(32, 2, 2), (8, 4, 4)]]
SIZES = [(3001,), (83, 61), (37, 23, 19)]
CHAINS = 6  # in a program, apart from each other


def templates_of(rng, kernels, header):
    """The lines that define or include the functions and kernels as templates,
    and what precedes a kernel's name. Functions may be members of a class, and
    all may stand in a header, which is written to `header`."""
    owner = rng.choice(["", "Ops<T>::", "Ops<T>()."])
    functions = members(owner) if owner else generic(FUNCTIONS)
    lines = [functions, *(generic(kernel, owner) for kernel in kernels)]
    space = rng.choice(["", "namespace app", "inline namespace app", "namespace"])
    if space:
        lines = [space + " {", *lines, "}"]
    if rng.random() < 0.5:
        header.write_text("\n".join(["#pragma once", *lines, ""]))
        lines = [f'#include "{header.name}"']
    return lines, "app::" if space == "namespace app" else ""


def make_program(rng, twice, templates, header):
    dims = rng.choice([1, 1, 2, 2, 3])
    size, block = SIZES[dims - 1], rng.choice(BLOCKS[dims - 1])
    cells = 1
    for extent in size:
        cells *= extent
    anywhere = rng.random() < 0.3
    fields = not templates and rng.random() < 0.25
    element, values = ("Two", "2 * cells") if fields else ("T", "cells")
    restrict = "__restrict__ " if rng.random() < 0.4 else ""
    grid = ", ".join(str(-(-n // b)) for n, b in zip(size, block))
    shape = f"dim3({grid}), dim3({', '.join(map(str, block))})"
    kernels, launches, inputs, outputs, scratches = [], [], [], [], []
    for chain in range(CHAINS):
        arrays = [f"c{chain}in0", f"c{chain}in1"]
        inputs += arrays
        stages = rng.choice([2, 2, 3, 3, 4])
        for stage in range(stages):
            name = f"k{chain}_{stage}"
            count = 1 if anywhere else rng.choice([1, 1, 2])
            new = [f"c{chain}s{stage}o{k}" for k in range(count)]
            taken = arrays[-rng.choice([1, 2, 3]) :]
            if rng.random() < 0.1:  # one array, two parameters
                taken = [*taken, taken[-1]]
            kernel = KernelText(
                rng,
                name,
                dims,
                len(taken),
                len(new),
                anywhere=anywhere,
                twice=twice,
                fields=fields,
            )
            kernels.append(kernel.text(restrict))
            given = [*taken, *new, "s", "t", "m", "cells", *map(str, size)]
            launches.append((name, f"<<<{shape}>>>({', '.join(given)});"))
            arrays = arrays + new
            (scratches if anywhere and stage < stages - 1 else outputs).extend(new)
    lines = ["#include <cstdio>", "#include <vector>"]
    before, instance = "", ""
    if templates:
        defined, before = templates_of(rng, kernels, header)
        instance = "<T>"
        lines += [*defined, "template <typename T> static void run(int argc) {"]
    else:
        lines.append(f"typedef {rng.choice(['float', 'float', 'double'])} T;")
        lines += [FUNCTIONS, *kernels, "int main(int argc, char **) {"]
    lines.append(f"  const int cells = {cells}, m = 4 + argc;")
    lines.append("  const T s = T(1.37), t = T(-0.73);")
    lines.append(f"  std::vector<T> h({values});")
    for name in inputs + outputs + scratches:
        lines.append(f"  {element} *{name};")
        lines.append(f"  cudaMalloc(&{name}, {values} * sizeof(T));")
        if name not in scratches:
            lines.append(f"  cudaMemset({name}, 0, {values} * sizeof(T));")
    for number, name in enumerate(inputs):
        lines.append(f"  for (int k = 0; k < {values}; ++k)")
        lines.append(
            f"    h[k] = T((k * 7919 + {31 * number}) % 1009) / 313 - T(1.61);"
        )
        lines.append(
            f"  cudaMemcpy({name}, h.data(), {values} * sizeof(T),"
            " cudaMemcpyHostToDevice);"
        )
    lines += [f"  {before}{name}{instance}{rest}" for name, rest in launches]
    for name in outputs:
        lines.append(
            f"  cudaMemcpy(h.data(), {name}, {values} * sizeof(T),"
            " cudaMemcpyDeviceToHost);"
        )
    lines += [f"  cudaFree({name});" for name in inputs + outputs + scratches]
    if templates:
        lines += ["}", "int main(int argc, char **) {"]
        lines += ["  run<float>(argc);", "  run<double>(argc);"]
    return "\n".join(lines + ["}", ""])


def make_case(kfuse, folder, seed, nvcc, templates):
    """How many launches the program has, and has left."""
    rng = random.Random(seed)
    case = folder / f"sums{seed}"
    case.mkdir(parents=True)
    program = make_program(
        rng, nvcc is not None, templates, case / "templates.cuh"
    )
    (case / "original.cu").write_text(program)
    options = ["--assume-threads=100000", f"--nvcc={nvcc or 'none'}"]
    if nvcc:
        (case / "flags").write_text(" ".join(nvcc.split()[1:]))
    if rng.random() < 0.5:  # what the model sees no gain in
        options += ["--search=random", f"--seed={seed}"]
    else:
        options += ["--cost-without=issue"]
    result = subprocess.run(
        [kfuse, case / "original.cu", "-o", case / "fused.cu", "--quiet"]
        + ["--emit=json", *options],
        capture_output=True,
        text=True,
        check=True,
    )
    plan = json.loads(result.stdout)
    for name in ("dead", "swapped"):
        labels = plan[f"{name}Labels"]
        rows = [" ".join(r) if isinstance(r, list) else r for r in labels]
        (case / name).write_text("\n".join(rows))
    launches, kernels = len(plan["launches"]), len(plan["groups"])
    if launches == kernels:
        shutil.rmtree(case)
    return launches, kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kfuse")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nvcc", metavar="COMMAND")
    parser.add_argument(
        "--templates",
        action="store_true",
        help="kernels as templates, for floats and doubles: some in a header, and"
        " with functions that are members of a class",
    )
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sizes = list(
            pool.map(
                lambda seed: make_case(
                    options.kfuse,
                    options.folder,
                    seed,
                    options.nvcc,
                    options.templates,
                ),
                range(options.seed, options.seed + options.programs),
            )
        )
    before, after = (sum(size[k] for size in sizes) for k in range(2))
    print(f"{options.programs} programs, {before} launches -> {after}")


if __name__ == "__main__":
    main()
