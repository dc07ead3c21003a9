#!/usr/bin/env python3
"""Verifies fused random CUDA programs of kernels over elements and over rows.

    rows.py KFUSE [--programs=N] [--seed=S] [--keep=DIR] [--jobs=J]

A row has a thread, a warp or a block. Whatever of a program may be fused is,
in a random way, and verified: in several thread orders it must do what the
original does. The same numbers make the same programs.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# The executor contracts no sums, as a compiler that is asked may.
os.environ.setdefault("KFUSE_NVCC", "none")

HEAD = """#include <cstdio>
#include <cuda_runtime.h>
"""
# How a row is told, the first of its thread's cells, and the step to the next;
# and how its threads make one value of theirs.
STYLES = {
    "thread": ("blockIdx.x * blockDim.x + threadIdx.x", "0", "1", ""),
    "warp": (
        "blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32",
        "threadIdx.x % 32",
        "32",
        """  for (int k = 16; k > 0; k /= 2)
    m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, k));
""",
    ),
    "warp of the grid": (
        "(blockIdx.x * blockDim.x + threadIdx.x) / 32",
        "(blockIdx.x * blockDim.x + threadIdx.x) % 32",
        "32",
        """  for (int k = 16; k > 0; k /= 2)
    m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, k));
""",
    ),
    "block": (
        "blockIdx.x",
        "threadIdx.x",
        "blockDim.x",
        """  __shared__ float all[128];
  all[threadIdx.x] = m;
  __syncthreads();
  for (int k = 0; k < blockDim.x; ++k)
    m = fmaxf(m, all[k]);
""",
    ),
    "block of warps": (
        "blockIdx.x",
        "threadIdx.x",
        "blockDim.x",
        """  __shared__ float all[4];
  int warp = threadIdx.x / 32;
  for (int k = 16; k > 0; k /= 2)
    m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, k));
  if (threadIdx.x % 32 == 0)
    all[warp] = m;
  __syncthreads();
  if (warp == 0) {
    m = threadIdx.x < blockDim.x / 32 ? all[threadIdx.x] : 0;
    for (int k = 16; k > 0; k /= 2)
      m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, k));
    if (threadIdx.x == 0)
      all[0] = m;
  }
  __syncthreads();
  m = all[0];
""",
    ),
}


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.kernels, self.launches = [], []
        self.pad = rng.choice([0, 0, 0, 0, 1, 3])
        # Kernels of one shape can be fused on their side too.
        self.style = rng.choice([*STYLES, "thread", "block", "block"])
        self.block = rng.choice([32, 64, 128])
        self.taken = None  # by rows, lately
        self.arrays = [f"p{k}" for k in range(rng.choice([3, 4, 4, 5]))]

    def odd(self, rate=0.12):
        return self.rng.random() < rate

    def element(self, number):
        """o[i] = f(a[i], b[i], m[i / length])."""
        rng = self.rng
        o, a, b = rng.sample(self.arrays, 3)
        if self.odd(0.3):
            a = o
        at = "i"
        if self.odd():
            at = "i + 1"
            a, b = (x if x != o else b for x in (a, b))
        near = rng.choice(["i", "i", "i", "i + 1", "i + 2"]) if b != o else at
        own = at if a == o else "i"
        value = f"a[{own}] {rng.choice('+-')} b[{near}]"
        per_row = self.odd(0.3)
        if per_row:
            value += f" {rng.choice('+-')} m[i / length]"
        guard = "i < n" if not self.odd() else "i > 2 && i < n"
        self.kernels.append(
            f"""__global__ void each{number}(float *o, const float *a, const float *b,
                      const float *m, int n, int length) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ({guard})
    o[{at}] = {value};
}}
"""
        )
        n = rng.choice(["rows * stride"] * 4 + ["rows * length", "rows * length / 2"])
        block = rng.choice([32, 64, 128])
        grid = f"({n} + {block - 1}) / {block}"
        if self.odd():
            grid = rng.choice([f"({n}) / {block}", f"{grid} + 1", "3"])
        # Behind the last row there is room for a row's length and more.
        row = "stride" if per_row else rng.choice(["length", "stride"])
        self.launches.append(
            f"each{number}<<<{grid}, {block}>>>({o}, {a}, {b}, means, {n}, {row});"
        )

    def row(self, number):
        """b[row] = f(a[row]), and m[row]."""
        rng = self.rng
        style = rng.choice([*STYLES]) if self.odd(0.3) else self.style
        at, first, step, reduction = STYLES[style]
        b, a = rng.sample(self.arrays, 2)
        if self.taken not in (None, b) and self.odd(0.5):
            a = self.taken
        self.taken = a
        place = "row * stride + i"
        source = place
        if a != b and self.odd():
            source = rng.choice(
                [
                    "i * rows + row",
                    place + " + 1",
                    "row * length + i",
                    "(row + 1) * stride + i",
                    "row * stride + length - 1 - i",
                    "row * stride + length - 1 - i",
                ]
            )
        if self.odd(0.3):
            a, source = b, place
        keeps, takes = self.odd(0.4), self.odd(0.4)
        is_block = style.startswith("block")
        limit = "" if is_block else "  if (row >= rows)\n    return;\n"
        alone = "if (threadIdx.x == 0) " if is_block and self.odd(0.7) else ""
        sizes = rng.sample(["rows", "length", "stride"], 3)
        self.kernels.append(
            f"""__global__ void row{number}(float *b, const float *a, float *m,
                     {", ".join(f"int {size}" for size in sizes)}) {{
  int row = {at};
{limit}  float m0 = 0, m1 = {"m[row]" if takes else 0};
  for (int i = {first}; i < length; i += {step})
    m0 = fmaxf(m0, a[{source}]);
  float m2 = m0;
{re.sub(chr(92) + "bm" + chr(92) + "b", "m2", reduction)}  for (int i = {first}; i < length; i += {step})
    b[{place}] = a[{source}] - m2 + m1;
{f"  {alone}m[row] = m2;" if keeps else ""}
}}
"""
        )
        block = rng.choice([32, 64, 128]) if self.odd(0.3) else self.block
        count = {"t": block, "w": block // 32, "b": 1}[style[0]]
        grid = "rows" if count == 1 else f"(rows + {count - 1}) / {count}"
        self.launches.append(
            f"row{number}<<<{grid}, {block}>>>({b}, {a}, means, {', '.join(sizes)});"
        )

    def program(self):
        rng = self.rng
        for number in range(rng.choice([2, 2, 3, 3, 4, 5])):
            (self.element if rng.random() < 0.5 else self.row)(number)
        known = self.odd(0.4)
        rows, length = rng.choice([1, 5, 37, 130]), rng.choice([1, 3, 32, 45, 130])
        more = "" if known else " + argc - 1"
        fill = "".join(
            f"""  cudaMalloc(&{name}, cells * sizeof(float));
  for (int k = 0; k < cells; ++k)
    host[k] = k * {7 + 2 * k} % 23 - 9;
  cudaMemcpy({name}, host, cells * sizeof(float), cudaMemcpyHostToDevice);
