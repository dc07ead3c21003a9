#!/usr/bin/env python3
"""Time and memory that kfuse takes for large kernels.

Each kind is a kernel of one shape, made as large as asked, in front of one
that reads its result: `scripts/scale-kernels.py build/bin/kfuse`, or with
`--kinds=sum,else --sizes=1000,2000` only these. With `--print=KIND,SIZE` the
program itself.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time

HEAD = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
READER = (
    "__global__ void reader(float *o, const float *x, int n) {\n"
    + HEAD
    + "  if (i < n)\n    o[i] = x[i] + 1;\n}\n"
)
MAIN = """int main() {
  const int n = 1 << 20;
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  large<<<n / 256, 256>>>(b, a, n);
  reader<<<n / 256, 256>>>(c, b, n);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
"""


def kernel(body, before=""):
    return (
        before
        + "__global__ void large(float *o, const float *x, int n) {\n"
        + HEAD
        + body
        + "}\n"
        + READER
        + MAIN
    )


def lines(size, make):
    return "".join(make(k) + "\n" for k in range(size))


def statements(size):
    """Dependent sums, each fifth under a condition."""
    return kernel(
        "  if (i >= n)\n    return;\n  float v = x[i];\n"
        + lines(
            size,
            lambda k: f"  v = v * {k % 7}.25f + x[i];"
            if k % 5
            else f"  if (v > {k})\n    v -= {k % 11};",
        )
        + "  o[i] = v;\n"
    )


def chain(size):
    """Sums over 32 variables in a loop, as unrolled benchmarks have."""
    return kernel(
        "  float "
        + ", ".join(f"s{k} = x[i] + {k}" for k in range(32))
        + ";\n  for (int j = 0; j < n; ++j) {\n"
        + lines(
            size,
            lambda k: f"    s{k % 32} = s{(k + 6) % 32} * s{(k + 5) % 32} "
            f"+ s{(k + 28) % 32};",
        )
        + "  }\n  o[i] = "
        + " + ".join(f"s{k}" for k in range(32))
        + ";\n"
    )


def integers(size):
    """Numbers of a generator, which indices, guards and data are made of."""
    return kernel(
        "  unsigned s = i + 1u;\n  if (i >= n)\n    return;\n  float v = 0;\n"
        + lines(
            size,
            lambda k: "  s ^= s << 13;\n  s ^= s >> 17;\n  s ^= s << 5;\n"
            "  if (s < 1000u)\n    v += x[s & 1023u];",
        )
        + "  o[i] = v + s;\n"
    )


def rounds(size):
    """Steps as of MD5, on four words."""
    return kernel(
        "  if (i >= n)\n    return;\n  unsigned a = i, b = n, c = ~a, d = 7u, f;\n"
        + lines(
            size,
            lambda k: f"  f = ((b & c) | (~b & d)) + a + {k * 2654435 + 77}u;\n"
            f"  a = d; d = c; c = b; b += (f << {k % 20 + 4}) | "
            f"(f >> {28 - k % 20});",
        )
        + "  if ((a ^ b) < 100u)\n    o[i] = x[b & 1023u] + c;\n"
    )


def squares(size):
    """Polynomials of a degree that doubles."""
    return kernel(
        "  int j = i + n;\n"
        + lines(size, lambda k: f"  j = j * j + i * {k % 5};")
        + "  if (i < n)\n    o[i] = x[j & 1023];\n"
    )


def index(size):
    """A sum of remainders."""
    return kernel(
        "  int j = i;\n"
        + lines(size, lambda k: f"  j = j + (j & 1) * {k};")
        + "  if (i < n)\n    o[i] = x[i] + (j & 1);\n"
    )


def variables(size):
    """As many variables as conditions."""
    return kernel(
        lines(
            size,
            lambda k: f"  float v{k} = x[i];\n  if (i > {k})\n    "
            f"v{k} = v{max(k - 1, 0)} + 1;",
        )
        + f"  if (i < n)\n    o[i] = v{size - 1};\n"
    )


def arms(size):
    return kernel(
        lines(size, lambda k: f"  if (x[i] > {k})\n    o[i] = {k};\n  else")
        + "    o[i] = 0;\n"
    )


def returns(size):
    return kernel(
        lines(size, lambda k: f"  if (i == {k * 3})\n    return;")
        + "  if (i < n)\n    o[i] = x[i];\n"
    )


def conditions(size):
    """Nested, without braces."""
    return kernel(
        lines(size, lambda k: f"  if (i < n - {k})") + "    o[i] = x[i];\n"
    )


def loops(size):
    """Nested, without braces."""
    return kernel(
        lines(size, lambda k: f"  for (int k{k} = 0; k{k} < 2; k{k}++)")
        + "    if (i < n)\n      o[i] = x[i];\n"
    )


def sequence(size):
    """Loops, one after the other."""
    return kernel(
        "  float v = 0;\n"
        + lines(
            size, lambda k: f"  for (int k = 0; k < {k}; k++)\n    v += x[i];"
        )
        + "  if (i < n)\n    o[i] = v;\n"
    )


def expression(text):
    return kernel("  if (i < n)\n    o[i] = " + text + ";\n")


def calls(size):
    """Functions that call the next one twice."""
    functions = "__device__ float f0(float v) { return v * 2 + 1; }\n" + "".join(
        f"__device__ float f{k}(float v) {{ return f{k - 1}(f{k - 1}(v) + v); }}\n"
        for k in range(1, size)
    )
    return kernel(
        f"  if (i < n)\n    o[i] = f{size - 1}(x[i]);\n", functions
    )


def apart(size):
    """Functions called one after the other."""
    functions = lines(
        size, lambda k: f"__device__ float f{k}(float v) {{ return v * {k} + 1; }}"
    )
    return kernel(
        "  float v = x[i];\n"
        + lines(size, lambda k: f"  v = f{k}(v);")
        + "  if (i < n)\n    o[i] = v;\n",
        functions,
    )


def cases(size):
    return kernel(
        "  int v = 0;\n  switch (n) {\n"
        + lines(size, lambda k: f"  case {k}:\n    v = {k};\n    break;")
        + "  }\n  if (i < n)\n    o[i] = x[i] + v;\n"
    )


KINDS = {
    "statements": (statements, 20000),
    "chain": (chain, 36000),
    "integers": (integers, 64),
    "rounds": (rounds, 64),
    "squares": (squares, 64),
    "index": (index, 2000),
    "variables": (variables, 5000),
    "arms": (arms, 5000),
    "returns": (returns, 5000),
    "conditions": (conditions, 5000),
    "loops": (loops, 200),
    "sequence": (sequence, 2000),
    "cases": (cases, 5000),
    "sum": (lambda n: expression("x[i]" + " + 1.0f" * n), 20000),
    "products": (
        lambda n: expression("x[i]" + "".join(f" + x[i] * {k}.5f" for k in range(n))),
        5000,
    ),
    "whole": (lambda n: expression("x[(i" + " + 1" * n + ") & 1023]"), 20000),
    "choices": (
        lambda n: expression("".join(f"x[i] > {k} ? {k} : " for k in range(n)) + "0"),
        5000,
    ),
    "nested-calls": (lambda n: expression("fabsf(" * n + "x[i]" + ")" * n), 200),
    "minus": (lambda n: expression("- " * n + "x[i]"), 20000),
    "or": (
        lambda n: kernel(
            "  if ("
            + " || ".join(f"i == {k * 3}" for k in range(n))
            + ")\n    o[i] = x[i];\n"
        ),
        2000,
    ),
    "and": (
        lambda n: kernel(
            "  if ("
            + " && ".join(f"i != {k * 3}" for k in range(n))
            + ")\n    o[i] = x[i];\n"
        ),
        2000,
    ),
    "calls": (calls, 40),
    "apart": (apart, 2000),
}


def measure(command, limit):
    """Seconds, megabytes, and how the command ended."""
    begin = time.time()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    timer = threading.Timer(limit, process.kill)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.time() - begin, usage.ru_maxrss / 1024, process.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kfuse", nargs="?")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--sizes")
    parser.add_argument("--limit", type=float, default=120, help="seconds")
    parser.add_argument("--print", dest="printed", metavar="KIND,SIZE")
    options = parser.parse_args()
    if options.printed:
        kind, size = options.printed.split(",")
        sys.stdout.write(KINDS[kind][0](int(size)))
        return 0
    if not options.kfuse:
        parser.error("which kfuse?")
    print(f"{'kernel':14} {'size':>7} {'seconds':>8} {'MB':>7}  exit")
    bad = False
    for kind in options.kinds.split(","):
        make, usual = KINDS[kind]
        sizes = [int(s) for s in options.sizes.split(",")] if options.sizes else [usual]
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "large.cu")
                with open(path, "w") as file:
                    file.write(make(size))
                seconds, peak, code = measure(
                    [options.kfuse, path, "-o", os.path.join(folder, "out.cu")],
                    options.limit,
                )
            bad |= code != 0
            print(
                f"{kind:14} {size:7} {seconds:8.2f} {peak:7.0f}  {code}",
                flush=True,
            )
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
