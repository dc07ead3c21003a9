#!/usr/bin/env python3
"""Writes random CUDA programs, fuses and verifies them.

    random-programs.py KFUSE [PROGRAMS [SEED]]

A program is a few functions; a function is a pipeline of kernels (pointwise,
in place, stencils, shifted and mirrored reads and writes, guards of several
kinds, grid-stride loops, integer atomics) over its own arrays or its caller's,
with host code between some of the launches. Each is verified as the search
fuses it, and with random partitions: those must be refused or right as well.
No program has a race of its own, under any of the calls that it makes, so
original and fused must agree in every byte.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ELEMENTS = 600  # of the arithmetic; the arrays are longer by PAD
PAD = 64
# Arithmetic that nobody checks may overflow, so the integers are unsigned.
TYPES = ["float", "float", "unsigned", "double", "unsigned char"]


class Kernel:
    """One kernel: its text, and which elements each parameter touches.

    reads and writes hold, for each array parameter, offsets from the thread's
    own element; None stands for any element.
    """

    def __init__(self, name, text, reads, writes):
        self.name, self.text = name, text
        self.reads, self.writes = reads, writes
        self.arrays = len(reads)

    def is_race_free(self, pointers):
        """Whether no two threads meet, with (array, offset) for each
        parameter."""
        for w, written in enumerate(self.writes):
            for at in written:
                place = None if at is None else pointers[w][1] + at
                for other in range(self.arrays):
                    if pointers[other][0] != pointers[w][0]:
                        continue
                    for touched in self.reads[other] | self.writes[other]:
                        if (other, touched) == (w, at):
                            if at is None:
                                return False
                            continue
                        if touched is None or place is None:
                            return False
                        if pointers[other][1] + touched != place:
                            return False
        return True


GUARDS = [
    ("if (i < n) {", "}"),
    ("if (i >= n)\n    return;\n  {", "}"),
    ("if (!(i >= n)) {", "}"),
    ("if (n > i) {", "}"),
]
INNER_GUARDS = [
    ("if (i > 0 && i < n - 1) {", "}"),
    ("if (i < 1 || i >= n - 1)\n    return;\n  {", "}"),
    ("if ((i >= 1) & (i + 1 < n)) {", "}"),
]
STRIDE = (
    "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
    "       i += gridDim.x * blockDim.x) {"
)
INDEX = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"


def make_kernel(rng, name, kind):
    """A kernel with arrays p0, p1, ... of one type, and scalars s and n."""
    shape = rng.choice(
        ["point"] * 6
        + ["update"] * 4
        + ["two", "stencil", "stencil", "shift", "mirror", "inner", "branch"]
        + ["edge", "window", "temporary"]
        + (["atomic"] if kind == "unsigned" else [])
    )
    op = rng.choice(["+", "-", "*"])
    own, none = {0}, set()
    guard = rng.choice(GUARDS)
    if shape == "point":
        body = f"p2[i] = p0[i] {op} p1[i] + s;"
        reads, writes = [own, own, none], [none, none, own]
    elif shape == "update":
        body = rng.choice(
            [
                f"p1[i] {op}= p0[i];",
                f"p1[i] = p1[i] {op} (p0[i] + s);",
                "p1[i] += p0[i] * s;",
            ]
        )
        reads, writes = [own, own], [none, own]
    elif shape == "two":
        body = f"p1[i] = p0[i] {op} s;\n    p2[i] = p0[i] + s;"
        reads, writes = [own, none, none], [none, own, own]
    elif shape == "stencil":
        body = f"p1[i] = p0[i - 1] {op} p0[i + 1] + p0[i];"
        reads, writes = [{-1, 0, 1}, none], [none, own]
        guard = rng.choice(INNER_GUARDS)
    elif shape == "shift":
        body = "p1[i + 1] = p0[i] + s;"
        reads, writes = [own, none], [none, {1}]
    elif shape == "mirror":
        body = f"p1[i] = p0[n - 1 - i] {op} s;"
        reads, writes = [{None}, none], [none, own]
    elif shape == "inner":
        body = f"p1[i] = p0[i] {op} s;"
        reads, writes = [own, none], [none, own]
        guard = rng.choice(INNER_GUARDS)
    elif shape == "branch":
        body = "if (p0[i] > s)\n      p1[i] = p0[i];\n    else\n      p1[i] = s;"
        reads, writes = [own, none], [none, own]
    elif shape == "edge":
        body = "if (i == 0 || i == n - 1)\n      p0[i] = s;"
        reads, writes = [none], [own]
    elif shape == "window":
        body = (
            f"{kind} sum = 0;\n    for (int k = -2; k <= 2; ++k)\n"
            "      if (i + k >= 0 && i + k < n)\n        sum += p0[i + k];\n"
            "    p1[i] = sum;"
        )
        reads, writes = [{-2, -1, 0, 1, 2}, none], [none, own]
    elif shape == "temporary":
        body = f"const {kind} t = p0[i];\n    p1[i] = t * t {op} s;"
        reads, writes = [own, none], [none, own]
    else:
        body = "atomicAdd(&p1[i % 32], p0[i]);"
        reads, writes = [own, none], [none, none]
        # Atomics may meet each other, and nothing else.
        writes[1] = {None}
    parameters = ", ".join(
        f"{'' if writes[a] else 'const '}{kind} *p{a}" for a in range(len(reads))
    )
    if guard in GUARDS and rng.random() < 0.15:
        text = f"  {STRIDE}\n    {body}\n  }}\n"
    else:
        text = f"{INDEX}  {guard[0]}\n    {body}\n  {guard[1]}\n"
    text = f"__global__ void {name}({parameters}, {kind} s, int n) {{\n{text}}}\n"
    kernel = Kernel(name, text, reads, writes)
    if shape == "atomic":
        kernel.is_race_free = lambda p: p[0][0] != p[1][0]
    return kernel


def make_function(rng, number):
    """A function, its kernels, and the calls that main makes of it."""
    kind = rng.choice(TYPES)
    kernels = [
        make_kernel(rng, f"k{number}_{k}", kind) for k in range(rng.randint(4, 7))
    ]
    count = rng.randint(3, 5)
    wrapper = rng.random() < 0.35
    # The executor's trace tells arrays apart by name.
    names = [f"a{number}{a}" for a in range(count)]
    launches = []  # (kernel, pointers by position), for the calls
    lines = []
    places = list(range(count))  # where each name points at the moment
    block = rng.choice([64, 96, 128])
    grid = f"(n + {block - 1}) / {block}"
    lines.append(f"  dim3 block({block}), grid({grid});")
    lines.append("  int m = n;")
    depth = 0
    for _ in range(rng.randint(4, 9)):
        between = rng.random()
        if between < 0.06:
            lines.append(f"  m -= {rng.randint(1, 40)};")
        elif between < 0.10 and not depth:
            a = rng.randrange(count)
            lines.append(f"  cudaMemset({names[a]}, 1, {rng.randint(1, 99)});")
        elif between < 0.14:
            a = rng.randrange(count)
            lines.append(f"  show({names[a]}, {ELEMENTS});")
        elif between < 0.17:
            lines.append("  grid.x = grid.x > 1 ? grid.x - 1 : 1;")
        elif between < 0.22 and not depth:
            a, b = rng.sample(range(count), 2)
            lines.append(f"  std::swap({names[a]}, {names[b]});")
            places[a], places[b] = places[b], places[a]
        elif between < 0.26 and not depth:
            lines.append("  for (int round = 0; round < 2; ++round) {")
            depth = 1
        elif between < 0.30 and not depth:
            lines.append(f"  if (m > {rng.choice([0, 590, 700])}) {{")
            depth = 1
        elif between < 0.40 and depth:
            lines.append("  }")
            depth = 0
        elif between < 0.45:
            lines.append("  cudaDeviceSynchronize();")
        for _ in range(20):
            kernel = rng.choice(kernels)
            chosen = [rng.randrange(count) for _ in range(kernel.arrays)]
            offsets = [
                rng.randint(1, 8) if rng.random() < 0.04 else 0 for _ in chosen
            ]
            pointers = [(places[c], o) for c, o in zip(chosen, offsets)]
            if kernel.is_race_free(pointers):
                break
        else:
            continue
        launches.append((kernel, pointers))
        arguments = [
            names[c] + (f" + {o}" if o else "") for c, o in zip(chosen, offsets)
        ]
        limit = rng.choice(["n"] * 4 + ["m"] * 3 + ["n - 9"])
        value = rng.choice(["3", "2", "7", "m % 5"])
        lines.append(
            f"  {kernel.name}<<<grid, block>>>("
            + ", ".join(arguments + [value, limit])
            + ");"
        )
    if depth:
        lines.append("  }")
    shown = [n for n in names if rng.random() < 0.5] or names[:1]
    # A caller's pointer may stand a few elements into its array.
    length = ELEMENTS if wrapper else ELEMENTS + PAD
    lines += [f"  show({n}, {length});" for n in shown]

    parameters = ", ".join(f"{kind} *{n}" for n in names) + ", " if wrapper else ""
    head = f"void f{number}({parameters}int n) {{\n"
    make = [f"  {kind} *{', *'.join(names)};"]
    drop = [f"  cudaFree({n});" for n in names]
    if not wrapper:
        # The allocations in the open, so that arrays can be proved dead.
        for i, n in enumerate(names):
            size = f"{ELEMENTS + PAD} * sizeof({kind})"
            make.append(f"  cudaMalloc(&{n}, {size});")
            make.append(f"  init<<<8, 128>>>({n}, {i}, {ELEMENTS + PAD});")
        text = head + "\n".join(make + lines + drop) + "\n}\n"
        calls = [f"  f{number}({ELEMENTS});\n"]
    else:
        make += [f"  make(&{n}, {ELEMENTS + PAD}, {i});" for i, n in enumerate(names)]
        text = head + "\n".join(lines) + "\n}\n"
        calls = ["  {\n  " + "\n  ".join(make) + "\n"]
        calls.append(f"    f{number}({', '.join(names)}, {ELEMENTS});\n")
        for _ in range(2):
            # The caller's pointers may be the same, or overlap.
            bound = [
                (rng.randrange(count), rng.choice([0, 0, 0, 5])) for _ in names
            ]
            if all(
                kernel.is_race_free(
                    [(bound[p][0], bound[p][1] + o) for p, o in pointers]
                )
                for kernel, pointers in launches
            ):
                passed = ", ".join(f"{names[a]} + {o}" for a, o in bound)
                calls.append(f"    f{number}({passed}, {ELEMENTS - 30});\n")
        calls.append("  " + "\n  ".join(drop) + "\n  }\n")
    return "\n".join(k.text for k in kernels) + "\n" + text, "".join(calls)


HEAD = """// A random program.
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

