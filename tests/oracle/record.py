"""The record of a program's accesses, read back.

    text of KFUSE_CPU_ACCESSES --read()--> steps in the order in which they ran

An array is cut into cells: the largest pieces that every access takes whole.
"""

import collections
import math

COMMUTING = {
    "atomicAdd": "sum",
    "atomicSub": "sum",
    "atomicMin": "min",
    "atomicMax": "max",
    "atomicAnd": "and",
    "atomicOr": "or",
    "atomicXor": "xor",
}


class Step:
    """A launch, or what the host did to a range (a launch without a name).

    touched[array][operation][cell] is the set of threads that did it, threads
    being numbers through the blocks. Operations are "r", "w", "order" (an
    atomic operation whose result depends on the order) and the values of
    COMMUTING.
    """

    def __init__(self, name=None, line=0, grid=(1, 1, 1), block=(1, 1, 1)):
        self.name, self.line = name, line
        self.grid, self.block = grid, block
        self.touched = {}
        self.hasPositions = False  # instead of numbers of threads

    def touch(self, array, operation, cells, thread):
        places = self.touched.setdefault(array, {}).setdefault(operation, {})
        for cell in cells:
            places.setdefault(cell, set()).add(thread)

    def place(self, thread):
        """The coordinates of the thread's block and in it, x first."""
        extents = [*self.block, *self.grid]
        place = []
        for extent in extents:
            place.append(thread % extent)
            thread //= extent
        return tuple(place[3:] + place[:3])

    def position(self, thread):
        """The coordinates of the thread in the grid."""
        if self.hasPositions:
            return thread
        place = self.place(thread)
        return tuple(b * e + t for b, e, t in zip(place, self.block, place[3:]))

    def block_of(self, thread):
        """The coordinates of the thread's block."""
        return tuple(p // e for p, e in zip(self.position(thread), self.block))

    def by_position(self):
        """The same step, threads being coordinates in the grid."""
        step = Step(self.name, self.line, self.grid, self.block)
        step.hasPositions = True
        for array, operations in self.touched.items():
            for operation, places in operations.items():
                for cell, threads in places.items():
                    for thread in threads:
                        step.touch(array, operation, [cell], self.position(thread))
        return step


class Record:
    def __init__(self):
        self.steps = []
        self.labels = {}  # of arrays, without the number of the allocation
        self.isWhole = True


def read(lines, limit=3_000_000):
    """Reads up to `limit` accesses; the launch in which they end is left out."""
    raw, record = [], Record()
    cells = collections.defaultdict(int)  # bytes of a cell
    for number, line in enumerate(lines):
        if number >= limit:
            record.isWhole = False
            while raw and len(raw.pop()) != 2:
                pass
            break
        words = line.split(" ")
        if words[0] == "array":
            label = line.rstrip("\n").split(" ", 3)[3]
            record.labels[int(words[1])] = label.rsplit("#", 1)[0]
        elif words[0] == "launch":
            extents = [int(word) for word in words[3:9]]
            name = line.rstrip("\n").split(" ", 9)[9]
            step = Step(name, int(words[2]), tuple(extents[:3]), tuple(extents[3:]))
            raw.append(("launch", step))
        elif words[0].startswith("host"):
            array, offset, size = (int(word) for word in words[1:])
            cells[array] = math.gcd(cells[array], offset, size)
            raw.append((words[0], array, offset, size))
        elif words[0] != "free":
            thread, array, offset, size = (int(word) for word in words[1:])
            cells[array] = math.gcd(cells[array], offset, size)
            raw.append((words[0], thread, array, offset, size))
    for entry in raw:
        if entry[0] == "launch":
            record.steps.append(entry[1])
            continue
        *_, array, offset, size = entry
        width = cells[array]
        touched = range(offset // width, (offset + size) // width)
        if entry[0].startswith("host"):
            step = Step()
            step.touch(array, "r" if entry[0] == "host-read" else "w", touched, None)
            record.steps.append(step)
        else:
            operation = entry[0]
            if operation not in ("r", "w"):
                operation = COMMUTING.get(operation, "order")
            # A copy of the host comes between launches, so the last is ours.
            record.steps[-1].touch(array, operation, touched, entry[1])
    return record
