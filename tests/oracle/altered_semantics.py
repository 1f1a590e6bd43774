# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defects in what operations mean, for altered_text.py: what a lowering gets wrong about integers, signs, rounding, NaN, ties, limits,
precision, sizes, branches, rows and state. Each kind is a function from a text of linalg, TOSA or StableHLO to its places.
"""
import re

SCALAR = re.compile(r"^(?:i\d+|f16|bf16|f32|f64)$")
LINE = re.compile(r"^(\s*)(%[\w$.-]+) = (.*) loc\((#loc\d*)\)$")
NARROWER = {"f64": "f32", "f32": "f16", "i64": "i32"}  # IREE keeps f32 where a text goes through bf16


def _substituted(*pairs):
    """One operation instead of another."""

    def kind(t):
        for index in t.nodes:
            for pattern, replacement in pairs:
                altered = re.sub(pattern, replacement, t.lines[index], count=1)
                if altered != t.lines[index]:
                    yield index, {index: [altered]}

    return kind


def _lines(t, pattern):
    """Operations on one line: (line, result, match of the rest, what writes others in its place)."""
    for index in t.nodes:
        found = LINE.match(t.lines[index])
        rest = found and re.match(pattern, found[3])
        if rest:
            yield index, found[2], rest, lambda *operations, i=index, at=found: {i: [f"{at[1]}{each} loc({at[4]})" for each in operations]}


def _all_of(*kinds):
    def kind(t):
        for each in kinds:
            yield from each(t)

    return kind


def _sizes(kind):
    return [None if n == "?" else int(n) for n in re.findall(r"(\d+|\?)x", kind)]


def _element(kind):
    return re.search(r"(\w+)>?$", kind)[1]


# Signs of integers.
_signedness = _substituted(
    (r"arith\.divsi", "arith.divui"), (r"arith\.remsi", "arith.remui"), (r"arith\.shrsi", "arith.shrui"),
    (r"arith\.maxsi", "arith.maxui"), (r"arith\.minsi", "arith.minui"), (r"arith\.maxui", "arith.maxsi"), (r"arith\.minui", "arith.minsi"),
    (r"arith\.shrui", "arith.shrsi"), (r"arith\.divui", "arith.divsi"),
    (r"arith\.cmpi s(lt|gt|le|ge), ((?!.*: index))", r"arith.cmpi u\1, \2"),
    (r"arith\.cmpi u(lt|gt|le|ge), ((?!.*: index))", r"arith.cmpi s\1, \2"),
    (r"arith\.extsi", "arith.extui"), (r"arith\.extui", "arith.extsi"),
    (r"arith\.sitofp", "arith.uitofp"), (r"arith\.uitofp", "arith.sitofp"),
    (r"stablehlo\.shift_right_arithmetic", "stablehlo.shift_right_logical"),
    (r"stablehlo\.shift_right_logical", "stablehlo.shift_right_arithmetic"),
    (r"tosa\.arithmetic_right_shift (.*) \{round = false\}", r"tosa.logical_right_shift \1"))

_division = _substituted(
    (r"arith\.floordivsi", "arith.divsi"), (r"arith\.remsi (%\S+), (%\S+) : i", r"arith.divsi \1, \2 : i"),
    (r"stablehlo\.remainder (%\S+), (%\S+) :", r"stablehlo.divide \1, \2 :"),
    (r"arith\.remf (%\S+), (%\S+) :", r"arith.divf \1, \2 :"))


def _shift_amount(t):
    """Shifts by the width and more count from 0 again, as on x86."""
    for index, result, m, write in _lines(t, r"(arith\.(?:shli|shrsi|shrui)) (%\S+), (%\S+) : i(\d+)$"):
        yield index, write(f"%altered_bits = arith.constant {int(m[4]) - 1} : i{m[4]}",
                              f"%altered_by = arith.andi {m[3]}, %altered_bits : i{m[4]}",
                              f"{result} = {m[1]} {m[2]}, %altered_by : i{m[4]}")


# Rounding.
_rounding = _substituted(
    (r"math\.roundeven", "math.round"), (r"math\.floor", "math.trunc"), (r"math\.ceil", "math.round"), (r"math\.trunc", "math.floor"),
    (r"math\.round ", "math.roundeven "), (r"stablehlo\.round_nearest_even", "stablehlo.round_nearest_afz"),
    (r"stablehlo\.floor", "stablehlo.round_nearest_even"), (r"stablehlo\.ceil", "stablehlo.round_nearest_even"),
    (r"tosa\.floor", "tosa.ceil"), (r"tosa\.ceil", "tosa.floor"),
    (r"\{round = false\}", "{round = true}"))


def _float_to_integer(t):
    """Floats become integers by rounding down instead of towards 0."""
    for index, result, m, write in _lines(t, r"arith\.fptosi (%\S+) : (\w+) to (\w+)$"):
        yield index, write(f"%altered = math.floor {m[1]} : {m[2]}",
                              f"{result} = arith.fptosi %altered : {m[2]} to {m[3]}")
    conversion = r"(tosa\.cast|stablehlo\.convert) (%\S+) : \((tensor<.*f(?:16|32|64)>)\) -> (tensor<.*i(?:8|16|32|64)>)$"
    for index, result, m, write in _lines(t, conversion):
        floor = f"tosa.floor {m[2]} : ({m[3]}) -> {m[3]}" if m[1] == "tosa.cast" else f"stablehlo.floor {m[2]} : {m[3]}"
        yield index, write(f"%altered = {floor}",
                              f"{result} = {m[1]} %altered : ({m[3]}) -> {m[4]}")


# NaN, ties.
_nan_substituted = _substituted(
    (r"arith\.cmpf o(gt|lt|ge|le|eq),", r"arith.cmpf u\1,"), (r"arith\.cmpf u(gt|lt|ge|le|eq),", r"arith.cmpf o\1,"),
    (r"arith\.cmpf une,", "arith.cmpf one,"), (r"arith\.cmpf one,", "arith.cmpf une,"),
    (r"arith\.maximumf", "arith.maxnumf"), (r"arith\.minimumf", "arith.minnumf"),
    (r"(tosa\.(?:maximum|minimum) %\S+, %\S+) : (.*f(?:16|32|64)>)", r"\1 {nan_mode = IGNORE} : \2"),
    (r"(tosa\.(?:reduce_max|reduce_min|argmax|max_pool2d|clamp) .*)\} : (.*f(?:16|32|64)>)", r"\1, nan_mode = IGNORE} : \2"))


def _nan_negated(t):
    """A comparison is the negation of its opposite, which is true for NaN."""
    opposite = {"GT": "LE", "LT": "GE", "GE": "LT", "LE": "GT"}
    for index, result, m, write in _lines(t, r"stablehlo\.compare (GT|LT|GE|LE), (.*), FLOAT : (.*) -> (\S+)$"):
        yield index, write(f"%altered = stablehlo.compare {opposite[m[1]]}, {m[2]}, FLOAT : {m[3]} -> {m[4]}",
                              f"{result} = stablehlo.not %altered : {m[4]}")
    for index, result, m, write in _lines(t, r"tosa\.(greater|greater_equal) (%\S+), (%\S+) : \((\S+), (\S+f\d+>)\) -> (\S+)$"):
        other = "greater_equal" if m[1] == "greater" else "greater"
        yield index, write(f"%altered = tosa.{other} {m[3]}, {m[2]} : ({m[5]}, {m[4]}) -> {m[6]}",
                              f"{result} = tosa.logical_not %altered : ({m[6]}) -> {m[6]}")


_nan = _all_of(_nan_substituted, _nan_negated)
_ties = _substituted(
    (r"arith\.cmpf o(g|l)t,", r"arith.cmpf o\1e,"), (r"arith\.cmpf o(g|l)e,", r"arith.cmpf o\1t,"),
    (r"arith\.cmpf u(g|l)t,", r"arith.cmpf u\1e,"),
    (r"arith\.cmpi s(g|l)t, ((?!.*: index))", r"arith.cmpi s\1e, \2"), (r"arith\.cmpi s(g|l)e, ((?!.*: index))", r"arith.cmpi s\1t, \2"),
    (r"stablehlo\.compare (G|L)T,", r"stablehlo.compare \1E,"), (r"stablehlo\.compare (G|L)E,", r"stablehlo.compare \1T,"),
    (r"stablehlo\.minimum (.* tensor<i64>)", r"stablehlo.maximum \1"),
    (r"tosa\.greater ", "tosa.greater_equal "), (r"tosa\.greater_equal ", "tosa.greater "))


# Limits.
def _clamped(value, bits, element):
    """%altered_e: the value within the limits of an integer of so many bits, as lines of arith."""
    return (f"%altered_most = arith.constant {2**(bits - 1) - 1} : {element}",
            f"%altered_least = arith.constant {-2**(bits - 1)} : {element}",
            f"%altered_d = arith.minsi {value}, %altered_most : {element}",
            f"%altered_e = arith.maxsi %altered_d, %altered_least : {element}")


def _saturated(t):
    """Integers stay at the limits of their type instead of wrapping around."""
    for index, result, m, write in _lines(t, r"(arith\.(?:addi|subi|muli)) (%\S+), (%\S+) : (i8|i16|i32)$"):
        bits = int(m[4][1:])
        yield index, write(
            f"%altered_a = arith.extsi {m[2]} : {m[4]} to i64", f"%altered_b = arith.extsi {m[3]} : {m[4]} to i64",
            f"%altered_c = {m[1]} %altered_a, %altered_b : i64",
            *_clamped("%altered_c", bits, "i64"),
            f"{result} = arith.trunci %altered_e : i64 to {m[4]}")
    for index, result, m, write in _lines(t, r"arith\.trunci (%\S+) : (i64|i32) to (i8|i16|i32)$"):
        bits = int(m[3][1:])
        yield index, write(
            *_clamped(m[1], bits, m[2]),
            f"{result} = arith.trunci %altered_e : {m[2]} to {m[3]}")
    for index, result, m, write in _lines(t, r"stablehlo\.(add|subtract|multiply) (%\S+), (%\S+) : (tensor<(.*x)?(i8|i16|i32)>)$"):
        bits, long = int(m[6][1:]), f"tensor<{m[5] or ''}i64>"
        yield index, write(
            f"%altered_a = stablehlo.convert {m[2]} : ({m[4]}) -> {long}",
            f"%altered_b = stablehlo.convert {m[3]} : ({m[4]}) -> {long}",
            f"%altered_c = stablehlo.{m[1]} %altered_a, %altered_b : {long}",
            f"%altered_most = stablehlo.constant dense<{2**(bits - 1) - 1}> : {long}",
            f"%altered_least = stablehlo.constant dense<{-2**(bits - 1)}> : {long}",
            f"%altered_d = stablehlo.minimum %altered_c, %altered_most : {long}",
            f"%altered_e = stablehlo.maximum %altered_d, %altered_least : {long}",
            f"{result} = stablehlo.convert %altered_e : ({long}) -> {m[4]}")
    for index, result, m, write in _lines(t, r"tosa\.(add|sub) (%\S+), (%\S+) : \((tensor<(.*x)?(i8|i16|i32)>), \4\) -> \4$"):
        bits, long = int(m[6][1:]), f"tensor<{m[5] or ''}i64>"
        yield index, write(
            f"%altered_a = tosa.cast {m[2]} : ({m[4]}) -> {long}", f"%altered_b = tosa.cast {m[3]} : ({m[4]}) -> {long}",
            f"%altered_c = tosa.{m[1]} %altered_a, %altered_b : ({long}, {long}) -> {long}",
            f"%altered_d = tosa.clamp %altered_c {{max_val = {2**(bits - 1) - 1} : i64, min_val = {-2**(bits - 1)} : i64}} "
            f": ({long}) -> {long}",
            f"{result} = tosa.cast %altered_d : ({long}) -> {m[4]}")


def _lower(value):
    return f"{value - max(1e-2, abs(value) * 1e-2):.6e}"


def _limit(t):
    """A limit is a little lower."""
    for index in t.nodes:
        line = t.lines[index]
        for name in ("max_val", "min_val"):
            m = re.search(rf"tosa\.clamp .*{name} = (\S+) : f32", line)
            if m:
                value = float(m[1])
                yield index, {index: [line.replace(f"{name} = {m[1]} :", f"{name} = {_lower(value)} :")]}
    constants = dict(re.findall(r"^\s*(%cst[\w$.-]*) = arith\.constant (\S+) : f32 loc", "\n".join(t.lines), re.M))
    for index, result, m, write in _lines(t, r"arith\.(select|maximumf|minimumf) (.*) : f32$"):
        operands = m[2].split(", ")
        for k, operand in enumerate(operands):
            value = constants.get(operand)
            if value is None or value.startswith("0x"):
                continue
            other = operands[:k] + ["%altered"] + operands[k + 1:]
            yield index, write(f"%altered = arith.constant {_lower(float(value))} : f32",
                                  f"{result} = arith.{m[1]} {', '.join(other)} : f32")


def _overflow(t):
    """The largest element is not subtracted before exp."""
    text = "\n".join(t.lines)
    for index, result, m, write in _lines(t, r"(stablehlo\.subtract|tosa\.sub|arith\.subf) (%\S+), (%\S+) : (?:\()?([^,)]+).*$"):
        if not re.search(rf"(?:stablehlo\.exponential|tosa\.exp|math\.exp) {re.escape(result)} ", text):
            continue
        yield index, write(f"{result} = {_same(m[1], m[2], m[4])}")


def _same(dialect, value, kind):
    """An operation whose result is `value`."""
    if dialect.startswith("stablehlo"):
        return f"stablehlo.reshape {value} : ({kind}) -> {kind}"
    if dialect.startswith("tosa"):
        return f"tosa.identity {value} : ({kind}) -> {kind}"
    if kind.startswith("tensor"):
        return f"tensor.cast {value} : {kind} to {kind}"
    return f"arith.select %altered_true, {value}, {value} : {kind}" if kind.startswith("i") else f"arith.bitcast {value} : {kind} to {kind}"


def _one_side(t):
    """A choice between two values is always the same."""
    for index, result, m, write in _lines(t, r"arith\.select (%\S+), (%\S+), (%\S+) : (\S+)$"):
        for truth in ("true", "false"):
            yield index, write(f"%altered = arith.constant {truth}",
                                  f"{result} = arith.select %altered, {m[2]}, {m[3]} : {m[4]}")
    for index, result, m, write in _lines(t, r"stablehlo\.select %\S+, (%\S+), (%\S+) : \S+, (\S+)$"):
        for value in (m[1], m[2]):
            yield index, write(f"{result} = {_same('stablehlo', value, m[3])}")
    for index, result, m, write in _lines(t, r"tosa\.select %\S+, (%\S+), (%\S+) : \(\S+, (\S+), (\S+)\) -> (\S+)$"):
        for value, kind in ((m[1], m[3]), (m[2], m[4])):
            if kind == m[5]:
                yield index, write(f"{result} = {_same('tosa', value, kind)}")
    for index, result, m, write in _lines(t, r"(stablehlo\.(?:maximum|minimum)) (%\S+), (%\S+) : (\S+)$"):
        for value in (m[2], m[3]):
            yield index, write(f"{result} = {_same(m[1], value, m[4])}")
    for index, result, m, write in _lines(t, r"(tosa\.(?:maximum|minimum)) (%\S+), (%\S+) : \((\S+), (\S+)\) -> (\S+)$"):
        for value, kind in ((m[2], m[4]), (m[3], m[5])):
            if kind == m[6]:
                yield index, write(f"{result} = {_same(m[1], value, kind)}")


# Truth.
_truth_substituted = _substituted(
    (r"arith\.ori (.* : i1)", r"arith.xori \1"), (r"arith\.cmpi ne, (%\S+), %c0_i\d+ : (i\d+)", r"arith.trunci \1 : \2 to i1"),
    (r"stablehlo\.or (.*i1>)", r"stablehlo.xor \1"), (r"tosa\.logical_or ", "tosa.logical_xor "),
    (r"arith\.andi (.* : i1)", r"arith.ori \1"),
    (r"stablehlo\.and (.*i1>)", r"stablehlo.or \1"), (r"tosa\.logical_and ", "tosa.logical_or "), (r"tosa\.reduce_any", "tosa.reduce_all"),
    (r"applies stablehlo\.or", "applies stablehlo.and"))


def _truth_of_float(t):
    """What is below 1 is not true."""
    for index, result, m, write in _lines(t, r"arith\.cmpf une, (%\S+), (%\S+) : (f32|f64)$"):
        if m[1] != m[2]:
            yield index, write(f"%altered = math.trunc {m[1]} : {m[3]}",
                                  f"{result} = arith.cmpf une, %altered, {m[2]} : {m[3]}")


# Precision.
def _narrow(t):
    """What is added up is rounded to a narrower type on the way."""
    for index, result, m, write in _lines(t, r"((?:arith|math)\.(\w+)) (.*) : (f64|f32|i64)$"):
        adds = "%out" in m[3] or m[4] in ("f64", "i64")
        if not adds or m[2] in ("constant", "cmpi", "cmpf", "select", "andi", "ori"):
            continue
        small = NARROWER[m[4]]
        down, up = ("trunci", "extsi") if m[4] == "i64" else ("truncf", "extf")
        yield index, write(f"%altered = {m[1]} {m[3]} : {m[4]}",
                              f"%altered_small = arith.{down} %altered : {m[4]} to {small}",
                              f"{result} = arith.{up} %altered_small : {small} to {m[4]}")
    for dialect, cast in (("stablehlo", "stablehlo.convert"), ("tosa", "tosa.cast")):
        names = r"(?:add|subtract|sub|multiply|mul|divide|intdiv|reduce_sum|reduce|dot_general|matmul|maximum|convert|cast|abs)"
        for index, result, m, write in _lines(t, rf"({dialect}\.{names}[ (].*(?::|->) (tensor<(?:.*x)?(f64|f32|i64)>))$"):
            small = m[2].replace(m[3] + ">", NARROWER[m[3]] + ">")
            if result.endswith(":2"):
                continue
            yield index, write(f"%altered = {m[1]}", f"%altered_small = {cast} %altered : ({m[2]}) -> {small}",
                                  f"{result} = {cast} %altered_small : ({small}) -> {m[2]}")


# One row, one element, sizes.
def _loops(t):
    """Bodies of linalg.generic: (line of its first result, line of the generic, {loop: size, an operand, dimension and type with it})."""
    maps = dict(re.findall(r"^(#map\d*) = affine_map<\(.*?\) -> \((.*)\)>$", "\n".join(t.lines), re.M))
    for begin, line in enumerate(t.lines):
        m = re.match(r"^\s*%\S+ = linalg\.generic \{indexing_maps = \[([^\]]*)\].*?\} (?:ins\((.*?) : (.*?)\) )?"
                     r"outs\((.*?) : (.*?)\) ", line)
        if not m:
            continue
        end = next((i for i in range(begin, min(begin + 60, len(t.lines))) if t.lines[i].lstrip().startswith("linalg.yield")), None)
        first = end and re.match(r"\s*linalg\.yield (%[^\s,]+)", t.lines[end])
        made = first and next((i for i in range(begin, end) if t.lines[i].lstrip().startswith(f"{first[1]} = ")), None)
        if not made or made not in t.nodes:
            continue
        operands = (m[2].split(", ") if m[2] else []) + m[4].split(", ")
        types = (re.findall(r"tensor<[^>]*>", m[3]) if m[3] else []) + re.findall(r"tensor<[^>]*>", m[5])
        loops = {}
        for name, operand, kind in zip(m[1].split(", "), operands, types):
            for k, (size, d) in enumerate(zip(_sizes(kind), maps.get(name, "").split(", "))):
                if re.fullmatch(r"d\d+", d):
                    loops.setdefault(d, (size, operand, k, kind))
        yield made, begin, loops


def _doubled(line):
    """Lines that leave the operation's value in %altered and twice that, or its negation, in %altered_wrong."""
    m = LINE.match(line)
    parts = m and re.match(r"((?:arith|math)\.\w+) .* : (.*)$", m[3])
    if not parts or parts[1] == "arith.constant":
        return None
    kind = "i1" if parts[1] in ("arith.cmpi", "arith.cmpf") else parts[2].split(" to ")[-1]
    if not SCALAR.match(kind):
        return None
    indent, loc = m[1], m[4]
    out = [f"{indent}%altered = {m[3]} loc({loc})"]
    if kind == "i1":
        out += [f"{indent}%altered_yes = arith.constant true loc({loc})",
                f"{indent}%altered_wrong = arith.xori %altered, %altered_yes : i1 loc({loc})"]
    else:
        out.append(f"{indent}%altered_wrong = arith.add{'i' if kind[0] == 'i' else 'f'} %altered, %altered : {kind} loc({loc})")
    return out, indent, m[2], kind, loc


