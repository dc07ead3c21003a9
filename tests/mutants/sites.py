"""Where kfuse's own checks stand, and what each is without it.

A mutant is a check that can be switched off while the program runs: its text
gets `kfuseMutant(N)` around it, which is true in a run for mutant N. All mutants
of a file are woven into it at once.
"""

import dataclasses
import re

# Where legality is decided and proved; the others plan, count and print.
DECIDING = """
    AccessDependences Aliasing ArrayLiveness Assumptions BlockPartition Bounds
    Conditions Contradictions CoordinateExtents Coordinates Delinearise
    DependenceDistance Exchanges Forwarding FullWriteProof Group GroupChecks Guards
    HostAccount Inequalities Injective Intervals KnownFacts Legality Liveness Phases
    Plan PlanGroup Quotients Recombination Recomputation Renamings ShapeMapping
    Shapes Statements TilePrefill Tiles Varying
""".split()

# What refuses: a call whose result is an obstacle or the reason for one.
REFUSALS = "describe refuse refused conflict unsupported circular".split()
# Beside calls: the obstacle of another.
OBSTACLES = [r"\*?obstacle\b", r"std::move\(\*obstacle\)"]


@dataclasses.dataclass(frozen=True)
class Site:
    """A span of the text, and what goes before and behind it."""

    begin: int
    end: int
    before: str  # with %d for the mutant's number
    behind: str
    becomes: str

    def line(self, text):
        return text.count("\n", 0, self.begin) + 1

    def change(self, text):
        was = " ".join(text[self.begin : self.end].split())
        return f"{was[:70]} -> {self.becomes}"

    def describe(self, name, text):
        return f"{name}:{self.line(text)}: {self.change(text)}"


def fallen_through(begin, end):
    return Site(begin, end, "{ if (!kfuseMutant(%d)) ", " }", "{}")


def taken_to_hold(begin, end):
    return Site(begin, end, " (kfuseMutant(%d) || (", "))", "true")


def taken_to_fail(begin, end):
    return Site(begin, end, "(!kfuseMutant(%d) && (", "))", "false")


def blanked(text):
    """The text with comments, strings and characters as blanks, which no bracket
    or operator is in; positions stay."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])+'"
    return re.sub(
        pattern, lambda match: " " * len(match.group()), text, flags=re.DOTALL
    )


def end_of(code, begin, ends):
    """Of the first of the characters outside of brackets."""
    depth = 0
    for at in range(begin, len(code)):
        if depth == 0 and code[at] in ends:
            return at
        depth += (code[at] in "({[") - (code[at] in ")}]")
    raise ValueError(code[begin : begin + 50])


def function_at(code, place):
    """The name of the function whose definition the place is in."""
    begin = place
    while (begin := code.rfind("\n", 0, begin)) >= 0:
        head = re.match(r"\n(?:  )?(?! )[^\n;{}()]*?(\w+)\(", code[begin:])
        if head and head[1] not in ("if", "for", "while", "switch", "return"):
            end = end_of(code, begin, ";{}")
            if code[end] == "{":
                return head[1]
    return ""


def operands(code, begin, end, operator):
    """Spans of what the operator joins in an expression, outside of brackets;
    none where it isn't there."""
    spans, depth, start = [], 0, begin
    for at in range(begin, end):
        depth += (code[at] in "({[") - (code[at] in ")}]")
        if depth == 0 and code.startswith(operator, at):
            spans.append((start, at))
            start = at + len(operator)
    return [*spans, (start, end)] if spans else []


def refusals(code):
    """`return refuse(...)`, wherever something follows it."""
    calls = "|".join([rf"{name}\(" for name in REFUSALS] + OBSTACLES)
    for match in re.finditer(rf"\breturn (?:{calls})", code):
        end = end_of(code, match.start(), ";") + 1
        if not re.match(r"\s*\n}\n", code[end:]):
            yield fallen_through(match.start(), end)


def reasons(text, code):
    """`return "why not";` becomes no reason."""
    for match in re.finditer(r'\breturn "[^"]+";', text):
        if code[match.start()] == "r":
            yield fallen_through(*match.span())


def answers(code):
    """`return false;` after a question, which is what a prover says of what it
    can't prove."""
    for match in re.finditer(r"\breturn false;", code):
        yield Site(
            match.start() + len("return "),
            match.end() - 1,
            "(kfuseMutant(%d) || ",
            ")",
            "true",
        )


def is_presence(code, begin, end):
    """Whether the span only asks whether there is what is used behind it."""
    name = re.fullmatch(r"\s*!?\s*(\w+)\s*", code[begin:end])
    used = name and rf"(\*{name[1]}\b|\b{name[1]}->)"
    return bool(used and re.search(used, code[end : end + 400]))


def conditions(code):
    """`return a && b;` without one of them, and `if (a || b) return ...`."""
    for match in re.finditer(r"\breturn\b", code):
        end = end_of(code, match.end(), ";?")
        for span in operands(code, match.end(), end, "&&"):
            if not is_presence(code, *span):
                yield taken_to_hold(*span)
    for match in re.finditer(r"\bif \(", code):
        end = end_of(code, match.end(), ")")
        if not re.match(r"\)\s*(\{\s*)?(return|continue)\b", code[end:]):
            continue
        begin = match.end()
        if ";" in code[begin:end]:
            begin = end_of(code, begin, ";") + 1
        for span in operands(code, begin, end, "||"):
            if not is_presence(code, *span):
                yield taken_to_fail(*span)


def sites(text):
    code = blanked(text)
    found = [*refusals(code), *reasons(text, code), *answers(code)]
    found += conditions(code)
    return sorted(found, key=lambda site: (site.begin, -site.end))


def keys(name, text):
    """Of the sites, names that stay when lines move: in which function of which
    file, what becomes what, and which of several that say the same."""
    code = blanked(text)
    found = []
    for site in sites(text):
        key = f"{name} {function_at(code, site.begin)}: {site.change(text)}"
        same = sum(other.partition(" #")[0] == key for other in found)
        found.append(f"{key} #{same + 1}" if same else key)
    return found


def woven(text, numbered):
    """The text with all (number, site) in it."""
    # At one place what ends goes first, the inner before the outer, then what
    # begins, the outer before the inner.
    pieces = []
    for number, site in numbered:
        size = site.end - site.begin
        pieces.append((site.begin, 1, -size, site.before % number))
        pieces.append((site.end, 0, size, site.behind))
    result, at = [], 0
    for place, _, _, piece in sorted(pieces):
        result += [text[at:place], piece]
        at = place
    return "".join([*result, text[at:]])
