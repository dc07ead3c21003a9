#!/usr/bin/env python3
"""Verifies fused random OpenCL programs whose kernel objects keep their arguments.

    opencl.py KFUSE [--programs=N] [--seed=S] [--keep=DIR] [--jobs=J] [--classes]

A few kernel objects are launched again and again, with some arguments set anew
between, and variables, buffers and sizes that change. Each program is fused, by
the search or in a random way, and verified on the machine's OpenCL. The same
numbers make the same programs; with --classes by OpenCL's classes of C++, where
functors launch too.
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

from integer_expressions import (
    HASHES,
    INT,
    SCOPE,
    SIZE,
    UBYTE,
    UNSIGNED,
    USHORT,
    Name,
    Undefined,
    hash_text,
)
from make_wrapping_programs import Integers

CHECKS = """#include <stdio.h>
#include <stdlib.h>
static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    fprintf(stderr, "%s: %d\\n", what, error);
    exit(1);
  }
}
#define CHECK(call) do { cl_int e = (call); if (e != CL_SUCCESS) exit(1); } while (0)
"""
SIZES = [64, 100, 192]  # of the grid, and of what guards ask
GROUP = 32  # work-items, where the host chooses work-groups


class InC:
    """How a host says it by OpenCL's functions."""

    suffix = ".c"
    buffer = "cl_mem"
    finish = "clFinish(queue)"
    size = "size_t size = 192, part = 32, plane[2] = {16, 12}, parts[2] = {8, 4};"
    resize = "size = size == 192 ? 128 : 192;"

    def set(self, kernel, index, variable):
        return f"clSetKernelArg(k{kernel}, {index}, sizeof({variable}), &{variable})"

    def set_local(self, kernel):
        return f"clSetKernelArg(k{kernel}, 4, {GROUP} * sizeof(T), NULL)"

    def launch(self, kernel, rank, has_local):
        local = ("&part" if rank == 1 else "parts") if has_local else "NULL"
        size = "&size" if rank == 1 else "plane"
        return f"clEnqueueNDRangeKernel(queue, k{kernel}, {rank}, NULL, {size}, {local}, 0, NULL, NULL)"

    def copy(self, way, buffer):
        return f"clEnqueue{way}Buffer(queue, {buffer}, CL_TRUE, 0, sizeof(host), host, 0, NULL, NULL)"

    def allocate(self, buffer):
        return f"cl_mem {buffer} = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof(host), host, &err);"

    def objects(self, scratch):
        return [
            f'cl_kernel k{k} = clCreateKernel(program, "f{k}", &err);' for k in range(len(scratch))
        ]

    def head(self, literals):
        return f"""#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
{CHECKS}static const char *text =
{literals};
"""

    start = """  cl_platform_id platforms[8];
  cl_device_id device = NULL;
  cl_uint count = 0;
  cl_int err;
  check(clGetPlatformIDs(8, platforms, &count), "platforms");
  for (cl_uint i = 0; i < count && !device; ++i)
    clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
"""


class ByClasses:
    """The same by its classes of C++."""

    suffix = ".cpp"
    buffer = "cl::Buffer"
    finish = "queue.finish()"
    size = "cl::NDRange size(192), part(32), plane(16, 12), parts(8, 4);"
    resize = "size = cl::NDRange(128);"

    def set(self, kernel, index, variable):
        return f"k{kernel}.setArg({index}, {variable})"

    def set_local(self, kernel):
        return f"k{kernel}.setArg(4, cl::Local({GROUP} * sizeof(T)))"

    def ranges(self, rank, has_local):
        both = ["size", "part"] if rank == 1 else ["plane", "parts"]
        return ", ".join(both if has_local else both[:1])

    def launch(self, kernel, rank, has_local):
        ranges = self.ranges(rank, has_local)
        return f"queue.enqueueNDRangeKernel(k{kernel}, cl::NullRange, {ranges})"

    def functor(self, kernel, rank, has_local, arguments):
        queued = f"cl::EnqueueArgs(queue, {self.ranges(rank, has_local)})"
        return f"g{kernel}({queued}, {', '.join(arguments)});"

    def copy(self, way, buffer):
        return f"queue.enqueue{way}Buffer({buffer}, CL_TRUE, 0, sizeof(host), host)"

    def allocate(self, buffer):
        return f"cl::Buffer {buffer}(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof(host), host, &err);"

    def objects(self, scratch):
        types = "cl::Buffer, cl::Buffer, T, int"
        more = ["", ", cl::LocalSpaceArg"]
        return [f'cl::Kernel k{k}(program, "f{k}", &err);' for k in range(len(scratch))] + [
            f'cl::KernelFunctor<{types}{more[has]}> g{k}(program, "f{k}", &err);'
            for k, has in enumerate(scratch)
        ]

    def head(self, literals):
        return f"""#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
{CHECKS}static const std::string text =
{literals};
"""

    start = """  cl_int err;
  cl::Context context(CL_DEVICE_TYPE_ALL, NULL, NULL, NULL, &err);
  cl::CommandQueue queue(context, 0, &err);
  cl::Program program(context, text, false, &err);
  check(program.build(), "build");
"""