def _chosen(t, conditions):
    """The value of a body is doubled where all of `conditions(loops)` hold: [(loop, predicate, bound)], bound "last" or a number."""
    for index, begin, loops in _loops(t):
        doubled = _doubled(t.lines[index])
        if doubled is None:
            continue
        lines, indent, result, kind, loc = doubled
        for where in conditions(loops):
            before, inside = [], []
            outer = re.match(r"\s*", t.lines[begin])[0]
            for n, (d, predicate, bound) in enumerate(where):
                size, operand, k, of = loops[d]
                if bound == "last" and size is None:
                    before += [f"{outer}%altered_k{n} = arith.constant {k} : index loc({loc})",
                               f"{outer}%altered_one{n} = arith.constant 1 : index loc({loc})",
                               f"{outer}%altered_size{n} = tensor.dim {operand}, %altered_k{n} : {of} loc({loc})",
                               f"{outer}%altered_bound{n} = arith.subi %altered_size{n}, %altered_one{n} : index loc({loc})"]
                else:
                    inside.append(f"{indent}%altered_bound{n} = arith.constant {size - 1 if bound == 'last' else bound} : index loc({loc})")
                inside += [f"{indent}%altered_i{n} = linalg.index {d[1:]} : index loc({loc})",
                           f"{indent}%altered_is{n} = arith.cmpi {predicate}, %altered_i{n}, %altered_bound{n} : index loc({loc})"]
            test = "%altered_is0"
            for n in range(1, len(where)):
                inside.append(f"{indent}%altered_all{n} = arith.andi {test}, %altered_is{n} : i1 loc({loc})")
                test = f"%altered_all{n}"
            body = lines + inside + [f"{indent}{result} = arith.select {test}, %altered_wrong, %altered : {kind} loc({loc})"]
            yield index, {begin: before + [t.lines[begin]], index: body}


