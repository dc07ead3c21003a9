"""Makes random kernels."""

from ambiguous_kernels import AmbiguousKernels
from features import FEATURES
from kernel_control_flow import KernelControlFlow
from kernel_expressions import (
    FLOATING,
    PAIR,
    Binary,
    Choice,
    Text,
    literal,
)
from kernel_shapes import KernelShapes
from kernel_statements import (
    BLOCK_INDEX,
    CLAMPED,
    Atomic,
    Clamped,
    Cooperate,
    If,
    Leave,
    Local,
    Store,
    Window,
)
from kernels import AXES, Kernel
from respell import rename, respell

TYPES = ["float"] * 9 + ["unsigned", "unsigned", "double", "int", "short"]
TYPES += ["unsigned char", PAIR]
SHAPES = {
    "point": 26,
    "update": 14,
    "stencil": 34,
    "chain": 6,
    "branch": 8,
    "partial": 6,
    "edge": 7,
    "copy": 4,
    "shift": 3,
    "window": 4,
    "far": 5,
    "atomic": 5,
    "cooperate": 5,
}
# Types of sizes that hold those of all programs.
NUMBERS = ["unsigned", "unsigned", "size_t", "long long", "short", "unsigned short"]
ATTRIBUTES = {
    "kernel": ["static", "[[maybe_unused]]", "inline"],
    "bound": ["__launch_bounds__(1024)", "__launch_bounds__(512, 2)"],
    "constant": ["const __grid_constant__", "__grid_constant__ const"],
    "value": ["[[maybe_unused]] const", "const", "const __grid_constant__"],
    "size": ["[[maybe_unused]]", "const", "const __grid_constant__"],
}
UNUSUAL = ("far", "atomic", "cooperate", "shift", "window", "update", "chain")


