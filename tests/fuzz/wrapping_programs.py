"""Writes programs of kernels whose integers wrap, and tells what threads touch.

A kernel works on a line of threads or on a plane of them. Its guard and its
indices are those of integer_expressions.py; what it stores is a text around
loads.
"""

import copy
from dataclasses import dataclass, field

from integer_expressions import (
    SCOPE,
    Binary,
    Undefined,
    converted,
    hash_text,
    hashes_in,
)

STARTS = 32  # arrays begin as different places of one sequence
MOST_TURNS = 40  # of a loop


@dataclass
class Load:
    array: int
    index: object

    def text(self):
        return f"p{self.array}[{self.index.text()}]"


@dataclass
class Store:
    """p[index] = value, where {0}, {1}, ... are loads in the value's form."""

    array: int
    index: object
    form: str
    loads: list
    operator: str = ""

    def text(self):
        value = self.form.format(*(load.text() for load in self.loads))
        return f"p{self.array}[{self.index.text()}] {self.operator}= {value};"

    def nodes(self):
        return [self.index, *(load.index for load in self.loads)]

    def trace(self):
        found = [(load.array, load.index, "r") for load in self.loads]
        return found + [(self.array, self.index, "rw" if self.operator else "w")]


@dataclass
class Rounds:
    """A loop around the stores: k starts as first, and goes on by step while
    the condition holds."""

    kind: object
    first: object
    condition: object
    step: int

    def text(self):
        step = {1: "++k", -1: "--k"}.get(self.step, f"k += {self.step}u")
        head = f"{self.kind.name} k = {self.first.text()}"
        return f"for ({head}; {self.condition.text()}; {step}) {{"


@dataclass
class Kernel:
    name: str
    elements: list  # the type of each array parameter's elements
    parameters: list  # names
    coordinates: list  # a name for each axis
    locals: list  # pairs of a name and what it is set to
    guard: list  # all of which hold where it stores
    stores: list
    style: str = "if"
    rounds: object = None
    attributes: str = ""
    threads = None

    def dims(self):
        return len(self.coordinates)

    def written(self):
        return {store.array for store in self.stores}

    def outputs(self):
        return sorted(f"p{p}" for p in self.written())

    def nodes(self):
        found = [value for _, value in self.locals] + self.guard
        if self.rounds:
            found += [self.rounds.first, self.rounds.condition]
        return found + [node for s in self.stores for node in s.nodes()]

    def text(self):
        written = self.written()
        given = [
            f"{'' if p in written else 'const '}{kind} *p{p}"
            for p, kind in enumerate(self.elements)
        ]
        given += [f"{n.kind.name} {n.name}" for n in self.parameters]
        head = f"__global__ {self.attributes}void {self.name}({', '.join(given)}) {{"
        lines = [
            f"  {name.kind.name} {name.name} = "
            f"blockIdx.{a} * blockDim.{a} + threadIdx.{a};"
            for name, a in zip(self.coordinates, "xy")
        ]
        lines += [
            f"  {name.kind.name} {name.name} = {value.text()};"
            for name, value in self.locals
        ]
        body = [store.text() for store in self.stores]
        if self.rounds:
            body = [self.rounds.text(), *(f"  {line}" for line in body), "}"]
        return "\n".join([head, *lines, *self.guarded(body), "}"]) + "\n"

    def guarded(self, body):
        if not self.guard:
            return [f"  {line}" for line in body]
        condition = self.guard[0]
        for other in self.guard[1:]:
            condition = Binary("&&", condition, other)
        text = condition.text()
        if self.style == "return":
            return [f"  if (!({text}))", "    return;"] + [f"  {b}" for b in body]
        if self.style == "nested":
            found = [f"  if ({part.text()})" for part in self.guard]
            return [*found, "  {", *(f"    {line}" for line in body), "  }"]
        return [f"  if ({text}) {{", *(f"    {b}" for b in body), "  }"]

    def tracer(self):
        """A function from the thread's place to what the thread touches, as a
        list."""
        names = [n.name for n in self.parameters]
        lines = [f"def trace({', '.join(['x', 'y', *names])}):", "  found = []"]
        for name, axis in zip(self.coordinates, "xy"):
            code = f"{axis} & {(1 << name.kind.bits) - 1}"
            if name.kind.signed:
                code = f"wrapped({axis}, {name.kind.bits})"
            lines.append(f"  {name.name} = {code}")
        for name, value in self.locals:
            lines.append(f"  {name.name} = {converted(value, name.kind)}")
        for condition in self.guard:
            lines += [f"  if not {condition.python()}:", "    return found"]
        indent = "  "
        if self.rounds:
            first = converted(self.rounds.first, self.rounds.kind)
            lines += [f"  k = {first}", "  turns = 0"]
            lines += [f"  while {self.rounds.condition.python()}:"]
            lines += ["    turns += 1", f"    if turns > {MOST_TURNS}:"]
            lines += ["      raise Undefined"]
            indent = "    "
        for store in self.stores:
            lines += [
                f"{indent}found.append(({array}, {index.python()}, '{mode}'))"
                for array, index, mode in store.trace()
            ]
        if self.rounds:
            kind, step = self.rounds.kind, f"k + ({self.rounds.step})"
            wrap = f"({step}) & {(1 << kind.bits) - 1}"
            if kind.signed:
                # An unsigned step makes the sum unsigned.
                is_checked = kind.bits >= 32 and abs(self.rounds.step) == 1
                way = "checked" if is_checked else "wrapped"
                wrap = f"{way}({step}, {kind.bits})"
            lines.append(f"    k = {wrap}")
        scope = dict(SCOPE)
        exec("\n".join([*lines, "  return found"]), scope)  # our own text
        return scope["trace"]


