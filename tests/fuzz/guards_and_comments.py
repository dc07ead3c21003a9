"""Writes guards in many words, and puts comments between the words of kernels."""

import random
import re

from kernel_statements import indented

# Frames of spellings.py that leave a kernel's beginning what it is.
PLACES = ["plain", "plain", "plain", "turned", "unsigned", "auto", "named"]
PLACES += ["macro", "margin", "long"]
# Styles of guards: statements that leave, or conditions inside each other.
PLAIN = ["return", "if", "not"]
FORMS = ["exits", "exits", "nested", "mixed", *PLAIN]
# A quotient of a coordinate {c} by a size {s}.
PROTECTED = ["{c} / {s}", "{c} % {s}", "({c} + 1) / {s}", "QUOTIENT({c}, {s})"]
# A comparison {c}, which binds as one does.
CLAUSES = ["{c}"] * 6 + ["({c})", "!!({c})", "!(!({c}))", "({c}) == true"]
CLAUSES += ["({c} ? true : false)", "({c}) != 0", "{c} == 1", "({c} || false)"]
CLAUSES += ["(true && {c})", "{c} - margin + 5", "0 < ({c})", "INSIDE({c})"]
# Its opposite.
LEAVING = ["!({c})"] * 6 + ["({c}) == false", "!({c}) || margin < 0"]
LEAVING += ["(({c}) ? false : true)", "0 == ({c})", "!({c} && margin > 0)"]
# What comments say.
WORDS = ["p0[i] = 0;", "i >= n", "}", "{", "return;", "it's", 'a "', "p1[i]"]
WORDS += ["v", "if (0)", "=", "t", "p0[i]", "*", "a, b, and more, and so on"]


def clause(rng, condition):
    return rng.choice(CLAUSES).format(c=condition) if rng else condition


def opposite(rng, condition):
    """A condition under which a thread leaves."""
    text = f"!({condition})"
    match = re.fullmatch(r"(\w+) < ([^()&|<>]+)", condition)
    if match and (not rng or rng.random() < 0.5):
        return f"{match[1]} >= {match[2]}"
    return rng.choice(LEAVING).format(c=condition) if rng else text


def formed(kernel, rng, own, body):
    """The guard in one of the FORMS, with the flat index where it is needed,
    around the body."""
    conditions = list(kernel.guard)
    if kernel.style in ("return", "not"):
        text = " || ".join(opposite(rng, c) for c in conditions)
        if kernel.style == "return":
            return [f"if ({text})", "  return;", *own, *body]
        return [*own, f"if (!({text})) {{", *indented(body), "}"]
    if kernel.style == "if":
        text = " && ".join(clause(rng, c) for c in conditions)
        return [f"if ({text}) {{", *indented(own + body), "}"]
    leaves = 0 if kernel.style == "nested" else len(conditions)
    if kernel.style == "mixed" and rng:
        leaves = rng.randrange(len(conditions))
    lines = []
    for condition in conditions[:leaves]:
        lines.append(f"if ({opposite(rng, condition)})")
        if rng and rng.random() < 0.3:
            lines[-1] += " {"
            lines += ["  return;", "}"]
        else:
            lines.append("  return;")
        if own and rng and rng.random() < 0.3:
            lines, own = lines + own, []
    body = own + body
    for condition in reversed(conditions[leaves:]):
        body = [f"if ({clause(rng, condition)}) {{", *indented(body), "}"]
    return lines + body


def commented(rng, lines):
    """The lines with comments and broken lines between their words."""
    found = []
    for line in lines:
        if line.lstrip().startswith("#") or "//" in line or '"' in line:
            found.append(line)
            continue
        roll = rng.random()
        indent = len(line) - len(line.lstrip())
        spaces = [m.start() for m in re.finditer(" |(?=;)", line)]
        # A comment within a comment ends it.
        spaces = [at for at in spaces if at >= indent and "/*" not in line]
        if roll < 0.25 and spaces:
            at = rng.choice(spaces)
            line = line[:at] + between(rng) + line[at:].lstrip(" ")
        elif roll < 0.35:
            line += f" // {rng.choice(WORDS)}"
            if rng.random() < 0.05:
                line += " \\\n" + ", ".join(rng.choices(WORDS, k=16))
        elif roll < 0.4:
            line += f" /* {rng.choice(WORDS)} */"
        found += line.split("\n")
    return found


def between(rng):
    """Something between two words."""
    words = rng.choice(WORDS)
    roll = rng.random()
    if roll < 0.2:
        return " \\\n    "
    if roll < 0.5:
        return f" // {words}\n    "
    return f" /* {words} */ "


def source_of(number):
    """What a kernel's text always gets the same choices of; None of 0."""
    return random.Random(number) if number else None
