"""As nvcc -cubin -Xptxas -v [-lineinfo]: code of kernels that are simple enough.

    contracting_nvcc.py WAY [KERNEL=WAY ...] [asis] [nvcc's flags]

Functions are inlined, and what nobody stores is left out. A sum takes a product
into its instruction, as WAY says:

    left, right   the first one, the last one
    none          none of them
    new           the first one that hasn't been computed for something else
    attributed    the first one, in an instruction with the line of the last one
    mixed         the first one, and in a second copy of the code none
    differs       the first one, in other code where there is a table of lines
    fails         the first one, but there is never a table of lines

Equal products are computed once, twice a number is its sum with itself, and once
a number is that number. With `asis` headers are read where the user has them.
"""

import dataclasses
import os
import pathlib
import re
import struct
import subprocess
import sys

WORDS = sys.argv[1:] + os.environ.get("NVCC_APPEND_FLAGS", "").split()
WAYS = dict(word.split("=") for word in WORDS if re.match(r"[\w<>]+=\w+$", word))
DEVICE = int(next((w[9:] for w in WORDS if w.startswith("-arch=sm_")), "90"))
HAS_LINES = "-lineinfo" in WORDS

LEVELS = {"||": 0, "&&": 1, "<": 2, ">": 2, "<=": 2, ">=": 2, "==": 2}
LEVELS |= {"+": 3, "-": 3, "*": 4, "/": 4, "%": 4}
TYPES = {"const", "auto", "int", "float", "double"}
MULTIPLY, ADD, MULTIPLY_ADD, OTHER = 0x020, 0x021, 0x023, 0x181
STORE, LOAD_UNIFORM = 0x186, 0x0B9
OF_DOUBLE = 8  # more than those of float
OF_REGISTERS = 0x7200


@dataclasses.dataclass(eq=False)
class Value:
    kind: str  # an operator, or else what its operands go into
    line: int = 0
    operands: tuple = ()
    word: str = ""  # a number, or what is loaded

    def is_product(self):
        divides = self.kind == "/" and self.operands[1].kind == "number"
        return self.kind == "*" or divides

    def is_double(self):
        return self.kind == "*" and any(
            each.word.rstrip(".0f") == "2" for each in self.operands
        )

    def key(self):
        """Equal for what is computed once."""
        if self.kind in ("load", "number"):
            return self.kind, self.word
        if not self.is_product():
            return id(self)
        return self.kind, *(each.key() for each in self.operands)

    def unsigned(self):
        return self.operands[0].unsigned() if self.kind == "negated" else self


@dataclasses.dataclass
class Cell:
    value: Value
    is_memory: bool = False


