"""Random programs."""

from expressions import PAIR, literal
from host import ALL_SIZES, STARTS, Function, Invoke, Launch, Program
from kernels import AXES
from make_kernels import TYPES, KernelMaker
from pieces import NARROWER
from simulate import without_races
from steps import Branch, Copy, Look, Loop, Plain, Set, Shape, Show, Swap

PAD = 64  # elements that an array is longer than the domain
SIZE_OF = {"float": 4, "double": 8, "unsigned": 4, "int": 4, "short": 2}
SIZE_OF |= {"unsigned char": 1, PAIR: 8}
BLOCKS = [
    [(64,), (64,), (96,), (128,), (32,)],
    [(16, 8), (16, 4), (32, 4), (8, 8), (32, 2)],
    [(8, 4, 4), (8, 4, 2), (16, 2, 2), (4, 4, 4)],
]


class ProgramMaker:
    def __init__(self, rng):
        self.rng = rng
        self.dims = rng.choice([1, 1, 2, 2, 2, 3])
        self.block = rng.choice(BLOCKS[self.dims - 1])
        self.extents = self.domain()
        self.kernels = KernelMaker(rng, self.dims, self.block)
        self.made = []  # kernels, to be launched again
        self.launched = 0
        kind = rng.choice(TYPES)
        self.kinds = [kind]
        if rng.random() < 0.35:
            self.kinds.append(
                rng.choice(NARROWER.get(kind, TYPES) + TYPES[-4:])
            )
        self.recent = []  # written lately
        # How often there is something odd: kfuse has less reason to refuse an
        # even program, and goes further with it.
        self.oddity = self.kernels.oddity = rng.choice([1, 1, 0.3, 0.1, 0.1])

    def domain(self):
        """The extents, sometimes whole blocks."""
        rng = self.rng
        ranges = [(150, 600)], [(20, 45), (9, 24)], [(8, 17), (5, 9), (3, 8)]
        extents = [rng.randint(*span) for span in ranges[self.dims - 1]]
        if rng.random() < 0.3:
            extents = [-(-e // b) * b for e, b in zip(extents, self.block)]
        return extents

    def program(self):
        rng = self.rng
        names = ["n"] if self.dims == 1 else ALL_SIZES[1 : self.dims + 1]
        constant = rng.random() < 0.6
        sizes, total = {}, 1
        for name, extent in zip(names, self.extents):
            sizes[name] = str(extent) if constant else f"argc + {extent - 1}"
            total *= extent
        if self.dims > 1:
            sizes["n"] = " * ".join(names)
        self.sizes, self.total = sizes, total
        arrays = {}
        for kind in self.kinds:
            many = rng.randint(3, 5) if self.oddity == 1 else rng.randint(5, 8)
            for _ in range(many):
                arrays[f"a{len(arrays)}"] = (kind, rng.randrange(STARTS))
        self.inlined = rng.random() < 0.7
        pointers = {name: kind for name, (kind, _) in arrays.items()}
        program = Program(sizes, total + PAD, arrays, [], constant=constant)
        self.arrays = arrays
        count = rng.choice([2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 10, 14, 24])
        program.body = self.top(pointers, count)
        shown = [name for name in arrays if rng.random() < 0.45] or ["a0"]
        program.shown = [self.show(name, arrays[name][0]) for name in shown]
        program.frees = rng.random() < 0.7
        return without_races(program)

    def show(self, name, kind):
        size = SIZE_OF[kind] * self.total
        return Show(name, size, not self.inlined)

    def top(self, pointers, count):
        """main's body: launches, and calls of functions."""
        rng = self.rng
        body = self.shapes()
        while count > 0:
            if rng.random() < 0.12 * self.oddity:
                inner = rng.randint(2, min(6, max(2, count)))
                body += self.calls(pointers, inner)
                count -= inner
                continue
            here = rng.randint(2, 6) if self.oddity == 1 else rng.randint(3, 9)
            count -= here
            body += self.nested(pointers, here)
        return body

    def nested(self, pointers, count):
        """Launches, perhaps in a loop or a branch."""
        rng = self.rng
        inner = self.straight(pointers, count)
        roll = rng.random() / self.oddity
        if roll < 0.12:
            return [Loop(rng.randint(2, 3), inner)]
        if roll < 0.18:
            choices = ["n > 10", "m < 100000", "n % 2 == 0", "m == n"]
            if pointers.keys() == self.arrays.keys():
                choices += ["argc > 0", "argc < 9", "argc > 5"]
            condition = rng.choice(choices)
            other = self.straight(pointers, 2) if rng.random() < 0.4 else []
            return [Branch(condition, inner, other)]
        if roll < 0.22:
            name = rng.choice(list(self.arrays))
            size = SIZE_OF[pointers[name]] * self.total
            only = [s for s in inner if isinstance(s, Launch)]
            return [Look(name, size, rng.randrange(min(size, 400)), only)]
        return inner

    def straight(self, pointers, count):
        """Launches with host code between."""
        body = []
        for number in range(count):
            if number or self.rng.random() < 0.3:
                body += self.between(pointers)
            body.append(self.launch(pointers))
        return body

    def between(self, pointers):
        rng = self.rng
        roll = rng.random() / self.oddity
        in_main = pointers.keys() == self.arrays.keys()
        name = rng.choice(list(pointers))
        kind = pointers[name]
        same = [p for p in pointers if pointers[p] == kind and p != name]
        if roll < 0.04 and same:
            return [Swap(kind, name, rng.choice(same), rng.random() < 0.5)]
        if roll < 0.06 and same and in_main:
            count = rng.choice(["n", "n", "(n - 5)", "7"])
            return [Copy(kind, name, rng.choice(same), count)]
        if roll < 0.08:
            count = rng.randint(1, self.total // 2)
            return [Set(name, rng.choice([0, 1, 63]), count)]
        if roll < 0.10 and in_main:
            return [self.show(name, kind)]
        if roll < 0.13:
            return [Plain(rng.choice(["m -= 3", "m = n - 9", "m = n"]))]
        if roll < 0.15:
            axis = rng.choice(AXES[: self.dims])
            return [Plain(f"grid0.{axis} {rng.choice(['+= 1', '-= 1'])}")]
        if roll < 0.18:
            checks = ["DeviceSynchronize", "GetLastError", "PeekAtLastError"]
            return [Plain(f"cuda{rng.choice(checks)}()")]
        return []

    def shapes(self):
        """The dim3 variables of a function."""
        grid = tuple(
            self.groups(s, e) for s, e in zip(self.names(), self.block)
        )
        return [
            Shape("grid0", grid),
            Shape("block0", tuple(str(e) for e in self.block)),
        ]

    def names(self):
        return ["n"] if self.dims == 1 else ALL_SIZES[1 : self.dims + 1]

    def groups(self, size, extent):
        return f"({size} + {extent - 1}) / {extent}"

    def launch(self, pointers):
        rng = self.rng
        kinds = list(pointers.values())
        kernel = None
        if self.made and rng.random() < 0.2:
            kernel = rng.choice(self.made)
        while kernel is None or not set(kernel.types) <= set(kinds):
            kernel = self.kernels.kernel(rng.choice(kinds))
        self.made.append(kernel)
        self.launched += 1
        return Launch(
            self.launched,
            kernel,
            *self.configuration(kernel),
            self.bound(kernel, pointers),
            self.value(kernel),
            self.limits(kernel),
        )

    def value(self, kernel):
        kind = kernel.value
        if kind in ("float", "double"):
            return literal(kind, self.rng.choice([0.5, 1.5, 0.25]))
        return self.rng.choice(["3", "5", "m % 5", "2"])

    def limits(self, kernel):
        """The sizes that a launch passes; rarely others than its rows have."""
        rng = self.rng
        sizes = list(kernel.sizes())
        roll = rng.random()
        if kernel.dims == 1 and roll < 0.2:
            return [rng.choice(["m", "n - 9", "n - 1"])]
        if roll < 0.1:
            axis = rng.randrange(len(sizes))
            sizes[axis] += rng.choice([" - 1", " - 2"])
        return sizes

    def configuration(self, kernel):
        """grid and block."""
        rng = self.rng
        if kernel.dims == self.dims:
            if kernel.threads or rng.random() > 0.15 * self.oddity:
                return "grid0", "block0"
            block = rng.choice([self.block, rng.choice(BLOCKS[self.dims - 1])])
        else:
            block = rng.choice(BLOCKS[kernel.dims - 1])
        grid = [self.groups(s, e) for s, e in zip(kernel.sizes(), block)]
        if rng.random() < 0.1:
            grid[0] += " + 1"
        return tuple(grid), tuple(str(e) for e in block)

    def bound(self, kernel, pointers):
        """The arrays that a launch gets: what is written apart from the rest,
        mostly, and what is read written lately."""
        rng = self.rng
        written = kernel.written()
        chosen = {}
        order = sorted(range(len(kernel.types)), key=lambda p: p in written)
        for parameter in order:
            fitting = [
                p for p in pointers if pointers[p] == kernel.types[parameter]
            ]
            lately = [p for p in self.recent[-3:] if p in fitting]
            choice = rng.choice(fitting)
            if parameter not in written and lately and rng.random() < 0.65:
                choice = rng.choice(lately)
            if parameter in written and rng.random() < 0.93:
                lately = self.recent[-3:] if self.oddity < 1 else []
                free = [
                    p for p in fitting if p not in [*chosen.values(), *lately]
                ]
                free = free or [p for p in fitting if p not in chosen.values()]
                choice = rng.choice(free or fitting)
            chosen[parameter] = choice
        self.recent += [chosen[p] for p in written]
        found = []
        for parameter in range(len(kernel.types)):
            is_moved = rng.random() < 0.03 * self.oddity
            found.append(
                (chosen[parameter], rng.randint(1, 8) if is_moved else 0)
            )
        return found

    def calls(self, pointers, count):
        """A function with launches, and calls of it."""
        rng = self.rng
        kind = self.kinds[0]
        own = [p for p in pointers if pointers[p] == kind]
        parameters = [(kind, f"q{k}") for k in range(rng.randint(3, 4))]
        kept, self.recent = self.recent, []
        own_arrays = [(kind, f"t{k}") for k in range(rng.choice([0, 0, 1, 2]))]
        inner = {name: kind for kind, name in parameters + own_arrays}
        body = self.shapes() + self.straight(inner, count)
        if rng.random() < 0.3:
            body = self.shapes() + [Loop(2, body[2:])]
        self.recent = kept
        function = Function(
            f"step{self.launched}", parameters, body, own_arrays
        )
        sizes = [s for s in ALL_SIZES if s in self.sizes]
        found = []
        for _ in range(rng.choice([1, 1, 2])):
            if len(own) >= len(parameters) and rng.random() < 0.85:
                chosen = rng.sample(own, len(parameters))
            else:
                chosen = [rng.choice(own) for _ in parameters]
            bound = [(p, 5 if rng.random() < 0.03 else 0) for p in chosen]
            found.append(Invoke(function, bound, sizes))
        self.recent += chosen
        return found


def make_program(rng):
    """A program with at least two launches and no race."""
    while True:
        program = ProgramMaker(rng).program()
        if len(program.launches()) > 1:
            return program
