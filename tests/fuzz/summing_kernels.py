"""Writes kernels with sums of products, and the device functions that they call."""

import re

AXES = "xyz"
FUNCTIONS = """\
__device__ T mad(T x, T y, T z) { return x * y + z; }
__device__ T square(T x) { return x * x; }
__device__ T positive(T x) {
  if (x > 0)
    return x;
  return 0;
}
__device__ T get(const T *of, int k) { return of[k]; }
__device__ void put(T *to, int k, T x) { to[k] = x; }
struct Two {
  T a, b;
  __device__ T product() const { return a * b; }
};
__device__ T second(Two two) { return two.b; }
__device__ Two both(T x, T y) { return {x * T(0.3), y}; }
__device__ T root(T x) { return sqrt(fabs(x)); }
__device__ T mix(const T &x, const T &y) { return x * T(0.6) - y; }
__device__ int shifted(const int &i, int by) { return i + by - 1; }
__device__ T &cell(T *of, int k) { return of[shifted(k, 1)]; }
struct View {
  T *of;
  __device__ T &operator()(int k) const { return of[k]; }
};
__device__ Two operator*(const Two &two, T x) { return {two.a * x, two.b * x}; }
__device__ Two operator+(Two one, Two two) { return {one.a + two.a, one.b + two.b}; }
__device__ T plus(T x, T y) { return x + y; }
__device__ T minus(const T &x, T y) { return x - y; }
struct Affine {
  T a, b;
  __device__ T scaled(T x) const { return a * x; }
  __device__ T at(T x) const { return scaled(x) + b; }
  __device__ T operator()(const T &x) const { return b - a * x; }
};
__device__ void parts(T x, T y, T &sum, T &size) {
  sum = x + y;
  size = root(x);
}
__device__ void scale(T x, T &scaled) { scaled = x * T(0.7); }
__device__ void bump(T *to, T x) { *to += x; }
__device__ void spread(T *to, T x, T y) {
  to[0] = x * y;
  bump(to + 1, y);
}
__device__ void take(const T *of, int k, T to[3]) {
  to[0] = of[k];
  to[1] -= of[k] * T(0.3);
}
__device__ T blend(const T *of, T x) { return of[0] * x + of[2]; }
__device__ T draw(unsigned *seed) {
  const unsigned m = 1u << 31;
  *seed = (26757677u * *seed + 1) % m;
  return T(*seed) / T(m);
}
"""


