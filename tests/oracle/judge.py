"""Brute force: may these launches be one kernel, by what their threads touch?

A fused kernel runs the launches' threads with the same coordinates in their
grids as one thread, stage after stage. Threads run in any order, without a
barrier (`REGISTER`); or there is a barrier, and before a stage a block also
runs those that it reads from for the threads of other blocks whose values it
takes, as these were before the kernel (`TILE`). Or the threads of some launches
are shared out among the others' blocks, which wait between stages (`BLOCK`).
Or some launches run for no thread, but wherever an element that they write is
read.
Nothing is known here of indices, guards or types, only who touched what.
"""

import dataclasses

REGISTER, TILE, BLOCK, NEVER = "register", "tile", "block", "never"


@dataclasses.dataclass(frozen=True)
class Verdict:
    """How far a group may be fused, and what is in the way of more."""

    schedule: str
    kind: str = ""  # flow, anti, output, far, again, order
    array: int | None = None
    text: str = ""


def conflicts(earlier, later):
    """(array, operations, cell, threads, threads) of each cell that the steps
    touch so that their order matters."""
    for array, before in earlier.touched.items():
        after = later.touched.get(array)
        if after is None:
            continue
        for one, places in before.items():
            for other, others in after.items():
                if one == other and one not in ("w", "order"):
                    continue
                for cell in places.keys() & others.keys():
                    yield array, (one, other), cell, places[cell], others[cell]


def meet(earlier, later):
    return next(conflicts(earlier, later), None) is not None


def is_between(steps, members):
    """Whether a step that isn't a member has to run between two that are."""
    after_member = []
    for number in range(members[0] + 1, members[-1]):
        if number in members:
            if any(meet(other, steps[number]) for other in after_member):
                return True
            continue
        before = [steps[one] for one in members if one < number]
        if any(meet(other, steps[number]) for other in before + after_member):
            after_member.append(steps[number])
    return any(meet(other, steps[members[-1]]) for other in after_member)


def is_near(earlier, one, later, other):
    """Whether the threads are at most a block apart on each axis."""
    extents = map(max, earlier.block, later.block)
    pairs = zip(earlier.position(one), later.position(other), extents)
    return all(abs(a - b) <= extent for a, b, extent in pairs)


def judge_pair(earlier, later, unstored=frozenset()):
    """The verdict on two stages, and whether the later one reads what other
    threads of the earlier one wrote. `unstored` arrays never reach memory."""
    found = Verdict(REGISTER)
    for array, (one, other), cell, before, after in conflicts(earlier, later):
        if len(before) == 1 and before == after:
            continue
        if one == "w" and other == "r":
            writer, reader = next(
                (w, r) for w in before for r in after if w != r
            )
            text = f"thread {reader} reads cell {cell}, which thread {writer} wrote"
            near = all(
                is_near(earlier, w, later, r)
                for w in before
                for r in after
                if w != r
            )
            if near and found.schedule == REGISTER:
                found = Verdict(TILE, "flow", array, text)
            elif not near:
                return Verdict(NEVER, "far", array, text)
            continue
        if array in unstored:
            continue
        kind = {"r": "anti", "w": "output"}.get(one, "atomic")
        if other not in ("r", "w"):
            kind = "atomic"
        text = f"cell {cell}: {one} by {sorted(before)[:3]}, then {other} by "
        return Verdict(NEVER, kind, array, text + f"{sorted(after)[:3]}")
    return found


def leaves_block(earlier, later):
    """Whether a thread of the later stage reads what another block wrote."""
    return earlier.block != later.block or any(
        earlier.block_of(writer) != later.block_of(reader)
        for _, operations, _, before, after in conflicts(earlier, later)
        if operations == ("w", "r")
        for writer in before
        for reader in after
    )


def last_writers(stages, number, array, cell):
    for stage in reversed(stages[:number]):
        if cell in stage.touched.get(array, {}).get("w", {}):
            return stage
    return None


def repeated(stages, others_read):
    """Numbers of the stages that blocks run again for threads around them:
    those whose values other blocks read, and what those read from."""
    again = set()
    for number in reversed(range(len(stages))):
        if any(first == number for first, _ in others_read):
            again.add(number)
        elif any(
            one == "w" and other == "r"
            for later in again
            if later > number
            for _, (one, other), *_ in conflicts(stages[number], stages[later])
        ):
            again.add(number)
    return again