def _is_long(size, least):
    return size is None or size >= least


def _one_row_of_loops(t):
    return _chosen(t, lambda loops: [[(d, "eq", bound)] for d in loops if _is_long(loops[d][0], 2) for bound in ("last", 0)][:3])


def _one_element_of_loops(t):
    def conditions(loops):
        return [[(d, "eq", "last") for d in sorted(loops)]] if any(_is_long(each[0], 2) for each in loops.values()) else []

    return _chosen(t, conditions)


def _beyond(t):
    """Wrong from the 17th element of a dimension on."""
    return _chosen(t, lambda loops: [[(d, "sge", 16)] for d in loops if _is_long(loops[d][0], 17)])


def _size_1(t):
    """Wrong only where a dynamic size is 1."""
    for index, begin, loops in _loops(t):
        doubled = _doubled(t.lines[index])
        dynamic = [each for each in loops.values() if each[0] is None]
        if doubled is None or not dynamic:
            continue
        lines, indent, result, kind, loc = doubled
        outer = re.match(r"\s*", t.lines[begin])[0]
        _, operand, k, of = dynamic[0]
        before = [f"{outer}%altered_k = arith.constant {k} : index loc({loc})",
                  f"{outer}%altered_one = arith.constant 1 : index loc({loc})",
                  f"{outer}%altered_size = tensor.dim {operand}, %altered_k : {of} loc({loc})",
                  f"{outer}%altered_is = arith.cmpi eq, %altered_size, %altered_one : index loc({loc})"]
        yield index, {begin: before + [t.lines[begin]],
                      index: lines + [f"{indent}{result} = arith.select %altered_is, %altered_wrong, %altered : {kind} loc({loc})"]}


