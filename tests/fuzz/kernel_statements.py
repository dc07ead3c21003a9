"""Writes statements of kernels as CUDA, and as Python that notes accesses."""

from dataclasses import dataclass

from kernel_expressions import noted, text_of, to_python
from spellings import ALWAYS, INDICES, POINTER, STORES, THROUGH, WHOLE_STORES

STEP = "  "


def indented(lines):
    return [STEP + line for line in lines]


@dataclass
class Local:
    kind: str
    name: str
    value: object
    is_fixed: bool = True

    def lines(self):
        kind = f"const {self.kind}" if self.is_fixed else self.kind
        return [f"{kind} {self.name} = {self.value.text()};"]

    def trace(self, indent):
        return self.value.trace(indent)


@dataclass
class Store:
    """p[index] = value, or an update if the operator isn't empty."""

    array: int
    index: str
    value: object
    operator: str = ""
    member: str = ""
    spelling: str = ""  # how it is written
    via: str = ""  # how its index is

    def lines(self):
        text = (STORES | WHOLE_STORES | THROUGH)[self.spelling].format(
            p=f"p{self.array}",
            i=INDICES[self.via].format(i=self.index),
            m=f".{self.member}" if self.member else "",
            o=self.operator,
            v=self.value.text(),
            c=ALWAYS,
        )
        return text.split("\n")

    def trace(self, indent):
        mode = "rw" if self.operator else "w"
        return self.value.trace(indent) + noted(
            self.array, self.index, mode, indent
        )


@dataclass
class ChosenStore:
    """A store to one of two arrays, by a condition of coordinates."""

    kind: str
    condition: str
    first: Store
    second: Store

    def lines(self):
        target = self.first.lines()[0].replace(f"p{self.first.array}[", "q[", 1)
        return [
            f"{self.kind} *q;",
            f"if ({self.condition})",
            f"  q = p{self.first.array};",
            "else",
            f"  q = p{self.second.array};",
            target,
        ]

    def trace(self, indent):
        return If(self.condition, [self.first], [self.second]).trace(indent)


@dataclass
class Pointer:
    """Declares what a store that goes through a pointer takes."""

    array: int
    index: str

    def lines(self):
        return [POINTER.format(p=f"p{self.array}", i=self.index)]

    def trace(self, _indent):
        return []


@dataclass
class If:
    """A condition of coordinates is a text; one of data is an expression, and
    then both arms count."""

    condition: object
    then: list
    otherwise: list

    def lines(self):
        lines = [f"if ({text_of(self.condition)}) {{"]
        for s in self.then:
            lines += indented(s.lines())
        if self.otherwise:
            lines.append("} else {")
            for s in self.otherwise:
                lines += indented(s.lines())
        return lines + ["}"]

    def trace(self, indent):
        inner = indent + STEP
        if isinstance(self.condition, str):
            lines = [f"{indent}if {to_python(self.condition)}:"]
            before, between = [], f"{indent}else:"
        else:
            before = self.condition.trace(indent)
            lines, between = [f"{indent}if True:"], f"{indent}if True:"
        lines = before + lines + [f"{inner}pass"]
        for s in self.then:
            lines += s.trace(inner)
        lines += [between, f"{inner}pass"]
        for s in self.otherwise:
            lines += s.trace(inner)
        return lines


@dataclass
class Leave:
    """A return. Where it depends on data, what follows may happen or not."""

    condition: object

    def lines(self):
        return [f"if ({text_of(self.condition)})", "  return;"]

    def trace(self, indent):
        if isinstance(self.condition, str):
            return [
                f"{indent}if {to_python(self.condition)}:",
                f"{indent}{STEP}return",
            ]
        return self.condition.trace(indent)


# A place near the border, as programs keep it inside [0, {n}).
CLAMPED = {
    "functions": "int {c} = min(max({x}, 0), {n} - 1);",
    "choices": "int {c} = {x} < 0 ? 0 : {x} > {n} - 1 ? {n} - 1 : {x};",
    "tests": "int {c} = {x}; if ({c} < 0) {c} = 0; "
    "if ({c} >= {n}) {c} = {n} - 1;",
    "mirror": "int {c} = {x} < 0 ? -({x}) : {x}; "
    "if ({c} >= {n}) {c} = 2 * {n} - 2 - {c}; {c} = max(min({c}, {n} - 1), 0);",
}


@dataclass
class Clamped:
    """A variable of a window's loops that holds a place inside the array."""

    name: str
    place: str
    limit: str
    spelling: str

    def lines(self):
        text = CLAMPED[self.spelling]
        return [text.format(c=self.name, x=self.place, n=self.limit)]

    def trace(self, indent):
        c, x, n = self.name, to_python(self.place), self.limit
        lines = [f"{c} = {x}"]
        if self.spelling == "mirror":
            lines = [f"{c} = abs({x})"]
            lines.append(f"{c} = 2 * {n} - 2 - {c} if {c} >= {n} else {c}")
        lines.append(f"{c} = max(min({c}, {n} - 1), 0)")
        return [indent + line for line in lines]


