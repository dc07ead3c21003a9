"""Lists the features that some programs have, with the kernels that these get."""

AMBIGUOUS = {"held": 24, "hiding": 24, "guarded": 12, "product": 10}
AMBIGUOUS |= {"summed": 10, "point": 10, "update": 6, "several": 4}
# What a program may have more than others, how often, and which kernels it
# then gets, beside the usual ones.
FEATURES = {
    "exchange": (0.3, {"whole": 16, "cover": 10}),
    "transfers": (0.2, {}),
    "streams": (0.22, {}),
    "variables": (0.2, {"tally": 8}),
    "rows": (0.35, {}),
    "tables": (0.28, {"gather": 24, "scatter": 20}),
    "managed": (0.15, {}),
    "wrappers": (0.2, {}),
    "rounds": (0.2, {}),
    "reductions": (0.15, {"cooperate": 20, "common": 10}),
    "returns": (0.2, {"early": 14}),
    "borders": (0.2, {"cover": 14, "inner": 10}),
    "folds": (0.25, {}),  # kernels of fewer dimensions
    "parts": (0.25, {"several": 30}),
    "calls": (0.15, {}),  # in launches' arguments
    "strides": (0.15, {"point": 10}),
    "statics": (0.15, {}),  # pointers of the file
    "turns": (0.25, {"turn": 24}),
    "packs": (0.1, {}),  # structures of pointers
    "names": (0.12, {}),  # that mean something else elsewhere
    "ways": (0.3, {}),  # other spellings of the same
    "small": (0.2, {"point": 30, "update": 20, "chain": 5, "stencil": 5}),
    "escapes": (0.12, {}),  # arrays of functions that others read
    "acts": (0.2, {}),  # what the host does, hidden in something else
    "checks": (0.15, {}),  # for errors
    "control": (0.2, {}),  # what decides which launches run
    # Of else-if, and functions that directives cut, that come later, that name a
    # variable of the file.
    "chains": (0.15, {}),
    "methods": (0.12, {}),  # that launch, called one after another
    "scopes": (0.12, {}),  # names that hide others
    "views": (0.15, {}),  # pointers by other names
    "counts": (0.15, {}),  # sizes that change by other names
    "helpers": (0.2, {}),  # that return the grid
    "casts": (0.15, {}),  # arguments of other types
    "records": (0.2, {"record": 40}),  # several elements of each thread
    "scratches": (0.25, {}),  # arrays from one kernel to the next
    # Pointers that arguments of launches move, and pointers by their distance from
    # others.
    "cursors": (0.12, {"stencil": 10, "point": 10, "far": 4}),
    "differences": (0.08, {"stencil": 10, "point": 10, "far": 4}),
    "widths": (0.2, {}),  # sizes and coordinates of other types than int
    "attributes": (0.15, {}),  # of kernels and their parameters
    "variadic": (0.08, {}),  # kernels that take any arguments
    "twists": (0.3, AMBIGUOUS),  # one text that means two things
    "images": (0.2, {}),  # of bytes, which don't begin where rows of them do
    "flags": (0.2, {}),  # conditions of single launches
    "given": (0.12, {}),  # kernels to a macro that launches them
    "windows": (0.2, {"window": 40, "point": 20}),  # sums over neighbours
    "choices": (0.15, {"chosen": 40}),  # pointers that a condition chooses
}
# Features that leave kernels what may become one body.
MERGED = {"twists", "images", "exchange", "transfers", "rounds"}
# Features that let kernels be written otherwise.
VARIED = ["turns", "packs", "names", "ways", "widths"]
# Features that small programs have two of.
HOST_FEATURES = ["methods", "acts", "checks", "control", "chains", "scopes"]
HOST_FEATURES += ["views", "counts", "casts"]
HOST_FEATURES += ["helpers", "escapes", "cursors", "differences", "attributes", "variadic"]
