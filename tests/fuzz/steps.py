"""What a host program does between its launches, as statements."""

from dataclasses import dataclass


@dataclass
class Swap:
    kind: str
    one: str
    other: str
    plain: bool

    def lines(self):
        if self.plain:
            return [f"std::swap({self.one}, {self.other});"]
        return [
            "{",
            f"  {self.kind} *swapped = {self.one};",
            f"  {self.one} = {self.other};",
            f"  {self.other} = swapped;",
            "}",
        ]


@dataclass
class Copy:
    kind: str
    target: str
    source: str
    count: str

    def lines(self):
        return [
            f"cudaMemcpy({self.target}, {self.source}, {self.count} * "
            f"sizeof({self.kind}), cudaMemcpyDeviceToDevice);"
        ]


@dataclass
class Set:
    array: str
    byte: int
    count: int

    def lines(self):
        return [f"cudaMemset({self.array}, {self.byte}, {self.count});"]


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

    def lines(self):
        return [self.text + ";"]


@dataclass
class Shape:
    """dim3 variables."""

    name: str
    extents: tuple

    def lines(self):
        return [f"dim3 {self.name}({', '.join(self.extents)});"]


def inside(statements):
    return ["  " + line for s in statements for line in s.lines()]


def lists_in(statement):
    """The lists of statements that a statement has."""
    if isinstance(statement, Branch):
        return [statement.body, statement.otherwise]
    if isinstance(statement, (Loop, Look)):
        return [statement.body]
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