class Maker:
    def __init__(self, rng, host):
        self.rng = rng
        self.host = host
        self.type = rng.choice(["float", "float", "int", "double", "short"])
        self.buffers = [f"b{k}" for k in range(rng.choice([3, 4, 5]))]
        # What a kernel reads of others' elements it must not write.
        self.halves = self.buffers[:2], self.buffers[2:]
        self.text, self.kernels, self.reads_others = [], [], []
        self.exchanges = []  # within work-groups, by local memory
        self.scratch = []  # which the host gives, as a fifth argument
        self.pending = False  # an error that nobody has looked at

    def odd(self, rate=0.2):
        return self.rng.random() < rate

    def kernel(self, number):
        """f(x, y, s, n): y from x, of the same element or of another one."""
        rng = self.rng
        self.exchanges.append(self.odd(0.4))
        self.scratch.append(self.exchanges[-1] and self.odd())
        if self.exchanges[-1]:
            self.exchange(number)
            return
        if self.odd(0.4):
            self.wrapping(number)
            return
        value = rng.choice(
            ["x[i] * s + 1", "x[i] - s", "twice(x[i]) + s", "x[i] * x[i] - s", "x[i]"]
        )
        self.reads_others.append(self.odd(0.3))
        if self.reads_others[-1]:
            other = rng.choice(["i > 0 ? i - 1 : 0", "n - 1 - i", "i / 2"])
            value = value.replace("[i]", f"[{other}]")
        store = rng.choice(
            [f"y[i] = {value};"] * 4
            + [f"y[i] += {value};", f"if (x[i] > s) y[i] = {value};"]
            + [f"if (i % 3 == 1) y[i] = {value}; else y[i] = s;"]
        )
        guard = rng.choice(["if (i < n) ", "if (i >= n) return; ", "if (i > 2 && i < n) "])
        index = "get_global_id(0)"
        rank = 1
        if self.odd():
            index, rank = "get_global_id(1) * 16 + get_global_id(0)", 2
        self.kernels.append(rank)
        self.text.append(
            f"__kernel void f{number}(__global const T *x, __global T *y, T s, int n) {{\n"
            f"  int i = {index};\n  {guard}{{ {store} }}\n}}\n"
        )

    def exchange(self, number):
        """y from x of others in the work-group, by local memory."""
        rng, make = self.rng, []
        rank = 1 if self.odd(0.7) else 2
        index = "get_global_id(0)" if rank == 1 else "get_global_id(1) * 16 + get_global_id(0)"
        place = "get_local_id(0)" if rank == 1 else "get_local_id(1) * 8 + get_local_id(0)"
        fence = rng.choice(["CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"])
        wait, own = f"barrier({fence});", "(i < n ? x[i] : s)"
        form = "row" if self.scratch[-1] else rng.choice(["row", "row", "plane", "one"])
        if form == "one":
            make = [f"if (l == {rng.randrange(GROUP)}) t = {own};", wait]
            value = "t + s"
        elif form == "plane":
            make = [f"t[l / 8][l % 8] = {own};", wait]
            value = rng.choice(["t[3 - l / 8][7 - l % 8]", "t[l % 4][l / 4]", "t[l / 8][0] - s"])
        else:
            make = [f"t[l] = {own};", wait]
            value = rng.choice([f"t[{GROUP - 1} - l]", "t[l ^ 1]", "t[0] - s", "twice(t[l ^ 5])"])
            if self.odd(0.4):
                half = rng.choice([f"{GROUP // 2}", "get_local_size(0) / 2"][:rank % 2 + 1])
                make += [
                    f"for (int k = {half}; k > 0; k /= 2) {{",
                    f"  if (l < k) t[l] {rng.choice(['+=', '-='])} t[l + k];",
                    f"  {wait}",
                    "}",
                ]
        if self.odd():
            make = ["T v = s;", f"if (n > {rng.choice(SIZES)}) {{", *make, f"v = {value};", "}"]
            value = "v"
        shape = {"one": "", "plane": "[4][8]", "row": f"[{GROUP}]"}[form]
        declared = [f"__local T t{shape};"] * (not self.scratch[-1])
        if declared and self.odd():
            declared = [f"__local T u[{GROUP}], t{shape}; // of the group"]
        lines = [*declared, f"int i = {index}, l = {place};", *make]
        lines.append(f"if (i < n) y[i] {rng.choice(['=', '=', '+='])} {value};")
        self.kernels.append(rank)
        self.reads_others.append(False)
        self.text.append(
            f"__kernel void f{number}(__global const T *x, __global T *y, T s, int n"
            f"{', __local T *t' * self.scratch[-1]}) {{\n"
            + "".join(f"  {line}\n" for line in lines)
            + "}\n"
        )

    def wrapping(self, number):
        """The same with integers that wrap."""
        rng, make = self.rng, Integers(self.rng, 7, 192)
        while True:
            i = Name("i", rng.choice([UNSIGNED] * 4 + [INT, SIZE, USHORT, UBYTE]))
            n = Name("n", rng.choice([INT, UNSIGNED]))
            guard = make.bound(i, n) if self.odd(0.4) else make.guard(i, n)
            read = i if self.odd(0.6) else make.index(i, n)
            written = i if self.odd(0.7) else make.index(i, n)
            if is_sound(i, guard, read, written):
                break
        self.reads_others.append(read != i or written != i)
        self.kernels.append(1)
        value = rng.choice(["{x}", "{x} + s", "{x} - s"])
        if self.type in ("int", "short"):
            value = rng.choice([value, "(wang({x}) & 63u)", "(murmur({x}) >> 27)"])
            value = rng.choice([value, "(congruent({x} ^ xorshift({x})) >> 28)"])
        value = value.format(x=f"x[{read.text()}]")
        self.text.append(
            f"__kernel void f{number}(__global const T *x, __global T *y, T s,"
            f" {n.kind.name} n) {{\n  {i.kind.name} i = get_global_id(0);\n"
            f"  if ({guard.text()})\n    y[{written.text()}] = {value};\n}}\n"
        )

    def call(self, call, what):
        rng = self.rng
        form = rng.choice(["|=", "|=", "check", "CHECK", "=", "if", "if ="])
        if form == "check":
            return f'check({call}, "{what}");'
        if form == "CHECK":
            return f"CHECK({call});"
        if form.startswith("if"):
            test = f"(err = {call})" if form == "if =" else call
            self.pending &= form == "if"
            return f"if ({test} != CL_SUCCESS) {rng.choice(['return 1;', '{ return 1; }'])}"
        done = f"err {form} {call};"
        if form == "=" and self.pending:
            done = f'check(err, "pending"); {done}'
        self.pending = True
        return done

    def argument(self, kernel, index):
        rng = self.rng
        first, second = (
            self.halves if self.reads_others[kernel] else (self.buffers, self.buffers)
        )
        return [
            lambda: rng.choice(first),
            lambda: rng.choice(second),
            lambda: rng.choice(["s", "u"]),
            lambda: rng.choice(["n", "m"]),
        ][index]()

    def set(self, kernel, index):
        if index == 4:
            return self.call(self.host.set_local(kernel), "local memory")
        call = self.host.set(kernel, index, self.argument(kernel, index))
        return self.call(call, f"argument {index}")

    def launch(self, kernel):
        rank = self.kernels[kernel]
        has_local = self.exchanges[kernel] or not self.odd(0.7)
        if isinstance(self.host, ByClasses) and self.odd(0.5):
            given = [self.argument(kernel, k) for k in range(4)]
            given += [f"cl::Local({GROUP} * sizeof(T))"] * self.scratch[kernel]
            return self.host.functor(kernel, rank, has_local, given)
        return self.call(self.host.launch(kernel, rank, has_local), "launch")

    def statement(self, depth=0):
        rng = self.rng
        kernel = rng.randrange(len(self.kernels))
        kind = rng.random()
        if kind < 0.45:
            return [self.launch(kernel)]
        if kind < 0.8:
            indices = range(5 if self.scratch[kernel] else 4)
            return [self.set(kernel, k) for k in indices if self.odd(0.6)]
        if kind < 0.88:
            half = rng.choice(self.halves)
            one, other = rng.choice(half), rng.choice(half)
            return [
                rng.choice(
                    [
                        "s = s + 1;",
                        "n = n > 70 ? n - 3 : n;",
                        f"{{ {self.host.buffer} t = {one}; {one} = {other}; {other} = t; }}",
                        self.host.resize,
                        'check(err, "so far");',
                    ]
                )
            ]
        if kind < 0.92:
            buffer = rng.choice(self.buffers)
            return [
                self.call(
                    rng.choice(
                        [
                            self.host.copy("Read", buffer),
                            self.host.copy("Write", buffer),
                            self.host.finish,
                        ]
                    ),
                    "between",
                )
            ]
        if depth:
            return []
        inside = [
            line
            for _ in range(rng.choice([2, 3, 4]))
            for line in self.statement(depth + 1)
        ]
        head = rng.choice(["for (int step = 0; step < 2; ++step) {", "if (argc > 0) {"])
        return [head, *(f"  {line}" for line in inside), "}"]

    def program(self):
        rng = self.rng
        for number in range(rng.choice([2, 3, 3, 4])):
            self.kernel(number)
        names = range(len(self.kernels))
        body = [self.set(k, i) for k in names for i in range(5 if self.scratch[k] else 4)]
        for _ in range(rng.choice([6, 8, 12, 16])):
            body += self.statement()
        n, m = rng.choice(SIZES), rng.choice(SIZES)
        literals = "\n".join(
            '    "' + line.replace('"', '\\"') + '\\n"'
            for line in (
                f"typedef {self.type} T;\nT twice(T x) {{ return x + x; }}\n"
                + "".join(hash_text(name, "") for name in HASHES)
                + "".join(self.text)
            ).splitlines()
        )
        made = "".join(
            f"""  for (int i = 0; i < 192; ++i)
    host[i] = (i * {7 + 4 * k} % 29) / {2 if self.type in ("float", "double") else 1} - {k};
  {self.host.allocate(buffer)}
"""
            for k, buffer in enumerate(self.buffers)
        )
        shown = "".join(
            f"""  check({self.host.copy("Read", buffer)}, "read");
  for (int i = 0; i < 192; ++i)
    sum += host[i] * (i % 7);
"""
            for buffer in self.buffers
            if not self.odd()
        )
        objects = "".join(f"  {line}\n" for line in self.host.objects(self.scratch))
        lines = "".join(f"  {line}\n" for line in body)
        return f"""{self.host.head(literals)}typedef {self.type} T;
static T host[192];
int main(int argc, char **argv) {{
  (void)argc, (void)argv;
{self.host.start}{objects}{made}  T s = 3, u = 2;
  int n = {n}, m = {m};
  {self.host.size}
  err = CL_SUCCESS;
{lines}  check(err, "launches");
  double sum = 0;
{shown}  printf("%a\\n", sum);
  return 0;
}}
"""


