#!/usr/bin/env python3
"""The oracle's judgement on records made by hand."""

import unittest

from judge import (
    BLOCK,
    NEVER,
    REGISTER,
    TILE,
    judge,
    judge_computed,
    judge_shared,
)
from record import read

# One block of four threads, or two of two.
HEAD = ["array 1 64 main:A#0", "array 2 64 main:B#0", "array 3 64 main:C#0"]


def launch(name, accesses, grid="1 1 1", block="4 1 1"):
    """`accesses` hold (operation, thread, array, element of four bytes)."""
    return [f"launch 0 1 {grid} {block} {name}"] + [
        f"{what} {thread} {array} {4 * element} 4"
        for what, thread, array, element in accesses
    ]


def each(what, array, shift=0, stride=1):
    return [(what, t, array, stride * t + shift) for t in range(4)]


def verdict_on(*launches, members=None, unstored=frozenset()):
    lines = HEAD + [line for one in launches for line in one]
    steps = read(line + "\n" for line in lines).steps
    return judge(steps, members or list(range(len(steps))), unstored)


class Judge(unittest.TestCase):
    def expect(self, schedule, kind, verdict):
        self.assertEqual((verdict.schedule, verdict.kind), (schedule, kind), verdict)

    def test_own_value(self):
        one = launch("one", each("r", 1) + each("w", 2))
        two = launch("two", each("r", 2) + each("w", 3))
        self.expect(REGISTER, "", verdict_on(one, two))

    def test_neighbours_value(self):
        one = launch("one", each("r", 1) + each("w", 2))
        two = launch("two", each("r", 2, 1)[:3] + each("w", 3))
        self.expect(TILE, "flow", verdict_on(one, two))

    def test_far_value(self):
        one = launch("one", each("w", 2), "4 1 1", "1 1 1")
        two = launch("two", [("r", 0, 2, 3)], "4 1 1", "1 1 1")
        self.expect(NEVER, "far", verdict_on(one, two))

    def test_overwrites_what_another_read(self):
        one = launch("one", each("r", 1, 1) + each("w", 2))
        two = launch("two", each("w", 1))
        self.expect(NEVER, "anti", verdict_on(one, two))
        self.expect(REGISTER, "", verdict_on(one, two, unstored={1}))

    def test_overwrites_what_another_wrote(self):
        one = launch("one", each("w", 1))
        two = launch("two", [("w", 3 - t, 1, t) for t in range(4)])
        self.expect(NEVER, "output", verdict_on(one, two))

    def test_part_of_an_element(self):
        one = launch("one", each("w", 1))
        two = launch("two", []) + ["r 3 1 2 1"]
        self.expect(TILE, "flow", verdict_on(one, two))

    def test_shared_element(self):
        one = launch("one", [("w", t, 1, 0) for t in range(4)])
        two = launch("two", [("r", 0, 1, 0)])
        self.expect(TILE, "flow", verdict_on(one, two))

    def test_sums_commute_but_not_with_a_load(self):
        add = [("atomicAdd", t, 1, 0) for t in range(4)]
        one, two = launch("one", add), launch("two", add)
        self.expect(REGISTER, "", verdict_on(one, two))
        least = launch("two", [("atomicMin", 0, 1, 0)])
        self.expect(NEVER, "atomic", verdict_on(one, least))
        load = launch("two", [("r", 0, 1, 0)])
        self.expect(NEVER, "atomic", verdict_on(one, load))
        swap = launch("two", [("atomicExch", t, 1, 0) for t in range(4)])
        self.expect(NEVER, "atomic", verdict_on(swap, swap))

    def test_in_place_stage_cannot_run_again(self):
        def verdict(*shape):
            one = launch("one", each("r", 1) + each("w", 1), *shape)
            two = launch("two", each("r", 1, 1)[:3] + each("w", 2), *shape)
            return verdict_on(one, two)

        self.expect(NEVER, "again", verdict("2 1 1", "2 1 1"))
        # The only block needs nothing of others.
        self.expect(TILE, "flow", verdict("1 1 1", "4 1 1"))

    def test_source_of_a_chain_is_overwritten(self):
        shape = "2 1 1", "2 1 1"
        one = launch("one", each("r", 1) + each("w", 2), *shape)
        two = launch("two", each("r", 2) + each("w", 3), *shape)
        three = launch("three", each("r", 3, 1)[:3] + each("w", 1), *shape)
        self.expect(NEVER, "again", verdict_on(one, two, three))

    def test_step_between(self):
        one = launch("one", each("r", 1) + each("w", 2))
        middle = launch("middle", [("r", 0, 2, 0), ("w", 0, 3, 0)])
        two = launch("two", each("r", 3) + each("r", 2))
        self.expect(NEVER, "order", verdict_on(one, middle, two, members=[0, 2]))
        free = launch("free", [])
        self.expect(REGISTER, "", verdict_on(one, middle, free, members=[0, 2]))

    def test_host_between(self):
        one = launch("one", each("w", 2))
        two = launch("two", each("r", 2))
        copied = one + ["host-read 2 0 16"] + two
        self.expect(REGISTER, "", verdict_on(copied, members=[0, 2]))
        cleared = one + ["host-write 2 8 4"] + two
        self.expect(NEVER, "order", verdict_on(cleared, members=[0, 2]))

    def test_shape(self):
        one = launch("one", each("w", 2))
        two = launch("two", each("r", 2), "2 1 1", "2 1 1")
        self.expect(REGISTER, "", verdict_on(one, two))
        # The thread of number 3 has the place 2 in the grid of two columns.
        plane = launch("plane", each("r", 2), "1 2 1", "2 1 1")
        self.expect(TILE, "flow", verdict_on(one, plane))

    def test_rows(self):
        def verdict(elements, rows, shared, unstored=frozenset()):
            lines = HEAD + launch("elements", elements) + rows
            steps = read(line + "\n" for line in lines).steps
            return judge_shared(steps, [0, 1], shared, unstored)

        # Two blocks, each of which reads two elements.
        shape = "2 1 1", "1 1 1"
        sums = [("r", t // 2, 2, t) for t in range(4)] + [("w", 0, 3, 0), ("w", 1, 3, 1)]
        made = each("r", 1) + each("w", 2)
        self.expect(BLOCK, "", verdict(made, launch("rows", sums, *shape), {0}))
        # An element that both need has no block.
        both = sums + [("r", 1, 2, 1)]
        self.expect(NEVER, "far", verdict(made, launch("rows", both, *shape), {0}))
        # Nor has one that both overwrite, unless nobody sees it.
        late = sums + [("w", 0, 1, 3)]
        rows = launch("rows", late, *shape)
        self.expect(NEVER, "far", verdict(made, rows, {0}))
        self.expect(BLOCK, "", verdict(made, rows, {0}, {1}))
        # Threads that aren't shared out have their blocks.
        self.expect(NEVER, "far", verdict(made, launch("rows", sums, *shape), set()))

    def test_functions(self):
        def verdict(*launches, computed=(0,), unstored=(2,)):
            lines = HEAD + [line for one in launches for line in one]
            steps = read(line + "\n" for line in lines).steps
            members = list(range(len(steps)))
            return judge_computed(steps, members, set(computed), set(unstored))

        made = launch("made", each("r", 1) + each("w", 2))
        anyOf = [("r", t, 2, 3 - t) for t in range(4)]
        read_it = launch("anyOf", anyOf + each("w", 3))
        self.expect(REGISTER, "", verdict(made, read_it))
        self.expect(NEVER, "again", verdict(made, read_it, unstored=()))
        # Not all is written, or some of it twice, or after it was looked at.
        few = launch("few", each("w", 2)[:3])
        self.expect(NEVER, "far", verdict(few, read_it))
        twice = launch("twice", each("w", 2) + [("w", 1, 2, 0)])
        self.expect(NEVER, "output", verdict(twice, read_it))
        old = launch("old", each("r", 2) + each("w", 2))
        self.expect(NEVER, "again", verdict(old, read_it))
        # Others write it, or read it before.
        again = launch("again", anyOf + each("w", 2))
        self.expect(NEVER, "far", verdict(made, again))
        self.expect(NEVER, "far", verdict(read_it, made, computed=(1,)))
        # What it reads changes, but by another one of its kind.
        changes = launch("changes", anyOf + each("w", 1))
        self.expect(NEVER, "again", verdict(made, changes))
        source = launch("source", each("w", 1))
        pair = {"computed": (0, 1), "unstored": (1, 2)}
        self.expect(REGISTER, "", verdict(source, made, read_it, **pair))
        self.expect(NEVER, "again", verdict(source, made, read_it, computed=(1,)))
        # Those that run are judged as ever.
        late = launch("late", [("r", t, 3, (t + 1) % 4) for t in range(4)])
        self.expect(TILE, "flow", verdict(made, read_it, late))

    def test_limit_ends_before_a_launch(self):
        one, two = launch("one", each("w", 2)), launch("two", each("r", 2))
        record = read(HEAD + one + two, limit=len(HEAD) + len(one) + 2)
        self.assertEqual([step.name for step in record.steps], ["one"])
        self.assertFalse(record.isWhole)


if __name__ == "__main__":
    unittest.main()
