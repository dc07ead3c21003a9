"""Makes a failing program smaller while it goes on failing."""

import copy
import pathlib
import shutil
import tempfile

import execute
import wrapping_programs
from find_races import is_race_free_program
from host_aliases import View
from host_statements import Branch, Loop, Nested, all_lists, lists_in
from kernel_expressions import Load
from kernel_statements import Atomic, If, Local, Store
from launch_arguments import Cursor
from plans import COPY, fuse, numbered, plan_of

MOST_TRIALS = 150
SIMPLEST = {"template": False, "restrict": False, "sized": False, "rows": False}
SIMPLEST |= {"style": "if", "frame": "", "stride": ""}
SIMPLEST |= {"packed": False, "variadic": False, "attributes": {}, "number": "int"}
SIMPLEST |= {"noise": 0, "words": 0}
PLAIN_LAUNCH = {"casts": [], "move": None, "apart": {}}
PLAIN = {"wrap": False, "spelling": "", "via": ""}  # of loads and stores


def symptom(kfuse, compiler, program, groups, options, folder):
    """What goes wrong when these groups are fused, and in a word."""
    fusion = fuse(kfuse, program, folder, options, groups)
    if fusion.failure:
        return "kfuse", fusion.failure
    if fusion.refusal or not fusion.fused():
        return "", ""
    texts = {"original": numbered(program)[0], "fused": fusion.text}
    error = execute.build(compiler, texts, folder)
    if error:
        del texts["fused"]
        alone = execute.build(compiler, texts, folder)
        return ("program", alone) if alone else ("build", error)
    runs, wrong = execute.originals(folder, "original")
    if wrong:
        return "program", wrong
    wrong = execute.compare(folder, runs, "fused", fusion)
    if wrong:
        return "run", wrong
    return "", ""


def candidates(program):
    """Programs that are a little smaller, the largest steps first."""
    if isinstance(program, wrapping_programs.Program):
        yield from program.candidates()
        return
    sites = [
        (b, inner, at)
        for b, body in enumerate(program.bodies())
        for inner, statements in enumerate(all_lists(body))
        for at in range(len(statements))
    ]
    for size in (4, 2, 1):
        for b, inner, at in sites:
            smaller = copy.deepcopy(program)
            statements = all_lists(smaller.bodies()[b])[inner]
            if at + size <= len(statements):
                del statements[at : at + size]
                yield smaller
    for b, inner, at in sites:
        smaller = copy.deepcopy(program)
        statements = all_lists(smaller.bodies()[b])[inner]
        if isinstance(statements[at], (Loop, Branch)):
            statements[at : at + 1] = lists_in(statements[at])[0]
            yield smaller
        elif isinstance(statements[at], Nested):
            statements[at : at + 1] = sum(lists_in(statements[at]), [])
            yield smaller
        elif getattr(statements[at], "form", ""):
            statements[at].form = ""
            yield smaller
        else:
            for name, plain in PLAIN_LAUNCH.items():
                if getattr(statements[at], name, plain) != plain:
                    smaller = copy.deepcopy(program)
                    statement = all_lists(smaller.bodies()[b])[inner][at]
                    setattr(statement, name, plain)
                    yield smaller
    for number in range(len(program.views)):
        yield without_view(program, number)
    for at in range(len(program.shown)):
        smaller = copy.deepcopy(program)
        del smaller.shown[at]
        yield smaller
    used = program.text()
    for name in program.arrays:
        smaller = copy.deepcopy(program)
        del smaller.arrays[name]
        smaller.statics.discard(name)
        shown = [s for s in smaller.shown if getattr(s, "array", "") != name]
        if used.count(name) and len(shown) == len(smaller.shown):
            yield smaller
    yield from smaller_kernels(program)


def without_view(program, number):
    """The program with the arrays' own names, or a size's first value."""
    smaller = copy.deepcopy(program)
    view = smaller.views.pop(number)
    if isinstance(view, View):
        names = {name: array for array, name in view.names().items()}
    elif isinstance(view, Cursor):
        names = {view.name: view.array}
        for launch in smaller.launches():
            if launch.move and launch.move.cursor == view.name:
                launch.move = None
    else:
        names = {view.name(): str(view.value)}
        for body in smaller.bodies():
            for statements in all_lists(body):
                statements[:] = [
                    s for s in statements if getattr(s, "count", 0) != view
                ]
    for launch in smaller.launches():
        launch.pointers = [(names.get(p, p), o) for p, o in launch.pointers]
        launch.sizes = [names.get(size, size) for size in launch.sizes]
    return smaller


