"""Makes kernels whose loops, branches and calls decide what they touch."""

from dataclasses import dataclass

from kernel_building_blocks import KernelBuildingBlocks
from kernel_expressions import FLOATING, PAIR, to_python

# Texts with the arrays they read, {a} and {b}, and write, {s} and {t}, at the
# thread's element {i} and up to two elements after it; {T} is their type, and
# {w} keeps whole numbers small. What they touch follows: for each array how far
# from {i}. A store that may not happen is one that does.
CONTROL_FLOW = {
    "search": (
        "int k = 0;\nwhile (k < 2 && !({a}[{i} + k] > v))\n  ++k;\n"
        "{s}[{i}] = {a}[{i} + k]{w};",
        {"a": [0, 1, 2], "s": [0]},
    ),
    "first": (
        "int k = -1;\ndo {{\n  if ({a}[{i} + ++k] > v)\n    break;\n"
        "}} while (k < 2);\n{s}[{i}] = {b}[{i} + (k & 1)]{w};",
        {"a": [0, 1, 2], "b": [0, 1], "s": [0]},
    ),
    "down": (
        "{T} sum = 0;\nint left = 3;\nwhile (left-- > 0)\n"
        "  sum += {a}[{i} + left]{w};\n{s}[{i}] = sum;",
        {"a": [0, 1, 2], "s": [0]},
    ),
    "bytes": (
        "{T} sum = 0;\nfor (unsigned char k = 254; k != 2; k++)\n"
        "  if (k < 2)\n    sum += {a}[{i} + k]{w};\n{s}[{i}] = sum;",
        {"a": [0, 1], "s": [0]},
    ),
    "skipping": (
        "{T} sum = 0;\n#pragma unroll\nfor (int k = 0; k < 3; ++k) {{\n"
        "  if (k == 1)\n    continue;\n  sum += {a}[{i} + k]{w};\n}}\n"
        "{s}[{i}] = sum;",
        {"a": [0, 2], "s": [0]},
    ),
    "pointer": (
        "const {T} *at = {a} + {i};\n{T} sum = *at++{w};\nsum += *at++{w};\n"
        "at -= 2;\n{s}[{i}] = sum + at[0]{w};",
        {"a": [0, 1], "s": [0]},
    ),
    "rows": (
        "{T} row[3];\nfor (int k = 0; k < 3; ++k)\n  row[k] = {a}[{i} + k]{w};\n"
        "{s}[{i}] = row[2] - row[row[0] > v];",
        {"a": [0, 1, 2], "s": [0]},
    ),
    "fall": (
        "switch ({x} % 3) {{\ncase 0:\n  {s}[{i}] = {a}[{i}]{w};\ncase 1:\n"
        "  {t}[{i}] = {b}[{i} + 1]{w};\n  break;\ndefault:\n  {s}[{i}] = v;\n}}",
        {"a": [0], "b": [1], "s": [0], "t": [0]},
    ),
    "either": (
        "const {T} *from = {a}[{i}] > v ? {a} : {b};\n{s}[{i}] = from[{i} + 1]{w};",
        {"a": [0, 1], "b": [1], "s": [0]},
    ),
    "chosen": (
        "{T} *to = {s};\nconst {T} *from = {a};\nswitch ({x} & 1) {{\ncase 1:\n"
        "  to = {t};\n  from = {b} + 1;\n  break;\ndefault:\n  from += 1;\n}}\n"
        "to[{i}] = from[{i}]{w};",
        {"a": [1], "b": [1], "s": [0], "t": [0]},
    ),
    "turns": (
        "for (int k = 0; k < 2; ++k)\n"
        "  (k == 1 ? {s} : {t})[{i}] = {a}[{i} + k]{w};",
        {"a": [0, 1], "s": [0], "t": [0]},
    ),
    "flag": (
        "bool seen = false;\nfor (int k = 0; k < 3 && !seen; ++k)\n"
        "  if ((seen = {a}[{i} + k] > v))\n    {s}[{i}] = {b}[{i}]{w};\n"
        "if (!seen)\n  {t}[{i}] = v;",
        {"a": [0, 1, 2], "b": [0], "s": [0], "t": [0]},
    ),
    "short": (
        "if ({a}[{i}] > v || {b}[{i} + 1] > v)\n  {s}[{i}] = {b}[{i}]{w};\n"
        "else if (!({a}[{i} + 2] > v) && {x} > 3)\n  {t}[{i}] = v;",
        {"a": [0, 2], "b": [0, 1], "s": [0], "t": [0]},
    ),
    "leaving": (
        "for (int k = 0;; ++k) {{\n  if (k > 1) {{\n    {s}[{i}] = {b}[{i}]{w};\n"
        "    return;\n  }}\n  if ({a}[{i} + k] > v)\n    break;\n}}\n"
        "{s}[{i}] = {a}[{i} + 1]{w};",
        {"a": [0, 1], "b": [0], "s": [0]},
    ),
    "again": (
        "{s}[{i}] = {a}[{i}]{w};\n{T} kept = {s}[{i}];\n"
        "{t}[{i}] = kept - {a}[{i} + 1]{w};\n{s}[{i}] = {t}[{i}]{w} - kept;",
        {"a": [0, 1], "s": [0], "t": [0]},
    ),
    "member": (
        "struct Row {{\n  const {T} *from;\n  int at;\n"
        "  __device__ {T} operator()(int k) const {{ return from[at + k]; }}\n"
        "  __device__ Row &operator++() {{\n    ++at;\n    return *this;\n  }}\n"
        "}} row{{{a}, int({i})}};\n{T} sum = row(0){w};\n++row;\n"
        "{s}[{i}] = sum + row(1){w};",
        {"a": [0, 2], "s": [0]},
    ),
    "callee": (
        "{T} sum = v;\nif (isThere({a}, {i}, sum) && isThere({b}, {i} + 1, sum))\n"
        "  {s}[{i}] = sum{w};",
        {"a": [0], "b": [1], "s": [0]},
    ),
    "lambda": (
        "int k = 0;\nauto next = [&]() -> {T} {{ return {a}[{i} + k++]{w}; }};\n"
        "const {T} sum = next() + next();\n{s}[{i}] = k == 2 ? sum : v;",
        {"a": [0, 1], "s": [0]},
    ),
    "update": (
        "{T} &own = {s}[{i}];\nown = own{w} + {a}[{i}]{w};\n"
        "if (own > v)\n  --own;\nelse\n  own++;",
        {"a": [0], "s": [0]},
    ),
    "updates": (
        "{T} kept;\nif ((kept = {s}[{i}]{w}) > v)\n  {s}[{i}] = {t}[{i}] = kept;\n"
        "else\n  {t}[{i}] = {a}[{i}]{w};",
        {"a": [0], "s": [0], "t": [0]},
    ),
}


