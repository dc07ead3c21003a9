"""Writes integer expressions of C with their types, as the hardware computes them.

Each is written as C, which CUDA and OpenCL read alike, and as Python that wraps
where C wraps and raises Undefined where C leaves it open. tests/smt/formulas.py
writes them as formulas of bit vectors.
"""

from dataclasses import dataclass


class Undefined(Exception):
    """The language says nothing of what happens."""


@dataclass(frozen=True)
class Kind:
    """A type of integers."""

    name: str
    bits: int
    signed: bool

    def low(self):
        return -(1 << self.bits - 1) if self.signed else 0

    def high(self):
        return (1 << self.bits - self.signed) - 1

    def covers(self, other):
        return self.low() <= other.low() and other.high() <= self.high()

    def wrap(self, number):
        number &= (1 << self.bits) - 1
        return number - (1 << self.bits) if number > self.high() else number


BYTE, UBYTE = Kind("signed char", 8, True), Kind("unsigned char", 8, False)
SHORT, USHORT = Kind("short", 16, True), Kind("unsigned short", 16, False)
INT, UNSIGNED = Kind("int", 32, True), Kind("unsigned", 32, False)
LONG, ULONG = Kind("long", 64, True), Kind("unsigned long", 64, False)
SIZE = Kind("size_t", 64, False)
KINDS = [BYTE, UBYTE, SHORT, USHORT, INT, UNSIGNED, LONG, ULONG, SIZE]
NAMED = {kind.name: kind for kind in KINDS}
SUFFIXES = {INT: "", UNSIGNED: "u", LONG: "l", ULONG: "ul", SIZE: "ul"}

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
LOGICAL = ("&&", "||")
PRECEDENCE = [["*", "/", "%"], ["+", "-"], ["<<", ">>"], ["<", "<=", ">", ">="]]
PRECEDENCE += [["==", "!="], ["&"], ["^"], ["|"], ["&&"], ["||"], ["?"]]
LEVEL = {op: level for level, ops in enumerate(PRECEDENCE) for op in ops}


def promoted(kind):
    return INT if kind.bits < INT.bits else kind


def common(one, other):
    """The type in which an operator takes values of these."""
    one, other = promoted(one), promoted(other)
    if one.bits != other.bits:
        return one if one.bits > other.bits else other
    return other if one.signed else one


@dataclass(frozen=True)
class Name:
    """A variable. Parameters, coordinates and locals are all the same here."""

    name: str
    kind: Kind

    def parts(self):
        return ()

    def text(self):
        return self.name

    def python(self):
        return self.name


@dataclass(frozen=True)
class Number:
    value: int
    kind: Kind = INT

    def parts(self):
        return ()

    def text(self):
        text = str(abs(self.value))
        if self.value >= 1 << 16:
            text = hex(self.value)
        text += SUFFIXES[self.kind]
        return f"({'-' + text})" if self.value < 0 else text

    def python(self):
        return f"({self.value})"


@dataclass(frozen=True)
class Cast:
    to: Kind
    of: object

    @property
    def kind(self):
        return self.to

    def parts(self):
        return (self.of,)

    def with_parts(self, of):
        return Cast(self.to, of)

    def text(self):
        return f"({self.to.name}){within(self.of, -1)}"

    def python(self):
        return converted(self.of, self.to)


@dataclass(frozen=True)
class Unary:
    """`-`, `~` or `!`."""

    op: str
    of: object

    @property
    def kind(self):
        return INT if self.op == "!" else promoted(self.of.kind)

    def parts(self):
        return (self.of,)

    def with_parts(self, of):
        return Unary(self.op, of)

    def text(self):
        of = within(self.of, -1)
        return f"{self.op}({of})" if of[0] in "-~!" else f"{self.op}{of}"

    def python(self):
        if self.op == "!":
            return f"int(not {self.of.python()})"
        return fitted(f"({self.op}{converted(self.of, self.kind)})", self.kind)


@dataclass(frozen=True)
class Binary:
    op: str
    left: object
    right: object

    @property
    def kind(self):
        if self.op in COMPARISONS + LOGICAL:
            return INT
        if self.op in ("<<", ">>"):
            return promoted(self.left.kind)
        return common(self.left.kind, self.right.kind)

    def parts(self):
        return (self.left, self.right)

    def with_parts(self, left, right):
        return Binary(self.op, left, right)

    def text(self):
        level = LEVEL[self.op]
        left, right = within(self.left, level), within(self.right, level - 1)
        return f"{left} {self.op} {right}"

    def python(self):
        op = self.op
        if op in LOGICAL:
            word = "and" if op == "&&" else "or"
            left, right = self.left.python(), self.right.python()
            return f"int(bool({left} {word} {right}))"
        if op in ("<<", ">>"):
            way = "to_left" if op == "<<" else "to_right"
            left, right = converted(self.left, self.kind), self.right.python()
            return f"{way}({left}, {right}, {self.kind.bits}, {self.kind.signed})"
        kind = common(self.left.kind, self.right.kind)
        left, right = converted(self.left, kind), converted(self.right, kind)
        if op in COMPARISONS:
            return f"int({left} {op} {right})"
        if op in "/%":
            way = "quotient" if op == "/" else "remainder"
            return fitted(f"{way}({left}, {right})", kind)
        return fitted(f"({left} {op} {right})", kind)


