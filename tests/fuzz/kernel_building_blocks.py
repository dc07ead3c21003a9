"""Makes the parts of random kernels: arrays, indices, loads, sums, guards."""

from kernel_expressions import (
    FLOATING,
    PAIR,
    Binary,
    Call,
    Choice,
    Load,
    Text,
    literal,
)
from kernel_statements import Store

# Reading a narrower type into a wider one is always defined.
NARROWER = {
    "float": ["short", "unsigned char", "int"],
    "double": ["float", "int", "unsigned"],
    "unsigned": ["unsigned char"],
    "int": ["short", "unsigned char"],
}
LIMITS = [["n"], ["nx", "ny"], ["nx", "ny", "nz"]]


class KernelBuildingBlocks:
    """Parts of the kernel that is being made.

    self.made is the kernel, self.kind the type of its arrays, self.reach how
    far it reads on both sides of each axis, self.full says whether it spells
    indices out, self.width how many elements a thread has, and self.features
    are what the program has more than others.
    """

    def array(self, kind=None):
        """A new array parameter."""
        self.made.types.append(kind or self.kind)
        return len(self.made.types) - 1

    def limits(self):
        """The names of the extents, x first."""
        if self.width > 1:
            return [f"n / {self.width}"]
        return LIMITS[self.made.dims - 1]

    def own(self):
        return self.at([0] * self.made.dims)

    def at(self, offset):
        """The index of the element so far from the thread's own, x first."""

        def plus(text, number, unit=""):
            if number == 0:
                return text
            size = abs(number)
            amount = unit if size == 1 and unit else f"{size}"
            if unit and size != 1:
                amount += f" * {unit}"
            return f"{text} {'+' if number > 0 else '-'} {amount}"

        dims = self.made.dims
        if dims == 1:
            return plus("i", offset[0])
        if not self.full:
            text = plus("i", offset[0])
            text = plus(text, offset[1], "nx")
            return plus(text, offset[2], "nx * ny") if dims == 3 else text
        row = plus("y", offset[1])
        if dims == 3:
            layer = plus("z", offset[2])
            layer = f"({layer})" if offset[2] else layer
            row = f"({layer} * ny + {row})"
        elif offset[1]:
            row = f"({row})"
        return plus(f"{row} * nx + x", offset[0])

    def load(self, array, index):
        kind = self.made.types[array]
        member = self.rng.choice("xy") if kind == PAIR else ""
        wrap = kind in ("int", "short")
        often = 0.01 if "twists" in self.features else 0.06
        spelling = "fetch" if self.rng.random() < often else ""
        return Load(array, index, member, wrap, spelling)

    def near(self, array):
        """A load at a random small distance, which the guard allows for."""
        rng, dims = self.rng, self.made.dims
        radius = rng.choice([1, 1, 1, 2, 2, 3])
        offset = [0] * dims
        for axis in rng.sample(
            range(dims), 2 if dims > 1 and rng.random() < 0.2 else 1
        ):
            offset[axis] = rng.choice([-1, 1]) * rng.randint(1, radius)
            side = self.reach[axis]
            side[0] = max(side[0], -offset[axis])
            side[1] = max(side[1], offset[axis])
        return self.load(array, self.at(offset))

    def constant(self):
        value = self.made.value
        number = self.rng.choice(
            [0.5, 0.25, 1.5] if value in FLOATING else [3, 5, 2]
        )
        return Text(literal(value, number))

    def scalar(self):
        return Text("v") if self.rng.random() < 0.6 else self.constant()

    def inputs(self, most=2):
        """New arrays to read."""
        count = self.rng.randint(1, most)
        found = []
        for _ in range(count):
            kind = self.kind
            if kind in NARROWER and self.rng.random() < 0.12:
                kind = self.rng.choice(NARROWER[kind])
            found.append(self.array(kind))
        return found

    def combine(self, leaves):
        """A sum of loads that stays small."""
        rng = self.rng
        total = leaves[0]
        floating = self.made.value in FLOATING
        for leaf in leaves[1:]:
            operator = rng.choice(
                ["+", "+", "-"] if floating else ["+", "-", "^", "+"]
            )
            if rng.random() < 0.07 and self.made.value in FLOATING:
                total = Call("blend", [self.same(total), self.same(leaf)])
            elif rng.random() < 0.05:
                total = Call("least", [self.same(total), self.same(leaf)])
            else:
                total = Binary(operator, total, leaf)
        roll = rng.random()
        if floating and len(leaves) > 2:
            return Binary("*", total, self.constant_below_one())
        if roll < 0.3:
            return Binary(rng.choice("+-"), total, self.scalar())
        if roll < 0.45 and floating:
            return Binary("*", total, self.scalar())
        if roll < 0.50 and floating:
            return Call("product", [self.same(total), self.same(leaves[0])])
        if roll < 0.54:
            place = Text(f"{rng.choice(self.coordinates)} % 3")
            return Binary("+", total, place)
        if roll < 0.6:
            condition = Binary(">", leaves[0], self.scalar())
            return Choice(condition, self.same(total), self.same(self.scalar()))
        return total

    def same(self, value):
        """As the kernel's value type, which templates deduce."""
        return Call(f"static_cast<{self.made.value}>", [value])

    def constant_below_one(self):
        return Text(literal(self.made.value, self.rng.choice([0.25, 0.125])))

    def value(self, most):
        return self.combine(
            [self.load(a, self.own()) for a in self.inputs(most)]
        )

    def store(self, array, index, value, operator=""):
        member = ""
        if self.made.types[array] == PAIR:
            member = self.rng.choice("xy")
        return Store(array, index, value, operator, member)

    def stores(self, array, value):
        """A store, of the whole element where that takes two."""
        if self.made.types[array] != PAIR or self.rng.random() < 0.25:
            return [self.store(array, self.own(), value)]
        return [
            Store(array, self.own(), value, "", "x"),
            Store(array, self.own(), self.scalar(), "", "y"),
        ]

    def add_guard(self):
        kernel, rng = self.made, self.rng
        if kernel.style == "none":
            return
        limits = self.limits()
        roll = rng.random()
        is_calm = "twists" in self.features and rng.random() < 0.85
        if is_calm:  # so that several kernels have one guard
            roll = 0.5
        if roll < 0.08 and not any(low or high for low, high in self.reach):
            kernel.style = "none"
            return
        if kernel.dims > 1 and roll < 0.14:
            self.flat_guard()
            return
        if roll > 0.9:  # narrower than need be
            side = rng.choice(self.reach)
            side[rng.randrange(2)] += rng.randint(1, 2)
        for name, limit, (low, high) in zip(
            self.coordinates, limits, self.reach
        ):
            if low:
                kernel.guard.append(
                    f"{name} > {low - 1}"
                    if rng.random() < 0.5
                    else f"{name} >= {low}"
                )
            if high and rng.random() < 0.3:
                kernel.guard.append(f"{name} + {high} < {limit}")
            else:
                kernel.guard.append(
                    f"{name} < {limit} - {high}"
                    if high
                    else (
                        f"{limit} > {name}"
                        if rng.random() < 0.1
                        else f"{name} < {limit}"
                    )
                )
        if rng.random() < 0.3:
            rng.shuffle(kernel.guard)
        can_stride = kernel.dims == 1 and kernel.guard[0].startswith("i <")
        can_stride &= self.width == 1 and not kernel.protected
        often = 0.6 if "strides" in self.features else 0.05
        if can_stride and len(kernel.guard) == 1 and rng.random() < often:
            kernel.style = "stride"
        elif rng.random() < 0.2 and not is_calm:
            self.block_guard()

    def block_guard(self):
        """Keeps the thread's neighbours in its own block, on some sides."""
        axes = {name: axis for axis, name in self.made.coordinates()}
        for name, (low, high) in zip(self.coordinates, self.reach):
            axis = axes[name]
            if low and self.rng.random() < 0.8:
                self.made.guard.append(f"threadIdx.{axis} >= {low}")
            if high and self.rng.random() < 0.8:
                self.made.guard.append(
                    f"threadIdx.{axis} + {high} < blockDim.{axis}"
                )

    def flat_guard(self):
        """On the element's number, so that rows run into each other; right
        only where the grid has no more columns than the rows."""
        dims = self.made.dims
        sizes = "nx * ny" if dims == 2 else "nx * ny * nz"
        pitches = ["1", "nx", "nx * ny"]
        low = " + ".join(
            f"{a} * {p}" for (a, _), p in zip(self.reach, pitches) if a
        )
        high = " + ".join(
            f"{b} * {p}" for (_, b), p in zip(self.reach, pitches) if b
        )
        self.made.guard = [f"i >= {low}"] if low else []
        self.made.guard.append(
            f"i < {sizes} - ({high})" if high else f"i < {sizes}"
        )