@dataclass
class Launch:
    uid: int
    kernel: Kernel
    grid: tuple
    block: tuple
    pointers: list  # names of arrays
    values: list  # host variables, one for each parameter

    def lines(self):
        def shape(extent):
            if len(extent) == 1:
                return str(extent[0])
            return f"dim3({', '.join(str(e) for e in extent)})"

        words = ", ".join([*self.pointers, *(v.name for v in self.values)])
        configuration = f"{shape(self.grid)}, {shape(self.block)}"
        return f"{self.kernel.name}<<<{configuration}>>>({words}); //@{self.uid}"

    def touched(self):
        """{(array, index): [thread, modes]}; no thread where there are several.
        Raises Undefined where C says nothing."""
        trace = self.kernel.tracer()
        values = [
            name.kind.wrap(value.value)
            for name, value in zip(self.kernel.parameters, self.values)
        ]
        extent = [g * b for g, b in zip(self.grid, self.block)] + [1]
        found = {}
        for thread in range(extent[0] * extent[1]):
            place = thread % extent[0], thread // extent[0]
            for parameter, index, mode in trace(*place, *values):
                key = self.pointers[parameter], index
                entry = found.setdefault(key, [thread, ""])
                if entry[0] != thread:
                    entry[0] = None
                if mode not in entry[1]:
                    entry[1] += mode
        return found

    def is_sound(self, length):
        """Whether all threads stay inside the arrays, and have no race."""
        try:
            found = self.touched()
        except Undefined:
            return False
        return all(
            0 <= index < length and (thread is not None or "w" not in modes)
            for (_, index), (thread, modes) in found.items()
        )


@dataclass
class Variable:
    """Of the host."""

    name: str
    kind: object
    text: str
    value: int


