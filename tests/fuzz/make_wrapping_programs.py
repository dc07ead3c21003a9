"""Makes random programs of kernels whose integers wrap."""

from integer_expressions import (
    BYTE,
    HASHES,
    INT,
    KINDS,
    LONG,
    SHORT,
    SIZE,
    UBYTE,
    ULONG,
    UNSIGNED,
    USHORT,
    Binary,
    Cast,
    Choice,
    Hash,
    Name,
    Number,
    Unary,
    u,
)
from kernel_expressions import FLOATING
from wrapping_programs import (
    STARTS,
    Kernel,
    Launch,
    Load,
    Program,
    Rounds,
    Store,
    Variable,
)

COORDINATES = [UNSIGNED] * 12 + [INT] * 4 + [SIZE, LONG, USHORT, SHORT, UBYTE]
ELEMENTS = ["float"] * 4 + ["unsigned", "unsigned", "unsigned short"]
ELEMENTS += ["unsigned char", "signed char", "int", "double"]
FORMS = {
    "float": ["{0}", "{0} * 0.5f", "{0} + 1", "{0} - {1}", "{0} > {1} ? {0} : {1}"],
    "integer": ["{0}", "{0} * 9u", "{0} - {1} * 1u", "(unsigned){0} << 7 ^ {1}"]
    + ["wang({0})", "murmur({0} + 1u)", "congruent({0}) >> 3", "{0} > {1} ? {0} : {1}"]
    + ["(unsigned char)({0} * 5u)", "xorshift({0} ^ {1})"],
}
TRIALS = 40  # for a kernel that stays inside its arrays and has no race
ATTRIBUTES = ["__launch_bounds__(1024) ", "__launch_bounds__(512, 1) "]


