#!/usr/bin/env python3
"""Asks Z3 whether what kfuse claims of integers is so.

    compare.py BUILD/bin/integer-claims [--programs=N] [--seed=S] [--keep=DIR]
               [--any-grid]

Needs Z3's Python package, which is why no other test runs it. Random kernels,
each with one guarded access whose guard and index may wrap, are read by kfuse,
which says which guards imply which others, which indices are equal, which tell
threads apart, and how accesses meet. Z3 looks for sizes and threads that prove
it wrong, by the arithmetic of bit vectors; of signed operations it assumes that
they don't overflow, and of accesses that they stay inside the array. Where other
threads don't keep to that, a refutation is unsound and counts for nothing. What
else it refutes is a bug, and ends in failure.
"""

import argparse
import collections
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import z3

from formulas import Formulas, converted

import wrapping_programs
from integer_expressions import (
    INT,
    KINDS,
    LONG,
    SIZE,
    UNSIGNED,
    Binary,
    Name,
    Number,
    Undefined,
    hash_text,
    hashes_in,
    u,
)
from make_wrapping_programs import COORDINATES, Integers
from wrapping_programs import Launch, Variable

SECONDS = 10  # for each claim
LENGTH = 1 << 18  # of the array
MOST_THREADS = 1 << 18  # that are tried
CLAIMS = {
    "implies": "one guard implies another",
    "same": "two indices are equal",
    "injective": "an index tells threads apart",
    "apart": "two accesses never meet",
    "meet": "two accesses meet in one thread, or never",
    "covered": "a read finds what the thread wrote",
}
APART, SAME_THREAD, NEIGHBOUR, SAME_BLOCK = range(4)  # of AccessDependence::Kind


class Kernel:
    """One access: a read or a write of p[index] where the guard holds."""

    def __init__(self, name, coordinates, locals_, guard, index, writes):
        self.name, self.coordinates, self.locals = name, coordinates, locals_
        self.guard, self.index, self.writes = guard, index, writes

    def same(self, parameters):
        """As a kernel that can be run."""
        store = wrapping_programs.Store(0, self.index, "1", [])
        return wrapping_programs.Kernel(
            self.name,
            ["float"],
            parameters,
            self.coordinates,
            self.locals,
            [self.guard],
            [store],
        )

    def text(self, parameters):
        given = ", ".join(f"{p.kind.name} {p.name}" for p in parameters)
        lines = [f"__global__ void {self.name}(float *p, float *own, {given}) {{"]
        for name, axis in zip(self.coordinates, "xy"):
            place = f"blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}"
            lines.append(f"  {name.kind.name} {name.name} = {place};")
        for name, value in self.locals:
            lines.append(f"  {name.kind.name} {name.name} = {value.text()};")
        act = f"p[{self.index.text()}] = 1;"
        if not self.writes:
            act = f"*own = p[{self.index.text()}];"
        return "\n".join([*lines, f"  if ({self.guard.text()})", f"    {act}", "}"])


