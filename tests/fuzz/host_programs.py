"""Writes host functions and whole programs as text."""

import re
from dataclasses import dataclass, field

from device_functions import HELPERS, helpers_in
from host_idioms import HOST_HELPERS, headers_in, host_helpers_in
from host_statements import SetVariable, all_lists, inside, walk
from kernel_expressions import FLOATING, INDEX, PAIR
from kernels import is_scalar

ALL_SIZES = ["n", "nx", "ny", "nz"]
# As many groups as cover a size (Launches.groups).
COVER = re.compile(r"\((?P<size>.+) \+ \d+\) / (?P<threads>\d+)")
FILE_SIZE = "fileSize"  # a variable of the file, which main hides
STARTS = 32  # arrays begin as different places of one sequence


@dataclass
class Launch:
    """Of a kernel; grid is a variable's name or a tuple of texts, and pointers
    are pairs of a variable and an offset."""

    uid: int
    kernel: object
    grid: object
    block: object
    pointers: list
    value: str
    sizes: list
    stream: str = ""
    casts: list = field(default_factory=list)  # of the value and the sizes
    move: object = None  # of a cursor, by the last argument
    apart: dict = field(default_factory=dict)  # where pointers are reached from
    asks: bool = False  # a helper for the grid
    is_given: bool = False  # the kernel, to a macro that launches it

    def arguments(self):
        """For the array parameters."""
        found = []
        for p, (pointer, offset) in enumerate(self.pointers):
            if p in self.kernel.named:
                continue
            if p in self.apart:
                other = self.apart[p]
                pointer = f"{other} + ({pointer} - {other})"
            text = f"{pointer} + {offset}" if offset else pointer
            if self.kernel.rows:
                row = "[ROWS]" * (self.kernel.dims - 2) + "[COLUMNS]"
                text = f"({self.kernel.types[p]} (*){row})({text})"
            found.append(text)
        if self.kernel.packed:
            return [f"{self.kernel.pack()}{{{', '.join(found)}}}"]
        return found

    def lines(self):
        def shape(extent):
            if isinstance(extent, str):
                return extent
            covers = [COVER.fullmatch(text) for text in extent]
            if self.asks and all(covers):
                words = [w for c in covers for w in (c["size"], c["threads"])]
                return f"gridOf({', '.join(words)})"
            return (
                extent[0] if len(extent) == 1 else f"dim3({', '.join(extent)})"
            )

        value, *sizes = [
            cast.format(text)
            for cast, text in zip(
                self.casts or ["{}"] * 9, [self.value, *self.sizes]
            )
        ]
        if self.kernel.sized:
            sizes = [
                f"Size{{{', '.join(['n', *sizes] if len(sizes) > 1 else sizes)}}}"
            ]
        words = self.arguments() + [value] + sizes
        if self.move:
            words[-1] = self.move.around(words[-1])
        text = ", ".join(words)
        stream = f", 0, {self.stream}" if self.stream else ""
        name = self.kernel.name
        if self.kernel.template and (
            self.uid % 2 or self.kernel.value not in FLOATING
        ):
            name += f"<{self.kernel.value}>"
        if self.is_given and not self.stream:
            words = [name, shape(self.grid), shape(self.block), text]
            return [f"LAUNCHED({', '.join(words)}); //@{self.uid}"]
        return [
            f"{name}<<<{shape(self.grid)}, {shape(self.block)}{stream}>>>({text}); "
            f"//@{self.uid}"
        ]


@dataclass
class Invoke:
    function: object
    pointers: list
    sizes: list
    streams: list = field(default_factory=list)

    def lines(self):
        words = [f"{p} + {o}" if o else p for p, o in self.pointers]
        words += self.sizes + self.streams
        object = "machine." if self.function.is_method else ""
        call = f"{object}{self.function.name}({', '.join(words)})"
        end = CALLS[self.function.end]
        return end.format(
            call=call,
            size=self.function.size,
            k=self.function.arrays[0][0] if end != CALLS[""] else "",
        ).split("\n")


