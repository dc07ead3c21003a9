"""Accesses of a launch as isl's sets and maps."""

import islpy as isl

# graphs/program/Polynomial.h, graphs/program/Terms.h
THREAD, BLOCK, GLOBAL, STRIDE, COUNTER, VALUE, OPAQUE = 0, 1, 4, 5, 6, 8, 9
VARYING = {THREAD, BLOCK, GLOBAL, STRIDE, COUNTER}
(
    DIVIDE,
    REMAINDER,
    MINIMUM,
    MAXIMUM,
    SHIFT_RIGHT,
    SHIFT_LEFT,
    AND,
    OR,
    XOR,
    NARROW,
    COMPARE,
    SELECT,
    UNIQUE,
) = range(13)
NON_NEGATIVE, ZERO, NON_ZERO, UNKNOWN = range(4)


class NotAffine(Exception):
    pass


def symbols_of(polynomial):
    return {tuple(s) for _, monomial in polynomial for s in monomial}


def varies(polynomial, program):
    for kind, index in symbols_of(polynomial):
        if kind in VARYING:
            return True
        if kind == OPAQUE and any(
            varies(operand, program)
            for operand in program["terms"][index]["operands"]
        ):
            return True
    return False


def times(one, two):
    return [(a * b, list(s) + list(t)) for a, s in one for b, t in two]


def merged(polynomial):
    """Each monomial once."""
    sums = {}
    for coefficient, monomial in polynomial:
        key = tuple(sorted(tuple(symbol) for symbol in monomial))
        sums[key] = sums.get(key, 0) + coefficient
    return [(value, list(key)) for key, value in sums.items() if value]


def wrap(value, bits):
    """Conversion to `bits` bits, negative for a signed type."""
    if bits > 0:
        return value % (1 << bits)
    half = 1 << (-bits - 1)
    return (value + half) % (2 * half) - half


class Numbers:
    """A number for each value of the host."""

    def __init__(self, program, size):
        self.program, self.size = program, size

    def value(self, polynomial):
        total = 0
        for coefficient, monomial in polynomial:
            for kind, index in monomial:
                coefficient *= self.symbol(kind, index)
            total += coefficient
        return total

    def symbol(self, kind, index):
        if kind == VALUE:
            text = self.program["values"]["list"][index]["text"]
            return 1 if text == "argc" else self.size
        if kind != OPAQUE:
            raise NotAffine(f"symbol of kind {kind}")
        term = self.program["terms"][index]
        try:
            return self.term(term, [self.value(o) for o in term["operands"]])
        except ZeroDivisionError:
            return self.size

    def term(self, term, of):
        kind, detail = term["kind"], term["detail"]
        if kind in (DIVIDE, REMAINDER):
            quotient = abs(of[0]) // abs(of[1])
            quotient *= 1 if (of[0] < 0) == (of[1] < 0) else -1
            return quotient if kind == DIVIDE else of[0] - quotient * of[1]
        if kind == COMPARE:
            x, y = of
            return int([x == y, x != y, x < y, x <= y][detail])
        if kind == SHIFT_RIGHT and 0 <= of[1] < 64:
            return of[0] >> of[1]
        if kind == SHIFT_LEFT and 0 <= of[1] < 64:
            return of[0] << of[1]
        simple = {
            MINIMUM: min,
            MAXIMUM: max,
            AND: lambda values: values[0] & values[1],
            OR: lambda values: values[0] | values[1],
            XOR: lambda values: values[0] ^ values[1],
            NARROW: lambda values: wrap(values[0], detail),
            SELECT: lambda values: values[1] if values[0] else values[2],
        }
        return simple[kind](of) if kind in simple else self.size