@dataclass(frozen=True)
class Choice:
    condition: object
    first: object
    second: object

    @property
    def kind(self):
        return common(self.first.kind, self.second.kind)

    def parts(self):
        return (self.condition, self.first, self.second)

    def with_parts(self, *parts):
        return Choice(*parts)

    def text(self):
        level = LEVEL["?"] - 1
        parts = [within(part, level) for part in self.parts()]
        return f"{parts[0]} ? {parts[1]} : {parts[2]}"

    def python(self):
        first = converted(self.first, self.kind)
        second = converted(self.second, self.kind)
        return f"({first} if {self.condition.python()} else {second})"


@dataclass(frozen=True)
class Hash:
    """A call of one of the functions in HASHES."""

    function: str
    of: object
    kind = UNSIGNED

    def parts(self):
        return (self.of,)

    def with_parts(self, of):
        return Hash(self.function, of)

    def text(self):
        return f"{self.function}({self.of.text()})"

    def python(self):
        return f"{self.function}({converted(self.of, UNSIGNED)})"

    def written_out(self):
        """The value as one expression, without a call."""
        found = Cast(UNSIGNED, self.of)
        for step in HASHES[self.function]:
            found = step(found)
        return found


def within(node, level):
    """The text of an operand, in parentheses where it needs some."""
    own = -1
    if isinstance(node, (Binary, Choice)):
        own = LEVEL[getattr(node, "op", "?")]
    loose = isinstance(node, Binary) and node.op not in ("+", "*")
    is_inside = own > level or (loose and level < LEVEL["?"] - 1)
    return f"({node.text()})" if is_inside else node.text()


def converted(node, kind):
    """Python for a value as one of another type."""
    if kind.covers(node.kind):
        return node.python()
    if not kind.signed:
        return f"({node.python()} & {(1 << kind.bits) - 1})"
    return f"wrapped({node.python()}, {kind.bits})"


def fitted(code, kind):
    """Python for a result that an unsigned type wraps."""
    if kind.signed:
        return f"checked({code}, {kind.bits})"
    return f"({code} & {(1 << kind.bits) - 1})"


def u(value):
    return Number(value, UNSIGNED)


def mixed(op, shift_op, shift):
    return lambda x: Binary(op, x, Binary(shift_op, x, u(shift)))


def combined(op, value):
    return lambda x: Binary(op, x, u(value))


# Steps from one unsigned value to the next.
HASHES = {
    "congruent": [combined("*", 1664525), combined("+", 1013904223)],
    "xorshift": [
        mixed("^", "<<", 13),
        mixed("^", ">>", 17),
        mixed("^", "<<", 5),
    ],
    "wang": [
        lambda x: Binary("^", Binary("^", x, u(61)), Binary(">>", x, u(16))),
        combined("*", 9),
        mixed("^", ">>", 4),
        combined("*", 0x27D4EB2D),
        mixed("^", ">>", 15),
    ],
    "murmur": [
        mixed("^", ">>", 16),
        combined("*", 0x85EBCA6B),
        mixed("^", ">>", 13),
        combined("*", 0xC2B2AE35),
        mixed("^", ">>", 16),
    ],
}


def hash_text(name, qualifier):
    """The function of this name in C."""
    x = Name("x", UNSIGNED)
    lines = "".join(f"  x = {step(x).text()};\n" for step in HASHES[name])
    head = f"{qualifier}unsigned {name}(unsigned x)"
    return f"{head} {{\n{lines}  return x;\n}}\n"


def walk(node):
    yield node
    for part in node.parts():
        yield from walk(part)


def hashes_in(nodes):
    found = {n.function for node in nodes for n in walk(node) if isinstance(n, Hash)}
    return sorted(found)


def wrapped(number, bits):
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> bits - 1 else number


def checked(number, bits):
    if not -(1 << bits - 1) <= number < 1 << bits - 1:
        raise Undefined
    return number


def quotient(one, other):
    if other == 0:
        raise Undefined
    found = abs(one) // abs(other)
    return found if (one < 0) == (other < 0) else -found


def remainder(one, other):
    return one - other * quotient(one, other)


def to_left(value, count, bits, is_signed):
    if not 0 <= count < bits or value < 0:
        raise Undefined
    if is_signed:
        return checked(value << count, bits)
    return value << count & (1 << bits) - 1


def to_right(value, count, bits, _is_signed):
    if not 0 <= count < bits:
        raise Undefined
    return value >> count


# What the Python texts name.
SCOPE = {
    "wrapped": wrapped,
    "checked": checked,
    "quotient": quotient,
    "remainder": remainder,
    "to_left": to_left,
    "to_right": to_right,
    "Undefined": Undefined,
}
for hash_name in HASHES:
    code = Hash(hash_name, Name("x", UNSIGNED))
    body = "".join(
        f"  x = {step(Name('x', UNSIGNED)).python()}\n"
        for step in HASHES[hash_name]
    )
    exec(f"def {hash_name}(x):\n{body}  return x\n", SCOPE)  # our own text
