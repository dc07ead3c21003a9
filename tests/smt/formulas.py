"""Integer expressions of C as formulas of bit vectors.

A value comes with the condition under which C defines it.
"""

import sys
from pathlib import Path

import z3

sys.path.append(str(Path(__file__).parents[1] / "fuzz"))

from integer_expressions import (  # noqa: E402
    COMPARISONS,
    LOGICAL,
    Binary,
    Cast,
    Choice,
    Hash,
    Name,
    Number,
    Unary,
    common,
)

TRUE = z3.BoolVal(True)


def converted(value, kind, to):
    """A value of one type as one of another."""
    if to.bits <= kind.bits:
        return z3.Extract(to.bits - 1, 0, value)
    extend = z3.SignExt if kind.signed else z3.ZeroExt
    return extend(to.bits - kind.bits, value)


def truth(value):
    return value != z3.BitVecVal(0, value.size())


def number(condition):
    """A condition as an int."""
    return z3.If(condition, z3.BitVecVal(1, 32), z3.BitVecVal(0, 32))


def wide(value, is_signed):
    extend = z3.SignExt if is_signed else z3.ZeroExt
    return extend(value.size(), value)


class Formulas:
    """Those of one thread, whose variables have the values given."""

    def __init__(self, values):
        self.values = dict(values)
        self.known = {}

    def declare(self, name, node):
        """A variable of the kernel; returns when that is defined."""
        value, defined = self.of(node)
        self.values[name.name] = converted(value, node.kind, name.kind)
        self.known = {}
        return defined

    def of(self, node):
        """The value, and when it is defined."""
        found = self.known.get(node)
        if found is None:
            found = self.known[node] = self.build(node)
        return found

    def condition(self, node):
        value, defined = self.of(node)
        return truth(value), defined

    def build(self, node):
        if isinstance(node, Name):
            return self.values[node.name], TRUE
        if isinstance(node, Number):
            return z3.BitVecVal(node.value, node.kind.bits), TRUE
        if isinstance(node, Hash):
            return self.of(node.written_out())
        if isinstance(node, Choice):
            condition, known = self.condition(node.condition)
            first, one = self.operand(node.first, node.kind)
            second, other = self.operand(node.second, node.kind)
            value = z3.If(condition, first, second)
            return value, z3.And(known, z3.If(condition, one, other))
        if isinstance(node, Cast):
            return self.operand(node.of, node.to)
        if isinstance(node, Unary):
            return self.unary(node)
        if node.op in LOGICAL:
            left, one = self.condition(node.left)
            right, other = self.condition(node.right)
            if node.op == "&&":
                both = z3.And(left, right)
                return number(both), z3.And(one, z3.Implies(left, other))
            either = z3.Or(left, right)
            return number(either), z3.And(one, z3.Or(left, other))
        return self.binary(node)

    def operand(self, node, kind):
        value, defined = self.of(node)
        return converted(value, node.kind, kind), defined

    def unary(self, node):
        if node.op == "!":
            condition, defined = self.condition(node.of)
            return number(z3.Not(condition)), defined
        value, defined = self.operand(node.of, node.kind)
        if node.op == "~":
            return ~value, defined
        if node.kind.signed:
            least = z3.BitVecVal(node.kind.low(), node.kind.bits)
            defined = z3.And(defined, value != least)
        return -value, defined

    def binary(self, node: Binary):
        op = node.op
        if op in ("<<", ">>"):
            return self.shift(node)
        kind = common(node.left.kind, node.right.kind)
        left, one = self.operand(node.left, kind)
        right, other = self.operand(node.right, kind)
        defined = z3.And(one, other)
        if op in COMPARISONS:
            return number(compared(op, left, right, kind.signed)), defined
        if op in "&|^":
            return {"&": left & right, "|": left | right, "^": left ^ right}[op], defined
        if op in "/%":
            defined = z3.And(defined, truth(right))
            if kind.signed:
                least = z3.BitVecVal(kind.low(), kind.bits)
                overflows = z3.And(left == least, right == -1)
                defined = z3.And(defined, z3.Not(overflows))
                value = left / right if op == "/" else z3.SRem(left, right)
            else:
                value = (z3.UDiv if op == "/" else z3.URem)(left, right)
            return value, defined
        value = {"+": left + right, "-": left - right, "*": left * right}[op]
        if kind.signed:
            is_exact = {
                "+": lambda: z3.And(
                    z3.BVAddNoOverflow(left, right, True),
                    z3.BVAddNoUnderflow(left, right),
                ),
                "-": lambda: z3.And(
                    z3.BVSubNoOverflow(left, right),
                    z3.BVSubNoUnderflow(left, right, True),
                ),
                "*": lambda: z3.And(
                    z3.BVMulNoOverflow(left, right, True),
                    z3.BVMulNoUnderflow(left, right),
                ),
            }[op]
            defined = z3.And(defined, is_exact())
        return value, defined

    def shift(self, node):
        kind = node.kind
        value, one = self.operand(node.left, kind)
        count, other = self.of(node.right)
        bits = z3.BitVecVal(kind.bits, count.size())
        defined = z3.And(one, other, z3.ULT(count, bits))
        count = converted(count, node.right.kind, kind)
        if node.op == ">>":
            shifted = value >> count if kind.signed else z3.LShR(value, count)
            return shifted, defined
        if kind.signed:
            back = (value << count) >> count
            defined = z3.And(defined, value >= 0, back == value)
        return value << count, defined


def compared(op, left, right, is_signed):
    if op in ("==", "!="):
        return left == right if op == "==" else left != right
    if is_signed:
        return {
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
        }[op]
    way = {"<": z3.ULT, "<=": z3.ULE, ">": z3.UGT, ">=": z3.UGE}[op]
    return way(left, right)