class Reader:
    """Runs a body, of which `stores` gets what goes to memory."""

    def __init__(self, body, variables, functions, stores):
        self.tokens = body + [("", 0)]
        self.at = 0
        self.scopes = [variables]
        self.functions = functions
        self.stores = stores
        self.result = Value("nothing")

    def word(self):
        return self.tokens[self.at][0]

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, word):
        found = self.word() == word
        self.at += found
        return found

    def expect(self, word):
        found, line = self.next()
        if found != word:
            sys.exit(f"line {line}: '{found}' instead of '{word}'")

    def block(self):
        """The value of its last statement."""
        self.expect("{")
        self.scopes.append({})
        value = None
        while self.word() != "}":
            value = self.statement()
        self.scopes.pop()
        self.expect("}")
        return value

    def statement(self):
        value = None
        if self.word() == "{":
            return self.block()
        if self.accept("if"):
            self.primary()
            return self.statement()
        if self.accept("return"):
            if self.word() != ";":
                self.result = self.binary()
        elif self.word() in TYPES:
            self.declaration()
        else:
            value = self.assignment()
        self.expect(";")
        return value

    def declaration(self):
        while self.word() in TYPES:
            self.next()
        while True:
            is_reference = self.accept("&")
            name, _ = self.next()
            cell = Cell(Value("nothing"))
            if self.accept("="):
                cell = self.place() if is_reference else Cell(self.binary())
            self.scopes[-1][name] = cell
            if not self.accept(","):
                return

    def assignment(self):
        start = self.at
        cell = self.place() if re.match(r"[A-Za-z_]", self.word()) else None
        word, line = self.next()
        if not cell or not re.match(r"[-+*/]?=$", word):
            self.at = start
            return self.binary()
        value = self.assignment()
        if word != "=":
            value = Value(word[0], line, (cell.value, value))
        cell.value = value
        if cell.is_memory:
            self.stores.append(value)
        return value

    def place(self):
        name, line = self.next()
        for scope in reversed(self.scopes):
            if name in scope and self.word() != "[":
                return scope[name]
        start = self.at
        if self.accept("["):
            self.binary()
            self.expect("]")
        index = " ".join(word for word, _ in self.tokens[start : self.at])
        return Cell(Value("load", line, (), name + index), is_memory=True)

    def binary(self, level=0):
        left = self.unary()
        while LEVELS.get(self.word(), -1) >= level:
            word, line = self.next()
            both = left, self.binary(LEVELS[word] + 1)
            others = [each for each in both if each.word.rstrip(".0f") != "1"]
            if word == "*" and len(others) < 2:
                left = (others or both)[0]
            else:
                left = Value(word, line, both)
        return left

    def unary(self):
        if self.accept("-"):
            return Value("negated", 0, (self.unary(),))
        return self.primary()

    def primary(self):
        if self.accept("("):
            value = self.block() if self.word() == "{" else self.assignment()
            self.expect(")")
            return value
        if self.word()[0].isdigit():
            word, line = self.next()
            return Value("number", line, (), word)
        if self.tokens[self.at + 1][0] == "(":
            return self.call()
        return self.place().value

    def call(self):
        name, line = self.next()
        self.expect("(")
        arguments = []
        while not self.accept(")"):
            arguments.append(self.assignment())
            self.accept(",")
        if name not in self.functions:
            return Value("call", line, tuple(arguments))
        _, parameters, body = self.functions[name]
        own = dict(zip(parameters, map(Cell, arguments)))
        callee = Reader(body, own, self.functions, self.stores)
        callee.block()
        return callee.result


class Code:
    """Instructions, as bytes with a line, of what is stored."""

    def __init__(self, is_double):
        self.instructions = []
        self.way = "left"
        self.registers = {}
        self.more = OF_DOUBLE if is_double else 0

    def store(self, values, way):
        self.way = way
        self.registers = {}
        for value in values:
            self.register(value.unsigned())

    def emit(self, operation, line, operands=()):
        left, right, added, *_ = *operands, 0, 0, 0
        if operation == MULTIPLY_ADD:
            # They seem to give something to a register, but don't.
            self.append(LOAD_UNIFORM, line, (added, 0, 0, 0))
            self.append(STORE, line, (added, 0, 0, 0))
        more = self.more if operation in (ADD, MULTIPLY, MULTIPLY_ADD) else 0
        result = len(self.instructions)
        self.append(operation + more, line, (result, left, right, added))
        return result

    def append(self, operation, line, registers):
        data = struct.pack("<HBBB3xB7x", OF_REGISTERS | operation, *registers)
        self.instructions.append((data, line))

    def register(self, value):
        if value.key() not in self.registers:
            self.registers[value.key()] = self.compute(value)
        return self.registers[value.key()]

    def compute(self, value):
        operands = [each.unsigned() for each in value.operands]
        line = value.line
        if value.kind in ("+", "-"):
            products = [each for each in operands if each.is_product()]
            if self.way == "new":
                products.sort(key=lambda each: each.key() in self.registers)
            if products and self.way != "none":
                taken = products[-1 if self.way == "right" else 0]
                added = operands[0 if taken is operands[1] else 1]
                if self.way == "attributed" and added.is_product():
                    line = added.line
                operands = [each.unsigned() for each in taken.operands] + [added]
                operation = MULTIPLY_ADD
            else:
                operation = ADD
        else:
            operation = MULTIPLY if value.is_product() else OTHER
            if value.is_double():
                operation = ADD
                operands = [each for each in operands if each.kind != "number"] * 2
        return self.emit(operation, line, [self.register(each) for each in operands])


