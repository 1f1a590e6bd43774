# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Alters a linalg text at one FX node, as a compiler with a defect would: ten kinds of defects, each applied to the operations of a node.

    altered(text, kind, node, place) -> the altered text, or None if the node has no such place
    places(text, kind) -> [(node, number of places)]

A text is one that torch-mlir-opt prints with locations. Nodes are found by the location of an operation, `loc("name"("fx":..))`, so that the
same defect is made in a text with further results.
"""
import re

import altered_semantics

FLOAT = r"(?:f16|bf16|f32|f64)"
ASSIGN = re.compile(r"^(\s*)(%[\w$.-]+) = ([\w.]+)( .*)? loc\((#loc\d*)\)$")


class Text:
    def __init__(self, text):
        self.lines = text.split("\n")
        named = dict(re.findall(r'^(#loc\d*) = loc\("((?:[^"\\]|\\.)*)"\((?:#loc\d*|"fx":\d+:\d+)\)\)$', text, re.M))
        # What a branch or a loop calls is at its node.
        for name, caller in re.findall(r"^(#loc\d*) = loc\(callsite\(#loc\d* at (#loc\d*)\)\)$", text, re.M):
            if caller in named:
                named[name] = named[caller]
        self.nodes = {}
        for index, line in enumerate(self.lines):
            found = re.search(r" loc\((#loc\d*)\)$", line)
            if found and found[1] in named:
                self.nodes[index] = named[found[1]]

    def body(self):
        """Lines of floating point arithmetic inside a region: (line, indent, result, operation, operands, type, location)."""
        for index, line in enumerate(self.lines):
            if index not in self.nodes:
                continue
            m = re.match(rf"^(\s{{6,}})(%[\w$.-]+) = (arith|math)\.(\w+) (.*) : ({FLOAT}) loc\((#loc\d*)\)$", line)
            if m and m[4] not in ("constant", "cmpf", "select"):
                yield index, m[1], m[2], m[3] + "." + m[4], [x.strip() for x in m[5].split(",")], m[6], m[7]

    def joined(self, edits):
        out = []
        for index, line in enumerate(self.lines):
            out.extend(edits.get(index, [line]))
        return "\n".join(out)


def _wrong_constant(t):
    """x op c becomes x op (c * 1.01)."""
    constants = dict(re.findall(r"^\s*(%cst[\w$.-]*) = arith\.constant (\S+) : f32 loc", "\n".join(t.lines), re.M))
    for index, indent, result, op, operands, kind, loc in t.body():
        for k, operand in enumerate(operands):
            value = constants.get(operand)
            if value is None or kind != "f32" or value.startswith("0x") or float(value) == 0:
                continue
            other = list(operands)
            other[k] = "%altered"
            yield index, {index: [f"{indent}%altered = arith.constant {float(value) * 1.01:.6e} : f32 loc({loc})",
                                  f"{indent}{result} = {op} {', '.join(other)} : {kind} loc({loc})"]}


def _swapped_operand(t):
    for index, indent, result, op, operands, kind, loc in t.body():
        if op in ("arith.subf", "arith.divf", "math.powf") and operands[0] != operands[1]:
            yield index, {index: [f"{indent}{result} = {op} {operands[1]}, {operands[0]} : {kind} loc({loc})"]}
    for index, line in enumerate(t.lines):
        m = re.match(r"^(\s*%\S+ = linalg\.matmul ins\()(%\S+), (%\S+) : (tensor<(\d+)x\5x\w+>), \4(\).*)$", line)
        if m and index in t.nodes:
            yield index, {index: [f"{m[1]}{m[3]}, {m[2]} : {m[4]}, {m[4]}{m[6]}"]}


def _dropped_operation(t):
    for index, indent, result, op, operands, kind, loc in t.body():
        yield index, {index: [f"{indent}%altered = arith.constant 0.000000e+00 : {kind} loc({loc})",
                              f"{indent}{result} = arith.addf {operands[0]}, %altered : {kind} loc({loc})"]}


def _sign(t):
    for index, indent, result, op, operands, kind, loc in t.body():
        yield index, {index: [f"{indent}%altered = {op} {', '.join(operands)} : {kind} loc({loc})",
                              f"{indent}{result} = arith.negf %altered : {kind} loc({loc})"]}


def _transposed_map(t):
    """An input of two equal sizes is read transposed."""
    maps = dict(re.findall(r"^(#map\d*) = (affine_map<.*>)$", "\n".join(t.lines), re.M))
    for index, line in enumerate(t.lines):
        m = re.match(r"^(.* = linalg\.generic \{indexing_maps = \[)([^\]]*)(\].* ins\()(.*?) : ([^)]*)(\) outs\(.*)$", line)
        if not m:
            continue
        node = _node_of_region(t, index)
        if node is None:
            continue
        names, types = m[2].split(", "), m[5].split(", ")
        for k, (name, kind) in enumerate(zip(names, types)):
            body = maps.get(name, "")
            results = re.match(r"affine_map<\(.*\) -> \((.*)\)>$", body)
            sizes = re.findall(r"(\d+|\?)x", kind)
            if not results:
                continue
            dims = results[1].split(", ")
            for a in range(len(dims) - 1):
                if len(sizes) == len(dims) and sizes[a] == sizes[a + 1] != "1" and dims[a] != dims[a + 1] and "d" in dims[a] and "d" in dims[a + 1]:
                    swapped = dims[:a] + [dims[a + 1], dims[a]] + dims[a + 2:]
                    other = names[:k] + [re.sub(r"-> \(.*\)>$", f"-> ({', '.join(swapped)})>", body)] + names[k + 1:]
                    yield node[0], {index: [f"{m[1]}{', '.join(other)}{m[3]}{m[4]} : {m[5]}{m[6]}"]}, node[1]


def _node_of_region(t, index):
    """The line that ends the operation which begins here, and its node."""
    indent = re.match(r"\s*", t.lines[index])[0]
    for end in range(index, min(index + 60, len(t.lines))):
        if end in t.nodes and t.lines[end].startswith(indent + "}"):
            return end, t.nodes[end]
    return None


def _narrowed_type(t):
    for index, indent, result, op, operands, kind, loc in t.body():
        if kind == "f32":
            yield index, {index: [f"{indent}%altered = {op} {', '.join(operands)} : f32 loc({loc})",
                                  f"{indent}%narrow = arith.truncf %altered : f32 to f16 loc({loc})",
                                  f"{indent}{result} = arith.extf %narrow : f16 to f32 loc({loc})"]}


def _static_size(t):
    """A result of a dynamic size is cast to size 1 and back, as torch-mlir did in llvm/torch-mlir#4743."""
    for index, line in enumerate(t.lines):
        m = re.match(r"^(\s*)\} -> (tensor<\?x([^>]*)>) loc\((#loc\d*)\)$", line)
        if not m or index not in t.nodes:
            continue
        begin = next((b for b in range(index, max(index - 60, 0), -1) if re.match(rf"^{m[1]}(%[\w$.-]+) = linalg\.generic ", t.lines[b])), None)
        if begin is None:
            continue
        name = re.match(r"\s*(%[\w$.-]+)", t.lines[begin])[1]
        yield index, {begin: [t.lines[begin].replace(name + " = ", "%wide = ", 1)],
                      index: [line, f"{m[1]}%one = tensor.cast %wide : {m[2]} to tensor<1x{m[3]}> loc({m[4]})",
                              f"{m[1]}{name} = tensor.cast %one : tensor<1x{m[3]}> to {m[2]} loc({m[4]})"]}