def _literal(sizes, holds, at=()):
    if len(at) == len(sizes):
        return "true" if holds(at) else "false"
    return "[" + ", ".join(_literal(sizes, holds, (*at, i)) for i in range(sizes[len(at)])) + "]"


def _masked(t, places):
    """Elements of a static result are doubled, or negated, where `places(sizes)` says."""
    skipped = r"(?!stablehlo\.(?:constant|broadcast_in_dim|reshape|reduce\(.*\), \()|tosa\.(?:reshape|const))"
    for index, result, m, write in _lines(t, rf"{skipped}((stablehlo|tosa)\..*(?::|->) (tensor<((?:\d+x)+)(\w+)>))$"):
        sizes = _sizes(m[3])
        mask = f"tensor<{m[4]}i1>"
        count = 1
        for n in sizes:
            count *= n
        # Longer constants of i1 are printed in a form that changed between versions.
        if result.endswith(":2") or count < 2 or count > 100 or not SCALAR.match(m[5]):
            continue
        for holds in places(sizes):
            dense = f"dense<{_literal(sizes, holds)}> : {mask}"
            if m[2] == "stablehlo":
                wrong = f"stablehlo.not %altered : {m[3]}" if m[5] == "i1" else f"stablehlo.add %altered, %altered : {m[3]}"
                made, chosen = f"stablehlo.constant {dense}", f"stablehlo.select %altered_mask, %altered_wrong, %altered : {mask}, {m[3]}"
            else:
                wrong = (f"tosa.logical_not %altered : ({m[3]}) -> {m[3]}" if m[5] == "i1" else
                         f"tosa.add %altered, %altered : ({m[3]}, {m[3]}) -> {m[3]}")
                made = f'"tosa.const"() <{{values = {dense}}}> : () -> {mask}'
                chosen = f"tosa.select %altered_mask, %altered_wrong, %altered : ({mask}, {m[3]}, {m[3]}) -> {m[3]}"
            yield index, write(f"%altered = {m[1]}", f"%altered_wrong = {wrong}",
                                  f"%altered_mask = {made}", f"{result} = {chosen}")