class Question:
    """A program of some kernels, and its formulas."""

    def __init__(self, rng, takes_any_grid=False):
        self.rng, self.takes_any_grid = rng, takes_any_grid
        bits = rng.randint(5, 13)
        self.threads = 1 << bits + rng.choice([0, 0, 1, 3])
        self.dims = rng.choice([1, 1, 1, 2])
        self.columns = 1 << rng.randint(2, 6)
        width = rng.choice([32, 64, 256])
        self.blocks = [width, 1] if self.dims == 1 else [min(width, self.columns), 2]
        self.grid = [max(1, self.threads // width), 1]
        if self.dims == 2:
            rows = max(2, self.threads // self.columns)
            self.grid = [max(1, self.columns // self.blocks[0]), rows // 2]
        kinds = [UNSIGNED] * 4 + [INT] * 3 + [SIZE, LONG]
        self.hosts = [Name("h" + name, rng.choice(kinds)) for name in "nw"]
        self.values = [
            rng.choice([None, None, 1 << bits, (1 << bits) - 3, 3, 1 << rng.randint(12, 30)])
            for _ in self.hosts
        ]
        self.parameters = [
            Name(host.name[1:], host.kind if rng.random() < 0.7 else rng.choice(KINDS))
            for host in self.hosts
        ]
        self.by_size = self.dims == 1 and self.values[0] is None and rng.random() < 0.4
        self.integers = Integers(rng, bits, self.threads)
        self.kernels = [self.kernel(f"k{k}") for k in range(rng.randint(4, 7))]

    def kernel(self, name):
        rng = self.rng
        if not hasattr(self, "kind") or rng.random() < 0.15:
            self.kind = rng.choice(COORDINATES)
            self.guards, self.indices = [], []
        coordinates, locals_, is_own = [Name("i", self.kind)], [], False
        i = coordinates[0]
        if self.dims == 2:
            coordinates = x, y = [Name("x", self.kind), Name("y", self.kind)]
            if not hasattr(self, "pitch"):
                pitch = [u(self.columns), Number(self.columns), self.parameters[1]]
                self.pitch = rng.choice([*pitch, u((1 << 32) - self.columns)])
            i = Name("i", UNSIGNED)
            locals_ = [(i, Binary("+", Binary("*", y, self.pitch), x))]
        n, make = self.parameters[0], self.integers
        if rng.random() < 0.2:
            j = Name("j", rng.choice([UNSIGNED, INT, *KINDS]))
            locals_.append((j, rng.choice([make.scaled(i), make.near(i), make.index(i, n)])))
            i = rng.choice([i, j])
        is_own = i.name == "j"  # and no other kernel's
        new = make.bound if rng.random() < 0.5 else make.guard
        guard = new(i, n)
        if self.guards and rng.random() < 0.3:
            guard = rng.choice(self.guards)
        if rng.random() < 0.3:
            guard = Binary("&&", guard, new(i, n))
        index = i if rng.random() < 0.4 else make.index(i, n)
        if self.indices and rng.random() < 0.4:
            index = rng.choice(self.indices)
        if not is_own:
            self.guards.append(guard)
            self.indices.append(index)
        return Kernel(name, coordinates, locals_, guard, index, rng.random() < 0.7)

    def text(self):
        nodes = [n for k in self.kernels for n in (k.guard, k.index, *(v for _, v in k.locals))]
        parts = ["#include <cstdlib>", "#include <cuda_runtime.h>"]
        parts += [hash_text(name, "__device__ ") for name in hashes_in(nodes)]
        parts += [kernel.text(self.parameters) for kernel in self.kernels]
        parts.append("int main(int, char **argv) {\n  float *p, *own;")
        for number, (host, value) in enumerate(zip(self.hosts, self.values), 1):
            text = f"atoll(argv[{number}])" if value is None else str(value)
            parts.append(f"  {host.kind.name} {host.name} = {text};")
        parts.append(f"  cudaMalloc(&p, {LENGTH} * sizeof(float));\n  cudaMalloc(&own, 4);")
        shape = "dim3({}, {}), dim3({}, {})".format(*self.grid, *self.blocks)
        if self.by_size:
            width = self.blocks[0]
            shape = f"({self.hosts[0].name} + {width - 1}) / {width}, {width}"
        elif self.dims == 1:
            shape = f"{self.grid[0]}, {self.blocks[0]}"
        words = ", ".join(host.name for host in self.hosts)
        parts += [f"  {k.name}<<<{shape}>>>(p, own, {words});" for k in self.kernels]
        return "\n".join([*parts, "}"]) + "\n"

    # -- formulas ----------------------------------------------------------

    def premises(self):
        """The host's values, and the extents of the grid."""
        self.host = {}
        for host, value in zip(self.hosts, self.values):
            self.host[host.name] = z3.BitVec(host.name, host.kind.bits)
            if value is not None:
                self.host[host.name] = z3.BitVecVal(value, host.kind.bits)
        self.extent = [z3.BitVecVal(g, 32) for g in self.grid]
        if not self.by_size:
            return []
        n, width = self.hosts[0], self.blocks[0]
        rounded = Binary("/", Binary("+", n, Number(width - 1)), Number(width))
        value, defined = Formulas(self.host).of(rounded)
        most = z3.BitVecVal((1 << 31) - 1, value.size())
        self.extent[0] = converted(value, rounded.kind, UNSIGNED)
        # A grid has one block at least, and what the device takes at most.
        found = [defined, z3.ULE(value, most), truth_of(value)]
        if not self.takes_any_grid:
            most = z3.BitVecVal(((1 << 31) - 1) // width, value.size())
            found.append(z3.ULE(value, most))
        return found

    def thread(self, name):
        """Coordinates of a thread, and their premises."""
        found, premises = [], []
        for axis in range(self.dims):
            block = z3.BitVec(f"{name}_block{axis}", 32)
            own = z3.BitVec(f"{name}_own{axis}", 32)
            width = z3.BitVecVal(self.blocks[axis], 32)
            premises += [z3.ULT(block, self.extent[axis]), z3.ULT(own, width)]
            found.append((block, own, block * width + own))
        return found, premises

    def witnesses(self):
        """The first two threads and the last one."""
        widths = [z3.BitVecVal(b, 32) for b in self.blocks]
        zero, one = z3.BitVecVal(0, 32), z3.BitVecVal(1, 32)
        last = [(e - 1, w - 1, e * w - 1) for e, w in zip(self.extent, widths)]
        first = [(zero, zero, zero)] * self.dims
        return first, [(zero, one, one), *first[1:]], last

    def run(self, kernel, thread):
        """Whether the thread reaches the access, the index as 64 bits, and what
        is so where nothing is undefined and all stay inside the array."""
        values = {}
        for parameter, host in zip(self.parameters, self.hosts):
            value = self.host[host.name]
            values[parameter.name] = converted(value, host.kind, parameter.kind)
        for name, (_, _, place) in zip(kernel.coordinates, thread):
            values[name.name] = converted(place, UNSIGNED, name.kind)
        formulas = Formulas(values)
        premises = [formulas.declare(name, value) for name, value in kernel.locals]
        guard, defined = formulas.condition(kernel.guard)
        index, known = formulas.of(kernel.index)
        index = converted(index, kernel.index.kind, LONG)
        is_inside = z3.ULT(index, z3.BitVecVal(LENGTH, LONG.bits))
        premises += [defined, z3.Implies(guard, z3.And(known, is_inside))]
        return guard, index, premises

    def room(self, room):
        """What a fused launch tests, in as many bits as it takes."""
        bits, sums = 256, []
        for products in room:
            total = z3.BitVecVal(0, bits)
            for coefficient, *symbols in products:
                product = z3.BitVecVal(coefficient, bits)
                for symbol in symbols:
                    product *= self.tested(symbol, bits)
                total += product
            sums.append(total)
        return sums[0] >= sums[1]

    def tested(self, symbol, bits):
        if symbol.startswith("param"):
            number = int(symbol[len("param") :])
            host, kind = self.hosts[number], self.parameters[number].kind
            value = converted(self.host[host.name], host.kind, kind)
            extend = z3.SignExt if kind.signed else z3.ZeroExt
            return extend(bits - kind.bits, value)
        what, axis = symbol.split(".")
        axis = "xyz".index(axis)
        if axis >= self.dims:
            return z3.BitVecVal(1, bits)
        if what == "gridDim":
            return z3.ZeroExt(bits - 32, self.extent[axis])
        return z3.BitVecVal(self.blocks[axis], bits)

    def told(self, line):
        """A claim for people."""
        kernels = {kernel.name: kernel for kernel in self.kernels}
        both = (kernels[line[which]] for which in ("first", "second"))
        texts = [f"\n  {k.name}: {k.guard.text()} -> {k.index.text()}" for k in both]
        return f"{line['claim']} {line['detail'] or ''}" + "".join(texts)

    def refutation(self, line):
        """What Z3 finds against a claim: a model, or "unsat", or "unknown"."""
        kernels = {kernel.name: kernel for kernel in self.kernels}
        first, second = kernels[line["first"]], kernels[line["second"]]
        solver = z3.Solver()
        solver.set("timeout", 1000 * SECONDS)
        solver.add(self.premises())
        solver.add([self.room(room) for room in line["rooms"]])
        (one, some), (other, more) = self.thread("s"), self.thread("t")
        solver.add(some + more)
        claim, detail = line["claim"], line["detail"]
        if claim in ("implies", "same", "covered"):
            other = one
        guard, index, known = self.run(first, one)
        guard2, index2, known2 = self.run(second, other)
        solver.add(known + known2)
        for witness in self.witnesses():  # what no thread may do, nor may these
            solver.add(self.run(first, witness)[2] + self.run(second, witness)[2])
        is_one = z3.And([x == y for a, b in zip(one, other) for x, y in zip(a[:2], b)])
        are_met = z3.And(guard, guard2, index == index2)
        if claim == "implies":
            solver.add(guard, z3.Not(guard2))
        elif claim == "same":
            solver.add(guard, guard2, index != index2)
        elif claim == "covered":
            solver.add(guard2, z3.Not(guard))
        elif claim == "injective":
            solver.add(are_met, z3.Not(is_one))
        elif claim == "apart" or detail["kind"] == APART:
            solver.add(are_met)
        elif detail["kind"] == SAME_BLOCK:
            same = z3.And([a[0] == b[0] for a, b in zip(one, other)])
            solver.add(are_met, z3.Not(same))
        else:
            offset = detail["offset"]
            steps = [
                b[2] == a[2] - z3.BitVecVal(o, 32) for a, b, o in zip(one, other, offset)
            ]
            away = [
                b[2] == a[2] + z3.BitVecVal(o, 32) for a, b, o in zip(one, other, offset)
            ]
            solver.add(are_met, z3.Not(z3.Or(z3.And(steps), z3.And(away))))
        result = solver.check()
        if result != z3.sat:
            return str(result)
        model = solver.model()
        return str(model) if self.is_sound(model, first, second) else "unsound"

    def is_sound(self, model, *kernels):
        """Whether none of the first threads of the launches does what C leaves
        open, or leaves the array."""
        values = []
        for host in self.hosts:
            found = model.eval(self.host[host.name], True).as_long()
            values.append(Variable(host.name, host.kind, "", host.kind.wrap(found)))
        grid = [model.eval(extent, True).as_long() for extent in self.extent]
        grid[0] = min(grid[0], MOST_THREADS // math.prod(self.blocks + grid[1:]))
        for kernel in kernels:
            same = kernel.same(self.parameters)
            launch = Launch(0, same, (*grid, 1), self.blocks, ["p"], values)
            try:
                found = launch.touched()
            except Undefined:
                return False
            if not all(0 <= index < LENGTH for _, index in found):
                return False
        return True


def truth_of(value):
    return value != z3.BitVecVal(0, value.size())


def claims_of(program, folder, questions):
    """kfuse's claims about these programs."""
    names = {}
    for seed, question in questions.items():
        source = folder / f"seed{seed}.cu"
        source.write_text(question.text())
        names[str(source)] = seed
    done = subprocess.run(
        [program, *names], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr)
    for line in done.stdout.splitlines():
        found = json.loads(line)
        yield names[found["program"]], found
        if found["claim"] == "meet" and found["detail"]["covered"]:
            yield names[found["program"]], found | {"claim": "covered"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument(
        "--any-grid", action="store_true", help="also of 2^31 threads and more"
    )
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.programs)
    questions = {
        seed: Question(random.Random(seed), given.any_grid) for seed in seeds
    }
    counts = {claim: collections.Counter() for claim in CLAIMS}
    refuted = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed, line in claims_of(given.program, pathlib.Path(folder), questions):
            count = counts[line["claim"]]
            count["asked"] += 1
            if not line["affirmed"]:
                continue
            count["affirmed"] += 1
            model = questions[seed].refutation(line)
            if model in ("unsat", "unknown", "unsound"):
                count[model] += 1
                continue
            count["refuted"] += 1
            refuted += 1
            print(f"REFUTED seed {seed}: {questions[seed].told(line)}\n  {model}")
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                path = given.keep / f"seed{seed}.cu"
                path.write_text(questions[seed].text())
    columns = ("asked", "affirmed", "unsat", "unknown", "unsound", "refuted")
    head = ("asked", "affirmed", "proved", "too hard", "unsound", "refuted")
    print(f"{'':45}" + "".join(f"{name:>10}" for name in head))
    for claim, text in CLAIMS.items():
        numbers = "".join(f"{counts[claim][name]:>10}" for name in columns)
        print(f"{text:45}{numbers}")
    return 1 if refuted else 0


if __name__ == "__main__":
    sys.exit(main())
