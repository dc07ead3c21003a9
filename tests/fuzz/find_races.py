"""Finds launches that race or leave their arrays, by a run of the host's part.

Two threads of a launch that meet in an element, one of them storing, would make
the program's result a matter of luck; so would an access outside its array.
"""

from types import SimpleNamespace

from host_aliases import View, meant
from host_counters import Counter, CounterChange
from host_programs import ALL_SIZES, Invoke, Launch
from host_statements import (
    Branch,
    Copy,
    Look,
    Loop,
    Nested,
    Plain,
    Set,
    SetVariable,
    Shape,
    Show,
    ShowVariable,
    Swap,
    Touch,
    Wait,
    all_lists,
)
from kernel_expressions import to_python
from kernels import is_race_free, touches
from launch_arguments import Cursor

MOST_THREADS = 2500


class Simulation:
    """One run of a program, with the launches that are wrong in it."""

    def __init__(self, program, cache):
        self.wrong = set()  # numbers of launches
        self.early = {}  # launches that don't wait for these streams
        self.flights = []  # what may still run
        self.length = program.length
        self.lengths = {name: program.length for name in program.arrays}
        self.cache = cache
        scope = {"argc": 1}
        for name, text in program.sizes.items():
            scope[name] = evaluate(text, scope)
        scope["m"] = scope["n"]
        for name in program.arrays:
            scope[name] = (name, 0)
        self.variables = {name: (name, 0) for name in program.variables}
        for name in program.variables:
            self.lengths[name] = program.length_of(name)
        scope |= self.variables
        for name, variable in program.aliases.items():
            scope[name] = (variable, 0)
        self.run(program.views, scope)
        self.run(program.body, scope)

    def run(self, statements, scope):
        for statement in statements:
            self.step(statement, scope)

    def step(self, statement, scope):
        if isinstance(statement, Launch):
            self.launch(statement, scope)
        elif isinstance(statement, (Nested, View, Counter, CounterChange, Cursor)):
            statement.simulate(self, scope)
        elif isinstance(statement, Swap):
            one = meant(scope, statement.one)
            other = meant(scope, statement.other)
            scope[one], scope[other] = scope[other], scope[one]
        elif isinstance(statement, Loop):
            for scope["round"] in range(statement.count):
                self.run(statement.body, scope)
        elif isinstance(statement, Branch):
            taken = self.holds(statement.condition, scope)
            self.run(statement.body if taken else statement.otherwise, scope)
        elif isinstance(statement, Look):
            self.flights = []
            self.run(statement.body, scope)  # it changes no variables
        elif isinstance(statement, Shape):
            scope[statement.name] = shape_of(statement.extents, scope)
        elif isinstance(statement, Invoke):
            self.invoke(statement, scope)
        elif isinstance(statement, Plain):
            if not statement.text.startswith("cuda"):
                exec(to_python(statement.text), {}, scope)  # our own text
        elif isinstance(statement, Wait):
            self.flights = waited(self.flights, statement)
        elif isinstance(statement, Copy):
            self.fly(
                statement,
                {scope[meant(scope, statement.target)][0]},
                {scope[meant(scope, statement.source)][0]},
            )
        elif isinstance(statement, Set):
            array, _ = scope[meant(scope, statement.array)]
            self.fly(statement, {array}, set())
        elif isinstance(statement, (Show, ShowVariable, SetVariable, Touch)):
            self.flights = []

    @staticmethod
    def holds(text, scope):
        return evaluate(text, scope)

    def fly(self, step, written, read):
        """Starts a step on its stream; the default stream waits for all, and
        all for it."""
        if not step.stream:
            self.flights = []
            return
        for flight in self.flights:
            met = written & (flight.written | flight.read)
            if step.stream not in flight.before and (
                met or read & flight.written
            ):
                self.early.setdefault(id(step), (step, flight.stream))
        self.flights.append(
            SimpleNamespace(
                stream=step.stream,
                before={step.stream},  # streams that wait for it
                written=written,
                read=read,
            )
        )

    def invoke(self, statement, scope):
        inner = {
            name: evaluate(text, scope)
            for name, text in zip(ALL_SIZES, statement.sizes)
        }
        inner["m"] = inner["n"]
        inner |= self.variables
        for (_, name), (pointer, offset) in zip(
            statement.function.parameters, statement.pointers
        ):
            array, begin = scope[meant(scope, pointer)]
            inner[name] = (array, begin + offset)
        for _, name in statement.function.arrays:
            inner[name] = (f"{statement.function.name}:{name}", 0)
            self.lengths[inner[name][0]] = self.length
        self.run(statement.function.body, inner)

    def launch(self, launch, scope):
        grid = self.extent(launch.grid, scope)
        block = self.extent(launch.block, scope)
        sizes = tuple(evaluate(text, scope) for text in launch.sizes)
        pointers = self.pointers(launch, scope)
        orders = [pointers]
        if launch.move:
            launch.move.simulate(scope)
            # Arguments are evaluated in any order.
            orders.append(self.pointers(launch, scope))
        if not all(self.is_right(launch, grid, block, sizes, p) for p in orders):
            self.wrong.add(launch.uid)
        places = launch.kernel.written()
        written = {p[place][0] for p in orders for place in places}
        self.fly(launch, written, {array for p in orders for array, _ in p})

    @staticmethod
    def pointers(launch, scope):
        found = []
        for pointer, offset in launch.pointers:
            array, begin = scope[meant(scope, pointer)]
            found.append((array, begin + offset))
        return found

    def is_right(self, launch, grid, block, sizes, pointers):
        threads = 1
        for count in grid + block:
            threads *= count
        if not 0 < threads <= MOST_THREADS or min(grid) <= 0:
            return False
        key = (launch.kernel.text(), grid, block, sizes)
        if key not in self.cache:
            self.cache[key] = touches(launch.kernel, grid, block, sizes)
        key += (tuple(pointers),)
        if key not in self.cache:
            self.cache[key] = is_race_free(
                launch.kernel, self.cache[key[:-1]], pointers, self.lengths
            )
        return self.cache[key]

    @staticmethod
    def extent(shape, scope):
        if isinstance(shape, str):
            found = scope[shape]
        else:
            found = shape_of(shape, scope)
        return (found.x, found.y, found.z)