def _output_order(t):
    for index, line in enumerate(t.lines):
        m = re.match(r"^(\s*)return (%[^:]*) : (.*?) loc\((#loc\d*)\)$", line)
        if not m:
            continue
        values, types = m[2].strip().split(", "), re.findall(r"tensor<[^>]*>|\w+", m[3])
        for a in range(len(values)):
            for b in range(a + 1, len(values)):
                if types[a] == types[b] and values[a] != values[b]:
                    other = list(values)
                    other[a], other[b] = other[b], other[a]
                    yield index, {index: [f"{m[1]}return {', '.join(other)} : {m[3]} loc({m[4]})"]}, "output"


def _nan(t):
    for index, indent, result, op, operands, kind, loc in t.body():
        yield index, {index: [f"{indent}%altered = {op} {', '.join(operands)} : {kind} loc({loc})",
                              f"{indent}%zero = arith.constant 0.000000e+00 : {kind} loc({loc})",
                              f"{indent}%nan = arith.divf %zero, %zero : {kind} loc({loc})",
                              f"{indent}{result} = arith.addf %altered, %nan : {kind} loc({loc})"]}


def _uninitialized_read(t):
    """A reduction begins with what memory holds."""
    for index, line in enumerate(t.lines):
        m = re.match(r"^(\s*)(%[\w$.-]+) = linalg\.fill ins\(.*\) outs\((%[\w$.-]+) : .*\) -> .* loc\((#loc\d*)\)$", line)
        if not m or index not in t.nodes:
            continue
        rest = {}
        for i, other in enumerate(t.lines):
            if i != index and re.search(re.escape(m[2]) + r"(?![\w$.-])", other):
                rest[i] = [re.sub(re.escape(m[2]) + r"(?![\w$.-])", m[3], other)]
        yield index, {index: [], **rest}


LINALG_KINDS = {
    "wrong constant": _wrong_constant, "swapped operand": _swapped_operand, "dropped operation": _dropped_operation, "sign": _sign,
    "transposed map": _transposed_map, "narrowed type": _narrowed_type, "static size": _static_size, "output order": _output_order,
    "NaN": _nan, "uninitialized read": _uninitialized_read,
}
KINDS = {**LINALG_KINDS, **altered_semantics.KINDS, **altered_semantics.STATE_KINDS}


def _all(text, kind):
    t = Text(text)
    for found in KINDS[kind](t):
        yield t, (found[2] if len(found) > 2 else t.nodes[found[0]]), found[1]


def places(text, kind):
    """[(node, how many places it has)], in order of the text."""
    counts = {}
    for _, node, _ in _all(text, kind):
        counts[node] = counts.get(node, 0) + 1
    return list(counts.items())


CONSTANTS = "weights as constants"


def with_constants(text):
    """Not a defect: weights whose data follow the module are constants in it."""
    data = dict(re.findall(r'^ +([\w.]+): "0x\w{8}(\w*)",?$', text, re.M))
    return re.sub(r"dense_resource<([\w.]+)>", lambda m: f'dense<"0x{data[m[1]]}">' if m[1] in data else m[0], text)


def altered(text, kind, node, place, count=None):
    """Of a text with more results, what is there several times is altered each time: `count` is how many places the node had without."""
    if kind == CONSTANTS:
        return with_constants(text)
    found = [edits for _, at, edits in _all(text, kind) if at == node]
    if count and len(found) > count and len(found) % count == 0:
        edits = {}
        for each in found[place::count]:
            edits.update(each)
        return Text(text).joined(edits)
    return Text(text).joined(found[place]) if place < len(found) else None