@dataclass
class Window:
    """A sum over loops: of elements around the thread's own."""

    kind: str
    name: str
    array: int
    index: str  # of the loops' variables
    loops: list  # a variable, its first and its last value
    condition: str  # empty if the kernel's guard is enough
    wrap: bool
    places: list  # Clamped

    def lines(self):
        place = f"p{self.array}[{self.index}]"
        value = f"{place} % 997" if self.wrap else place
        if self.kind in ("float", "double"):
            value += " / 4"
        lines = [line for each in self.places for line in each.lines()]
        lines += [f"{self.name} += {value};"]
        if self.condition:
            lines = [f"if ({self.condition}) {{", *indented(lines), "}"]
        for name, first, last in reversed(self.loops):
            head = f"for (int {name} = {first}; {name} <= {last}; ++{name})"
            lines = [head + " {", *indented(lines), "}"]
        return [f"{self.kind} {self.name} = 0;", *lines]

    def trace(self, indent):
        lines = []
        for name, first, last in self.loops:
            lines.append(f"{indent}for {name} in range({first}, {last + 1}):")
            indent += STEP
        for place in self.places:
            lines += place.trace(indent)
        lines.append(f"{indent}if {to_python(self.condition or 'True')}:")
        return lines + [
            f"{indent}{STEP}note({self.array}, {to_python(self.index)}, 'r')"
        ]


@dataclass
class Each:
    """Statements for every k of a range, which may be passed backwards."""

    first: int
    last: int
    step: int
    body: list
    is_reversed: bool = False

    def numbers(self):
        return range(self.first, self.last + 1, self.step)

    def lines(self):
        first, last = self.numbers()[0], self.numbers()[-1]
        step = f"k += {self.step}" if self.step > 1 else "++k"
        head = f"for (int k = {first}; k <= {last}; {step})"
        if self.is_reversed:
            step = f"k -= {self.step}" if self.step > 1 else "--k"
            head = f"for (int k = {last}; k >= {first}; {step})"
        body = [line for s in self.body for line in s.lines()]
        return [head + " {", *indented(body), "}"]

    def trace(self, indent):
        lines = [f"{indent}for k in {list(self.numbers())}:"]
        for s in self.body:
            lines += s.trace(indent + STEP)
        return lines


@dataclass
class Atomic:
    array: int
    index: str
    value: object

    def lines(self):
        return [
            f"atomicAdd(&p{self.array}[{self.index}], {self.value.text()});"
        ]

    def trace(self, indent):
        return self.value.trace(indent) + noted(
            self.array, self.index, "a", indent
        )


BLOCK_INDEX = [
    "blockIdx.x",
    "(blockIdx.y * gridDim.x + blockIdx.x)",
    "((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)",
]
LANE = [
    "threadIdx.x",
    "threadIdx.y * blockDim.x + threadIdx.x",
    "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x",
]


@dataclass
class Cooperate:
    """A whole body in which the threads of a block work together.

    shape: `tree` sums the block in shared memory, `shuffle` sums warps, and
    `turn` hands the block's values round in shared memory.
    """

    shape: str
    kind: str
    dims: int
    threads: int
    index: str
    guard: str
    wrap: bool
    source: int = 0
    target: int = 1
    spaced: bool = False  # loads by an if, halves by a shift

    def lines(self):
        element = f"p{self.source}[{self.index}]"
        element += " % 997" if self.wrap else ""
        value = f"{self.guard} ? {element} : 0"
        lane = f"const int t = {LANE[self.dims - 1]};"
        block = BLOCK_INDEX[self.dims - 1]
        if self.shape == "shuffle":
            return [
                lane,
                f"{self.kind} sum = {value};",
                "for (int o = 16; o > 0; o /= 2) {",
                "  sum += __shfl_down_sync(0xffffffffu, sum, o);",
                "}",
                "if (t % 32 == 0) {",
                f"  p{self.target}[{block} * {self.threads // 32} + t / 32] = sum;",
                "}",
            ]
        fill = [f"part[t] = {value};"]
        if self.spaced:
            fill = ["part[t] = 0;", f"if ({self.guard})"]
            fill.append(f"  part[t] = {element};")
        lines = [
            f"__shared__ {self.kind} part[{self.threads}];",
            lane,
            *fill,
            "__syncthreads();",
        ]
        if self.shape == "turn":
            return lines + [
                f"if ({self.guard}) {{",
                f"  p{self.target}[{self.index}] = part[{self.threads - 1} - t];",
                "}",
            ]
        return lines + [
            f"for (int s = {self.threads // 2}; s > 0; "
            f"{'s >>= 1' if self.spaced else 's /= 2'}) {{",
            "  if (t < s)",
            "    part[t] += part[t + s];",
            "  __syncthreads();",
            "}",
            "if (t == 0)",
            f"  p{self.target}[{block}] = part[0];",
        ]

    def trace(self, indent):
        block = BLOCK_INDEX[self.dims - 1]
        if self.shape == "turn":
            condition, target = self.guard, self.index
        elif self.shape == "tree":
            condition, target = "t == 0", block
        else:
            condition = "t % 32 == 0"
            target = f"{block} * {self.threads // 32} + t / 32"
        return [
            f"{indent}t = {LANE[self.dims - 1]}",
            f"{indent}if {to_python(self.guard)}:",
            f"{indent}  note({self.source}, {to_python(self.index)}, 'r')",
            f"{indent}if {to_python(condition)}:",
            f"{indent}  note({self.target}, {to_python(target)}, 'w')",
        ]