def preprocessed(path):
    flags = [word for word in WORDS if word.startswith(("-I", "-D"))]
    if "asis" not in WORDS:
        flags.insert(0, f"-I{path.parent}")
    text = re.sub("#include <.*>", "", path.read_text())
    command = ["clang++", "-E", "-x", "c++", *flags, "-"]
    return subprocess.run(
        command, input=text, stdout=subprocess.PIPE, text=True, check=True, cwd="/"
    ).stdout


def tokens_of(text):
    """Words with their lines."""
    tokens = []
    line = 1
    for row in text.splitlines():
        if mark := re.match(r"# (\d+) ", row):
            line = int(mark[1])
            continue
        words = re.findall(r'"[^"]*"|[A-Za-z_][\w.]*|[\d.]+\w*|[-+*/<>=]=|&&|\S', row)
        tokens += [(word, line) for word in words]
        line += 1
    return tokens


def closing(tokens, at):
    """Where the bracket at that place is closed."""
    depth = 0
    while True:
        depth += (tokens[at][0] in "({") - (tokens[at][0] in ")}")
        if depth == 0:
            return at
        at += 1


def types_for(tokens, at, name):
    """Those that launches name for the one parameter of a kernel's template."""
    words = [word for word, _ in tokens]
    if words[at - 5 : at - 2] != ["template", "<", "typename"]:
        return [""]
    found = {
        words[i + 2]
        for i in range(len(words))
        if words[i] == name and words[i + 1] == "<" and words[i + 3] == ">"
    }
    return sorted(found) or [""]


def functions_of(tokens):
    """By name: words in front, names of parameters and the body."""
    functions = {}
    for at, (word, _) in enumerate(tokens):
        if word not in ("__global__", "__device__"):
            continue
        begin = next(i for i in range(at, len(tokens)) if tokens[i][0] == "(")
        end = closing(tokens, begin)
        if tokens[end + 1][0] != "{":
            continue
        words = [each for each, _ in tokens[at:end]]
        parameters = " ".join(each for each, _ in tokens[begin + 1 : end])
        names = [p.split("=")[0].split()[-1] for p in parameters.split(",")]
        body = tokens[end + 1 : closing(tokens, end + 1) + 1]
        name = tokens[begin - 1][0]
        if name == ">":  # of an explicit specialisation
            name = "".join(each for each, _ in tokens[begin - 4 : begin])
            functions[name] = (words, names, body)
            continue
        for each in types_for(tokens, at, name):
            used = [each if word == tokens[at - 2][0] else word for word in words]
            whole = f"{name}<{each}>" if each else name
            functions.setdefault(whole, (used if each else words, names, body))
    return functions


def mangled_name(name):
    """With some parameter; of instances for single letters of types."""
    name, _, kind = name.rstrip(">").partition("<")
    if not kind:
        return f"_Z{len(name)}{name}Pf"
    letter = {"float": "f", "double": "d"}[kind]
    return f"_Z{len(name)}{name}I{letter}EvPKT_PS0_S0_S0_i"


def code_of(name, functions):
    words, parameters, body = functions[name]
    code = Code("double" in words)
    # Of fused kernels nobody asks for more than the registers.
    if not name.startswith("kfuse"):
        stores = []
        variables = {each: Cell(Value("parameter")) for each in parameters}
        Reader(body, variables, functions, stores).block()
        way = WAYS.get(name, WORDS[0])
        code.store(stores, way)
        if way == "mixed":
            code.store(stores, "none")
        elif way == "differs" and HAS_LINES:
            code.emit(OTHER, 1)
    code.emit(OTHER, 1)
    return code.instructions