def smaller_kernels(program):
    """Programs with one kernel that does less, or is written more simply."""

    def changed(number, change):
        smaller = copy.deepcopy(program)
        change(smaller.kernels()[number])
        return smaller

    for number, kernel in enumerate(program.kernels()):
        for inner, statements in enumerate(statement_lists(kernel)):
            for at, statement in enumerate(statements):
                for instead in smaller_statements(statement):

                    def change(kernel):
                        statement_lists(kernel)[inner][at : at + 1] = instead

                    smaller = changed(number, change)
                    if smaller.kernels()[number].body:
                        yield smaller
        for name, value in SIMPLEST.items():
            if getattr(kernel, name) != value and kernel.style != "none":
                yield changed(
                    number, lambda kernel: setattr(kernel, name, value)
                )


def statement_lists(kernel):
    found = [kernel.body]
    for statements in found:
        for statement in statements:
            if isinstance(statement, If):
                found += [statement.then, statement.otherwise]
    return found


def smaller_statements(statement):
    """What may stand for a statement, as lists."""
    yield []
    if isinstance(statement, If):
        yield copy.deepcopy(statement.then)
        if statement.otherwise:
            yield copy.deepcopy(statement.otherwise)
    if isinstance(statement, (Store, Local, Atomic)):
        for value in smaller_values(statement.value):
            yield [replaced(statement, value)]
    if isinstance(statement, Store):
        for smaller in plainer(statement):
            yield [smaller]


def smaller_values(value):
    """The value with one of its operations left out."""
    for part in value.parts():
        yield copy.deepcopy(part)
    if isinstance(value, Load):
        yield from plainer(value)
    for at, part in enumerate(value.parts()):
        for smaller_part in smaller_values(part):
            smaller = copy.deepcopy(value)
            set_part(smaller, at, smaller_part)
            yield smaller


def plainer(access):
    """The load or store written more simply."""
    for name, plain in PLAIN.items():
        if getattr(access, name, plain) != plain:
            smaller = copy.copy(access)
            setattr(smaller, name, plain)
            yield smaller


def set_part(value, at, part):
    names = [
        n for n in ("left", "right", "first", "second") if hasattr(value, n)
    ]
    if names:
        setattr(value, names[at], part)
    else:
        value.arguments[at] = part


def replaced(statement, value):
    smaller = copy.copy(statement)
    smaller.value = value
    return smaller


def is_sound(program):
    """Whether it still declares what it uses and has no race."""
    try:
        if isinstance(program, wrapping_programs.Program):
            return program.is_sound()
        return len(program.launches()) > 1 and is_race_free_program(program)
    except (KeyError, NameError):
        return False


def shrink(kfuse, compiler, program, groups, options, folder):
    """The smallest failing program found, its groups, and what it does."""
    kind, message = symptom(kfuse, compiler, program, groups, options, folder)
    if not kind:
        return program, groups, "", "does not fail again"
    trials, progress = 0, True
    while progress and trials < MOST_TRIALS:
        progress = False
        for smaller in candidates(program):
            left = {launch.uid for launch in smaller.launches()}
            kept = groups and [
                [u for u in g if u % COPY in left] for g in groups
            ]
            kept = kept and [g for g in kept if g]
            if not is_sound(smaller):
                continue
            trials += 1
            found, text = symptom(
                kfuse, compiler, smaller, kept, options, folder
            )
            if found == kind:
                program, groups, message = smaller, kept, text
                progress = True
                break
            if trials >= MOST_TRIALS:
                break
    return program, groups, kind, message


def keep(kfuse, compiler, program, fusion, groups, folder, name):
    """Writes a failing program as it is and shrunk, with its plan."""
    folder.mkdir(parents=True, exist_ok=True)

    def write(stem, program, groups, message):
        text, places = numbered(program)
        (folder / f"{stem}.cu").write_text(text)
        command = f"kfuse verify {' '.join(fusion.options)} {stem}.cu"
        if groups is not None:
            plan = plan_of(program, places, groups)
            (folder / f"{stem}.plan.json").write_text(plan)
            command += f" --plan={stem}.plan.json"
        (folder / f"{stem}.txt").write_text(f"{command}\n{message}\n")

    write(name, program, groups, fusion.failure)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="kfuse-shrink-"))
    try:
        small, groups, _, message = shrink(
            kfuse, compiler, program, groups, fusion.options, scratch
        )
    finally:
        shutil.rmtree(scratch)
    write(f"{name}-small", small, groups, message)
