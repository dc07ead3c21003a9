"""Writes the statements that a host program has between its launches."""

import re
from dataclasses import dataclass

# Ways to exchange two pointers.
SWAPS = {
    "std": "std::swap({a}, {b});",
    "": "{{\n  {k} *swapped = {a};\n  {a} = {b};\n  {b} = swapped;\n}}",
    "using": "{{\n  using std::swap;\n  swap({a}, {b});\n}}",
    "exchange": "{a} = std::exchange({b}, {a});",
    "tie": "std::tie({a}, {b}) = std::make_pair({b}, {a});",
    "function": "exchange({a}, {b});",
    "pointers": "exchangeAt(&{a}, &{b});",
    "iterators": "std::iter_swap(&{a}, &{b});",
    "reference": "{{\n  {k} *&same = {a};\n  std::swap({b}, same);\n}}",
    "address": "{{\n  {k} **where = &{a}, *swapped = {b};\n  {b} = *where;\n"
    "  *where = swapped;\n}}",
    "lambda": "[&one = {a}, &other = {b}] {{ std::swap(one, other); }}();",
    "given": "[](auto *&one, auto *&other) {{ std::swap(one, other); }}({a}, {b});",
    "choice": "std::swap(n > 0 ? {a} : {b}, n > 0 ? {b} : {a});",
    "members": "{{\n  struct {{\n    {k} *&one, *&other;\n  }} both{{{a}, {b}}};\n"
    "  std::swap(both.one, both.other);\n}}",
}
# Ways to name an element of managed memory.
TOUCHES = {
    "": "{a}[{p}]",
    "pointer": "(*({a} + {p}))",
    "backwards": "{p}[{a}]",
    "function": "cellOf({a}, {p})",
    "object": "CellsOf<decltype(&*{a})>{{{a}}}[{p}]",
    "lambda": "[&]() -> auto & {{ return {a}[{p}]; }}()",
    "wrapped": "std::ref({a}[{p}]).get()",
    "reference": "static_cast<decltype({a}[0] = {a}[0])>({a}[{p}])",
}
# Ways to change a variable: {v}, with {o} and {e} as in `m -= 3`.
CHANGES = {
    "": "{v} {o} {e};",
    "reference": "{{\n  auto &same = {v};\n  same {o} {e};\n}}",
    "address": "{{\n  auto *where = &{v};\n  *where {o} {e};\n}}",
    "lambda": "[&] {{ {v} {o} {e}; }}();",
    "captured": "[&same = {v}](auto by) {{ same {o} by; }}({e});",
    "given": "[](auto &same, int by) {{ same {o} by; }}({v}, {e});",
    "choice": "{{\n  decltype({v} + 0) other = 0;\n  (n > 0 ? {v} : other) {o} {e};\n}}",
    "member": "{{\n  struct {{\n    decltype({v} + 0) &same;\n  }} refers{{{v}}};\n"
    "  refers.same {o} {e};\n}}",
    "if": "if (({v} {o} {e}) < 0)\n  ;",
    "step": "for (bool once = true; once; once = false, {v} {o} {e})\n  ;",
    "and": "n > 0 && (({v} {o} {e}), true);",
    "bound": "{{\n  auto [same, other] = std::tie({v}, n);\n  same {o} {e};\n"
    "  (void)other;\n}}",
}


class Nested:
    """A statement with lists of statements, which knows what it does in a
    simulation."""


@dataclass
class Swap:
    kind: str
    one: str
    other: str
    form: str

    def lines(self):
        text = SWAPS[self.form].format(
            k=self.kind, a=self.one, b=self.other
        )
        return text.split("\n")


@dataclass
class Copy:
    kind: str
    target: str
    source: str
    count: str
    stream: str = ""

    def lines(self):
        name, end = asynchronous(self.stream)
        return [
            f"cudaMemcpy{name}({self.target}, {self.source}, {self.count} * "
            f"sizeof({self.kind}), cudaMemcpyDeviceToDevice{end});"
        ]


@dataclass
class Set:
    array: str
    byte: int
    count: object  # of bytes
    stream: str = ""

    def lines(self):
        name, end = asynchronous(self.stream)
        return [
            f"cudaMemset{name}({self.array}, {self.byte}, {self.count}{end});"
        ]