@dataclass
class Program:
    length: int
    arrays: dict  # by name, the type of the elements and where they begin
    variables: list
    body: list  # launches
    shown: list
    memsets: dict = field(default_factory=dict)  # as plans.py wants them
    outputs: list = field(default_factory=list)

    def launches(self):
        return self.body

    def regions(self):
        return [[launch.uid for launch in self.body]]

    def kernels(self):
        found = []
        for launch in self.body:
            if not any(launch.kernel is kernel for kernel in found):
                found.append(launch.kernel)
        return found

    def text(self):
        kernels = self.kernels()
        parts = ["#include <cstdio>", "#include <cuda_runtime.h>", ""]
        nodes = [node for kernel in kernels for node in kernel.nodes()]
        words = "".join(store.form for k in kernels for store in k.stores)
        called = {name for name in SCOPE if f"{name}(" in words}
        for name in sorted(called | set(hashes_in(nodes))):
            parts.append(hash_text(name, "__device__ "))
        parts += [kernel.text() for kernel in kernels]
        parts.append("static unsigned char host[1 << 16];\n")
        parts.append("int main(int argc, char **) {")
        for one in self.variables:
            parts.append(f"  {one.kind.name} {one.name} = {one.text};")
        for kind in sorted({kind for kind, _ in self.arrays.values()}):
            start = f"start_{kind.replace(' ', '_')}"
            parts.append(f"  static {kind} {start}[{self.length + STARTS}];")
            parts.append(f"  for (int k = 0; k < {self.length + STARTS}; ++k)")
            parts.append(f"    {start}[k] = {kind}(k * 7 % 101);".replace(
                kind + "(", f"({kind})("))
        for name, (kind, place) in self.arrays.items():
            start = f"start_{kind.replace(' ', '_')}"
            size = f"{self.length} * sizeof({kind})"
            parts.append(f"  {kind} *{name};")
            parts.append(f"  cudaMalloc(&{name}, {size});")
            parts.append(
                f"  cudaMemcpy({name}, {start} + {place}, {size}, "
                "cudaMemcpyHostToDevice);"
            )
        parts += [f"  {launch.lines()}" for launch in self.body]
        for name in self.shown:
            size = f"{self.length} * sizeof({self.arrays[name][0]})"
            parts.append(
                f"  cudaMemcpy(host, {name}, {size}, cudaMemcpyDeviceToHost);"
            )
            parts.append('  printf("%d %d\\n", host[5], host[99]);')
        parts += [f"  cudaFree({name});" for name in self.arrays]
        return "\n".join([*parts, "  return 0;", "}"]) + "\n"

    def is_sound(self):
        return len(self.body) > 1 and all(
            launch.is_sound(self.length) for launch in self.body
        )

    def candidates(self):
        """Programs that are a little smaller."""
        for at in range(len(self.body)):
            smaller = copy.deepcopy(self)
            del smaller.body[at]
            yield smaller
        for at in range(len(self.shown)):
            smaller = copy.deepcopy(self)
            del smaller.shown[at]
            yield smaller
        used = {name for launch in self.body for name in launch.pointers}
        for name in self.arrays:
            if name not in used and name not in self.shown:
                smaller = copy.deepcopy(self)
                del smaller.arrays[name]
                yield smaller
        for number in range(len(self.kernels())):
            for change in changes(self.kernels()[number]):
                smaller = copy.deepcopy(self)
                change(smaller.kernels()[number])
                yield smaller
        named = {v.name for launch in self.body for v in launch.values}
        for one in self.variables:
            if one.name not in named:
                smaller = copy.deepcopy(self)
                smaller.variables = [
                    v for v in smaller.variables if v.name != one.name
                ]
                yield smaller


def changes(kernel):
    """Functions that make a kernel simpler."""
    for at in range(len(kernel.guard)):
        yield lambda k, at=at: k.guard.pop(at)
        for node in simpler(kernel.guard[at]):
            yield lambda k, at=at, node=node: k.guard.__setitem__(at, node)
    for at in range(len(kernel.locals)):
        yield lambda k, at=at: k.locals.pop(at)
        for node in simpler(kernel.locals[at][1]):
            pair = kernel.locals[at][0], node
            yield lambda k, at=at, pair=pair: k.locals.__setitem__(at, pair)
    if kernel.rounds:
        yield lambda k: setattr(k, "rounds", None)
    for name, value in (("style", "if"), ("attributes", "")):
        if getattr(kernel, name) != value:
            yield lambda k, name=name, value=value: setattr(k, name, value)
    for at, store in enumerate(kernel.stores):
        if len(kernel.stores) > 1:
            yield lambda k, at=at: k.stores.pop(at)
        if store.form != "{0}" and store.loads:
            yield lambda k, at=at: setattr(k.stores[at], "form", "{0}")
        if store.form == "{0}" and len(store.loads) > 1:
            yield lambda k, at=at: k.stores[at].loads.pop()
        for node in simpler(store.index):
            yield lambda k, at=at, n=node: setattr(k.stores[at], "index", n)
        for l, load in enumerate(store.loads):
            for node in simpler(load.index):
                yield lambda k, at=at, l=l, n=node: setattr(
                    k.stores[at].loads[l], "index", n
                )


def simpler(node):
    """Expressions that have one operation less."""
    yield from node.parts()
    for at, part in enumerate(node.parts()):
        for other in simpler(part):
            parts = list(node.parts())
            parts[at] = other
            yield node.with_parts(*parts)