class KernelText:
    """One kernel, with `inputs` and `outputs` arrays."""

    def __init__(
        self, rng, name, dims, inputs, outputs, *, anywhere, twice, fields=False
    ):
        self.rng, self.name, self.dims = rng, name, dims
        self.fields = fields  # elements are structures
        self.twice = twice  # products in some sums
        self.inputs, self.outputs = inputs, outputs
        self.names = 0
        self.readable = []  # variables
        self.pairs = []  # variables that are structures
        self.maps = []  # variables that are functions
        self.locals = []  # arrays of the thread's
        self.stored = []  # outputs at the thread's own index
        self.assignable = []
        self.counters = []
        self.anywhere = anywhere
        self.is_stencil = not anywhere and rng.random() < 0.5
        self.reach = rng.choice([1, 1, 1, 2])
        # What it leaves out at the sides, where it may not read beyond.
        least = self.reach if self.is_stencil else 0
        self.margins = [
            [least + (0 if anywhere else rng.choice([0, 0, 0, 1, 2])) for _ in "<>"]
            for _ in range(dims)
        ]

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def number(self):
        numbers = ["0.1", "0.3", "0.7", "1.1", "0.9", "-0.6"]
        return f"T({self.rng.choice(numbers)})"

    def place(self):
        rng = self.rng
        if self.counters and rng.random() < 0.5:
            counter = self.counters[-1]
            return rng.choice([counter, f"(i + {counter}) % cells"])
        if self.anywhere and rng.random() < 0.6:
            places = ["(i + 1) % cells", "(i + cells - 1) % cells", "cells - 1 - i"]
            return rng.choice([*places, "(i * 5 + 3) % cells", "i / 2"])
        if not self.is_stencil or rng.random() < 0.4:
            return "i"
        step = ["1", "nx", "nx * ny"][rng.randrange(self.dims)]
        distance = rng.randint(1, self.reach)
        scaled = step if distance == 1 else f"{distance} * {step}"
        return f"i {rng.choice('+-')} {scaled}"

    def load(self, array, place):
        return f"{array}[{place}]" + (self.rng.choice([".a", ".b"]) * self.fields)

    def atom(self):
        rng = self.rng
        chance = rng.random()
        if self.readable and chance < 0.35:
            return rng.choice(self.readable)
        if self.pairs and chance < 0.4:
            pair = rng.choice(self.pairs)
            return rng.choice([f"{pair}.a", f"{pair}.b", f"second({pair})"])
        if self.locals and chance < 0.45:
            array = rng.choice(self.locals)
            return rng.choice([f"{array}[{rng.randrange(3)}]", f"get({array}, 1)"])
        if self.stored and chance < 0.5:
            return rng.choice(self.stored)
        if chance < 0.75:
            array = f"p{rng.randrange(self.inputs)}"
            if not self.fields and rng.random() < 0.1:
                place = self.place()
                return rng.choice(
                    [f"get({array}, {place})", f"{array}[shifted({place}, 1)]"]
                )
            return self.load(array, self.place())
        if chance < 0.82:
            return self.number()
        if chance < 0.84:  # not rounded
            return rng.choice(["(T(i) / 1024)", "(T(0.125) * i)", "(2 * s)"])
        if chance < 0.85:
            value = self.load("p0", "i")
            return f"both({rng.choice('st')}, {value}).{rng.choice('ab')}"
        if chance < 0.9 and self.counters:
            return f"T({rng.choice(self.counters)})"
        return rng.choice("st")

    def plain(self, depth=0):
        """No product, but for one of a quotient."""
        chance = self.rng.random()
        if depth > 2 or chance < 0.5:
            return self.atom()
        if chance < 0.85:
            sign = self.rng.choice("+-")
            return f"({self.plain(depth + 1)} {sign} {self.atom()})"
        return f"({self.atom()} / {self.rng.choice(['3', 't', '5'])})"

    def product(self):
        chance = self.rng.random()
        if chance < 0.15:
            return f"square({self.atom()})"
        if self.maps and chance < 0.3:
            return f"{self.rng.choice(self.maps)}.scaled({self.atom()})"
        return f"{self.atom()} * {self.atom()}"

    def value(self, depth=0):
        rng = self.rng
        chance = rng.random()
        if depth > 1 or chance < 0.12:
            return self.atom()
        if chance < 0.45:
            terms = [self.product(), self.plain(depth + 1)]
            if self.twice and rng.random() < 0.3:
                terms[1] = f"{self.atom()} * {self.atom()}"
            rng.shuffle(terms)
            if rng.random() < 0.15:
                return f"{rng.choice(['plus', 'minus'])}({', '.join(terms)})"
            return f"{terms[0]} {rng.choice('++-')} {terms[1]}"
        if chance < 0.55:
            return f"{self.atom()} * ({self.plain(depth + 1)})"
        if chance < 0.65:
            arms = f"{self.plain(depth + 1)} : {self.plain(depth + 1)}"
            return f"({self.condition()} ? {arms})"
        if chance < 0.7:
            root = rng.choice(["sqrt(fabs({}))", "root({})", "-2 * root({})"])
            return root.format(self.plain(depth + 1))
        if chance < 0.76:
            return f"mad({self.atom()}, {self.atom()}, {self.atom()})"
        if self.maps and rng.random() < 0.15:
            function = rng.choice(["{}({})", "{}.at({})"])
            return function.format(rng.choice(self.maps), self.atom())
        if self.pairs and chance < 0.78:
            pair, other = rng.choice(self.pairs), rng.choice(self.pairs)
            return rng.choice(
                [f"{pair}.product()", f"({pair} * {self.atom()}).b"]
                + [f"({pair} * {self.atom()} + {other}).{rng.choice('ab')}"]
            )
        if self.locals and chance < 0.79:
            return f"blend({rng.choice(self.locals)}, {self.atom()})"
        if chance < 0.8:
            function = rng.choice(["square({})", "mix({}, t)", "mix(t, {})"])
            return function.format(self.atom())
        if chance < 0.82:
            return f"positive({self.plain(depth + 1)})"
        if chance < 0.85:
            return f"fmax({self.plain(depth + 1)}, {self.atom()})"
        return self.plain(depth)

    def condition(self):
        return self.rng.choice(
            [
                f"(i & {self.rng.choice([1, 2, 4])})",
                f"{self.atom()} > {self.number()}",
                "x < m",
                f"i > {self.rng.randrange(200)}",
            ]
        )

    def declared(self, value):
        name = self.fresh("v")
        self.readable.append(name)
        self.assignable.append(name)
        return f"T {name} = {value};"

    def block(self, depth, count):
        """Statements, with variables that only these and inner ones have."""
        lists = self.readable, self.assignable, self.pairs, self.maps, self.locals
        kept = [list(each) for each in lists]
        lines = []
        for _ in range(count):
            chance = self.rng.random()
            if chance < 0.1:
                name = self.fresh("u")
                if self.fields and self.rng.random() < 0.5:
                    lines.append(f"Two {name} = p0[{self.place()}];")
                else:
                    lines.append(f"Two {name} = {{{self.atom()}, {self.atom()}}};")
                self.pairs.append(name)
            elif chance < 0.14:
                name = self.fresh("f")
                lines.append(f"const Affine {name} = {{{self.atom()}, {self.atom()}}};")
                self.maps.append(name)
            elif chance < 0.2:
                lines += self.given()
            elif chance < 0.24:
                lines += self.lent()
            elif chance < 0.4 or depth > 1:
                lines.append(self.declared(self.value()))
            elif chance < 0.55 and self.assignable:
                lines.append(self.update())
            elif chance < 0.75:
                lines += self.loop(depth)
            else:
                lines += self.branch(depth)
        if depth:
            self.readable, self.assignable, self.pairs, self.maps, self.locals = kept
        return lines

    def lent(self):
        """An array of the thread's own, which functions write and read."""
        array = self.fresh("l")
        values = ", ".join(self.atom() for _ in range(3))
        lines = [f"T {array}[3] = {{{values}}};"]
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            call = self.rng.choice(
                ["bump({0} + 2, {1})", "bump(&{0}[0], {1})", "put({0}, 2, {1})"]
                + ["spread({0}, {1}, {1})", "{0}[1] = {1}"]
                + ([] if self.fields else ["take(p0, i, {0})"])
            )
            lines.append(call.format(array, self.atom()) + ";")
        self.locals.append(array)
        return lines

    def given(self):
        """Values that functions give back in other ways."""
        names = [self.fresh("g"), self.fresh("g")]
        lines = [f"T {names[0]} = {self.atom()}, {names[1]} = {self.atom()};"]
        chance = self.rng.random()
        if chance < 0.5:
            lines.append(f"parts({self.atom()}, {self.atom()}, {', '.join(names)});")
        elif chance < 0.6:
            lines.append(f"scale({self.atom()}, {names[0]});")
        else:
            seed = self.fresh("w")
            lines.append(f"unsigned {seed} = 5551212u ^ i;")
            lines += [f"{name} = draw(&{seed});" for name in names]
        self.readable += names
        return lines

    def update(self):
        name = self.rng.choice(self.assignable)
        return self.rng.choice(
            [
                f"{name} = {self.value()};",
                f"{name} += {self.value(1)};",
                f"{name} -= {self.value(1)};",
                f"{name} *= {self.atom()};",
            ]
        )

    def loop(self, depth):
        rng = self.rng
        start = rng.choice(["0", "0", "1", self.atom()])
        lines = [self.declared(start)]
        total = self.assignable[-1]
        counter = self.fresh("k")
        bound = rng.choice(["m", "m", "3", "2", "4"])
        self.counters.append(counter)
        inner = self.block(depth + 1, rng.choice([0, 1, 2]))
        inner.append(
            rng.choice(
                [
                    f"{total} += {self.value(1)};",
                    f"{total} += {self.atom()} * {self.atom()};",
                    f"{total} = {total} * {self.atom()} + {self.atom()};",
                ]
            )
        )
        self.counters.pop()
        lines.append(f"for (int {counter} = 0; {counter} < {bound}; ++{counter}) {{")
        return lines + indented(inner) + ["}"]

    def branch(self, depth):
        rng, lines = self.rng, []
        if not self.assignable or rng.random() < 0.3:
            lines.append(self.declared(rng.choice(["0", "1", self.atom()])))
        name = rng.choice(self.assignable)
        lines.append(f"if ({self.condition()}) {{")
        lines += indented(self.block(depth + 1, rng.choice([0, 0, 1])))
        lines.append(f"  {name} = {self.value()};")
        if rng.random() < 0.5:
            lines.append("} else {")
            lines += indented(self.block(depth + 1, rng.choice([0, 0, 1])))
            lines.append(f"  {name} {rng.choice(['=', '+='])} {self.value()};")
        return lines + ["}"]

    def store(self, output):
        chance = self.rng.random()
        value = self.value()
        if chance > 0.95 and output:  # what the output before has
            value = self.last
        self.last = value
        if self.fields:
            return self.store_fields(output, value)
        first = f"q{output}[i] = {value};"
        if chance > 0.9 and not self.anywhere:
            form = self.rng.choice(
                ["put(q{0}, i, {1});", "cell(q{0}, i) = {1};", "View{{q{0}}}(i) = {1};"]
            )
            return [form.format(output, value)]
        if chance > 0.85 and not self.anywhere:
            name = self.fresh("r")
            return [f"T *{name} = q{output} + i;", f"*{name} = {value};"]
        if chance < 0.2:
            second = f"q{output}[i] = {self.value()};"
            return [f"if ({self.condition()})", "  " + first, "else", "  " + second]
        if chance < 0.35 and not self.anywhere:
            return [f"if ({self.condition()})", "  " + first]
        return [first]

    def store_fields(self, output, value):
        """Stores to both fields of an element, or updates one of them."""
        rng = self.rng
        chance = rng.random()
        if chance < 0.3:
            return [f"q{output}[i] = {{{value}, {self.value()}}};"]
        if chance < 0.6:
            one = f"{self.atom()} * {self.atom()}"
            other = f"{self.atom()} * {self.atom()}"
            return [f"q{output}[i].a += {one};", f"q{output}[i].b -= {other};"]
        return [f"q{output}[i].a = {value};", f"q{output}[i].b = {self.value()};"]

    def text(self, restrict):
        body = self.block(0, self.rng.choice([0, 1, 1, 2]))
        for output in range(self.outputs):
            body += self.store(output)
            # With `restrict` nvcc 13 loads `c ? q0[i] : p0[i]` as a constant, and
            # so, of what the thread has just stored, what was there before.
            if not restrict and self.rng.random() < 0.4:
                self.stored.append(f"q{output}[i]" + ".b" * self.fields)
        star = f"*{restrict}"
        element = "Two" if self.fields else "T"
        parameters = [f"const {element} {star}p{k}" for k in range(self.inputs)]
        parameters += [f"{element} {star}q{k}" for k in range(self.outputs)]
        parameters += ["T s", "T t", "int m", "int cells"]
        parameters += [f"int n{axis}" for axis in AXES[: self.dims]]
        lines = [f"__global__ void {self.name}({', '.join(parameters)}) {{"]
        inside = []
        for axis, (low, high) in zip(AXES, self.margins):
            lines.append(
                f"  int {axis} = blockIdx.{axis} * blockDim.{axis}"
                f" + threadIdx.{axis};"
            )
            inside += [f"{axis} >= {low}"] if low else []
            inside.append(f"{axis} < n{axis}" + (f" - {high}" if high else ""))
        index = ["x", "y * nx + x", "(z * ny + y) * nx + x"][self.dims - 1]
        lines.append(f"  if ({' && '.join(inside)}) {{")
        lines.append(f"    int i = {index};")
        return "\n".join(lines + indented(indented(body)) + ["  }", "}", ""])