class Model:
    """The accesses of one question: with `numbers` for the sizes, or with
    parameters for those of `program`."""

    def __init__(self, question, numbers, program=None):
        self.context = isl.Context()
        self.numbers = numbers
        self.program = numbers.program if numbers else program
        self.shape = question["shape"]
        self.weakened = False
        self.parameters = {}
        self.known = {}  # built once for each access

    # -- spaces ------------------------------------------------------------

    def coordinates(self, access):
        """The thread's coordinates, and what else may vary."""
        thread = []
        for axis in range(3):
            if self.shape["stride"] == axis:
                thread.append((STRIDE, axis))
            else:
                thread.append((GLOBAL, axis))
        used = set()
        for polynomial in self.polynomials(access):
            self.collect(polynomial, used)
        return thread, sorted(used - set(thread))

    @staticmethod
    def polynomials(access):
        return [access["index"]] + [e for _, e in access["guard"]]

    def collect(self, polynomial, used):
        for kind, index in symbols_of(self.canonical(polynomial)):
            if kind in VARYING:
                used.add((kind, index))
            elif kind == OPAQUE:
                for operand in self.program["terms"][index]["operands"]:
                    self.collect(operand, used)

    def canonical(self, polynomial):
        """In global indices and blocks, as kfuse has it outside terms."""
        result = []
        for coefficient, monomial in polynomial:
            product = [(coefficient, [])]
            for kind, axis in monomial:
                product = times(product, self.coordinate(kind, axis))
            result += product
        return merged(result)

    def coordinate(self, kind, axis):
        if kind not in (THREAD, BLOCK):
            return [(1, [(kind, axis)])]
        isOneBlock = self.shape["grid"][axis] == [[1, []]]
        isOneThread = self.shape["block"][axis] == [[1, []]]
        place = [(1, [(GLOBAL, axis)])]
        if kind == BLOCK:
            if isOneBlock:
                return []
            return place if isOneThread else [(1, [(BLOCK, axis)])]
        if isOneThread or isOneBlock:
            return [] if isOneThread else place
        before = times([(-1, [(BLOCK, axis)])], self.shape["block"][axis])
        return place + before

    def elements(self, access):
        """From the threads that run the access to what they touch."""
        key = id(access)
        if key not in self.known:
            self.known[key] = self.build(access)
        return self.known[key]

    def build(self, access):
        thread, inner = self.coordinates(access)
        self.places = {symbol: at for at, symbol in enumerate(thread + inner)}
        space = isl.Space.create_from_names(
            self.context, set=[f"d{i}" for i in range(len(self.places))]
        )
        self.local = isl.LocalSpace.from_space(space)
        index = self.expression(access["index"])
        # The constraints first, for they bring parameters.
        domain = isl.Set.universe(space)
        for part in self.constraints(access, thread, inner):
            domain = domain.intersect(part)
        relation = isl.Map.from_pw_aff(index).intersect_domain(domain)
        relation = relation.intersect_params(self.assumptions())
        count = len(self.places) - len(thread)
        return relation.project_out(isl.dim_type.in_, len(thread), count)

    # -- constraints -------------------------------------------------------

    def constraints(self, access, thread, inner):
        one = [(1, [])]
        for kind, axis in thread + inner:
            place = [(1, [(kind, axis)])]
            # Which thread runs an iteration of a grid-stride loop is left open.
            self.weakened |= (kind, axis) in inner and kind == GLOBAL
            yield self.at_least(place, [])
            if kind == GLOBAL:
                size = times(self.shape["grid"][axis], self.shape["block"][axis])
                yield self.below(place, size)
            if kind == BLOCK and (GLOBAL, axis) in self.places:
                block = self.shape["block"][axis]
                yield self.below(place, self.shape["grid"][axis])
                begin = times(place, block)
                end = times(place + one, block)
                yield self.at_least([(1, [(GLOBAL, axis)])], begin, True)
                yield self.below([(1, [(GLOBAL, axis)])], end, True)
        for relation, polynomial in access["guard"]:
            if relation == UNKNOWN:
                continue
            try:
                value = self.expression(polynomial)
            except NotAffine:
                self.weakened = True
                continue
            if relation == NON_NEGATIVE:
                yield value.nonneg_set()
            elif relation == ZERO:
                yield value.zero_set()
            else:
                yield value.non_zero_set()

    def at_least(self, one, two, needed=False):
        try:
            difference = self.expression(one).sub(self.expression(two))
        except NotAffine:
            if needed:
                raise
            self.weakened = True
            return isl.Set.universe(self.local.get_space())
        return difference.nonneg_set()

    def below(self, one, two, needed=False):
        return self.at_least([*two, (-1, [])], one, needed)

    def assumptions(self):
        names = list(self.parameters)
        space = isl.Space.create_from_names(
            self.context, set=[], params=names
        ).params()
        known = isl.Set.universe(space)
        for name, least in self.parameters.items():
            if least is not None:
                text = f"[{name}] -> {{ : {name} >= {least} }}"
                known = known.intersect(
                    isl.Set.read_from_str(self.context, text).params()
                )
        return known

    # -- expressions -------------------------------------------------------

    def constant(self, value):
        return isl.PwAff.val_on_domain(
            isl.Set.universe(self.local.get_space()), self.val(value)
        )

    def val(self, number):
        return isl.Val.read_from_str(self.context, str(number))

    def parameter(self, name, least):
        self.parameters[name] = least
        names = ", ".join(f"d{i}" for i in range(len(self.places)))
        text = f"[{name}] -> {{ [{names}] -> [{name}] }}"
        return isl.PwAff.read_from_str(self.context, text)

    def expression(self, polynomial):
        polynomial = self.canonical(polynomial)
        if self.numbers and not varies(polynomial, self.program):
            return self.constant(self.numbers.value(polynomial))
        total = self.constant(0)
        for coefficient, monomial in polynomial:
            value = self.val(coefficient)
            total = total.add(self.product(monomial).scale_val(value))
        return total

    def product(self, monomial):
        moving = [s for s in monomial if varies([(1, [s])], self.program)]
        still = [s for s in monomial if s not in moving]
        if len(moving) > 1:
            raise NotAffine("product of coordinates")
        if self.numbers:
            factor = self.numbers.value([(1, still)])
            value = self.val(factor)
            whole = self.symbol(moving[0]) if moving else self.constant(1)
            return whole.scale_val(value)
        if moving and still:
            raise NotAffine("product of a coordinate and a parameter")
        if not monomial:
            return self.constant(1)
        if len(monomial) == 1:
            return self.symbol(monomial[0])
        name = "_".join(f"s{kind}n{index}" for kind, index in still)
        least = [self.least(symbol) for symbol in still]
        return self.parameter(name, None if None in least else min(least))

    def least(self, symbol):
        kind, index = symbol
        if kind == VALUE:
            value = self.program["values"]["list"][index]
            return 1 if value["positive"] or self.is_extent(symbol) else None
        return 1 if self.is_extent(symbol) else None

    def is_extent(self, symbol):
        alone = [[1, [list(symbol)]]]
        return alone in self.shape["grid"] + self.shape["block"]

    def symbol(self, symbol):
        kind, index = symbol
        at = self.places.get(tuple(symbol))
        if at is not None:
            return isl.PwAff.var_on_domain(self.local, isl.dim_type.set, at)
        if kind == OPAQUE:
            term = self.program["terms"][index]
            try:
                return self.term(term)
            except NotAffine:
                if varies([(1, [symbol])], self.program):
                    raise
        elif kind != VALUE:
            raise NotAffine(f"symbol of kind {kind}")
        return self.parameter(f"s{kind}n{index}", self.least(tuple(symbol)))

    def number(self, polynomial):
        """The value of a polynomial that must be known."""
        if self.numbers and not varies(polynomial, self.program):
            return self.numbers.value(polynomial)
        if any(monomial for _, monomial in polynomial):
            raise NotAffine("operand that isn't a constant")
        return polynomial[0][0] if polynomial else 0

    def term(self, term):
        kind, detail, of = term["kind"], term["detail"], term["operands"]
        if kind in (DIVIDE, REMAINDER):
            divisor = self.number(of[1])
            if divisor <= 0:
                raise NotAffine("division by what isn't positive")
            value = self.expression(of[0])
            return self.truncate(value, divisor, kind == DIVIDE)
        if kind in (MINIMUM, MAXIMUM):
            one, two = map(self.expression, of)
            return one.min(two) if kind == MINIMUM else one.max(two)
        if kind in (SHIFT_LEFT, SHIFT_RIGHT):
            bits = self.number(of[1])
            if not 0 <= bits < 63:
                raise NotAffine("shift by more than there are bits")
            value, factor = self.expression(of[0]), self.val(1 << bits)
            if kind == SHIFT_LEFT:
                return value.scale_val(factor)
            return value.scale_down_val(factor).floor()
        if kind == AND:
            return self.mask(of)
        if kind == NARROW:
            bits = abs(detail)
            half = self.constant(1 << (bits - 1))
            value = self.expression(of[0])
            size = self.val(1 << bits)
            if detail > 0:
                return value.mod_val(size)
            return value.add(half).mod_val(size).sub(half)
        if kind == COMPARE:
            return self.condition(of, detail)
        if kind == SELECT:
            chosen, one, two = map(self.expression, of)
            return chosen.cond(one, two)
        raise NotAffine("term without a form")

    def truncate(self, value, divisor, wantsQuotient):
        by = self.constant(divisor)
        return value.tdiv_q(by) if wantsQuotient else value.tdiv_r(by)

    def mask(self, of):
        for value, mask in (of, reversed(of)):
            try:
                bits = self.number(mask)
            except NotAffine:
                continue
            if bits > 0 and bits & (bits + 1) == 0:
                size = self.val(bits + 1)
                return self.expression(value).mod_val(size)
        raise NotAffine("bits of a mask")

    def condition(self, of, detail):
        one, two = map(self.expression, of)
        make = [one.eq_set, one.ne_set, one.lt_set, one.le_set][detail]
        return make(two).indicator_function()