def signed(number):
    """LEB128."""
    data = b""
    while not -64 <= number < 64:
        data += bytes([number & 0x7F | 0x80])
        number >>= 7
    return data + bytes([number & 0x7F])


def line_table(kernels):
    """One of version 2 of DWARF, and where it has the kernels' addresses."""
    head = struct.pack("<BBbBB9B", 1, 1, -5, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1)
    head += b"\0program.cu\0\0\0\0\0"
    table = struct.pack("<HI", 2, len(head)) + head
    addresses = []
    for code in kernels.values():
        table += b"\0\x09\x02"  # set_address
        addresses.append(len(table) + 4)
        table += bytes(8)
        known = 1
        for _, line in code:
            table += b"\x03" + signed(line - known)  # advance_line
            table += b"\x01\x02\x10"  # copy, advance_pc
            known = line
        table += b"\0\x01\x01"  # end_sequence
    return struct.pack("<I", len(table)) + table, addresses


def cubin(kernels):
    """An ELF file with the kernels' code, by mangled name."""
    names = "\0".join(["", *kernels, ""]).encode()
    table, addresses = line_table(kernels) if HAS_LINES else (b"", [])
    first = 6  # section with code
    symbols = bytes(24)
    relocations = b""
    for i, name in enumerate(kernels):
        place = names.index(b"\0" + name.encode() + b"\0") + 1
        symbols += struct.pack("<IBBHQQ", place, 0x12, 0, first + i, 0, 0)
    for i, address in enumerate(addresses):
        relocations += struct.pack("<QQq", address, i + 1 << 32 | 2, 0)
    sections = [  # name, type, link, info, size of an entry, content
        ("", 0, 0, 0, 0, b""),
        (".shstrtab", 3, 0, 0, 0, b""),
        (".strtab", 3, 0, 0, 0, names),
        (".symtab", 2, 2, 1, 24, symbols),
        (".debug_line", 1, 0, 0, 0, table),
        (".rela.debug_line", 4, 3, 4, 24, relocations),
    ]
    for name, code in kernels.items():
        data = b"".join(each for each, _ in code)
        sections.append((".text." + name, 1, 0, 0, 0, data))
    titles = b"\0".join(name.encode() for name, *_ in sections) + b"\0"
    sections[1] = (".shstrtab", 3, 0, 0, 0, titles)
    headers = content = b""
    for name, kind, link, info, size, data in sections:
        title = titles.index(name.encode() + b"\0")
        place = 64 + len(content)
        headers += struct.pack(
            "<IIQQQQIIQQ", title, kind, 0, 0, place, len(data), link, info, 1, size
        )
        content += data
    # The version of the ABI says where the flags have the device.
    return (
        b"\x7fELF\x02\x01\x01\x41\x08" + bytes(7)
        + struct.pack("<HHIQQQI", 2, 190, 1, 0, 0, 64 + len(content), DEVICE << 8)
        + struct.pack("<HHHHHH", 64, 0, 0, 64, len(sections), 1)
        + content + headers
    )


def main():
    if "fails" in WORDS and HAS_LINES:
        sys.exit("no table of lines")
    path = pathlib.Path(next(word for word in WORDS if word.endswith(".cu")))
    functions = functions_of(tokens_of(preprocessed(path)))
    kernels = {}
    for name, (words, _, _) in functions.items():
        if "__global__" in words:
            mangled = mangled_name(name)
            print(f"Compiling entry function '{mangled}' for 'sm_{DEVICE}'")
            print("    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")
            print("ptxas info    : Used 20 registers")
            kernels[mangled] = code_of(name, functions)
    pathlib.Path(WORDS[WORDS.index("-o") + 1]).write_bytes(cubin(kernels))


main()