"""
            for k, name in enumerate([*self.arrays, "means"])
        )
        shown = [x for x in [*self.arrays, "means"] if not self.odd(0.2)]
        show = "".join(
            f"""  cudaMemcpy(host, {name}, cells * sizeof(float), cudaMemcpyDeviceToHost);
  for (int k = 0; k < cells; ++k)
    sum += host[k] * (k % 13);
  printf("%f\\n", sum);
"""
            for name in shown
        )
        names = [*self.arrays, "means"]
        calls = "".join(f"  {launch}\n" for launch in self.launches)
        functions, inside = "", calls
        if self.odd(0.4):
            given = ", ".join(f"float *{name}" for name in names)
            functions = f"void run({given}, int rows, int length, int stride) {{\n{calls}}}\n"
            inside = f"  run({', '.join(names)}, rows, length, stride);\n"
            inside *= rng.choice([1, 2])
        return f"""{HEAD}{"".join(self.kernels)}{functions}static float host[40000];
int main(int argc, char **argv) {{
  const int rows = {rows}{more}, length = {length}{more}, stride = length + {self.pad};
  const int cells = (rows + 3) * (stride + 3) + 10;
  float *{", *".join(names)};
{fill}{inside}  double sum = 0;
{show}{"".join(f"  cudaFree({name});{chr(10)}" for name in names)}}}
"""


def verify(kfuse, seed, keep):
    """The line that tells how many launches are left, and what is wrong."""
    rng = random.Random(seed)
    text = Maker(rng).program()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / f"rows{seed}.cu"
        source.write_text(text)
        how = ["--relaxed-rounding", "--cost-without=memory,L2,issue,flops,starts,L1"]
        if rng.random() < 0.4:
            how = ["--relaxed-rounding", "--search=random", f"--seed={seed}"]
        command = [kfuse, "verify", source, *how]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        told = re.search(r"(\d+) launches -> (\d+)", done.stdout + done.stderr)
        counts = [int(told[1]), int(told[2])] if told else [0, 0]
        emitted = subprocess.run(
            [kfuse, source, "-o", "/dev/null", "--quiet", "--emit=json", *how],
            capture_output=True,
            text=True,
        )
        blocks = emitted.stdout.count('"schedule": "block"')
        # 4: a test that never held.
        if done.returncode in (0, 4) and told:
            return *counts, blocks, ""
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / source.name).write_text(text)
        return *counts, blocks, f"seed {seed}: {(done.stdout + done.stderr)[-400:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kfuse")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.programs)
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        results = list(pool.map(lambda s: verify(given.kfuse, s, given.keep), seeds))
    before, after, blocks = (sum(r[k] for r in results) for k in range(3))
    print(f"programs {len(results)}, launches {before} -> {after}, of rows {blocks}")
    failures = [result[3] for result in results if result[3]]
    for failure in failures:
        print(failure)
    print(f"failures: {len(failures)}")
    sys.exit(bool(failures) or blocks == 0)


if __name__ == "__main__":
    main()
