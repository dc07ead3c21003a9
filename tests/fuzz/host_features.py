"""Chooses rare forms of host code, around and between the launches of a program."""

from host_aliases import HIDING, VIEWS, Given, Hidden, View
from host_control_flow import (
    CHAINED,
    CHECKS,
    CONDITIONS,
    DECIDING,
    DIRECTIVES,
    LEAVES,
    READING,
    ROUNDS,
    Chain,
    Check,
    Directive,
    Leaving,
    Reading,
    Throwing,
)
from host_counters import COUNTERS, Counter, CounterChange
from host_idioms import IDIOMS, SIMPLE, Idiom, Owned
from host_programs import Launch
from host_statements import CHANGES, SWAPS, Plain, Set, Swap
from kernel_expressions import FLOATING

# Ways to pass a whole number, which leave it as it is.
CASTS = ["(long long){}", "short({})", "unsigned({})", "({}) + 0u"]
CASTS += ["({}) + 0.25", "({}) * 1ull", "({}) + 4294967296ll", "size_t({})"]
CASTS += ["static_cast<unsigned short>({})", "(n > 0 ? {} : 0u)"]
WIDE = {"size_t", "long long"}  # types that hold more
# Values of a kernel's scalar, which conversions make small.
VALUES = {
    "unsigned char": ["259", "-253", "3.75", "3ull", "'\\3'", "m % 5 + 256"],
    "short": ["65539", "3.75f", "3u", "-65533ll", "m % 5 + 65536"],
    "int": ["4294967299ll", "3.75", "3u", "-4294967293ll", "true", "'\\2'"],
    "unsigned": ["-1", "4294967295u", "3.75", "-2ll", "short(-3)"],
    "float": ["1", "0.5", "3u / 2", "true", "-1ll", "1 / 2", "m % 3u"],
    "double": ["1", "0.5f", "3u / 2", "-1ll", "1 / 2", "m % 3u"],
}


