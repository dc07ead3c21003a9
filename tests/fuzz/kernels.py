"""Writes kernels as text, and as Python that tells who touches what."""

import re
from dataclasses import dataclass, field
from types import SimpleNamespace

from guards_and_comments import FORMS, PLAIN, commented, formed, source_of
from kernel_expressions import INDEX, to_python
from kernel_statements import indented
from spellings import FRAMES, GUARDS, STRIDES, written_as

AXES = "xyz"
SIZES = [["n"], ["nx", "ny"], ["nx", "ny", "nz"]]
OWN = ["", "y * nx + x", "(z * ny + y) * nx + x"]


ELEMENT = re.compile(r"\b(p\d+)\[([^\[\]]*)\]")
STEPPED = r"(?: [+-] \d+)?"
ROW_OF = {
    2: re.compile(rf"\(?(y{STEPPED})\)? \* nx \+ (x{STEPPED})"),
    3: re.compile(
        rf"\(\(?(z{STEPPED})\)? \* ny \+ (y{STEPPED})\) \* nx \+ (x{STEPPED})"
    ),
}


class Unsigned(int):
    """A number of a type that wraps, and makes others wrap."""

    bits = 32

    def wrapped(self, other, number):
        kind = Wide if isinstance(other, Wide) else type(self)
        return kind(number & (1 << kind.bits) - 1)

    def alike(self, other):
        kind = Wide if isinstance(other, Wide) else type(self)
        return int(other) & (1 << kind.bits) - 1

    def __add__(self, other):
        return self.wrapped(other, int(self) + int(other))

    def __sub__(self, other):
        return self.wrapped(other, int(self) - int(other))

    def __rsub__(self, other):
        return self.wrapped(other, int(other) - int(self))

    def __mul__(self, other):
        return self.wrapped(other, int(self) * int(other))

    def __floordiv__(self, other):
        return self.wrapped(other, int(self) // self.alike(other))

    def __mod__(self, other):
        return self.wrapped(other, int(self) % self.alike(other))

    def __lt__(self, other):
        return int(self) < self.alike(other)

    def __le__(self, other):
        return int(self) <= self.alike(other)

    def __gt__(self, other):
        return int(self) > self.alike(other)

    def __ge__(self, other):
        return int(self) >= self.alike(other)

    __radd__, __rmul__ = __add__, __mul__


class Wide(Unsigned):
    bits = 64


# What the tracer has for sizes of these types; others don't wrap.
WRAPPED = {"unsigned": "Unsigned", "size_t": "Wide"}


def row_index(index, dims):
    """An index as that of a row and a column; empty where it isn't."""
    if index == "i":
        return "[y][x]" if dims == 2 else "[z][y][x]"
    match = ROW_OF[dims].fullmatch(index) if dims > 1 else None
    return "".join(f"[{part}]" for part in match.groups()) if match else ""


def is_scalar(name):
    """Whether a device variable is one number and no array, by its name."""
    return name.startswith("scalar")


@dataclass
class Kernel:
    """Array parameters p0, p1, ...; a scalar v; the sizes."""

    name: str
    dims: int
    types: list  # of the elements of each array parameter
    value: str  # the type of v
    guard: list  # conditions that all hold where the kernel works
    style: str  # of the guard: if, and, not, return, stride, none, or a spelling
    body: list = field(default_factory=list)
    threads: tuple = None  # the only block it may be launched with
    template: bool = False
    restrict: bool = False
    sized: bool = False  # takes the sizes as a structure
    turned: bool = False  # x is the thread's y, and y its x
    named: dict = field(default_factory=dict)  # parameters that are variables
    rows: bool = False  # takes arrays of rows, of COLUMNS elements each
    table: list = field(default_factory=list)  # what arrays of indices hold
    renamed: dict = field(default_factory=dict)  # parameters in the text
    packed: bool = False  # takes the arrays as a structure
    variadic: bool = False  # takes what it is given, and hands it on
    attributes: dict = field(default_factory=dict)  # by where they stand
    number: str = "int"  # the type of the sizes
    frame: str = ""  # how the coordinates are written
    stride: str = ""  # how the loop over the grid is
    protected: tuple = ()  # a size, and a quotient that is made if it isn't 0
    words: int = 0  # what those of the guard come from
    noise: int = 0  # what comments come from
    quiet: bool = False  # only statements have any

    def sizes(self):
        return SIZES[self.dims - 1]

    def written(self):
        """Array parameters that are stored to."""
        text = "\n".join(line for s in self.body for line in s.trace(""))
        return {
            int(p)
            for p in re.findall(r"note\((\d+), [^\n]*'(?:rw|w|a)'\)", text)
        }

    def outputs(self):
        """The names of parameters that are stored to."""
        names = (f"p{p}" for p in self.written() - set(self.named))
        return sorted(self.renamed.get(name, name) for name in names)

    def text(self):
        parameters = self.pointers()
        if self.packed:
            fields = "".join(f"  {field};\n" for field in parameters)
            pack = f"struct {self.pack()} {{\n{fields}}};"
            parameters = [f"{self.attribute('constant')}{self.pack()} fields"]
        kind = "T" if self.template else self.value
        parameters.append(f"{self.attribute('value')}{kind} v")
        if self.sized:
            parameters.append(f"{self.attribute('constant')}Size size")
        else:
            parameters += [
                f"{self.attribute('size')}{self.number} {size}"
                for size in self.sizes()
            ]
        lines = ["template <typename T>"] if self.template else []
        if self.packed:
            lines.append(pack)
        head = f"void {self.name}({', '.join(parameters)}) {{"
        if self.variadic:
            head = f"__device__ void {self.name}_of({', '.join(parameters)}) {{"
        else:
            head = f"{self.attribute('kernel')}__global__ {self.attribute('bound')}{head}"
        lines.append(head)
        body = [self.spelled(line) for s in self.body for line in s.lines()]
        if self.template:
            value = rf"\b{self.value}\b(?! char)"
            body = [re.sub(value, "T", line) for line in body]
        if self.noise and self.quiet:
            body = commented(source_of(self.noise), body)
        inside = self.around(body)
        if self.noise and not self.quiet:
            inside = commented(source_of(self.noise), inside)
        if self.packed:
            inside = [re.sub(r"\b(p\d+)\b", r"fields.\1", s) for s in inside]
        if self.sized:
            inside = [
                re.sub(r"\bn([xyz]?)\b", r"size.n\1", line) for line in inside
            ]
        lines += [*indented(inside), "}"]
        if self.variadic:
            lines += [
                "template <typename... All>",
                f"__global__ void {self.name}(All... all) {{",
                f"  {self.name}_of(all...);",
                "}",
            ]
        text = "\n".join(lines) + "\n"
        for name, other in self.renamed.items():
            text = re.sub(rf"\b{name}\b", other, text)
        return text

    def attribute(self, place):
        text = self.attributes.get(place, "")
        return text + " " if text else ""

    def pointers(self):
        """The declarations of the array parameters."""
        written = self.written()
        found = []
        for p, kind in enumerate(self.types):
            if p in self.named:
                continue
            if kind == INDEX:
                kind = "int"
            elif self.template and kind == self.value:
                kind = "T"
            star = "*__restrict__ " if self.restrict else "*"
            name = f"{star}p{p}"
            if self.rows:
                name = f"p{p}[]{'[ROWS]' * (self.dims - 2)}[COLUMNS]"
            found.append(f"{'' if p in written else 'const '}{kind} {name}")
        return found

    def spelled(self, line):
        """A line of the body with the names and indices that arrays have."""
        for p, name in self.named.items():
            if is_scalar(name):
                line = line.replace(f"p{p}[0]", name)
            line = re.sub(rf"\bp{p}\b", name, line)
        if self.rows:
            line = ELEMENT.sub(
                lambda m: f"{m[1]}{row_index(m[2], self.dims)}", line
            )
        return line

    def pack(self):
        return f"Arrays_{self.name}"

    def has_rows(self):
        """Whether all indices are of a row and a column that are there."""
        text = "\n".join(
            self.spelled(line) for s in self.body for line in s.lines()
        )
        is_plain = self.style not in ("none", "stride") and not any(
            re.search(r"\bi\b", condition) for condition in self.guard
        )
        return (
            self.dims > 1
            and is_plain
            and not re.search(r"\bp\d+\b(?!\[)|&p\d", text)
            and INDEX not in self.types
            and all(row_index(m[2], self.dims) for m in ELEMENT.finditer(text))
        )

    def around(self, body):
        """The body with coordinates before and the guard around."""
        lines = []
        start = "blockIdx.x * blockDim.x + threadIdx.x"
        if self.style == "stride":
            condition = " && ".join(self.guard)
            before, after = written_as(
                STRIDES[self.stride], s=start, g=condition
            )
            return [*before, *indented(body), *after]
        declared, before = FRAMES[self.frame]
        lines += before
        for axis, name in self.coordinates():
            lines += declared.format(x=name, a=axis).split("\n")
        own = [f"int i = {OWN[self.dims - 1]};"] if self.dims > 1 else []
        if self.protected:
            size, quotient = self.protected
            lines += [f"if ({size} == 0)", "  return;", f"int r = {quotient};"]
        if not self.guard or self.style == "none":
            return lines + own + body
        if any(re.search(r"\bi\b", condition) for condition in self.guard):
            lines, own = lines + own, []
        rng = source_of(self.words)
        if self.style in FORMS and (rng or self.style not in PLAIN):
            return lines + formed(self, rng, own, body)
        if self.style == "return":
            opposite = " || ".join(f"!({c})" for c in self.guard)
            opposite = re.sub(r"!\((\w+) < ([^()&|]+)\)", r"\1 >= \2", opposite)
            return lines + [f"if ({opposite})", "  return;"] + own + body
        if self.style == "not":
            opposite = " || ".join(f"!({c})" for c in self.guard)
            condition = f"!({opposite})"
        elif self.style == "and":
            condition = " & ".join(f"({c})" for c in self.guard)
        else:
            condition = " && ".join(self.guard)
        if self.style in GUARDS:
            before, after = written_as(GUARDS[self.style], g=condition)
            return lines + before + indented(own + body) + after
        branch = re.fullmatch(r"if \((.*)\) \{", body[0])
        is_whole = branch and body[-1] == "}" and not own
        if is_whole and all(line[:1] == " " for line in body[1:-1]):
            both = f"if ({condition} && ({branch[1]})) {{"
            return [*lines, both, *body[1:]]
        if len(body) % 2:  # the index before the guard, or inside it
            return lines + own + [f"if ({condition}) {{", *indented(body), "}"]
        return lines + [f"if ({condition}) {{", *indented(own + body), "}"]

    def coordinates(self):
        """Axes of the grid, with the variables for the thread's place there."""
        names = ["i"] if self.dims == 1 else list(AXES[: self.dims])
        if self.turned:
            names[:2] = names[1::-1]
        return zip(AXES, names)

    def tracer(self):
        """A function that notes what one thread touches."""
        names = ", ".join(self.sizes())
        lines = [
            f"def trace(blockIdx, threadIdx, blockDim, gridDim, {names}, note):"
        ]
        start = "blockIdx.x * blockDim.x + threadIdx.x"
        indent = "  "
        wrap = WRAPPED.get(self.number)
        if wrap:
            lines += [f"  {size} = {wrap}({size})" for size in self.sizes()]
        condition = to_python(
            " and ".join(f"({c})" for c in self.guard) or "True"
        )
        if self.style == "stride":
            lines += [
                f"  for i in range({start}, n, gridDim.x * blockDim.x):",
                f"    if not ({condition}):",
                "      break",
            ]
            indent = "    "
        else:
            for axis, name in self.coordinates():
                lines.append(f"  {name} = {start.replace('.x', '.' + axis)}")
            if self.dims > 1:
                lines.append(f"  i = {OWN[self.dims - 1]}")
            if self.style != "none" and self.guard:
                lines.append(f"  if not ({condition}):")
                lines.append("    return")
        for statement in self.body:
            lines += statement.trace(indent)
        lines.append(f"{indent}pass")
        scope = {"Unsigned": Unsigned, "Wide": Wide}
        scope |= {
            f"p{p}": self.table
            for p, kind in enumerate(self.types)
            if kind == INDEX
        }
        exec("\n".join(lines), scope)  # our own text
        return scope["trace"]


def touches(kernel, grid, block, sizes):
    """Which threads touch which elements: {(parameter, index): [thread, modes]},
    the thread being None where there are several."""
    found = {}
    trace = kernel.tracer()
    thread = 0
    here, me = SimpleNamespace(), SimpleNamespace()
    extent = SimpleNamespace(x=block[0], y=block[1], z=block[2])
    count = SimpleNamespace(x=grid[0], y=grid[1], z=grid[2])

    def note(parameter, index, mode):
        entry = found.get((parameter, index))
        if entry is None:
            found[parameter, index] = [thread, mode]
            return
        if entry[0] != thread:
            entry[0] = None
        if mode not in entry[1]:
            entry[1] += mode

    for here.z in range(grid[2]):
        for here.y in range(grid[1]):
            for here.x in range(grid[0]):
                for me.z in range(block[2]):
                    for me.y in range(block[1]):
                        for me.x in range(block[0]):
                            trace(here, me, extent, count, *sizes, note)
                            thread += 1
    return found


def is_race_free(kernel, found, pointers, lengths):
    """Whether every element is touched in order and inside its array, with
    (array, offset) for each parameter and the length of each array."""
    if kernel.restrict:
        arrays = [array for array, _ in pointers]
        if any(arrays.count(pointers[p][0]) > 1 for p in kernel.written()):
            return False
    merged = {}
    for (parameter, index), (thread, mode) in found.items():
        array, offset = pointers[parameter]
        if not 0 <= index + offset < lengths[array]:
            return False
        entry = merged.setdefault((array, index + offset), [thread, ""])
        if entry[0] != thread:
            entry[0] = None
        entry[1] += mode
    for thread, modes in merged.values():
        if thread is None and ("w" in modes or ("a" in modes and "r" in modes)):
            return False
        if "a" in modes and "w" in modes:
            return False
    return True
