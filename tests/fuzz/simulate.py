"""Runs the host's part of a program to find launches with races of their own.

Two threads of a launch that meet in an element, one of them storing, would make
the program's result a matter of luck; so would an access outside its array.
"""

from types import SimpleNamespace

from expressions import to_python
from host import ALL_SIZES, Invoke, Launch
from kernels import is_race_free, touches
from steps import Branch, Look, Loop, Plain, Shape, Swap, all_lists

MOST_THREADS = 2500


class Simulation:
    """One run of a program, with the launches that are wrong in it."""

    def __init__(self, program, cache):
        self.wrong = set()  # numbers of launches
        self.length = program.length
        self.lengths = {name: program.length for name in program.arrays}
        self.cache = cache
        scope = {"argc": 1}
        for name, text in program.sizes.items():
            scope[name] = evaluate(text, scope)
        scope["m"] = scope["n"]
        for name in program.arrays:
            scope[name] = (name, 0)
        self.run(program.body, scope)

    def run(self, statements, scope):
        for statement in statements:
            self.step(statement, scope)

    def step(self, statement, scope):
        if isinstance(statement, Launch):
            self.launch(statement, scope)
        elif isinstance(statement, Swap):
            one, other = statement.one, statement.other
            scope[one], scope[other] = scope[other], scope[one]
        elif isinstance(statement, Loop):
            for scope["round"] in range(statement.count):
                self.run(statement.body, scope)
        elif isinstance(statement, Branch):
            taken = evaluate(statement.condition, scope)
            self.run(statement.body if taken else statement.otherwise, scope)
        elif isinstance(statement, Look):
            self.run(statement.body, scope)  # it changes no variables
        elif isinstance(statement, Shape):
            scope[statement.name] = shape_of(statement.extents, scope)
        elif isinstance(statement, Invoke):
            self.invoke(statement, scope)
        elif isinstance(statement, Plain) and not statement.text.startswith(
            "cuda"
        ):
            exec(to_python(statement.text), {}, scope)  # our own text

    def invoke(self, statement, scope):
        inner = {
            name: evaluate(text, scope)
            for name, text in zip(ALL_SIZES, statement.sizes)
        }
        inner["m"] = inner["n"]
        for (_, name), (pointer, offset) in zip(
            statement.function.parameters, statement.pointers
        ):
            array, begin = scope[pointer]
            inner[name] = (array, begin + offset)
        for _, name in statement.function.arrays:
            inner[name] = (f"{statement.function.name}:{name}", 0)
            self.lengths[inner[name][0]] = self.length
        self.run(statement.function.body, inner)

    def launch(self, launch, scope):
        grid = self.extent(launch.grid, scope)
        block = self.extent(launch.block, scope)
        sizes = tuple(evaluate(text, scope) for text in launch.sizes)
        pointers = []
        for pointer, offset in launch.pointers:
            array, begin = scope[pointer]
            pointers.append((array, begin + offset))
        threads = 1
        for count in grid + block:
            threads *= count
        is_right = 0 < threads <= MOST_THREADS and min(grid) > 0
        if is_right:
            key = (launch.kernel.text(), grid, block, sizes)
            if key not in self.cache:
                self.cache[key] = touches(launch.kernel, grid, block, sizes)
            key += (tuple(pointers),)
            if key not in self.cache:
                self.cache[key] = is_race_free(
                    launch.kernel, self.cache[key[:-1]], pointers, self.lengths
                )
            is_right = self.cache[key]
        if not is_right:
            self.wrong.add(launch.uid)

    @staticmethod
    def extent(shape, scope):
        if isinstance(shape, str):
            found = scope[shape]
        else:
            found = shape_of(shape, scope)
        return (found.x, found.y, found.z)


def evaluate(text, scope):
    return eval(to_python(text), {}, scope)  # our own text


def shape_of(extents, scope):
    values = [evaluate(text, scope) for text in extents] + [1, 1]
    return SimpleNamespace(x=values[0], y=values[1], z=values[2])


def without_races(program):
    """Takes the launches with races out; what is left is race-free."""
    cache = {}
    while True:
        wrong = Simulation(program, cache).wrong
        if not wrong:
            return program
        remove_launches(program, wrong)


def is_race_free_program(program):
    return not Simulation(program, {}).wrong


def remove_launches(program, numbers):
    for body in program.bodies():
        for statements in all_lists(body):
            statements[:] = [
                s
                for s in statements
                if not (isinstance(s, Launch) and s.uid in numbers)
            ]