@dataclass
class Function:
    name: str
    parameters: list  # (type, name) of the pointers
    body: list
    arrays: list = field(default_factory=list)  # (type, name) of its own
    end: str = ""  # of the first of these
    size: int = 0  # of the bytes of it that are looked at
    is_method: bool = False  # of a class with private members
    is_later: bool = False  # defined after the calls
    is_of_file: bool = False  # its changing size is a variable of the file

    def head(self, sizes, streams):
        """The declaration without its end."""
        head = [f"{spelled(kind)} *{name}" for kind, name in self.parameters]
        head += [f"int {size}" for size in ALL_SIZES if size in sizes]
        head += [f"cudaStream_t {stream}" for stream in streams]
        kind = "auto" if self.end == "returned" else "void"
        return f"{kind} {self.name}({', '.join(head)})"

    def text(self, sizes, length, streams):
        """With what an array's length is written as, and the streams."""
        body = []
        for kind, name in self.arrays:
            size = f"{length} * sizeof({kind})"
            body += [
                f"  {kind} *{name};",
                f"  cudaMalloc(&{name}, {size});",
                f"  cudaMemset({name}, 0, {size});",
            ]
        first, last = ENDS[self.end]
        words = {"size": self.size}
        if self.arrays:
            words["k"], words["name"] = self.arrays[0]
        body += first.format(**words).splitlines()
        body += self.statements()
        kept = self.arrays[1:] if self.end else self.arrays
        body += [f"  cudaFree({name});" for _, name in kept]
        body += last.format(**words).splitlines()
        head = f"{self.head(sizes, streams)} {{"
        return "\n".join([head, *body, "}"]) + "\n"

    def statements(self):
        """The body's lines."""
        lines = with_narrower_size(inside(self.body))
        # What captures a variable by name wants a local one.
        captures = any(re.search(r"[\[,] *&?m\]", line) for line in lines)
        if not self.is_of_file or captures:
            return lines
        lines = [re.sub(r"\bm\b", FILE_SIZE, line) for line in lines]
        return [line.replace(f"int {FILE_SIZE} =", f"{FILE_SIZE} =") for line in lines]