@dataclass
class ControlFlow:
    """One of these texts on arrays of the kernel."""

    form: str
    kind: str
    arrays: dict  # the numbers of arrays, by letter
    index: str
    first: str  # coordinate
    wrap: str

    def lines(self):
        words = {letter: f"p{p}" for letter, p in self.arrays.items()}
        text = CONTROL_FLOW[self.form][0].format(
            T=self.kind, i=self.index, x=self.first, w=self.wrap, **words
        )
        return text.split("\n")

    def trace(self, indent):
        return [
            f"{indent}note({self.arrays[letter]}, "
            f"{to_python(self.index)} + {offset}, '{mode}')"
            for letter, offsets in CONTROL_FLOW[self.form][1].items()
            for offset in offsets
            for mode in ("r" if letter in "ab" else "rw",)
        ]


class KernelControlFlow(KernelBuildingBlocks):
    def turn(self):
        if self.kind == PAIR:
            return
        form = self.rng.choice(list(CONTROL_FLOW))
        touched = CONTROL_FLOW[form][1]
        arrays = {letter: self.array() for letter in touched}
        self.reach[0][1] = max(o for found in touched.values() for o in found)
        wrap = " % 997" if self.kind in ("int", "short") else ""
        if self.kind in FLOATING:
            wrap = " / 4"
        self.made.body = [
            ControlFlow(form, self.kind, arrays, self.own(), self.coordinates[0], wrap)
        ]
