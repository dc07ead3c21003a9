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

    def lines(self):
        element = f"{self.array}[{self.place}]{self.member}"
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

    def lines(self):
        return [self.text + ";"]


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