@dataclass
class Program:
    """Arrays by name are (type, place of its first value); main's sizes are
    texts by name."""

    sizes: dict
    length: int
    arrays: dict
    body: list
    shown: list = field(default_factory=list)  # at the end
    frees: bool = True
    constant: bool = True  # the sizes
    length_text: str = ""  # where it isn't a number
    extents: tuple = ()
    streams: list = field(default_factory=list)
    variables: dict = field(default_factory=dict)  # as arrays; None is zeros
    aliases: dict = field(default_factory=dict)  # pointers to variables
    managed: bool = False
    statics: set = field(default_factory=set)  # arrays known to the whole file
    indices: str = ""  # what arrays of indices hold at k
    memsets: dict = field(default_factory=dict)  # names as launches, by number
    outputs: list = field(default_factory=list)  # of parts of kernels
    views: list = field(default_factory=list)  # other names of pointers
    watched: str = ""  # the array that look() looks at

    def length_of(self, variable):
        return 1 if is_scalar(variable) else self.length

    def functions(self):
        found = []
        for statement in walk(self.body):
            if (
                isinstance(statement, Invoke)
                and statement.function not in found
            ):
                found.append(statement.function)
        return found

    def bodies(self):
        return [self.body] + [f.body for f in self.functions()]

    def launches(self):
        return [
            s
            for body in self.bodies()
            for s in walk(body)
            if isinstance(s, Launch)
        ]

    def kernels(self):
        found = []
        for launch in self.launches():
            if not any(launch.kernel is kernel for kernel in found):
                found.append(launch.kernel)
        return found

    def text(self):
        """The program; a launch's line ends in //@ and its number."""
        kernels = self.kernels()
        body = "\n".join(with_narrower_size(inside(self.body)))
        length = self.length_text or self.length
        texts = {
            f.name: f.text(self.sizes, length, self.streams)
            for f in self.functions()
        }
        # A function whose result is deduced is defined before its calls.
        methods = [f for f in self.functions() if f.is_method]
        plain = [f for f in self.functions() if not f.is_method]
        late = [f for f in plain if f.is_later and f.end != "returned"]
        functions = [
            f.head(self.sizes, self.streams) + ";\n"
            if f in late
            else texts[f.name]
            for f in plain
        ]
        if methods:
            inner = "\n".join(texts[f.name] for f in methods)
            functions.insert(0, MACHINE.format(methods=inner))
            body = "  Machine machine;\n" + body
        if any(FILE_SIZE in text for text in texts.values()):
            functions.insert(0, f"static int {FILE_SIZE};\n")
            body = f"  const int {FILE_SIZE} = 3;\n  (void){FILE_SIZE};\n" + body
        main = self.main(body)
        later = [texts[f.name] for f in late]
        rest = "\n".join([*functions, main, *later])
        mentioned = "\n".join(k.text() for k in kernels) + rest
        called = [text for call, text in CALLED.items() if call in rest]
        called += [HOST_HELPERS[name] for name in host_helpers_in(rest)]
        parts = ["#include <cstdio>"]
        for header in headers_in("\n".join([rest, *called])):
            parts.append(f"#include <{header}>")
        parts.append("")
        if PAIR in mentioned:
            parts.append("struct Pair {\n  float x, y;\n};\n")
        if "Size{" in mentioned:
            names = "n" if len(self.sizes) == 1 else "n, nx, ny, nz"
            parts.append(f"struct Size {{\n  int {names};\n}};\n")
        if any(kernel.rows for kernel in kernels):
            parts.append(f"constexpr int COLUMNS = {self.extents[0]};")
            if len(self.extents) > 2:
                parts.append(f"constexpr int ROWS = {self.extents[1]};")
            parts.append("")
        for name, (kind, _) in self.variables.items():
            size = "" if is_scalar(name) else f"[{self.length}]"
            parts.append(f"__device__ {kind} {name}{size};\n")
        texts = [kernel.text() for kernel in kernels]
        parts += [HELPERS[name] for name in helpers_in("\n".join(texts))]
        parts += texts
        parts.append("static unsigned char host[1 << 16];\n")
        for name in sorted(self.statics):
            parts.append(f"static {spelled(self.arrays[name][0])} *{name};\n")
        parts += called
        if "noted(" in rest:
            main = main.replace(
                "  return 0;\n}", '  printf("%d\\n", seen);\n  return 0;\n}'
            )
            rest = "\n".join([*functions, main, *later])
        if "show(" in rest or "Owner" in rest:
            parts.append(SHOW)
        parts += [text for word, text in KEEPERS.items() if word in rest]
        return "\n".join(parts) + "\n" + rest

    def main(self, body):
        lines = ["int main(int argc, char **) {"]
        lines += [f"  {text};" for text in self.sizes_text()]
        both = [*self.arrays.values(), *self.variables.values()]
        for kind in sorted({kind for kind, _ in both}):
            lines += start_values(kind, self.length, self.indices)
        lines += self.allocations()
        for name, (kind, place) in self.variables.items():
            if place is not None:
                set_it = SetVariable(name, kind, place, self.length_of(name))
                lines += inside([set_it])
        for name, variable in self.aliases.items():
            lines.append(f"  {self.variables[variable][0]} *{name};")
            lines.append(
                f"  cudaGetSymbolAddress((void **)&{name}, {variable});"
            )
        for stream in self.streams:
            lines.append(f"  cudaStream_t {stream};")
            lines.append(f"  cudaStreamCreate(&{stream});")
        if "event" in body:
            lines.append("  cudaEvent_t event;")
            lines.append("  cudaEventCreate(&event);")
        if "look()" in body:
            lines.append(f"  watched = {self.watched};")
        lines += inside(self.views)
        lines.append(body)
        for show in self.shown:
            lines += inside([show])
        if self.frees:
            for stream in self.streams:
                lines.append(f"  cudaStreamDestroy({stream});")
            lines += [f"  cudaFree({name});" for name in self.arrays]
        return "\n".join(lines + ["  return 0;", "}"]) + "\n"

    def allocations(self):
        """The arrays of main, and how they begin."""
        lines = []
        for name, (kind, _) in self.arrays.items():
            if name not in self.statics:
                lines.append(f"  {spelled(kind)} *{name};")
        malloc = "cudaMallocManaged" if self.managed else "cudaMalloc"
        for name, (kind, place) in self.arrays.items():
            size = (
                f"{self.length_text or self.length} * sizeof({spelled(kind)})"
            )
            lines.append(f"  {malloc}(&{name}, {size});")
            lines.append(
                f"  cudaMemcpy({name}, start{kind.split()[-1]} + {place}, {size}, "
                "cudaMemcpyHostToDevice);"
            )
        return lines

    def regions(self):
        """The launches' numbers, those of one list of statements together."""
        found = [
            [s.uid for s in statements if isinstance(s, Launch)]
            for body in self.bodies()
            for statements in all_lists(body)
        ]
        return [uids for uids in found if uids]

    def sizes_text(self):
        kind = "const int" if self.constant else "int"
        return [f"{kind} {name} = {text}" for name, text in self.sizes.items()]