NAMES = re.findall(r"^__device__.*?(\w+)\(", FUNCTIONS, re.M)


def generic(text, owner=""):
    """Functions or kernels, each a template for its type of numbers.

    With `owner`, such as `Ops<T>::`, functions are called as its members."""
    calls = rf"(?<![.\w])({'|'.join(NAMES)})\("
    mark = owner or "<T>"
    text = re.sub(calls, rf"{owner}\1(" if owner else r"\1<T>(", text)
    text = re.sub(rf"^(__device__.*?){re.escape(mark)}", r"\1", text, flags=re.M)
    text = re.sub(r"(?<!struct )\b(Two|View|Affine)\b", r"\1<T>", text)
    head = r"^(__global__|struct)" if owner else r"^(__device__|__global__|struct)"
    return re.sub(head, r"template <typename T> \1", text, flags=re.M)


def members(owner):
    """The functions as members of a class template `Ops`: static ones, or those
    of an object, as `owner` calls them."""
    text = generic(FUNCTIONS, owner)
    # With the operators that have these as operands.
    structs = re.findall(r"^template.*?^};\n", text, re.M | re.S)
    operators = re.findall(r"^__device__.* operator.*\n", text, re.M)
    for each in [*structs, *operators]:
        text = text.replace(each, "")
    structs += [f"template <typename T> {each}" for each in operators]
    if owner.endswith("::"):
        text = re.sub(r"^__device__", "static __device__", text, flags=re.M)
    else:
        text = re.sub(r"^(__device__.*\)) {", r"\1 const {", text, flags=re.M)
    return "".join([*structs, "template <typename T> struct Ops {\n", text, "};\n"])


def indented(lines):
    return ["  " + line for line in lines]
