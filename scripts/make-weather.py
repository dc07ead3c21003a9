#!/usr/bin/env python3
"""Writes a CUDA program like a weather code's time step, of any size.

Usage: make-weather.py [--kernels=142] [--arrays=65] [--seed=1]
                       [--cells=64x32x8] [--steps=2] [--real=double]

Kernels on the volume and on its surface, of one thread a cell: tendencies from
neighbours, updates in place, pointwise physics, exchange between the surface
and the lowest level or the whole column. A few prognostic arrays are read all
the time, the others are made, read a few times soon after, and overwritten.
Every value is a mean or a limit of others, so that nothing overflows however
long it runs. Some sums have two products, which compilers may contract in more
than one way: what kfuse fuses only with --relaxed-rounding.
"""
import argparse
import random

# Offsets on the axes x, y, z that kernels of a kind read around their cell.
STENCILS = {
    "x": [(-1, 0, 0), (0, 0, 0), (1, 0, 0)],
    "left": [(-1, 0, 0), (0, 0, 0)],
    "lower": [(0, -1, 0), (0, 0, 0)],
    "y": [(0, -1, 0), (0, 0, 0), (0, 1, 0)],
    "cross": [(-1, 0, 0), (0, -1, 0), (0, 0, 0), (0, 1, 0), (1, 0, 0)],
    "wide": [(-2, 0, 0), (-1, 0, 0), (0, 0, 0), (1, 0, 0), (2, 0, 0)],
    "z": [(0, 0, -1), (0, 0, 0), (0, 0, 1)],
    "above": [(0, 0, 0), (0, 0, 1)],
}
VOLUME = ["x", "left", "left", "lower", "lower", "y", "cross", "cross", "wide",
          "z", "above"]
SURFACE = ["x", "left", "lower", "y", "cross"]
INDEX = {3: "(z * ny + y) * nx + x", 2: "y * nx + x"}


class Kernel:
    """One kernel: what it reads around each cell, and what it writes."""

    def __init__(self, name, dimensions):
        self.name = name
        self.dimensions = dimensions
        self.reads = []  # (array, offsets)
        self.writes = []
        self.isUpdate = False


def place(array, offset, dimensions):
    """The index of a neighbour, in an array that may be the surface's."""
    x, y, z = offset
    if array.startswith("s") and dimensions == 3:
        return "y * nx + x"
    text = "i"
    for by, unit in ((x, ""), (y, "nx"), (z, "nx * ny")):
        if by:
            step = unit if abs(by) == 1 and unit else \
                f"{abs(by)}" + (f" * {unit}" if unit else "")
            text += f" {'+' if by > 0 else '-'} {step}"
    return text


def guard(kernel):
    """All neighbours are cells."""
    tests = []
    axes = "xyz"[:kernel.dimensions]
    for axis, name in enumerate(axes):
        low = max((-offset[axis] for _, offsets in kernel.reads
                   for offset in offsets), default=0)
        high = max((offset[axis] for _, offsets in kernel.reads
                    for offset in offsets), default=0)
        low, high = max(low, 0), max(high, 0)
        if low:
            tests.append(f"{name} < {low}")
        tests.append(f"{name} >= n{name} - {high}" if high
                     else f"{name} >= n{name}")
    return " || ".join(tests)


def source(kernel, rng):
    parameters = [f"const real *{array}" for array, _ in kernel.reads
                  if array not in kernel.writes]
    parameters += [f"real *{array}" for array in kernel.writes]
    sizes = ["int nx", "int ny"] + (["int nz"] if kernel.dimensions == 3 else [])
    lines = [f"__global__ void {kernel.name}({', '.join(parameters)}, real c, "
             f"{', '.join(sizes)}) {{"]
    for axis in "xyz"[:kernel.dimensions]:
        lines.append(f"  int {axis} = blockIdx.{axis} * blockDim.{axis} + "
                     f"threadIdx.{axis};")
    lines += [f"  if ({guard(kernel)})", "    return;",
              f"  int i = {INDEX[kernel.dimensions]};"]
    terms = []
    for array, offsets in kernel.reads:
        values = [f"{array}[{place(array, offset, kernel.dimensions)}]"
                  for offset in offsets]
        total = " + ".join(values)
        if len(values) > 1:
            total = f"({total}) * (real){1 / len(values):.6f}"
        lines.append(f"  real m{len(terms)} = {total};")
        terms.append(f"m{len(terms)}")
    for number, array in enumerate(kernel.writes):
        value, *others = rng.sample(terms, len(terms))
        for other in others:
            value = (f"c * {other} + (1 - c) * {value}" if rng.random() < 0.3
                     else f"max({other} - c, {value})") \
                if value in terms else f"min({value}, {other} + c)"
        if kernel.isUpdate and number == 0:
            value = f"{array}[i] + c * ({value} - {array}[i])"
        lines.append(f"  {array}[i] = {value};")
    return "\n".join(lines + ["}"])


