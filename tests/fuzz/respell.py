"""Rewrites parts of a kernel in other spellings that mean the same."""

import re

from kernel_expressions import Binary, Call, Choice, Load
from kernel_statements import Atomic, If, Leave, Local, Store
from spellings import FRAMES, GUARDS, INDICES, LOADS, STORES, STRIDES, WHOLE_STORES

# Of arrays, variables, functions, types and kernels.
NAMES = ["a0", "a1", "host", "m", "grid0", "round", "Pair", "Size", "blend"]
NAMES += ["fetch", "point0", "stencil1", "t", "i", "y", "index", "p0", "p1"]
NAMES += ["v", "p9", "seen", "start", "own", "kfuse_i", "active", "stage", "value"]
NAMES += ["min", "printf", "STEPS", "T", "F", "margin", "first", "count", "v2"]
NAMES += ["kfuseGrid", "kfuseZero", "kfuseValue", "i0", "a2", "p0_in", "held0"]


def values_in(statement):
    """The expressions of one statement, without those within them."""
    if isinstance(statement, (Local, Store, Atomic)):
        return [statement.value]
    if isinstance(statement, (If, Leave)):
        condition = statement.condition
        return [] if isinstance(condition, str) else [condition]
    return []


def loads_in(value):
    if isinstance(value, Load):
        yield value
    if isinstance(value, (Binary, Call, Choice)):
        parts = value.parts()
        if isinstance(value, Choice) and not isinstance(value.condition, str):
            parts = [*parts, value.condition]
        for part in parts:
            yield from loads_in(part)


def accesses(statements):
    """The loads and stores of kernels that can be written in many ways."""
    for statement in statements:
        for value in values_in(statement):
            yield from loads_in(value)
        if isinstance(statement, Store):
            yield statement
        if isinstance(statement, If):
            yield from accesses(statement.then)
            yield from accesses(statement.otherwise)


def respell(rng, kernel, often):
    """Writes some of a kernel's parts otherwise."""
    for access in accesses(kernel.body):
        if kernel.rows:
            break
        name = kernel.named.get(access.array, "")
        if name.startswith("scalar"):
            continue
        if rng.random() < often:
            access.spelling = rng.choice(spellings_of(access))
        if rng.random() < often / 2:
            access.via = rng.choice(list(INDICES))
    if rng.random() < often:
        kernel.frame = rng.choice(list(FRAMES))
    if rng.random() < often and kernel.style == "stride":
        kernel.stride = rng.choice(list(STRIDES))
    elif rng.random() < often and kernel.style != "none":
        if kernel.style != "stride":
            kernel.style = rng.choice(list(GUARDS))


def rename(rng, kernel, variables=()):
    """Names for parameters and variables that mean other things elsewhere in
    the program."""
    text = kernel.text()
    text += " margin" if "INSIDE(" in text else ""
    free = [name for name in NAMES if not re.search(rf"\b{name}\b", text)]
    rng.shuffle(free)
    old = [f"p{p}" for p in range(len(kernel.types)) if p not in kernel.named]
    old += [name for name in variables if re.search(rf"\b{name}\b", text)]
    for name in [*old, "v", "n", "nx"]:
        is_member = kernel.sized and name[0] == "n"
        if free and rng.random() < 0.3 and not is_member:
            kernel.renamed[name] = free.pop()


def spellings_of(access):
    if isinstance(access, Load):
        return list(LOADS)
    is_whole = not (access.member or access.operator)
    return [*STORES, *(WHOLE_STORES if is_whole else [])]