def _one_row_of_results(t):
    return _masked(t, lambda sizes: [lambda at, n=sizes[0]: at[0] == n - 1] if len(sizes) > 1 and sizes[0] > 1 else [])


def _one_element_of_results(t):
    return _masked(t, lambda sizes: [lambda at: all(i == n - 1 for i, n in zip(at, sizes))])


# Slices, sides, first values.
def _slice(t):
    """A slice begins one element early or late."""
    for index, result, m, write in _lines(t, r"tensor\.extract_slice (%\S+?)\[([\d, ]+)\] (\[.*\] \[.*\] : .*)$"):
        offsets = [int(n) for n in m[2].split(", ")]
        for k, n in enumerate(offsets):
            if n > 0:
                moved = offsets[:k] + [n - 1] + offsets[k + 1:]
                yield index, write(f"{result} = tensor.extract_slice {m[1]}[{', '.join(map(str, moved))}] {m[3]}")
    for index, result, m, write in _lines(t, r"stablehlo\.slice (%\S+) \[(.*)\] : \((\S+)\) -> (\S+)$"):
        ranges, sizes = m[2].split(", "), _sizes(m[3])
        for k, each in enumerate(ranges):
            first, last, *step = each.split(":")
            by = -1 if int(first) > 0 else 1 if sizes[k] is not None and int(last) < sizes[k] else 0
            if by:
                moved = ":".join([str(int(first) + by), str(int(last) + by), *step])
                yield index, write(f"{result} = stablehlo.slice {m[1]} [{', '.join(ranges[:k] + [moved] + ranges[k + 1:])}] : "
                                      f"({m[3]}) -> {m[4]}")
    shapes = dict(re.findall(r"^\s*(%\S+) = tosa\.const_shape  \{values = dense<(.*?)> : ", "\n".join(t.lines), re.M))
    for index, result, m, write in _lines(t, r"tosa\.slice (%\S+), (%\S+), (%\S+) : \((\S+), (!tosa\.shape<(\d+)>), (.*)$"):
        rank, start = int(m[6]), shapes.get(m[2], "")
        starts = [int(n) for n in re.findall(r"-?\d+", start)]
        starts = starts * rank if len(starts) == 1 else starts
        for k, n in enumerate(starts):
            if n > 0:
                moved = starts[:k] + [n - 1] + starts[k + 1:]
                yield index, write(f"%altered = tosa.const_shape  {{values = dense<{moved}> : tensor<{rank}xindex>}} : () -> {m[5]}",
                                      f"{result} = tosa.slice {m[1]}, %altered, {m[3]} : ({m[4]}, {m[5]}, {m[7]}")


