"""Lists spellings of loads, stores, indices, coordinates and guards that touch the
same elements as the plain ones.

{p} is the array, {i} the index, {m} the member, {o} the operator of an update,
{v} the value, and {c} a condition that always holds.
"""

ALWAYS = "v == v"  # in every kernel

LOADS = {
    "": "{p}[{i}]",
    "fetch": "fetch({p}, {i})",
    "element": "element({p}, {i})",
    "pointer": "(*({p} + ({i})))",
    "backwards": "({i})[{p}]",
    "address": "(*&{p}[{i}])",
    "lambda": "([&] {{ return {p}[{i}]; }}())",
    "given": "([](const auto *q, int k) {{ return q[k]; }}({p}, {i}))",
    "either": "({c} ? {p} : nullptr)[{i}]",
    "kept": "kept({p}[{i}])",
    "copied": "copied({p} + ({i}))",
    "searched": "searched({p}, {i})",
    "aside": "aside<2>({p}, {i} - 2)",
    "tried": "tried({p}, {i})",
}
STORES = {
    "": "{p}[{i}]{m} {o}= {v};",
    "cell": "cell({p}, {i}){m} {o}= {v};",
    "pointer": "(*({p} + ({i}))){m} {o}= {v};",
    "backwards": "({i})[{p}]{m} {o}= {v};",
    "bracketed": "({p}[{i}]{m}) {o}= {v};",
    "beside": "{p}[{i}]{m} /* {p}[{i}] */ {o}= {v};",
    "reference": "{{\n  auto &to = {p}[{i}];\n  to{m} {o}= {v};\n}}",
    "behind": "{{\n  auto *to = {p};\n  to += {i};\n  (*to){m} {o}= {v};\n}}",
    "chosen": "{{\n  auto *to = {p};\n  switch (int({c})) {{\n  case 1:\n"
    "    to = {p} + ({i});\n    break;\n  default:\n    to = nullptr;\n  }}\n"
    "  to[0]{m} {o}= {v};\n}}",
    "lambda": "[&](int own) {{ {p}[own]{m} {o}= {v}; }}({i});",
    "do": "do\n  {p}[{i}]{m} {o}= {v};\nwhile (!({c}));",
    "unrolled": "#pragma unroll\nfor (int once = 0; once < 1; ++once)\n"
    "  {p}[{i} + once]{m} {o}= {v};",
    "and": "{c} && (({p}[{i}]{m} {o}= {v}), true);",
    "either": "{c} ? void({p}[{i}]{m} {o}= {v}) : void();",
    "case": "switch (int({c})) {{\ncase 1:\n  {p}[{i}]{m} {o}= {v};\n  break;\n"
    "default:\n  break;\n}}",
    "counted": "{{\n  int own = {i};\n  {p}[own++]{m} {o}= {v};\n}}",
    "twice": "{{\n  const auto both = ({p}[{i}]{m} {o}= {v});\n  (void)both;\n}}",
    "early": "[&] {{\n  if (!({c}))\n    return;\n  {p}[{i}]{m} {o}= {v};\n}}();",
    "found": "for (int own = {i} - 1;; ++own) {{\n  if (own < int({i}))\n"
    "    continue;\n  {p}[own]{m} {o}= {v};\n  break;\n}}",
}
# Behind a declaration of this pointer.
POINTER = "auto *const to = &{p}[{i}];"
THROUGH = {"through": "(*to){m} {o}= {v};", "first": "to[0]{m} {o}= {v};"}
# These take the whole element and its value.
WHOLE_STORES = {
    "put": "put({p}, {i}, {v});",
    "assign": "assign({p}[{i}], {v});",
    "give": "give(&{p}[{i}], {v});",
    "giving": "if ({c} && give({p} + ({i}), {v}))\n  ;",
}
INDICES = {
    "": "{i}",
    "same": "same({i})",
    "walked": "walked({i} - 2, 2)",
    "picked": "picked({i} - 3, 0)",
    "reached": "reached({i} - 3, {i})",
    "wrapped": "({i}) + 1u + 0xffffffffu",
    "wide": "(long long)({i})",
    "size": "size_t({i})",
    "short": "short({i})",
    "table": "({i}) - 1 + STEPS[2]",
    "object": "(Step({i}) + 2 -= 2).at",
    "converted": "++Step(({i}) - 1)",
    "pair": "spot(make_int2(({i}) - 3, 3))",
    "mutable": "([own = {i}]() mutable {{ return ++own - 1; }}())",
    "narrow": "({i}) + narrow(250, 6)",
    "plus": "plus<2>({i}) - 2",
    "shifted": "(({i}) * 2 >> 1)",
    "twisted": "((({i}) ^ 5) ^ 5)",
    "comma": "(0, {i})",
}
# The thread's place on an axis: what declares it, and lines before all.
FRAMES = {
    "": ("int {x} = blockIdx.{a} * blockDim.{a} + threadIdx.{a};", []),
    "plain": ("int {x} = blockIdx.{a} * blockDim.{a} + threadIdx.{a};", []),
    "turned": ("int {x} = threadIdx.{a} + blockDim.{a} * blockIdx.{a};", []),
    "unsigned": (
        "unsigned {x} = blockIdx.{a} * blockDim.{a} + threadIdx.{a};",
        [],
    ),
    "long": (
        "long long {x} = blockIdx.{a} * blockDim.{a} + threadIdx.{a};",
        [],
    ),
    "size": ("size_t {x} = blockIdx.{a} * blockDim.{a} + threadIdx.{a};", []),
    "narrow": (
        "unsigned short {x} = blockIdx.{a} * blockDim.{a} + threadIdx.{a};",
        [],
    ),
    "added": (
        "int {x} = threadIdx.{a};\n{x} += blockIdx.{a} * blockDim.{a};",
        [],
    ),
    "objects": (
        "const int {x} = home.{a} * width.{a} + mine.{a};",
        [
            "const uint3 mine = threadIdx, &home = blockIdx;",
            "const dim3 width(blockDim);",
        ],
    ),
    "auto": (
        "auto {x} = blockIdx.{a} * blockDim.{a} + threadIdx.{a};",
        [],
    ),
    "named": (
        "place_t {x} = blockIdx.{a} * blockDim.{a} + threadIdx.{a};",
        [],
    ),
    "macro": ("int {x} = PLACE({a});", []),
    "margin": (
        "int {x} = blockIdx.{a} * blockDim.{a} + threadIdx.{a} + margin - 5;",
        [],
    ),
    "whole": (
        "const int {x} = here.{a};",
        ["const uint3 here = whole(blockIdx, blockDim, threadIdx);"],
    ),
    "along": ("int {x} = along('{a}' - 'x');", []),
    "lambda": (
        "const int {x} = place(blockIdx.{a}, blockDim.{a}, threadIdx.{a});",
        [
            "auto place = [](int group, int extent, int own) {",
            "  return group * extent + own;",
            "};",
        ],
    ),
}
# The body in a guard {g}, between these.
GUARDS = {
    "once": ("do {{\n  if (!({g}))\n    break;", "}} while (false);"),
    "case": ("switch (int({g})) {{\ncase 1: {{", "}}\n}}"),
    "todo": ("for (bool todo = {g}; todo; todo = false) {{", "}}"),
    "while": ("while ({g}) {{", "  break;\n}}"),
    "work": ("const auto work = [&] {{", "}};\nif ({g})\n  work();"),
    "else": ("if (!({g})) {{\n  return;\n}} else {{", "}}"),
    "within": ("if (within({g})) {{", "}}"),
    "holds": ("bool all = true;\nif (holds({g}, &all) && all) {{", "}}"),
    "label": ("const bool leaves = !({g});\nif (leaves)\n  return;\n{{", "}}"),
}
# A loop over a one-dimensional grid; {g} is the guard.
STRIDES = {
    "": (
        "for (int i = {s}; {g}; i += gridDim.x * blockDim.x) {{",
        "}}",
    ),
    "while": (
        "int i = {s};\nwhile ({g}) {{",
        "  i += gridDim.x * blockDim.x;\n}}",
    ),
    "step": (
        "for (int i = {s}, step = blockDim.x * gridDim.x; {g}; i += step) {{",
        "}}",
    ),
    "break": (
        "for (int i = {s};; i += gridDim.x * blockDim.x) {{\n"
        "  if (!({g}))\n    break;",
        "}}",
    ),
    "do": (
        "int i = {s};\nif ({g})\n  do {{",
        "    i += gridDim.x * blockDim.x;\n  }} while ({g});",
    ),
    "header": (
        "int i;\nfor (i = {s}; {g}; i = i + blockDim.x * gridDim.x) {{",
        "}}",
    ),
}


def written_as(pair, **words):
    """The lines before and after a body."""
    return [text.format(**words).split("\n") for text in pair]
