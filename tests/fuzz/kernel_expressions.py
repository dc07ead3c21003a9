"""Writes expressions of kernels as CUDA, and as Python that notes what they read.

The notes let races be found by running. Index texts are polynomials that mean the
same in both languages but for `/`, `&&`, `||` and `!`.
"""

import re
from dataclasses import dataclass

from spellings import ALWAYS, INDICES, LOADS

FLOATING = ("float", "double")
PAIR = "Pair"
INDEX = "Index"  # of arrays of numbers of elements, which nobody writes


def to_python(text):
    """An integer or boolean C++ expression without ?: as Python."""
    text = text.replace("&&", " and ").replace("||", " or ").replace("/", "//")
    return re.sub(r"!(?!=)", " not ", text)


def noted(array, index, mode, indent):
    """Notes an access, and those to the tables that its index comes from."""
    tables = re.findall(r"\bp(\d+)\[([^\[\]]*)\]", index)
    return [
        f"{indent}note({array}, {to_python(index)}, '{mode}')"
        for array, index, mode in [(p, at, "r") for p, at in tables]
        + [(array, index, mode)]
    ]


def literal(kind, number):
    """A number as a constant of this type."""
    if kind == "float":
        return f"{float(number)}f"
    return str(float(number)) if kind == "double" else str(int(number))


def text_of(condition):
    """A condition of coordinates is a text already."""
    return condition if isinstance(condition, str) else condition.text()


@dataclass
class Load:
    """An element, or one member of it, of an array parameter."""

    array: int
    index: str
    member: str = ""
    wrap: bool = False  # keeps signed arithmetic away from its limits
    spelling: str = ""  # how it is written
    via: str = ""  # how its index is

    def text(self):
        index = INDICES[self.via].format(i=self.index)
        place = LOADS[self.spelling].format(p=f"p{self.array}", i=index, c=ALWAYS)
        place += f".{self.member}" if self.member else ""
        return f"({place} % 997)" if self.wrap else place

    def trace(self, indent):
        return noted(self.array, self.index, "r", indent)

    def parts(self):
        return []


@dataclass
class Text:
    """A constant, a scalar, a local variable."""

    word: str

    def text(self):
        return self.word

    def trace(self, _indent):
        return []

    def parts(self):
        return []


@dataclass
class Binary:
    operator: str
    left: object
    right: object

    def text(self):
        right = self.right.text()
        if isinstance(self.right, (Binary, Choice)):
            right = f"({right})"
        left = self.left.text()
        if isinstance(self.left, Choice) or (
            isinstance(self.left, Binary) and self.operator in "*&%"
        ):
            left = f"({left})"
        return f"{left} {self.operator} {right}"

    def trace(self, indent):
        return self.left.trace(indent) + self.right.trace(indent)

    def parts(self):
        return [self.left, self.right]


@dataclass
class Call:
    """A call of a device function with values."""

    function: str
    arguments: list

    def text(self):
        return f"{self.function}({', '.join(a.text() for a in self.arguments)})"

    def trace(self, indent):
        return [line for a in self.arguments for line in a.trace(indent)]

    def parts(self):
        return self.arguments


@dataclass
class ChosenLoad:
    """The same element of one of two arrays, by a condition of coordinates."""

    condition: str
    first: Load
    second: Load

    def text(self):
        place = f"({self.condition} ? p{self.first.array} : p{self.second.array})"
        place += f"[{self.first.index}]"
        place += f".{self.first.member}" if self.first.member else ""
        return f"({place} % 997)" if self.first.wrap else place

    def trace(self, indent):
        return Choice(self.condition, self.first, self.second).trace(indent)

    def parts(self):
        return []


@dataclass
class Choice:
    """condition ? first : second. A condition of coordinates is a text; one of
    data is an expression, and then either arm may be evaluated."""

    condition: object
    first: object
    second: object

    def text(self):
        condition = text_of(self.condition)
        return f"({condition} ? {self.first.text()} : {self.second.text()})"

    def trace(self, indent):
        if not isinstance(self.condition, str):
            return (
                self.condition.trace(indent)
                + self.first.trace(indent)
                + self.second.trace(indent)
            )
        inner = indent + "  "
        return [
            f"{indent}if {to_python(self.condition)}:",
            f"{inner}pass",
            *self.first.trace(inner),
            f"{indent}else:",
            f"{inner}pass",
            *self.second.trace(inner),
        ]

    def parts(self):
        return [self.first, self.second]