template <typename T> __global__ void init(T *p, int seed, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    p[i] = T((i * 7 + seed * 13) % 11) / 2;
}

template <typename T> void make(T **p, int n, int seed) {
  cudaMalloc(p, n * sizeof(T));
  init<<<8, 128>>>(*p, seed, n);
}

template <typename T> void show(const T *p, int n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  printf("%g %g\\n", double(host[1]), double(host[n / 2]));
}

"""


def make_program(rng):
    parts = [make_function(rng, number) for number in range(4)]
    return (
        HEAD
        + "\n".join(text for text, _ in parts)
        + "\nint main() {\n"
        + "".join(calls for _, calls in parts)
        + "}\n"
    )


def join_at_random(plan, rng):
    """The plan's groups, some of them joined."""
    groups = plan["groups"]
    rng.shuffle(groups)
    joined = []
    for group in groups:
        if joined and rng.random() < 0.3:
            rng.choice(joined)["launches"] += group["launches"]
        else:
            joined.append(group)
    plan["groups"] = joined
    return plan


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace")


def check(kfuse, folder, seed):
    """Messages of what went wrong with the program of this seed."""
    rng = random.Random(seed)
    path = folder / f"random-{seed}.cu"
    path.write_text(make_program(rng))
    plan = folder / f"random-{seed}.json"
    options = rng.choice([[], ["--elements-per-thread=1"], ["--no-conditions"]])
    result = run(
        [kfuse, "verify", "--ignore-timing", *options, str(path),
         f"--save-plan={plan}"]
    )
    if result.returncode != 0:
        yield f"{path}: exit {result.returncode}\n{result.stderr[-1500:]}"
        return
    saved = plan.read_text()
    for attempt in range(3):
        plan.write_text(json.dumps(join_at_random(json.loads(saved), rng)))
        result = run([kfuse, str(path), "-o", os.devnull, f"--plan={plan}"])
        if result.returncode == 1:
            continue
        result = run([kfuse, "verify", str(path), f"--plan={plan}"])
        if result.returncode != 0:
            kept = folder / f"random-{seed}-{attempt}.json"
            plan.rename(kept)
            yield f"{path} with {kept}: exit {result.returncode}\n" + (
                result.stderr[-1500:]
            )
            return


def main():
    kfuse = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 6
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kfuse-random-"))
    failures = 0
    for seed in range(first, first + count):
        for message in check(kfuse, folder, seed):
            failures += 1
            print(message, flush=True)
    print(f"{count} random programs, {failures} failures; {folder}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