def choose(rng, recent, used):
    """An array to read: those written last are the likeliest. One is left to
    write."""
    candidates = [array for array in recent if array not in used]
    if len(candidates) < 2:
        return None
    weights = [1.0 / (1 + place) for place in range(len(candidates))]
    return rng.choices(candidates, weights)[0]


def makeKernels(count, arrays, rng):
    """The time step, and the names of the volume's and the surface's arrays."""
    surface = [f"s{n}" for n in range(max(2, arrays // 6))]
    volume = [f"f{n}" for n in range(arrays - len(surface))]
    prognostic = volume[:max(3, arrays // 8)]
    recent = {3: list(volume), 2: list(surface)}
    kernels = []
    for number in range(count):
        dimensions = 2 if rng.random() < 0.15 else 3
        kernel = Kernel(f"step{number}", dimensions)
        own = recent[dimensions]
        used = []
        stencilled = rng.random() < 0.45
        for read in range(rng.choice([1, 2, 2, 3, 3, 4])):
            fromPool = dimensions == 3 and rng.random() < 0.3
            array = choose(rng, prognostic if fromPool else own, used)
            if array is None:
                continue
            used.append(array)
            shape = rng.choice(VOLUME if dimensions == 3 else SURFACE)
            around = STENCILS[shape] if stencilled and read < 2 else [(0, 0, 0)]
            kernel.reads.append((array, around))
        if dimensions == 3 and rng.random() < 0.1:
            kernel.reads.append((rng.choice(recent[2]), [(0, 0, 0)]))
        kernel.isUpdate = rng.random() < 0.2
        for write in range(2 if rng.random() < 0.15 else 1):
            # What was written or read longest ago is overwritten.
            pool = prognostic if kernel.isUpdate and dimensions == 3 and \
                write == 0 else own[len(own) // 2:]
            free = [array for array in pool
                    if array not in used and array not in kernel.writes]
            if free:
                kernel.writes.append(rng.choice(free))
        if not kernel.writes:
            kernel.writes.append(next(a for a in reversed(own) if a not in used))
        for array in kernel.writes:
            if array in own:
                own.remove(array)
                own.insert(0, array)
        kernels.append(kernel)
    return kernels, volume, surface


def program(options):
    rng = random.Random(options.seed)
    kernels, volume, surface = makeKernels(options.kernels, options.arrays, rng)
    nx, ny, nz = (int(n) for n in options.cells.split("x"))
    parts = [f"""#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

typedef {options.real} real;
"""]
    parts += [source(kernel, rng) + "\n" for kernel in kernels]
    parts.append(f"""int main() {{
  const int nx = {nx}, ny = {ny}, nz = {nz}, steps = {options.steps};
  const size_t flat = sizeof(real) * nx * ny, bytes = flat * nz;
  std::vector<real> host((size_t)nx * ny * nz);
  unsigned state = {options.seed};
  for (real &value : host) {{
    state = state * 1664525u + 1013904223u;
    value = (real)(state >> 8) / 16777216;
  }}
""")
    lines = []
    for array in volume + surface:
        size = "bytes" if array in volume else "flat"
        lines += [f"  real *{array};", f"  cudaMalloc(&{array}, {size});",
                  f"  cudaMemcpy({array}, host.data(), {size}, "
                  "cudaMemcpyHostToDevice);"]
    lines += ["", "  dim3 block(32, 8);",
              "  dim3 grid((nx + 31) / 32, (ny + 7) / 8);",
              "  dim3 volume((nx + 31) / 32, (ny + 7) / 8, nz);",
              "  for (int step = 0; step < steps; ++step) {"]
    for kernel in kernels:
        arrays = [a for a, _ in kernel.reads if a not in kernel.writes]
        arguments = arrays + kernel.writes + [f"(real){rng.randint(1, 9) / 10}",
                                              "nx", "ny"]
        grid = "grid"
        if kernel.dimensions == 3:
            arguments.append("nz")
            grid = "volume"
        lines.append(f"    {kernel.name}<<<{grid}, block>>>("
                     f"{', '.join(arguments)});")
    lines += ["  }", ""]
    for array in volume[:max(3, options.arrays // 8)] + surface[:2]:
        size = "bytes" if array in volume else "flat"
        lines += [f"  cudaMemcpy(host.data(), {array}, {size}, "
                  "cudaMemcpyDeviceToHost);",
                  f"  printf(\"{array} %.9g %.9g\\n\", host[0], "
                  f"host[{size} / sizeof(real) / 2]);"]
    lines += [f"  cudaFree({array});" for array in volume + surface]
    lines += ["  return 0;", "}"]
    return "\n".join(parts) + "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kernels", type=int, default=142)
    parser.add_argument("--arrays", type=int, default=65)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cells", default="64x32x8", help="in x, y and z")
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--real", choices=["float", "double"], default="double")
    print(program(parser.parse_args()), end="")


if __name__ == "__main__":
    main()
