"""Makes kernels in whose texts one name or word means two things."""

from dataclasses import dataclass

from guards_and_comments import FORMS, PLACES, PROTECTED
from kernel_expressions import FLOATING, PAIR, Binary, Call, Choice, Text, literal
from kernel_statements import STEP, Atomic, Local, Pointer, indented
from respell import rename
from spellings import STORES, THROUGH

# What the inner scopes of a kernel call theirs: names of parameters, arrays of
# the host, functions, and what kfuse may call its own.
HIDDEN = ["i", "x", "y", "n", "nx", "v", "p0", "p1", "t", "a0", "a1", "a2"]
HIDDEN += ["m", "value", "count", "first", "fetch", "blend", "margin", "i0"]
HIDDEN += ["kfuseGrid", "kfuseValue", "kfuseZero", "p0_in", "a1_value", "v2"]
HIDDEN += ["point0", "held1", "hiding2", "block", "min", "host", "grid0"]
# Functions of CUDA's library around a sum, by the type of the value.
AROUND = {
    "float": ["fabsf({0})", "fmaxf({0}, v)", "sqrtf(fabsf({0}))"],
    "double": ["fabs({0})", "fmin({0}, v)", "sqrt(fabs({0}))"],
    "int": ["abs({0})", "max({0}, 3)"],
}


@dataclass
class Around:
    """A call of the library."""

    form: str
    value: object

    def text(self):
        return self.form.format(self.value.text())

    def trace(self, indent):
        return self.value.trace(indent)

    def parts(self):
        return [self.value]


@dataclass
class Scope:
    """Adds to a local variable in a scope where a name means a number, which
    may be an element's too."""

    name: str
    kind: str
    number: int
    target: str
    array: int = -1
    is_loop: bool = False

    def lines(self):
        value = self.name
        if self.array >= 0:
            value = f"p{self.array}[{self.name}] % 97"
        inner = [f"{self.target} += {value};"]
        if self.is_loop:
            first = f"{self.kind} {self.name} = {self.number}"
            last = f"{self.name} < {self.number + 2}; ++{self.name}"
            return [f"for ({first}; {last}) {{", *indented(inner), "}"]
        inner.insert(0, f"{self.kind} {self.name} = {self.number};")
        return ["{", *indented(inner), "}"]

    def trace(self, indent):
        if self.array < 0:
            return []
        numbers = [self.number, self.number + self.is_loop]
        return [
            f"{indent}for own in {numbers}:",
            f"{indent}{STEP}note({self.array}, own, 'r')",
        ]