class KernelMaker(KernelShapes, KernelControlFlow, AmbiguousKernels):
    """Makes kernels of one program: its dimensions and its blocks are given."""

    def __init__(self, rng, dims, block):
        self.rng, self.dims, self.block = rng, dims, block
        self.count = 0
        self.oddity = 1  # how often kernels are unusual
        self.features = ()  # of which there shall be more
        self.variables, self.table = {}, []
        self.place = ""  # how ambiguous kernels begin
        self.rows = False  # whether an array may be one of rows

    def shape(self):
        """A shape for the next kernel."""
        wanted = {}
        for feature in self.features:
            wanted |= FEATURES[feature][1]
        often = 0.8 if {"small", "twists"} & {*self.features} else 0.35
        if wanted and self.rng.random() < often:
            return self.rng.choices(list(wanted), wanted.values())[0]
        shape = self.rng.choices(list(SHAPES), SHAPES.values())[0]
        if shape in UNUSUAL and self.rng.random() > self.oddity:
            shape = self.rng.choice(["stencil", "stencil", "point"])
        return shape

    def kernel(self, kind, shape=None):
        """A random kernel on arrays of mostly this type."""
        rng = self.rng
        shape = shape or self.shape()
        if kind == PAIR and shape in ("window", "atomic", "cooperate"):
            shape = "stencil"
        if shape == "atomic" and kind not in ("unsigned", "int"):
            shape = "point"
        fewer = 0.5 if "folds" in self.features else 0.15 * self.oddity
        dims = self.dims if rng.random() > fewer else rng.randint(1, self.dims)
        kernel = Kernel(
            name=f"{shape}{self.count}",
            dims=dims,
            types=[],
            value="float" if kind == PAIR else kind,
            guard=[],
            style=rng.choice(["if"] * 4 + ["return"] * 3 + ["and", "not"]),
            table=self.table,
        )
        self.count += 1
        self.kind, self.made = kind, kernel
        self.coordinates = ["i"] if dims == 1 else list(AXES[:dims])
        self.full = rng.random() < 0.4  # spells indices out
        self.reach = [[0, 0] for _ in range(dims)]
        self.width = 1
        getattr(self, shape)()
        if not kernel.body:
            kernel.body = [self.store(0, self.own(), self.value(2))]
        self.add_guard()
        often = 0.03 if "twists" in self.features else 0.12
        kernel.template = rng.random() < often and kind != PAIR
        kernel.restrict = rng.random() < 0.15
        kernel.sized = rng.random() < 0.1
        kernel.turned = kernel.dims > 1 and rng.random() < 0.06 * self.oddity
        self.name_arrays()
        if self.rows and kernel.dims == self.dims and kernel.has_rows():
            kernel.rows = rng.random() < 0.8
        if "packs" in self.features and not (kernel.template or kernel.rows):
            kernel.packed = rng.random() < 0.6
        if "ways" in self.features:
            respell(rng, kernel, rng.choice([0.04, 0.08, 0.2]))
        if "names" in self.features:
            rename(rng, kernel)
        if "widths" in self.features and not kernel.sized and rng.random() < 0.6:
            kernel.number = rng.choice(NUMBERS)
        self.decorate(kernel)
        if "twists" in self.features and not kernel.rows:
            self.obscure(kernel)
        return kernel

    def decorate(self, kernel):
        """Attributes, and parameters of any types."""
        rng = self.rng
        if "attributes" in self.features:
            for place, texts in ATTRIBUTES.items():
                if rng.random() < 0.4:
                    kernel.attributes[place] = rng.choice(texts)
        if "variadic" in self.features and not (kernel.packed or kernel.sized):
            plain = not (kernel.template or kernel.rows)
            kernel.variadic = plain and rng.random() < 0.5
        if kernel.variadic:
            kernel.attributes = {}

    def point(self):
        value = self.value(3)
        body = []
        if self.rng.random() < 0.25:
            body.append(Local(self.made.value, "t", value))
            value = Binary(self.rng.choice("+-"), Text("t"), self.scalar())
        body += self.stores(self.array(), value)
        if self.rng.random() < 0.2:
            second = self.combine([self.load(0, self.own())])
            body += self.stores(self.array(), second)
        self.made.body = body

    def update(self):
        value = self.combine([self.load(a, self.own()) for a in self.inputs(2)])
        target = self.array()
        if self.rng.random() < 0.5:
            store = self.store(target, self.own(), value, self.rng.choice("+-"))
            self.damp(store)
        else:
            both = [self.load(target, self.own()), value]
            store = self.store(target, self.own(), self.combine(both))
        self.made.body = [store]

    def damp(self, store):
        if self.made.value in FLOATING and self.rng.random() < 0.5:
            store.operator, store.value = "*", Text(
                literal(self.made.value, 0.5)
            )

    def stencil(self):
        arrays = self.inputs(2)
        loads = [
            self.near(self.rng.choice(arrays))
            for _ in range(self.rng.randint(1, 4))
        ]
        if self.rng.random() < 0.7:
            loads.append(self.load(self.rng.choice(arrays), self.own()))
        self.rng.shuffle(loads)
        used = {load.array for load in loads}
        loads += [self.load(a, self.own()) for a in arrays if a not in used]
        if self.rng.random() < 0.15:
            loads = self.clamped(loads)
        value = self.combine(loads)
        target = self.array()
        self.made.body = self.stores(target, value)
        if self.rng.random() < 0.15:
            self.made.body.append(
                self.store(
                    self.array(), self.own(), self.load(arrays[0], self.own())
                )
            )

    def clamped(self, loads):
        """Looks at the border in each load, so that the guard needn't."""
        limits = self.limits()
        inside = [
            f"{c} >= {low}"
            for c, (low, _) in zip(self.coordinates, self.reach)
            if low
        ]
        inside += [
            f"{c} < {limit} - {high}"
            for c, limit, (_, high) in zip(self.coordinates, limits, self.reach)
            if high
        ]
        self.reach = [[0, 0] for _ in self.reach]
        condition = " && ".join(inside)
        return [
            (
                Choice(condition, load, self.same(self.scalar()))
                if load.index != self.own() and condition
                else load
            )
            for load in loads
        ]

    def chain(self):
        """Several stores, the later ones reading the earlier."""
        source, first, second = self.array(), self.array(), self.array()
        self.made.body = [
            self.store(
                first, self.own(), self.combine([self.load(source, self.own())])
            ),
            self.store(
                second,
                self.own(),
                self.combine(
                    [
                        self.load(first, self.own()),
                        self.load(source, self.own()),
                    ]
                ),
            ),
        ]

    def branch(self):
        arrays = self.inputs(2)
        condition = Binary(">", self.load(arrays[0], self.own()), self.scalar())
        if self.rng.random() < 0.4:
            condition = f"{self.rng.choice(self.coordinates)} % 2 == 0"
        target = self.array()
        one = self.stores(
            target, self.combine([self.load(a, self.own()) for a in arrays])
        )
        other = self.stores(target, self.scalar())
        if self.rng.random() < 0.4:
            other += self.stores(self.array(), self.load(arrays[0], self.own()))
        self.made.body = [If(condition, one, other)]

    def partial(self):
        """A conditional store."""
        arrays = self.inputs(2)
        condition = Binary(
            "<", self.load(arrays[-1], self.own()), self.scalar()
        )
        if self.rng.random() < 0.4:
            condition = f"{self.coordinates[-1]} >= 3"
        stores = self.stores(
            self.array(), self.combine([self.load(arrays[0], self.own())])
        )
        self.made.body = [If(condition, stores, [])]
        if not isinstance(condition, str) and self.rng.random() < 0.4:
            self.made.body = [Leave(condition), *stores]

    def edge(self):
        limits = self.limits()
        axis = self.rng.randrange(self.made.dims)
        name, limit = self.coordinates[axis], limits[axis]
        ends = [f"{name} == 0", f"{name} == {limit} - 1"]
        if self.rng.random() < 0.3:
            ends = ends[: self.rng.randint(1, 2)] + [f"{name} == 1"]
        value = self.scalar()
        target = self.array()
        if self.rng.random() < 0.4:
            value = self.load(self.array(), self.own())
        elif self.rng.random() < 0.4:
            offset = [0] * self.made.dims  # the neighbour within
            offset[axis] = self.rng.choice([1, 2])
            ends = ends[:1]
            value = self.load(
                self.rng.choice([target, self.array()]), self.at(offset)
            )
        self.made.body = [If(" || ".join(ends), self.stores(target, value), [])]

    def copy(self):
        source, target = self.array(), self.array()
        value = self.load(source, self.own())
        value.member, value.wrap = "", False
        self.made.body = [Store(target, self.own(), value)]

    def shift(self):
        """Stores beside the thread's own element."""
        source = self.array()
        axis = self.rng.randrange(self.made.dims)
        offset = [0] * self.made.dims
        offset[axis] = self.rng.choice([-1, 1, 2])
        side = self.reach[axis]
        side[offset[axis] > 0] = abs(offset[axis])
        self.made.body = [
            self.store(
                self.array(),
                self.at(offset),
                self.combine([self.load(source, self.own())]),
            )
        ]

    def window(self):
        """A sum over one or two axes, which the kernel's guard allows for, or
        the loops' own condition, or that keeps its places inside."""
        rng, dims = self.rng, self.made.dims
        limit = self.limits()
        pitches = ["", " * nx", " * nx * ny"]
        both = dims > 1 and rng.random() < 0.5
        axes = rng.sample(range(dims), 2 if both else 1)
        source = self.array()
        keeps, clamps = rng.random() < 0.3, rng.random() < 0.6
        index, loops, conditions, places = "i", [], [], []
        for variable, axis in zip("kj", axes):
            low, high = rng.randint(0, 3), rng.randint(0, 3)
            loops.append((variable, -low, high))
            own = self.coordinates[axis]
            place = f"{own} + {variable}"
            if clamps and not keeps:
                name = f"{variable}{variable}"
                spelling = rng.choice(list(CLAMPED))
                places.append(Clamped(name, place, limit[axis], spelling))
                index += f" + ({name} - {own}){pitches[axis]}"
                continue
            index += f" + {variable}{pitches[axis]}"
            if keeps:
                side = self.reach[axis]
                side[:] = max(side[0], low), max(side[1], high)
            else:
                conditions += [f"{place} >= 0", f"{place} < {limit[axis]}"]
        window = Window(
            self.made.value,
            "sum",
            source,
            index,
            loops,
            " && ".join(conditions),
            self.made.types[source] in ("int", "short"),
            places,
        )
        self.made.body = [
            window,
            self.store(self.array(), self.own(), Text("sum")),
        ]

    def far(self):
        """Mirrored, transposed, scaled or wrapped indices."""
        dims = self.made.dims
        if dims == 1:
            choices = ["n - 1 - i", "i / 2", "(i + n / 2) % n", "i % 32", "0"]
            choices.append(f"(i + {self.rng.randint(1, 9)}) % n")
        else:
            choices = [
                "x * ny + y",
                "y * nx + (nx - 1 - x)",
                "(ny - 1 - y) * nx + x",
            ]
            choices += ["x", "y", "y * nx", "i / 2"]
        index = self.rng.choice(choices)
        source = self.array()
        if self.rng.random() < 0.7:
            loads = [self.load(source, index)]
            if self.rng.random() < 0.5:
                loads.append(self.load(source, self.own()))
            self.made.body = self.stores(self.array(), self.combine(loads))
        else:
            value = self.combine([self.load(source, self.own())])
            self.made.body = [self.store(self.array(), index, value)]

    def atomic(self):
        source = self.array()
        index = self.rng.choice(
            ["0", "i % 32", "i", "i / 4", BLOCK_INDEX[self.made.dims - 1]]
        )
        self.made.body = [
            Atomic(self.array(), index, self.load(source, self.own()))
        ]

    def cooperate(self):
        threads = 1
        for extent in self.block[: self.made.dims]:
            threads *= extent
        shape = self.rng.choice(["tree", "shuffle", "turn"])
        if shape == "tree" and threads & (threads - 1):
            shape = "turn"
        if shape == "shuffle" and (
            threads % 32
            or self.kind not in ("float", "double", "unsigned", "int")
        ):
            shape = "turn"
        if self.made.dims != self.dims:
            return self.copy()
        self.made.threads = self.block
        limits = self.limits()
        guard = " && ".join(
            f"{c} < {s}" for c, s in zip(self.coordinates, limits)
        )
        source, target = self.array(), self.array()
        wrap = self.kind in ("int", "short")
        self.made.body = [
            Cooperate(
                shape,
                self.kind,
                self.made.dims,
                threads,
                self.own(),
                guard,
                wrap,
                source,
                target,
                self.rng.random() < 0.5,
            )
        ]
        self.made.style = "none"
