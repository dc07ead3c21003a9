"""Makes launches: of which kernels, on which arrays, with how many threads."""

from host_programs import ALL_SIZES, Launch
from host_statements import Shape
from kernel_expressions import INDEX, literal

BLOCKS = [
    [(64,), (64,), (96,), (128,), (32,)],
    [(16, 8), (16, 4), (32, 4), (8, 8), (32, 2)],
    [(8, 4, 4), (8, 4, 2), (16, 2, 2), (4, 4, 4)],
]


class Launches:
    """self.rng, self.kernels, self.features and so on are the program maker's."""

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
        wanted = [kind for kind in kinds if kind != INDEX]
        kernel = None
        again = 0.35 if "twists" in self.features else 0.2
        if self.made and rng.random() < again:
            kernel = rng.choice(self.made)
        while kernel is None or not set(kernel.types) <= set(kinds):
            kernel = self.kernels.kernel(rng.choice(wanted))
        is_whole = kernel.name.startswith("whole") and rng.random() < 0.7
        bound = self.bound(kernel, pointers)
        in_main = self.is_main(pointers)
        return self.launched_with(kernel, bound, is_whole, in_main)

    def launched_with(self, kernel, bound, is_whole=False, in_main=False):
        """A launch on these arrays, whose named parameters are variables; for
        all elements if is_whole says so."""
        self.made.append(kernel)
        self.launched += 1
        bound = [
            (kernel.named[p], 0) if p in kernel.named else found
            for p, found in enumerate(bound)
        ]
        sizes = self.extents_of(kernel)
        shape = self.configuration(kernel, sizes)
        if not is_whole:
            sizes = self.limits(kernel, sizes)
        if in_main:
            sizes = self.counted(kernel, sizes)
        value, casts = self.casts(kernel, self.value(kernel, bound), sizes)
        bound = self.seen(bound) if kernel.rows == 0 else bound
        move = None
        if in_main:
            bound = self.by_cursors(kernel, bound)
            move = self.move(bound)
        apart = self.differences(kernel, bound)
        stream = self.stream()
        return Launch(
            self.launched,
            kernel,
            *shape,
            bound,
            value,
            sizes,
            stream,
            casts,
            move,
            apart,
            self.has("helpers", 0.6),
            self.has("given", 0.7),
        )

    def extents_of(self, kernel):
        """The kernel's sizes; two dimensions may hold what three do."""
        rng = self.rng
        if kernel.dims == 2 < self.dims and rng.random() < 0.7:
            return rng.choice([["nx", "ny * nz"], ["nx * ny", "nz"]])
        return list(kernel.sizes())

    def value(self, kernel, bound):
        kind = kernel.value
        if "calls" in self.features and self.rng.random() < 0.3:
            call = self.called(bound)
            if call:
                one, other = literal(kind, 0.5), literal(kind, 0.25)
                if kind not in ("float", "double"):
                    one, other = "3", "2"
                return f"{call} ? {one} : {other}"
        if kind in ("float", "double"):
            return literal(kind, self.rng.choice([0.5, 1.5, 0.25]))
        return self.rng.choice(["3", "5", "m % 5", "2"])

    def called(self, bound):
        """Host code that looks at the host's state, or at an array, or changes
        it."""
        rng = self.rng
        tables = ("index", "indices")  # whose content is known
        known = [
            name
            for name, _ in bound
            if name not in self.variables and name not in tables
        ]
        roll = rng.random()
        if roll < 0.4 or not known:
            return f"noted({rng.randint(1, 3)}) > 2"
        if roll < 0.8:
            return f"peek({rng.choice(known)}, {rng.randint(0, 40)}) > 60"
        return f"wiped({rng.choice(known)}, {rng.randint(1, 20)}) > 3"

    def limits(self, kernel, sizes):
        """The sizes that a launch passes; rarely others than its rows have."""
        rng = self.rng
        sizes = list(sizes)
        if kernel.rows:
            return sizes
        if kernel.protected and rng.random() < 0.3:
            size = kernel.protected[0]
            return ["0" if s == size else s for s in kernel.sizes()]
        roll = rng.random() * (4 if "twists" in self.features else 1)
        if kernel.dims == 1 and roll < 0.2:
            return [rng.choice(["m", "n - 9", "n - 1"])]
        if roll < 0.1:
            axis = rng.randrange(len(sizes))
            sizes[axis] += rng.choice([" - 1", " - 2"])
        return sizes

    def configuration(self, kernel, sizes):
        """grid and block."""
        rng = self.rng
        if kernel.dims == self.dims and kernel.style != "stride":
            if kernel.threads or (
                rng.random() > 0.15 * self.oddity
                and not self.has("helpers", 0.7)
            ):
                return "grid0", "block0"
            block = rng.choice([self.block, rng.choice(BLOCKS[self.dims - 1])])
        else:
            block = rng.choice(BLOCKS[kernel.dims - 1])
        grid = [self.groups(s, e) for s, e in zip(sizes, block)]
        if kernel.style == "stride" and rng.random() < 0.6:
            grid = [rng.choice(["1", "2", f"({grid[0]}) / 2 + 1"])]
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
            apart = 0.7 if "images" in self.features else 0.93
            if parameter in written and rng.random() < apart:
                lately = self.recent[-3:] if self.oddity < 1 else []
                free = [
                    p for p in fitting if p not in [*chosen.values(), *lately]
                ]
                free = free or [p for p in fitting if p not in chosen.values()]
                choice = rng.choice(free or fitting)
            chosen[parameter] = choice
        self.recent += [chosen[p] for p in written]
        found = []
        shift = self.shift if rng.random() < 0.8 else 0
        for parameter, kind in enumerate(kernel.types):
            offset = 0 if kind == INDEX else shift
            if kind != INDEX and rng.random() < 0.03 * self.oddity:
                offset = rng.randint(1, 8)
            found.append((chosen[parameter], offset))
        return found