@dataclass
class Show:
    """Copies an array to the host and prints some of it."""

    array: str
    bytes: int
    helper: bool

    def lines(self):
        if self.helper:
            return [f"show({self.array}, {self.bytes});"]
        return [
            f"cudaMemcpy(host, {self.array}, {self.bytes}, "
            "cudaMemcpyDeviceToHost);",
            f'printf("%d %d\\n", host[5], host[{self.bytes // 2}]);',
        ]


@dataclass
class ShowVariable:
    """Copies a device variable to the host and prints some of it."""

    array: str
    bytes: int

    def lines(self):
        return [
            f"cudaMemcpyFromSymbol(host, {self.array}, {self.bytes});",
            f'printf("%d %d\\n", host[1], host[{self.bytes // 2}]);',
        ]


@dataclass
class SetVariable:
    """Copies values that arrays begin with to a device variable."""

    name: str
    kind: str
    place: int
    length: int

    def lines(self):
        start = f"start{self.kind.split()[-1]} + {self.place}"
        size = f"{self.length} * sizeof({self.kind})"
        return [f"cudaMemcpyToSymbol({self.name}, {start}, {size});"]


@dataclass
class Touch:
    """The host reads or writes an element of managed memory, in its turn."""

    array: str
    place: int
    member: str
    value: str = ""  # to write
    form: str = ""

    def lines(self):
        element = TOUCHES[self.form].format(a=self.array, p=self.place)
        element += self.member
        wait = "cudaDeviceSynchronize();"
        if self.value:
            return [wait, f"{element} = {self.value};"]
        return [wait, f'printf("%g\\n", double({element}));']


@dataclass
class Wait:
    """Orders streams: the host or, with an event, `waiting` waits for
    `stream`; without a stream, the host waits for all."""

    stream: str = ""
    waiting: str = ""

    def lines(self):
        if not self.stream:
            return ["cudaDeviceSynchronize();"]
        if not self.waiting:
            return [f"cudaStreamSynchronize({self.stream});"]
        return [
            f"cudaEventRecord(event, {self.stream});",
            f"cudaStreamWaitEvent({self.waiting}, event, 0);",
        ]


@dataclass
class Look:
    """Reads an array and goes on depending on what it holds."""

    array: str
    bytes: int
    place: int
    body: list

    def lines(self):
        lines = [
            f"cudaMemcpy(host, {self.array}, {self.bytes}, "
            "cudaMemcpyDeviceToHost);",
            f"if (host[{self.place}] % 2 == 0) {{",
        ]
        return lines + inside(self.body) + ["}"]


@dataclass
class Loop:
    count: int
    body: list

    def lines(self):
        head = f"for (int round = 0; round < {self.count}; ++round) {{"
        return [head, *inside(self.body), "}"]


@dataclass
class Branch:
    condition: str
    body: list
    otherwise: list

    def lines(self):
        lines = [f"if ({self.condition}) {{", *inside(self.body)]
        if self.otherwise:
            lines += ["} else {", *inside(self.otherwise)]
        return lines + ["}"]


@dataclass
class Plain:
    """Host text that means the same in Python, but for the semicolon; or, as
    a call of the runtime, nothing to the simulation."""

    text: str
    form: str = ""

    def lines(self):
        match = re.fullmatch(r"([\w.]+) (\S?=) (.*)", self.text)
        if not match:
            return [self.text + ";"]
        text = CHANGES[self.form].format(v=match[1], o=match[2], e=match[3])
        return text.split("\n")


@dataclass
class Shape:
    """dim3 variables."""

    name: str
    extents: tuple

    def lines(self):
        return [f"dim3 {self.name}({', '.join(self.extents)});"]


def asynchronous(stream):
    """What the name of a runtime function on this stream ends in, and its
    arguments."""
    return ("Async", f", {stream}") if stream else ("", "")


def inside(statements):
    return ["  " + line for s in statements for line in s.lines()]


def lists_in(statement):
    """The lists of statements that a statement has."""
    if isinstance(statement, Branch):
        return [statement.body, statement.otherwise]
    if isinstance(statement, (Loop, Look)):
        return [statement.body]
    if isinstance(statement, Nested):
        return statement.lists()
    return []


def all_lists(statements):
    """This list and those within."""
    found = [statements]
    for statement in walk(statements):
        found += lists_in(statement)
    return found


def walk(statements):
    for statement in statements:
        yield statement
        for inner in lists_in(statement):
            yield from walk(inner)