MACHINE = """class Machine {{
public:
{methods}
private:
  int unused = 0;
}};
"""

# How functions end that keep an array for others, or for a destructor: what
# follows its allocation and their statements, and how they are called.
ENDS = {
    "": ("", ""),
    "owned": ("  Owner<{k}> owner{{{name}, {size}}};", ""),
    "thrown": ("", "  throw Held<{k}>{{{name}, n}};"),
    "returned": ("", "  return Held<{k}>{{{name}, n}};"),
    "stored": ("  keeper = {name};", ""),
    "late": ("", "  keeper = {name};"),
}
KEPT = "{call};\nshow((const unsigned char *)keeper, {size});"
CALLS = {
    "": "{call};",
    "owned": "{call};",
    "thrown": "try {{\n  {call};\n}} catch (const Held<{k}> &held) {{\n"
    "  show(held.array, {size});\n}}",
    "returned": "show({call}.array, {size});",
    "stored": KEPT,
    "late": KEPT,
}

# What arguments of launches may call.
CALLED = {
    "noted(": """static int seen;
static int noted(int more) {
  seen = (seen + more) % 7;
  return seen;
}
""",
    "peek(": """template <typename T> static int peek(const T *array, int byte) {
  unsigned char found;
  cudaMemcpy(&found, (const unsigned char *)array + byte, 1, cudaMemcpyDeviceToHost);
  return found;
}
""",
    "gridOf(": """static int groupsOf(int size, int threads) {
  return (size + threads - 1) / threads;
}
static dim3 gridOf(int nx, int x, int ny = 1, int y = 1, int nz = 1, int z = 1) {
  const int columns = groupsOf(nx, x), rows = groupsOf(ny, y);
  return dim3(columns, rows, groupsOf(nz, z));
}
""",
    "wiped(": """template <typename T> static int wiped(T *array, int bytes) {
  cudaMemset(array, 0, bytes);
  return bytes;
}
""",
}

KEEPERS = {
    "keeper": "static const void *keeper;\n",
    "Held<": """template <typename T> struct Held {
  T *array;
  int length;
};
""",
    "Owner<": """template <typename T> struct Owner {
  T *&array;
  int bytes;
  ~Owner() {
    show(array, bytes);
    cudaFree(array);
  }
};
""",
}

SHOW = """template <typename T> void show(const T *array, int bytes) {
  cudaMemcpy(host, array, bytes, cudaMemcpyDeviceToHost);
  printf("%d %d\\n", host[5], host[bytes / 2]);
}
"""


def spelled(kind):
    return "int" if kind == INDEX else kind


def start_values(kind, length, indices):
    name = "start" + kind.split()[-1]
    values = {
        PAIR: "{float(k * 7 % 23) - 5, float(k * 5 % 19) / 4}",
        "float": "float(k * 7 % 23) / 4 - 2",
        "double": "double(k * 7 % 23) / 4 - 2",
        "int": "k * 7 % 23 - 9",
        "short": "short(k * 7 % 23 - 9)",
        "char": "(unsigned char)(k * 7 % 251)",
        "unsigned": "k * 7u % 2503u",
        INDEX: indices,
    }
    return [
        f"  static {spelled(kind)} {name}[{length + STARTS}];",
        f"  for (int k = 0; k < {length + STARTS}; ++k) {{",
        f"    {name}[k] = {values[kind.split()[-1]]};",
        "  }",
    ]


def with_narrower_size(lines):
    """The size that the host changes is declared where it is used."""
    if any(re.search(r"\bm\b", line) for line in lines):
        return ["  int m = n;", *lines]
    return lines