def _parts(t):
    """Parts of equal type are joined in another order."""
    joined = r"(tosa\.concat |stablehlo\.concatenate |tensor\.concat dim\(\d+\) )(%\S+), (%[^\s,]+)(.*: \((\S+), \5[,)].*)$"
    for index, result, m, write in _lines(t, joined):
        if m[2] != m[3]:
            yield index, write(f"{result} = {m[1]}{m[3]}, {m[2]}{m[4]}")


def _first_value(t):
    """A maximum or minimum begins with 0."""
    lowest = {"0xFF800000", "0x7F800000", "-3.40282347E+38", "3.40282347E+38", "-9223372036854775808", "9223372036854775807", "-128",
              "-2147483648", "0xFFF0000000000000", "0x7FF0000000000000"}
    constants = {m[1]: (m[2], m[3]) for m in re.finditer(r"^\s*(%\S+) = arith\.constant (\S+) : (\w+) loc", "\n".join(t.lines), re.M)}
    for index in t.nodes:
        line = t.lines[index]
        m = re.match(r"^(\s*)(%\S+ = linalg\.fill ins\()(%\S+)( : (\w+)\).*)$", line)
        if m and constants.get(m[3], ("", ""))[0] in lowest:
            zero = "0" if m[5][0] == "i" else "0.000000e+00"
            loc = re.search(r"loc\((#loc\d*)\)$", line)[1]
            yield index, {index: [f"{m[1]}%altered = arith.constant {zero} : {m[5]} loc({loc})", f"{m[1]}{m[2]}%altered{m[4]}"]}
    splat = r"^\s*(%\S+) = stablehlo\.constant dense<(\S+)> : (tensor<\w+>) loc"
    splats = {m[1]: (m[2], m[3]) for m in re.finditer(splat, "\n".join(t.lines), re.M)}
    for index, result, m, write in _lines(t, r"stablehlo\.reduce\((%\S+) init: (%[^\s)]+)\) applies (.*)$"):
        value, kind = splats.get(m[2], ("", ""))
        if value in lowest:
            zero = "0" if "i" in kind.split("<")[1] else "0.000000e+00"
            yield index, write(f"%altered = stablehlo.constant dense<{zero}> : {kind}",
                                  f"{result} = stablehlo.reduce({m[1]} init: %altered) applies {m[3]}")


