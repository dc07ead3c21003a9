"""Makes host functions with launches and arrays of their own."""

from host_between_launches import SIZE_OF
from host_programs import ALL_SIZES, ENDS, Function, Invoke
from host_statements import Loop
from kernel_expressions import INDEX


class HostFunctions:
    """self.rng, self.arrays, self.kinds and so on are the program maker's."""

    def calls(self, pointers, count, small=False):
        """A function with launches, and calls of it."""
        rng = self.rng
        kind = self.kinds[0]
        parameters = [(kind, f"q{k}") for k in range(rng.randint(3, 4))]
        kept, self.recent = self.recent, []
        # Two that escape might be swapped, and the wrong one freed.
        many = [1] if "escapes" in self.features else [0, 0, 1, 2]
        own_arrays = [(kind, f"t{k}") for k in range(rng.choice(many))]
        if small:
            own_arrays = []
        if "tables" in self.features and rng.random() < 0.5:
            parameters.append((INDEX, "indices"))
        inner = {name: kind for kind, name in parameters + own_arrays}
        body = self.straight(inner, count)
        if not own_arrays:
            body = self.returning(body)
        if "chains" in self.features and rng.random() < 0.5:
            body = self.directed(body)
        body = self.shapes() + body
        if rng.random() < 0.3 and not small:
            body = self.shapes() + [Loop(2, body[2:])]
        self.recent = kept
        function = Function(
            f"step{self.launched}", parameters, body, own_arrays
        )
        if "chains" in self.features:
            function.is_later = rng.random() < 0.5
            function.is_of_file = rng.random() < 0.4
        function.is_method = "methods" in self.features and rng.random() < 0.9
        if own_arrays and "escapes" in self.features and not function.is_method:
            function.end = rng.choice(list(ENDS))
            function.size = SIZE_OF[kind] * self.total
        if small:
            self.wrappers.append(function)
        return [
            self.invoke(function, pointers)
            for _ in range(rng.choice([1, 1, 2]))
        ]

    def invoke(self, function, pointers):
        """A call with arrays of main, mostly different ones."""
        rng = self.rng
        bound = []
        for kind, _ in function.parameters:
            own = [p for p in pointers if pointers[p] == kind]
            free = [p for p in own if p not in [name for name, _ in bound]]
            chosen = rng.choice(own)
            if free and rng.random() < 0.95:
                chosen = rng.choice(free)
            # What is copied in the function is as long as the domain.
            is_moved = kind != INDEX and not self.exact and rng.random() < 0.03
            bound.append((chosen, 5 if is_moved else 0))
        self.recent += [name for name, _ in bound if pointers[name] != INDEX]
        sizes = [s for s in ALL_SIZES if s in self.sizes]
        return Invoke(function, bound, sizes, self.streams)