def is_sound(i, guard, read, written):
    """Whether all threads stay inside the buffers, and have no race, for all
    sizes that there may be."""
    touch = eval(  # our own text
        f"lambda i, n: ({read.python()}, {written.python()})"
        f" if {guard.python()} else None",
        dict(SCOPE),
    )
    try:
        for n in range(min(SIZES) - 3, max(SIZES) + 1):
            found = [at for at in (touch(i, n) for i in range(192)) if at]
            stores = [store for _, store in found]
            if len(set(stores)) < len(stores):
                return False
            if not all(0 <= at < 192 for both in found for at in both):
                return False
    except Undefined:
        return False
    return bool(found)


def verify(kfuse, seed, keep, host):
    """How many launches there are and are left, and what is wrong."""
    rng = random.Random(seed)
    text = Maker(rng, host).program()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / f"opencl{seed}{host.suffix}"
        source.write_text(text)
        how = ["--cost-without=memory,L2,issue,flops,starts,L1"]
        if rng.random() < 0.4:
            how = ["--search=random", f"--seed={seed}"]
        done = subprocess.run(
            [kfuse, "verify", source, *how],
            capture_output=True,
            text=True,
            timeout=300,
            env={**os.environ, "POCL_MAX_PTHREAD_COUNT": "1"},
        )
        told = re.search(r"(\d+) launches -> (\d+)", done.stdout + done.stderr)
        counts = [int(told[1]), int(told[2])] if told else [0, 0]
        # Of such a sequence it may be that no launch can be followed, or that
        # none that was fused is come to (5).
        if done.returncode in (0, 5):
            return *counts, ""
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / source.name).write_text(text)
        return *counts, f"seed {seed}: {(done.stdout + done.stderr)[-600:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kfuse")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--classes", action="store_true")
    given = parser.parse_args()
    host = ByClasses() if given.classes else InC()
    seeds = range(given.seed, given.seed + given.programs)
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        results = list(pool.map(lambda s: verify(given.kfuse, s, given.keep, host), seeds))
    before, after = (sum(r[k] for r in results) for k in range(2))
    print(f"programs {len(results)}, launches {before} -> {after}")
    failures = [result[2] for result in results if result[2]]
    for failure in failures:
        print(failure)
    print(f"failures: {len(failures)}")
    sys.exit(bool(failures) or after >= before)


if __name__ == "__main__":
    main()