def evaluate(text, scope):
    if text in scope:
        return scope[text]
    return eval(to_python(text), {}, scope)  # our own text


def shape_of(extents, scope):
    values = [evaluate(text, scope) for text in extents] + [1, 1]
    return SimpleNamespace(x=values[0], y=values[1], z=values[2])


def waited(flights, wait):
    """What may still run once somebody has waited."""
    if not wait.stream:
        return []
    if not wait.waiting:
        return [f for f in flights if wait.stream not in f.before]
    for flight in flights:
        if wait.stream in flight.before:
            flight.before.add(wait.waiting)
    return flights


def without_races(program, rng):
    """Takes the launches with races out, and lets streams wait for each other;
    what is left is race-free."""
    cache = {}
    while True:
        simulation = Simulation(program, cache)
        if simulation.wrong:
            remove_launches(program, simulation.wrong)
        elif simulation.early:
            step, other = next(iter(simulation.early.values()))
            add_wait(program, step, other, rng)
        else:
            return program


def is_race_free_program(program):
    simulation = Simulation(program, {})
    return not simulation.wrong and not simulation.early


def add_wait(program, step, other, rng):
    """Before the step, for what runs on the other stream. Functions have no
    event."""
    for number, body in enumerate(program.bodies()):
        for statements in all_lists(body):
            for at, statement in enumerate(statements):
                if statement is step:
                    choices = [Wait(), Wait(other)]
                    if number == 0:
                        choices += [Wait(other, step.stream)] * 2
                    statements.insert(at, rng.choice(choices))
                    return


def remove_launches(program, numbers):
    for body in program.bodies():
        for statements in all_lists(body):
            statements[:] = [
                s
                for s in statements
                if not (isinstance(s, Launch) and s.uid in numbers)
            ]