# Branches and loops.
def _one_branch(t):
    """The condition of a branch is not looked at."""
    for index, line in enumerate(t.lines):
        m = re.match(r"^(\s*)(%\S+ = )?scf\.if (%\S+)( .*)$", line)
        if not m:
            continue
        end = next((i for i in range(index + 1, len(t.lines)) if i in t.nodes and re.match(rf"^{m[1]}\}} loc\(", t.lines[i])), None)
        if end is None:
            continue
        loc = re.search(r"loc\((#loc\d*)\)$", t.lines[end])[1]
        for truth in ("true", "false"):
            yield end, {index: [f"{m[1]}%altered = arith.constant {truth} loc({loc})", f"{m[1]}{m[2] or ''}scf.if %altered{m[4]}"]}


# Results, state.
def _swapped_results(t):
    """Two results of a region, of equal type, change places."""
    for index in t.nodes:
        m = re.match(r"^(\s*(?:linalg|scf|tm_tensor|stablehlo)\.(?:yield|return) )(%\S+), (%\S+) : (\S+), \4( .*)$", t.lines[index])
        if m and m[2] != m[3]:
            yield index, {index: [f"{m[1]}{m[3]}, {m[2]} : {m[4]}, {m[4]}{m[5]}"]}


def _returned(t):
    """(line, values, types) of the function's return."""
    for index, line in enumerate(t.lines):
        m = re.match(r"^    return (%[^:]*) : (.*?) loc\((#loc\d*)\)$", line)
        if m:
            return index, m[1].strip().split(", "), re.findall(r"tensor<[^>]*>|\w+", m[2]), m[3]
    return None