class Integers:
    """Random expressions of i, of a size n and of others, for `threads` values
    of i and arrays of 1 << `bits` elements."""

    def __init__(self, rng, bits, threads):
        self.rng, self.bits, self.threads = rng, bits, threads
        self.length = 1 << bits
        self.size = 0  # what n is, where that is known

    def odd(self, rate):
        return self.rng.random() < rate

    def big(self):
        """A factor with which some i wraps."""
        rng = self.rng
        one = 1 << self.shift().value
        return rng.choice(
            [one, one, one + 1, 3 * one % (1 << 32), rng.randrange(one, 2 * one)]
            + [1664525, 0x9E3779B1, 0xFFFFFFFF, rng.getrandbits(32) | 1]
        )

    def shift(self):
        """As far as some i wraps, just so mostly."""
        least = max(1, 33 - self.threads.bit_length())
        most = 31 if self.odd(0.4) else min(least + 2, 31)
        return Number(self.rng.randint(least, most))

    def edge(self):
        """A factor that takes n to where its type ends, or just beyond."""
        if self.size < 2 or self.odd(0.2):
            return self.big()
        return ((1 << 32) // self.size + self.rng.choice([0, 0, 1])) % (1 << 32)

    def scaled(self, i):
        """i, multiplied so that it may wrap."""
        if self.odd(0.4):
            return Binary("<<", i, self.shift())
        return Binary("*", i, u(self.big()))

    def bound(self, i, n):
        """A plain condition on i."""
        some = self.rng.choice([self.length // 2, self.threads // 2, self.threads - 9])
        some = u(self.rng.choice([some, self.rng.randint(1, self.threads)]))
        plain = [("<", i, some), ("<", i, some), ("<", i, n), (">=", i, some)]
        return Binary(*self.rng.choice(plain))

    def hashed(self, i):
        """A step of a generator of random numbers, without a call."""
        return Binary("+", Binary("*", i, u(1664525)), u(1013904223))

    def wrapping(self, i, n):
        """A condition that says less of i than it seems to."""
        rng = self.rng
        limit = u(1 << rng.randint(29, 31))
        left = rng.choice([self.hashed(i), self.scaled(i), self.scaled(i)])
        size = rng.choice(
            [Binary("*", n, u(self.edge())), Binary("<<", n, self.shift())]
        )
        return rng.choice([Binary("<", left, limit)] * 2 + [Binary("<", i, size)])

    def guard(self, i, n):
        """A condition on i, which mostly wraps."""
        rng = self.rng
        limit = u(rng.choice([1 << 31, 1 << 31, 1 << 30, 3 << 29, 1 << rng.randint(9, 31)]))
        few = u(rng.randint(1, 9))
        kind = rng.choice(KINDS)
        return rng.choice(
            [
                lambda: self.bound(i, n),
                lambda: Binary("<", self.hashed(i), limit),
                lambda: Binary(rng.choice("<>"), Binary("+", self.scaled(i), u(self.big())), limit),
                lambda: Binary("<", self.hashed(i), limit),
                lambda: Binary("<", self.scaled(i), limit),
                lambda: Binary("<", self.scaled(i), limit),
                lambda: Binary("<", self.scaled(i), limit),
                lambda: Binary("<", self.scaled(i), n),
                lambda: Binary("<", Hash(rng.choice(list(HASHES)), i), limit),
                lambda: Binary("==", Binary("&", Hash(rng.choice(list(HASHES)), i), few), u(0)),
                lambda: Binary("<", Binary("-", i, few), n),
                lambda: Binary("<", Binary("-", i, few), Binary("-", n, few)),
                lambda: Binary("<", i, Binary("-", n, few)),
                lambda: Binary("<=", i, Binary("-", n, few)),
                lambda: Binary("<", Binary("+", i, u((1 << 32) - rng.randint(1, 9))), n),
                lambda: Binary("<", i, Binary("*", n, u(self.edge()))),
                lambda: Binary("<", i, Binary("*", n, u(self.edge()))),
                lambda: Binary("<", i, Binary("<<", n, self.shift())),
                lambda: Binary("<", i, Binary("*", n, Cast(ULONG, u(self.big())))),
                lambda: Binary(rng.choice(["<", ">=", "!="]), Cast(kind, self.near(i)), few),
                lambda: Binary("<", Cast(kind, self.near(i)), n),
                lambda: Binary("<", Cast(INT, self.scaled(i)), few),
                lambda: Binary("<", Binary("-", Cast(INT, i), few), n),
                lambda: Binary(rng.choice("<>"), Unary("~", i), n),
                lambda: Binary("<", Unary("-", i), n),
                lambda: self.tree(i, n, 2),
                lambda: self.either(i, n),
            ]
        )()

    def either(self, i, n):
        one, other = self.guard(i, n), self.guard(i, n)
        return Binary(self.rng.choice(["&&", "||"]), one, other)

    def near(self, i):
        rng = self.rng
        number = rng.choice([Number(rng.randint(1, 300)), u(rng.randint(1, 300))])
        return Binary(rng.choice(["+", "-", "*", "*"]), i, number)

    def tree(self, i, n, depth):
        """Any condition."""
        one, other = self.value(i, n, depth), self.value(i, n, depth)
        return Binary(self.rng.choice(["<", "<=", ">", "==", "!="]), one, other)

    def value(self, i, n, depth):
        rng = self.rng
        if depth == 0 or self.odd(0.15):
            number = rng.choice([rng.randint(0, 40), self.big(), self.length - 1])
            leaf = u(number) if number >> 31 or self.odd(0.5) else Number(number)
            return rng.choice([i, i, i, n, leaf, leaf])
        one = self.value(i, n, depth - 1)
        roll = rng.random()
        if roll < 0.15:
            return Cast(rng.choice(KINDS), one)
        if roll < 0.2:
            return Unary(rng.choice("-~"), one)
        if roll < 0.25:
            condition = Binary("<", i, n)
            return Choice(condition, one, self.value(i, n, depth - 1))
        if roll < 0.4:
            return Binary(rng.choice(["<<", ">>"]), one, Number(rng.randint(1, 31)))
        op = rng.choice(["+", "+", "-", "-", "*", "*", "&", "^", "|", "/", "%"])
        other = self.value(i, n, depth - 1)
        if op in "/%":
            other = Binary("|", other, u(1))
        return Binary(op, one, other)

    def index(self, i, n):
        """An index, which mostly stays inside the arrays."""
        rng, mask = self.rng, u(self.length - 1)
        some = rng.randint(1, self.length - 1)
        pitch = rng.choice([(1 << 32) - some, (1 << 31) + some, 1 << 31, self.big()])
        rows = 1 << rng.randint(2, 6)
        return rng.choice(
            [
                lambda: Binary("&", self.scaled(i), mask),
                lambda: Binary("&", Binary("*", i, u(some | 1)), mask),
                lambda: Binary("&", Binary("+", i, u(some)), mask),
                lambda: Binary("&", Binary("+", i, u((1 << 32) - some)), mask),
                lambda: Binary("&", Hash(rng.choice(list(HASHES)), i), mask),
                lambda: Binary("%", self.scaled(i), u(self.length)),
                lambda: Binary("%", Binary("*", i, u(self.big())), u(some)),
                lambda: Binary(">>", Binary("*", i, u(self.big())), Number(32 - self.bits)),
                lambda: Binary(">>", self.scaled(i), Number(32 - self.bits)),
                lambda: Binary("-", Binary("-", n, u(1)), i),
                lambda: Binary("+", i, u((1 << 32) - rng.randint(1, 9))),
                lambda: Binary("-", i, rng.choice([u(some), Number(rng.randint(1, 9))])),
                lambda: Cast(rng.choice([UBYTE, USHORT, BYTE]), self.near(i)),
                lambda: Binary("^", i, u(some)),
                lambda: self.scaled(i),
                lambda: Binary("*", i, n),
                lambda: Binary(
                    "+",
                    Binary("*", Binary("/", i, u(rows)), u(pitch)),
                    Binary("%", i, u(rows)),
                ),
                lambda: Binary("&", self.value(i, n, 2), mask),
            ]
        )()


class ProgramMaker:
    def __init__(self, rng):
        self.rng = rng
        self.bits = rng.choice([7, 8, 9, 10, 12, 13, 13, 13, 13])
        self.length = 1 << self.bits
        self.dims = rng.choice([1, 1, 1, 1, 2])
        self.shapes()
        self.integers = Integers(rng, self.bits, self.threads)
        self.element = rng.choice(ELEMENTS)
        self.coordinate = rng.choice(COORDINATES)
        self.count = 0
        self.variables = self.hosts()
        self.integers.size = self.variables[0].value

    def odd(self, rate):
        return self.rng.random() < rate

    def shapes(self):
        """Grid and block, of all launches mostly."""
        rng = self.rng
        self.threads = self.length
        if self.bits < 12 and self.odd(0.5):  # so that small factors wrap
            self.threads = rng.choice([2 * self.length, 4096, 8192])
        width = rng.choice([32, 64, 128])
        self.grid, self.block = (self.threads // width,), (width,)
        if self.dims == 2:
            height = 1 << rng.randint(1, 4)
            rows, columns = height * 4, self.threads // (height * 4)
            width = min(16, columns)
            self.grid, self.block = (columns // width, 4), (width, rows // 4)
            self.columns = columns

    def hosts(self):
        """Variables of the host: two sizes and a pitch."""
        rng, found = self.rng, []
        edge = 1 << rng.randint(20, 31)
        values = [self.length, self.length, self.threads, self.length - 5, 3]
        values += [self.threads // 2, 4096, edge, (1 << 32) - 64, 1]
        for name in ("n", "m", "w"):
            value = rng.choice(values)
            kinds = [k for k in [UNSIGNED] * 6 + [INT] * 4 + KINDS if k.high() >= value]
            kind = rng.choice(kinds)
            text = str(value)
            if self.odd(0.55):
                text = rng.choice(
                    [f"{value - 1} + argc", f"argc * {value}"]
                    if value < 1 << 30
                    else [f"argc * {value}u", f"{value}u + argc - 1"]
                )
            elif self.odd(0.3):
                kind, value = UNSIGNED, value * self.rng.choice([1 << 20, 3 << 30]) % (1 << 32)
                text = f"{value >> 1}u * 2u + {value % 2}u"
            else:
                text = f"{value}u" if value >> 31 else str(value)
            found.append(Variable(name, kind, text, value))
        return found

    def program(self):
        rng = self.rng
        kinds = [self.element] * rng.choice([3, 3, 4])
        if self.odd(0.3):
            kinds.append(rng.choice(ELEMENTS))
        self.arrays = {
            f"a{k}": (kind, rng.randrange(STARTS)) for k, kind in enumerate(kinds)
        }
        self.pool()
        launches = []
        if self.odd(0.7):
            for guards in ([True, False], [False, False, False, True]):
                kernel = lambda: self.plain(rng.choice(guards))
                self.add(launches, kernel)
        for _ in range(rng.choice([0, 0, 1, 2]) if launches else rng.choice([2, 3, 4])):
            self.add(launches, self.kernel)
        shown = [name for name in self.arrays if self.odd(0.6)] or ["a0"]
        program = Program(self.length, self.arrays, self.variables, launches, shown)
        return program

    def pool(self):
        """Guards and indices that kernels have in common."""
        rng = self.rng
        size = self.variables[0]
        kind = size.kind if self.odd(0.7) else rng.choice(KINDS)
        self.parameters = [Name(v.name, v.kind) for v in self.variables]
        self.parameters[0] = Name("n", kind)
        self.coordinates = [Name("i", self.coordinate)]
        self.place = self.coordinates[0]
        self.locals = []
        if self.dims == 2:
            x, y = Name("x", self.coordinate), Name("y", self.coordinate)
            self.coordinates = [x, y]
            pitch = rng.choice(
                [u(self.columns), u(self.columns), Number(self.columns)]
                + [u((1 << 32) - self.columns), self.parameters[2]]
            )
            i = Name("i", rng.choice([UNSIGNED, UNSIGNED, INT, self.coordinate]))
            self.locals = [(i, Binary("+", Binary("*", y, pitch), x))]
            self.place = i
        n, make = self.parameters[0], self.integers
        self.guards = [make.guard(self.place, n) for _ in range(rng.choice([1, 2, 3]))]
        self.guards += [make.bound(self.place, n) for _ in range(len(self.guards))]
        self.indices = [self.place] * 6
        self.indices += [make.index(self.place, n) for _ in range(2)]

    def add(self, launches, make):
        """A launch of a sound kernel, made anew as long as it takes."""
        again = launches and self.odd(0.1)
        for _ in range(TRIALS):
            kernel = self.rng.choice(launches).kernel if again else make()
            launch = self.launch(kernel, launches)
            if launch and not again and not launch.is_sound(self.length):
                self.mend(launch, kernel)
            if launch and launch.is_sound(self.length) and launch.touched():
                launches.append(launch)
                return

    def launch(self, kernel, before):
        """Of arrays that were written lately, mostly."""
        rng, pointers = self.rng, []
        lately = [launch.pointers[0] for launch in before[-2:]]
        for p, kind in enumerate(kernel.elements):
            fitting = [n for n, (k, _) in self.arrays.items() if k == kind]
            wanted = [n for n in fitting if (n in lately) == (p > 0)]
            if wanted and self.odd(0.85):
                fitting = wanted
            if not fitting:
                return None
            pointers.append(rng.choice(fitting))
        values = list(self.variables[: len(kernel.parameters)])
        if self.odd(0.07):
            values[0] = rng.choice(self.variables)
        return Launch(
            len(before) + 1, kernel, self.grid, self.block, pointers, values
        )

    def plain(self, is_bound):
        """A kernel of one guard that reads what it stores elsewhere."""
        rng, i, n = self.rng, self.place, self.parameters[0]
        make = self.integers.bound if is_bound else self.integers.guard
        if not is_bound and self.odd(0.6):
            make = self.integers.wrapping
        guard = [make(i, n)]
        if self.odd(0.15):
            guard = [rng.choice(self.guards)]
        self.count += 1
        index = i if self.odd(0.5) else rng.choice(self.indices)
        kind = self.element
        form = rng.choice(FORMS["float" if kind in FLOATING else "integer"])
        loads = [Load(1, index), Load(rng.choice([1, 2]), i)]
        target = rng.choice([index, i])
        return Kernel(
            f"k{self.count}",
            [kind] * 3,
            list(self.parameters),
            list(self.coordinates),
            list(self.locals),
            guard,
            [Store(0, target, form, loads if "{1}" in form else loads[:1])],
        )

    def mend(self, launch, kernel):
        """Guards that keep a kernel inside its arrays, or its threads apart."""
        rng = self.rng
        indices = [node for store in kernel.stores for node in store.nodes()]
        if not kernel.rounds:
            for node in indices:
                check = Binary("<", node, u(self.length))
                if node.kind.signed:
                    check = Binary("<", Cast(UNSIGNED, node), u(self.length))
                if check not in kernel.guard:
                    kernel.guard.append(check)
        if launch.is_sound(self.length):
            return
        limit = u(rng.choice([self.threads // 2, self.length, 1 << rng.randint(2, 9)]))
        kernel.guard.insert(0, Binary(rng.choice(["<", ">="]), self.place, limit))

    def kernel(self):
        rng, i, n = self.rng, self.place, self.parameters[0]
        self.count += 1

        def one_of(pool, make):
            return rng.choice(pool) if self.odd(0.8) else make(i, n)

        guard = [
            one_of(self.guards, self.integers.guard)
            for _ in range(rng.choice([0, 1, 1, 1, 1, 2]))
        ]
        made = list(self.locals)
        indices = [i, one_of(self.indices, self.integers.index)]
        if self.odd(0.35):
            kind = rng.choice([UNSIGNED, UNSIGNED, INT, SIZE, USHORT, UBYTE])
            j = Name("j", kind)
            value = rng.choice(
                [self.integers.scaled(i), self.integers.index(i, n), self.integers.near(i)]
            )
            made.append((j, value))
            indices = [j, j, i]
            guard.append(Binary("<", j, rng.choice([n, u(self.length)])))
        rounds, k = None, None
        if self.odd(0.12):
            rounds = self.rounds(n)
            k = Name("k", rounds.kind)
        written = rng.choice(indices)
        kind = self.element
        forms = FORMS["float" if kind in FLOATING else "integer"]
        form = rng.choice(forms)
        elements = [kind, kind] + ([kind] if self.odd(0.4) else [])
        other = [a for a, _ in self.arrays.values() if (a in FLOATING) == (kind in FLOATING)]
        if self.odd(0.3):
            elements[-1] = rng.choice(other)
        loads = []
        for at in range(2 if "{1}" in form else 1):
            array = rng.randrange(1, len(elements))
            index = rng.choice([*indices, i, one_of(self.indices, self.integers.index)])
            if k and self.odd(0.8):
                index = Binary("&", Binary("+", i, k), u(self.length - 1))
            loads.append(Load(array, index))
        operator = ""
        if self.odd(0.15) or k:
            operator = rng.choice("+^" if kind not in FLOATING else "+-")
        if operator == "+" and kind == "int":
            operator = "^"
        if kind == "int" and operator == "-":
            operator = ""
        stores = [Store(0, written, form, loads, operator)]
        if self.odd(0.15):
            stores.append(Store(0, written, "{0}", [Load(1, written)]))
        return Kernel(
            f"k{self.count}",
            elements,
            list(self.parameters),
            list(self.coordinates),
            made,
            guard,
            stores,
            rng.choice(["if", "if", "return", "nested"]),
            rounds,
            rng.choice(["", "", "", *ATTRIBUTES]),
        )

    def rounds(self, n):
        """A loop whose counter mostly wraps."""
        rng = self.rng
        kind = rng.choice([UBYTE, UBYTE, BYTE, USHORT, SHORT, UNSIGNED, INT])
        k = Name("k", kind)
        turns = rng.randint(1, 5)
        if kind in (UNSIGNED, INT) and rng.random() < 0.6:
            return self.strides(kind, k)
        if kind in (UBYTE, USHORT):
            first = kind.high() - rng.randint(0, 3)
            last = Number((first + turns) % (kind.high() + 1))
            return Rounds(kind, Number(first), Binary("!=", k, last), 1)
        if kind == UNSIGNED:
            limit = u(turns)
            return Rounds(kind, u(turns - 1), Binary("<", k, limit), -1)
        return Rounds(kind, Number(-turns), Binary("<", k, Number(0)), 1)


    def strides(self, kind, k):
        """A loop that wraps and, in most cases, still ends by its condition."""
        rng = self.rng
        first = rng.randint(0, 15) << 28 | rng.randint(0, 3)
        step = rng.choice([1, 3, 5, 6, 7]) << rng.choice([27, 28, 28])
        limit = rng.randint(9, 15) << 28
        if kind == UNSIGNED:
            return Rounds(kind, u(first), Binary("<", k, u(limit)), step)
        condition = Binary("<", k, Number(limit >> 1))
        return Rounds(kind, Number(kind.wrap(first)), condition, step)


def make_wrapping(rng):
    """A program with at least two launches and no race."""
    while True:
        program = ProgramMaker(rng).program()
        if len(program.launches()) > 1:
            return program