def judge_again(stages, again, unstored):
    """A stage that runs again must find what it read the first time: nothing
    that it loads from memory may be stored by it or a later stage."""
    for number in sorted(again):
        for array, operations in stages[number].touched.items():
            if any(operation not in ("r", "w") for operation in operations):
                text = "an atomic operation would happen again"
                return Verdict(NEVER, "again", array, text)
            if array in unstored:
                continue
            for cell in operations.get("r", {}):
                if last_writers(stages, number, array, cell):
                    continue
                for later in stages[number:]:
                    if cell in later.touched.get(array, {}).get("w", {}):
                        text = f"cell {cell} is read again after it was stored"
                        return Verdict(NEVER, "again", array, text)
    return None


def judge(steps, members, unstored=frozenset()):
    """The verdict on the launches `members` (ascending numbers) of `steps`."""
    if is_between(steps, members):
        return Verdict(NEVER, "order", None, "a step has to run between them")
    return judge_stages([steps[number] for number in members], unstored)


def judge_stages(stages, unstored):
    if len({(stage.grid, stage.block) for stage in stages}) > 1:
        stages = [stage.by_position() for stage in stages]
    found, others_read = Verdict(REGISTER), []
    for second in range(len(stages)):
        for first in range(second):
            verdict = judge_pair(stages[first], stages[second], unstored)
            if verdict.schedule == NEVER:
                return verdict
            if verdict.schedule == TILE:
                found = verdict
                if leaves_block(stages[first], stages[second]):
                    others_read.append((first, second))
    if others_read:
        again = repeated(stages, others_read)
        return judge_again(stages, again, unstored) or found
    return found


def judge_function(steps, members, computed, number, unstored):
    """What keeps one of the `computed` launches from being computed wherever
    others read what it writes, or None: a read must find its element among
    them, and the launch at any time what it read at its own."""
    for array, operations in steps[number].touched.items():
        cells = operations.get("w", {})
        if operations.keys() - {"r", "w"} or (cells and "r" in operations):
            return Verdict(NEVER, "again", array, "it changes what it finds")
        if cells and array not in unstored:
            return Verdict(NEVER, "again", array, "it is needed in memory")
        if any(len(threads) > 1 for threads in cells.values()):
            return Verdict(NEVER, "output", array, "two threads write a cell")
        for other in set(members) - {number}:
            used = steps[other].touched.get(array, {})
            if cells and (other < number and used or used.keys() - {"r"}):
                return Verdict(NEVER, "far", array, "others write it too")
            if cells and used.get("r", {}).keys() - cells.keys():
                return Verdict(NEVER, "far", array, "more of it is read")
            if other in computed:
                continue  # it stores nothing
            if used.get("w", {}).keys() & operations.get("r", {}).keys():
                return Verdict(NEVER, "again", array, "what it reads changes")
    return None


def judge_computed(steps, members, computed, unstored=frozenset()):
    """The verdict on launches of which the `computed` run wherever an element
    that they write is read."""
    if is_between(steps, members):
        return Verdict(NEVER, "order", None, "a step has to run between them")
    for number in sorted(computed):
        found = judge_function(steps, members, computed, number, unstored)
        if found:
            return found
    run = [steps[number] for number in members if number not in computed]
    return judge_stages(run, unstored)


class Ties:
    """What has to run in one block: threads that are shared out, and blocks."""

    def __init__(self):
        self.parents = {}

    def find(self, one):
        while one in self.parents:
            one = self.parents[one]
        return one

    def join(self, one, other):
        """False where two blocks would have to be one."""
        one, other = self.find(one), self.find(other)
        if one == other:
            return True
        if one[0] == "block":
            one, other = other, one
        self.parents[one] = other
        return one[0] != "block"


def judge_shared(steps, members, shared, unstored=frozenset()):
    """The verdict on launches of which the `shared` are shared out among the
    blocks of the others: whether each of their threads has a block in which it
    could run, so that threads of two stages that touch a cell are in one."""
    if is_between(steps, members):
        return Verdict(NEVER, "order", None, "a step has to run between them")

    def place(number, thread):
        if number in shared:
            return "thread", number, thread
        return "block", steps[number].block_of(thread)

    ties = Ties()
    for second, later in enumerate(members):
        for earlier in members[:second]:
            for array, pair, cell, before, after in conflicts(
                steps[earlier], steps[later]
            ):
                if array in unstored and pair != ("w", "r"):
                    continue
                first, *others = [place(earlier, t) for t in before] + [
                    place(later, t) for t in after
                ]
                if not all(ties.join(first, other) for other in others):
                    text = f"cell {cell} is touched by two blocks"
                    return Verdict(NEVER, "far", array, text)
    return Verdict(BLOCK)