class AmbiguousKernels:
    """self.made, self.kind and so on are the kernel maker's."""

    def held(self):
        """An element is kept in a variable while memory gets another value."""
        rng = self.rng
        array, target = self.array(), self.array()
        load = self.load(array, self.own())
        roll = rng.random()
        if roll < 0.35 and self.kind in ("unsigned", "int", *FLOATING):
            change = Atomic(array, self.own(), self.constant())
        elif roll < 0.65:
            change = self.store(array, self.own(), Text("t"), "+")
            self.damp(change)
        else:
            value = Binary("+", Text("t"), self.scalar())
            change = self.store(array, self.own(), value)
        body = [Local(self.made.value, "t", load), change]
        if not isinstance(change, Atomic) and rng.random() < 0.4:
            change.spelling = rng.choice([*STORES, *THROUGH] + ["beside"] * 4)
            if change.spelling in THROUGH:
                body.insert(rng.randrange(2), Pointer(array, self.own()))
        loads = [Text("t")]
        if rng.random() < 0.5:
            loads.append(self.load(array, self.own()))
        body += self.stores(target, self.combine(loads))
        if rng.random() < 0.2:
            body.append(self.store(array, self.own(), Text("t")))
        self.made.body = body

    def hiding(self):
        """A scope in which a name is another's."""
        rng = self.rng
        source, target = self.array(), self.array()
        load = self.load(source, self.own())
        body = [Local(self.made.value, "s", load, is_fixed=False)]
        for _ in range(rng.choice([1, 1, 2])):
            name = rng.choice(HIDDEN)
            if name in ("fetch", "blend") and not load.spelling:
                load.spelling = "fetch"
            kind = rng.choice(["int", "int", "short", "unsigned", "long"])
            scope = Scope(name, kind, rng.randint(2, 9), "s")
            if self.kind != PAIR and rng.random() < 0.4:
                if name != f"p{source}" and self.kind not in FLOATING:
                    scope.array = source
            scope.is_loop = rng.random() < 0.3
            body.append(scope)
        loads = [Text("s")]
        if rng.random() < 0.5:
            loads.append(self.load(source, self.own()))
        body += self.stores(target, self.combine(loads))
        self.made.body = body

    def guarded(self):
        """A quotient that a guard before it protects."""
        name, size = self.rng.choice(
            list(zip(self.coordinates, self.limits()))
        )
        form = self.rng.choice(PROTECTED)
        self.made.protected = (size, form.format(c=name, s=size))
        load = self.load(self.array(), self.own())
        value = self.combine([load, Text("r")])
        self.made.body = self.stores(self.array(), value)

    def product(self):
        """Products, perhaps on one path alone."""
        rng = self.rng
        loads = [self.load(a, self.own()) for a in self.inputs(2)]
        value = Binary("*", loads[0], self.scalar())
        if len(loads) > 1 and self.kind in FLOATING:
            value = Binary("*", loads[0], Text(literal(self.kind, 0.25)))
            value = Binary("*", value, loads[1])
        roll = rng.random()
        if roll < 0.3:
            condition = f"{rng.choice(self.coordinates)} % 2 == 0"
            arms = [self.same(value), self.same(self.constant())]
            rng.shuffle(arms)
            value = Choice(condition, *arms)
        self.made.body = self.stores(self.array(), self.small(value))

    def small(self, value):
        """What a product of integers leaves where it mustn't grow."""
        if self.kind != "int":
            return value
        return Binary("%", value, Text("997"))

    def summed(self):
        """A sum, perhaps as the argument of a library's function."""
        loads = [self.load(a, self.own()) for a in self.inputs(2)]
        loads.append(self.scalar())
        value = loads[0]
        for load in loads[1:]:
            value = Binary(self.rng.choice("+-"), value, load)
        forms = AROUND.get(self.made.value, [])
        if forms and self.rng.random() < 0.6:
            value = Around(self.rng.choice(forms), value)
        elif self.made.value in FLOATING and self.rng.random() < 0.3:
            value = Call("blend", [self.same(value), self.same(loads[0])])
        self.made.body = self.stores(self.array(), value)

    def obscure(self, kernel):
        """Other words for coordinates and guards, comments, and names that
        mean other things elsewhere."""
        rng = self.rng
        if not self.place:
            self.place, self.form = rng.choice(PLACES), rng.choice(FORMS)
            self.words = rng.choice([0, 0, rng.randint(1, 1 << 20)])
            # Many kernels of one index, or some of all kinds.
            self.often = rng.choice([0.1, 0.1, 0.4])
        has_scope = any(isinstance(s, Scope) for s in kernel.body)
        if has_scope or rng.random() < 0.8:
            kernel.sized = kernel.packed = False

        def chosen(usual, choices):
            return rng.choice(choices) if rng.random() < self.often else usual

        if kernel.style != "stride":
            kernel.frame = chosen(self.place, PLACES)
        if kernel.style not in ("stride", "none"):
            kernel.style = chosen(self.form, FORMS)
            kernel.words = chosen(self.words, [0, rng.randint(1, 1 << 20)])
        if rng.random() < 0.6:
            kernel.noise = rng.randint(1, 1 << 20)
            kernel.quiet = rng.random() > self.often
        if rng.random() < 0.5:
            rename(rng, kernel, ["t", "s", "r", "sum"])
