"""Makes the kernels that only some features ask for."""

from kernel_building_blocks import KernelBuildingBlocks
from kernel_expressions import FLOATING, INDEX, PAIR, Binary, ChosenLoad, Load, Text
from kernel_statements import BLOCK_INDEX, Atomic, ChosenStore, Each, If, Leave
from kernel_statements import Local, Store


class KernelShapes(KernelBuildingBlocks):
    """self.variables has the types of the device variables by name, and
    self.table what arrays of indices hold."""

    def whole(self):
        """Arrays that are copied, exchanged, rotated."""
        rng = self.rng

        def element(array):
            return Load(array, self.own())

        def copied(target, source):
            return Store(target, self.own(), element(source))

        roll = rng.random()
        first, second = self.array(), self.array()
        if roll < 0.4:
            self.made.body = [copied(first, second)]
        elif roll < 0.6:
            third = self.array()
            body = [copied(first, second), copied(second, third)]
            self.made.body = body if rng.random() < 0.8 else body[::-1]
        elif roll < 0.85:
            self.made.body = [
                Local(self.kind, "t", element(first)),
                copied(first, second),
                Store(second, self.own(), Text("t")),
            ]
        else:
            other = [self.array(), self.array()]
            self.made.body = [copied(first, second), copied(*other)]

    def chosen(self):
        """Pointers that a condition chooses, to read, to write or both."""
        rng = self.rng
        name = rng.choice(self.coordinates)
        condition = rng.choice([f"{name} % 2 == 0", f"{name} > 3", f"{name} == 0"])
        first, second = self.array(), self.array()
        plain = Load(first, self.own(), "x" if self.kind == PAIR else "")
        plain.wrap = self.kind in ("int", "short")
        other = Load(second, plain.index, plain.member, plain.wrap)
        value = ChosenLoad(condition, plain, other)
        if rng.random() < 0.4:
            value = self.load(first, self.own())
        value = self.combine([value, self.load(self.array(), self.own())])
        target = self.array()
        store = self.store(target, self.own(), value)
        if rng.random() < 0.5:
            others = Store(self.array(), store.index, value, member=store.member)
            store = ChosenStore(self.kind, condition, store, others)
        self.made.body = [store]

    def ends(self):
        """Conditions for the border, and the axes that have it."""
        rng, dims = self.rng, self.made.dims
        axes = sorted(rng.sample(range(dims), rng.randint(1, dims)))
        limits = self.limits()
        conditions = []
        for axis in axes:
            name, limit = self.coordinates[axis], limits[axis]
            conditions += [f"{name} == 0", f"{name} == {limit} - 1"]
        return conditions, axes

    def beside(self, array, axis, step):
        offset = [0] * self.made.dims
        offset[axis] = step
        return self.load(array, self.at(offset))

    def bordered(self, source, axes):
        """A sum of neighbours on these axes, one element away."""
        loads = [self.beside(source, a, s) for a in axes for s in (-1, 1)]
        if len(loads) > 2 and self.rng.random() < 0.4:
            loads = self.rng.sample(loads, 2)
        loads.append(self.load(source, self.own()))
        return self.combine(loads)

    def cover(self):
        """A stencil inside and something else at the border: all is stored.
        The first array is read, the second written."""
        source, target = self.array(), self.array()
        ends, axes = self.ends()
        inner = self.stores(target, self.bordered(source, axes))
        value = self.load(source, self.own())
        if self.kind == PAIR:
            value.member = ""
            outer = [Store(target, self.own(), value)]
        else:
            if self.rng.random() < 0.3:
                value = self.scalar()
            outer = [self.store(target, self.own(), value)]
        if self.rng.random() < 0.5:
            body = [If(" || ".join(ends), outer, inner)]
        else:
            opposite = " && ".join(
                end.replace("== 0", "> 0").replace("==", "<") for end in ends
            )
            body = [If(opposite, inner, outer)]
        self.made.body = body

    def inner(self):
        """Leaves at the border, and is a stencil elsewhere."""
        source, target = self.array(), self.array()
        ends, axes = self.ends()
        store = self.store(target, self.own(), self.bordered(source, axes))
        self.made.body = [Leave(" || ".join(ends)), store]

    def early(self):
        """Returns between two stores."""
        name = self.rng.choice(self.coordinates)
        limit = self.limits()[self.coordinates.index(name)]
        leave = self.rng.choice(
            [
                f"{name} == 0",
                f"{name} == 0 || {name} == {limit} - 1",
                f"{name} >= {limit} / 2",
                f"{name} % 2 == 1",
                f"{name} < 3",
            ]
        )
        source = self.array()
        first = self.stores(
            self.array(), self.combine([self.load(source, self.own())])
        )
        loads = [self.load(source, self.own())]
        if self.rng.random() < 0.5:
            loads = [self.load(self.array(), self.own())]
        second = self.stores(self.array(), self.combine(loads))
        body = [*first, Leave(leave), *second]
        self.made.body = body if self.rng.random() < 0.7 else body[len(first) :]

    def several(self):
        """Stores to several arrays that have more or less to do with each
        other."""
        rng = self.rng
        sources = self.inputs(3)
        targets, body = [], []
        has_common = rng.random() < 0.4
        if has_common:
            value = self.combine([self.load(sources[0], self.own())])
            body.append(Local(self.made.value, "t", value))
        for _ in range(rng.randint(2, 3)):
            loads = [
                self.near(source)
                if rng.random() < 0.3
                else self.load(source, self.own())
                for source in rng.sample(sources, rng.randint(1, len(sources)))
            ]
            if has_common and rng.random() < 0.6:
                loads.append(Text("t"))
            if targets and rng.random() < 0.15:
                loads.append(self.load(rng.choice(targets), self.own()))
            targets.append(self.array())
            stores = self.stores(targets[-1], self.combine(loads))
            if rng.random() < 0.3:
                condition = f"{rng.choice(self.coordinates)} % 2 == 0"
                if rng.random() < 0.4:
                    array = rng.choice([*sources, targets[0]])
                    load = self.load(array, self.own())
                    condition = Binary(">", load, self.scalar())
                other = []
                if rng.random() < 0.5:
                    target = rng.choice([targets[0], targets[-1]])
                    other = self.stores(target, self.scalar())
                stores = [If(condition, stores, other)]
            body += stores
            if rng.random() < 0.1:
                body.append(Leave(f"{rng.choice(self.coordinates)} < 3"))
        self.made.body = body

    def looked_up(self):
        """An index that an array holds."""
        return f"p{self.array(INDEX)}[{self.own()}]"

    def gather(self):
        index = self.looked_up()
        source = self.array()
        loads = [self.load(source, index)]
        if self.rng.random() < 0.5:
            other = self.rng.choice([source, self.array()])
            loads.append(self.load(other, self.own()))
        self.made.body = self.stores(self.array(), self.combine(loads))

    def scatter(self):
        index = self.looked_up()
        value = self.combine([self.load(self.array(), self.own())])
        operator = self.rng.choice(["", "", "+"])
        store = self.store(self.array(), index, value, operator)
        if operator:
            self.damp(store)
        self.made.body = [store]

    def record(self):
        """A thread has several elements behind each other: it passes all of
        them, or some one by one."""
        rng = self.rng
        self.made.dims, self.coordinates, self.reach = 1, ["i"], [[0, 0]]
        self.width = rng.choice([4, 4, 4, 2, 8])

        def place(number):
            return f"i * {self.width} + {number}"

        def number():
            return rng.randrange(self.width)

        def value(sources, own):
            return self.combine(
                [self.load(a, own if rng.random() < 0.7 else place(number()))
                 for a in sources]
            )

        sources, target = self.inputs(2), self.array()
        if rng.random() < 0.5:
            first = rng.choice([0, 0, 0, 1])
            last = self.width - rng.choice([1, 1, 1, 2])
            store = self.store(target, place("k"), value(sources, place("k")))
            step = rng.choice([1, 1, 1, 2])
            self.made.body = [
                Each(first, max(first, last), step, [store], rng.random() < 0.2)
            ]
            return
        self.made.body = []
        for _ in range(rng.randint(1, 3)):
            own = place(number())
            self.made.body.append(self.store(target, own, value(sources, own)))

    def common(self):
        """Reads what a block has together, as sums of blocks are."""
        source, sums = self.array(), self.array()
        loads = [
            self.load(source, self.own()),
            self.load(sums, BLOCK_INDEX[self.made.dims - 1]),
        ]
        self.made.body = self.stores(self.array(), self.combine(loads))

    def tally(self):
        """Reads or writes a device variable that is one number."""
        rng = self.rng
        fitting = [
            name
            for name, kind in self.variables.items()
            if name.startswith("scalar") and kind == self.kind
        ]
        if not fitting:
            return self.point()
        source, number = self.array(), self.array()
        self.made.named[number] = rng.choice(fitting)
        one = Load(number, "0", wrap=self.kind in ("int", "short"))
        first = " && ".join(f"{name} == 0" for name in self.coordinates)
        roll = rng.random()
        if roll < 0.25 and self.kind in ("unsigned", "int"):
            value = self.load(source, self.own())
            self.made.body = [Atomic(number, "0", value)]
        elif roll < 0.6:
            value = Binary("+", one, self.load(source, self.own()))
            self.made.body = [self.store(self.array(), self.own(), value)]
        else:
            value = self.combine([self.load(source, self.own())])
            body = [self.store(self.array(), self.own(), value)]
            set_it = Store(number, "0", self.load(source, self.own()))
            if self.kind in FLOATING and rng.random() < 0.4:
                set_it.operator, set_it.value = "*", self.constant_below_one()
            body.insert(rng.randrange(2), If(first, [set_it], []))
            self.made.body = body

    def name_arrays(self):
        """Lets some array parameters be device variables instead."""
        for name, kind in self.variables.items():
            if name.startswith("scalar") or self.rng.random() > 0.35:
                continue
            fitting = [
                p
                for p, found in enumerate(self.made.types)
                if found == kind and p not in self.made.named
            ]
            if fitting and len(self.made.types) > 1:
                self.made.named[self.rng.choice(fitting)] = name