class HostFeatures:
    """self.rng, self.arrays, self.features and so on are the program maker's."""

    def has(self, feature, rate):
        return feature in self.features and self.rng.random() < rate

    def add_views(self, program, pointers):
        """Other names for main's pointers."""
        self.views = {}  # names by array
        self.known = program.views
        if "views" not in self.features:
            return
        rng = self.rng
        for number in range(rng.randint(1, 3)):
            kind = rng.choice(self.kinds)
            same = [a for a in self.plain(pointers) if pointers[a] == kind]
            form = rng.choice(list(VIEWS))
            view = View(form, kind, *rng.sample(same, 2), number)
            program.views.append(view)
            for array, name in view.names().items():
                self.views.setdefault(array, []).append(name)

    def add_counters(self, program):
        """Sizes under names that the host changes now and then."""
        self.counters = []
        if "counts" in self.features:
            forms = self.rng.sample(list(COUNTERS), self.rng.randint(1, 2))
            size = self.extents[-1]
            for number, form in enumerate(forms):
                self.counters.append(Counter(form, len(VIEWS) + number, size))
            program.views += self.counters

    def recount(self):
        count = self.rng.choice(self.counters)
        way = self.rng.randrange(len(COUNTERS[count.form][2]))
        return [CounterChange(count, way, self.extents[-1] - self.rng.randint(0, 3))]

    def counted(self, kernel, sizes):
        """The sizes, one of them kept elsewhere."""
        is_plain = not (kernel.rows or kernel.sized)
        if not (kernel.dims == self.dims and is_plain and self.has("counts", 0.5)):
            return sizes
        count = self.rng.choice(self.counters)
        # A pack takes what is written: an atomic itself, which has no copies.
        if kernel.variadic and count.form == "atomic":
            return sizes
        return [*sizes[:-1], count.name()]

    def seen(self, bound):
        """Pointers by other names, some of them."""
        if "views" not in self.features:
            return bound
        return [
            (self.rng.choice(self.views[name]), offset)
            if name in self.views and self.rng.random() < 0.4
            else (name, offset)
            for name, offset in bound
        ]

    def reseated(self):
        """An exchange of two pointers under other names."""
        views = [v for v in self.known if isinstance(v, View)]
        view = self.rng.choice(views)
        if not view.can_assign():
            return []
        return [self.swap(view.kind, *view.names().values())]

    def casts(self, kernel, value, sizes):
        """What a launch's value and sizes are written as."""
        if not self.has("casts", 0.4) or kernel.sized:
            return value, []
        rng = self.rng
        if "?" not in value:
            value = rng.choice([value, *VALUES[kernel.value]])
        is_deduced = kernel.template and kernel.value in FLOATING
        if is_deduced:
            value = f"{kernel.value}({value})"
        names = [count.name() for count in self.counters]
        # Nothing takes 2 to the 32nd from a wider parameter.
        casts = [
            cast for cast in CASTS
            if kernel.number not in WIDE or "4294967296" not in cast
        ]
        return value, ["{}"] + [
            "{}" if size in names else rng.choice(["{}", *casts])
            for size in sizes
        ]

    def swap(self, kind, one, other):
        plain = ["std", "std", ""]
        forms = list(SWAPS) if "acts" in self.features else plain
        return Swap(kind, one, other, self.rng.choice(forms))

    def change(self, text):
        forms = list(CHANGES) if "acts" in self.features else [""]
        return Plain(text, self.rng.choice(forms))

    def acted(self, statements):
        """The same, in a form of its own."""
        if statements and self.has("acts", 0.6):
            return [Idiom(self.rng.choice(list(IDIOMS)), statements)]
        return statements

    def hidden(self, pointers):
        """Something that happens between launches without a word of it."""
        rng = self.rng
        name = self.some_array(pointers)
        kind = pointers[name]
        act = [self.show(name, kind)]
        roll = rng.random()
        if roll < 0.2 and self.is_main(pointers):
            act = [Check("look();")]
        elif roll < 0.3:
            act = [Set(name, 0, rng.randint(1, 40), self.stream())]
        elif roll < 0.45:
            act = [Plain(rng.choice(["m -= 3", "m = n - 9", "m = n"]))]
        elif roll < 0.6:
            act = [Check(f"noted(peek({name}, {rng.randint(0, 40)}) % 5);")]
        return [Idiom(rng.choice(list(IDIOMS)), act)]

    def check(self, pointers):
        text = self.rng.choice(CHECKS)
        return [Check(text.replace("{a}", self.some_array(pointers)))]

    def around(self, pointers, statements):
        """Launches in something that decides whether they run."""
        rng = self.rng
        roll = rng.random()
        at = rng.randint(0, len(statements))
        first, second = statements[:at], statements[at:]
        if roll < 0.2:
            return [Idiom(rng.choice(SIMPLE), statements)]
        if roll < 0.3:
            name = self.some_array(pointers)
            return [Owned(statements, [self.show(name, pointers[name])])]
        if roll < 0.5:
            form = rng.choice([form for form in LEAVES if form != "return"])
            return [Leaving(form, rng.choice(CONDITIONS), first, second)]
        if roll < 0.7:
            form = rng.choice(["break", "continue"])
            condition = rng.choice(ROUNDS + CONDITIONS)
            return [Leaving(form, condition, first, second, rng.randint(2, 3))]
        if roll < 0.76:
            return [Throwing(rng.randint(2, 3), first, second)]
        array, place = self.some_array(pointers), rng.randint(0, 40)
        if roll < 0.9:
            form = rng.choice(list(READING))
            return [Reading(form, array, place, statements)]
        only = [s for s in statements if isinstance(s, Launch)]
        form = rng.choice(list(DECIDING))
        return [Reading(form, array, place, only, True)]

    def chained(self, pointers, statements):
        """Launches in arms of a chain, or cut by directives."""
        rng = self.rng
        if rng.random() < 0.4:
            return self.directed(statements)
        arms = [statements]
        arms += [self.straight(pointers, 1) for _ in range(rng.randint(1, 2))]
        rng.shuffle(arms)
        conditions = rng.sample(CHAINED, len(arms) - rng.randint(0, 1))
        return [Chain(conditions, arms), *self.straight(pointers, 1)]

    def directed(self, statements):
        """The same, a part of it between directives."""
        if len(statements) < 2:
            return statements
        first, end = sorted(self.rng.sample(range(len(statements) + 1), 2))
        form = self.rng.choice(list(DIRECTIVES))
        inner = Directive(form, statements[first:end])
        return [*statements[:first], inner, *statements[end:]]

    def returning(self, statements):
        """A function's launches, the last of which may not run."""
        if len(statements) < 2 or not self.has("control", 0.5):
            return statements
        at = self.rng.randint(1, len(statements) - 1)
        condition = self.rng.choice(CONDITIONS)
        return [Leaving("return", condition, statements[:at], statements[at:])]

    def scoped(self, pointers, count):
        """Launches below which a name means something else."""
        rng = self.rng
        kind = rng.choice(self.kinds)
        same = [p for p in self.plain(pointers) if pointers[p] == kind]
        if len(same) < 2:
            return self.straight(pointers, count)
        one, other = rng.sample(same, 2)
        if rng.random() < 0.3:
            body = self.straight(pointers, count)
            return [Given(kind, one, other, body)]
        form = rng.choice(list(HIDING))
        before = self.straight(pointers, max(1, count // 2))
        if self.dims == 1 and rng.random() < 0.4:
            kind, one, other = "", "m", rng.choice(["(n - 9)", "(n / 2)"])
            after = [self.launch(pointers) for _ in range(count)]
        else:
            after = self.straight(pointers, max(1, count // 2))
        return [Hidden(form, kind, one, other, before, after)]