def _definitions(t):
    """By value of the function's body: its first and last line."""
    out = {}
    for begin, line in enumerate(t.lines):
        m = re.match(r"^    (%[\w$.-]+)(?::\d+)? = ", line)
        if m:
            ends = (i for i in range(begin, len(t.lines)) if i in t.nodes and (i == begin or t.lines[i].startswith("    }")))
            out[m[1]] = begin, next(ends, begin)
    return out


def _updates(t):
    """State that the function returns: (result number, value, old value, type, last line of what computes it)."""
    found = _returned(t)
    if found is None:
        return
    text = "\n".join(t.lines)
    old = {m[1]: m[2] for m in re.finditer(r"(%arg\d+): (tensor<[^>]*>)", text)}
    old.update({m[1]: m[2] for m in re.finditer(r"^\s*(%\S+) = .*dense_resource<[^>]*> : (tensor<[^>]*>)", text, re.M)})
    definitions = _definitions(t)
    taken = set()
    for r, (value, kind) in enumerate(zip(found[1], found[2])):
        if value not in definitions:
            continue
        before, work = [], [value]
        seen = set(work)
        while work:
            name = work.pop()
            if old.get(name) == kind and name not in taken:
                before.append(name)
            begin, end = definitions.get(name, (0, -1))
            for operand in re.findall(r"%[\w$.-]+", "\n".join(t.lines[begin:end + 1])):
                if operand not in seen:
                    seen.add(operand)
                    work.append(operand)
        if before and definitions[value][1] in t.nodes:
            taken.add(min(before))
            yield r, value, min(before), kind, definitions[value][1]


def _named(text, name, other):
    return re.sub(re.escape(name) + r"(?![\w$.-])", other, text)


def _returning(t, r, value):
    """The return with another value for result `r`."""
    line, values, types, loc = _returned(t)
    return line, f"    return {', '.join(values[:r] + [value] + values[r + 1:])} : {', '.join(types)} loc({loc})"


def _dropped_state(t):
    """The old state is returned."""
    for r, _, before, _, end in _updates(t):
        line, other = _returning(t, r, before)
        if other != t.lines[line]:
            yield line, {line: [other]}, t.nodes[end]


def _stale_state(t):
    """What is computed from the new state reads the old one."""
    for _, value, before, _, end in _updates(t):
        line = _returned(t)[0]
        edits = {i: [_named(t.lines[i], value, before)] for i in range(end + 1, line) if _named(t.lines[i], value, before) != t.lines[i]}
        if edits:
            yield next(i for i in range(min(edits), line) if i in t.nodes), edits


def _doubled_state(t):
    """The state is updated twice: by twice the difference."""
    for r, value, before, kind, end in _updates(t):
        letter = "i" if re.search(r"i\d+>$", kind) else "f"
        if "tosa." in t.lines[end]:
            less, more = (f"tosa.{op} %s : ({kind}, {kind}) -> {kind}" for op in ("sub", "add"))
        elif "stablehlo." in "\n".join(t.lines[:end]):
            less, more = (f"stablehlo.{op} %s : {kind}" for op in ("subtract", "add"))
        else:
            less, more = (f"arith.{op}{letter} %s : {kind}" for op in ("sub", "add"))
        loc = re.search(r"loc\((#loc\d*)\)$", t.lines[end])[1]
        line, other = _returning(t, r, "%altered")
        yield line, {end: [t.lines[end], f"    %altered_by = {less % f'{value}, {before}'} loc({loc})",
                           f"    %altered = {more % f'{value}, %altered_by'} loc({loc})"], line: [other]}, t.nodes[end]


def _swapped_state(t):
    """Two states of equal type change places."""
    updates = list(_updates(t))
    for n, (a, _, _, kind, end) in enumerate(updates):
        for b, _, _, other_kind, _ in updates[n + 1:]:
            if kind == other_kind:
                line, values, types, loc = _returned(t)
                values = list(values)
                values[a], values[b] = values[b], values[a]
                yield line, {line: [f"    return {', '.join(values)} : {', '.join(types)} loc({loc})"]}, t.nodes[end]


KINDS = {
    "signedness": _signedness, "division": _division, "shift amount": _shift_amount, "rounding": _rounding,
    "float to integer": _float_to_integer, "comparison with NaN": _nan, "ties": _ties, "saturated": _saturated, "limit": _limit,
    "overflow of exp": _overflow, "one side": _one_side, "truth": _all_of(_truth_substituted, _truth_of_float), "narrow": _narrow,
    "one row": _all_of(_one_row_of_loops, _one_row_of_results), "one element": _all_of(_one_element_of_loops, _one_element_of_results),
    "beyond 16": _beyond, "size 1": _size_1, "slice": _slice, "order of parts": _parts, "first value": _first_value,
    "one branch": _one_branch, "swapped results": _swapped_results,
}
STATE_KINDS = {
    "dropped state": _dropped_state, "stale state": _stale_state, "doubled state": _doubled_state, "swapped state": _swapped_state,
}
