# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes the text of a program (`fxscope-cli inspect FILE --graph`; its grammar stands in core/fx/text.h) with PyTorch.

A dump says for every node what its value should be. While running, each value's type and shape is compared with that, so
that a rewrite which computes the right numbers in the wrong type is found as well.
"""
import math
import operator
import re

import torch


class DumpError(Exception):
    """The text is not a dump, or its program does something that this file cannot run."""


_DTYPES = {
    "f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "i8": torch.int8,
    "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8, "b8": torch.bool, "c32": torch.complex32,
    "c64": torch.complex64, "c128": torch.complex128, "u16": torch.uint16, "u32": torch.uint32, "u64": torch.uint64,
}


class Ref(str):
    """A node, by name."""


class Scanner:
    """Reads the arguments and values of a dump's line."""

    def __init__(self, text, pos=0):
        self.text, self.pos = text, pos

    def peek(self):
        return self.text[self.pos] if self.pos < len(self.text) else ""

    def skip(self, wanted):
        if not self.text.startswith(wanted, self.pos):
            raise DumpError(f"expected {wanted!r} at {self.text[self.pos:self.pos + 30]!r}")
        self.pos += len(wanted)

    def take(self, wanted):
        found = self.text.startswith(wanted, self.pos)
        if found:
            self.pos += len(wanted)
        return found

    def string(self):
        match = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"").match(self.text, self.pos)
        if not match:
            raise DumpError(f"expected a string at {self.text[self.pos:self.pos + 30]!r}")
        self.pos = match.end()
        return eval(match.group())  # noqa: S307 - a string literal, matched above

    def name(self):
        if self.peek() in "'\"":
            return self.string()
        match = re.compile(r"[A-Za-z0-9_.]+").match(self.text, self.pos)
        if not match:
            raise DumpError(f"expected a name at {self.text[self.pos:self.pos + 30]!r}")
        self.pos = match.end()
        return match.group()

    def items(self, close, read):
        out = []
        while not self.take(close):
            if out:
                self.skip(",")
                self.take(" ")
                if self.take(close):
                    break
            out.append(read())
        return out

    def argument(self, bare_names=False):
        if self.take("%"):
            return Ref(self.name())
        if self.take("["):
            return self.items("]", lambda: self.argument(bare_names))
        if self.take("{"):
            return dict(self.items("}", self.entry))
        if self.take("operator("):
            name = self.string()
            self.skip(")")
            return ("operator", name)
        if self.take("device(type="):
            kind = self.string()
            index = int(self.name()) if self.take(", index=") else None
            self.skip(")")
            return torch.device(kind, index)
        if self.peek() in "'\"":
            return self.string()
        match = re.compile(r"\([^()]*j\)|[-+]?[A-Za-z0-9_.:]+(?:[-+]\d+)?j?").match(self.text, self.pos)
        if not match:
            raise DumpError(f"expected an argument at {self.text[self.pos:self.pos + 30]!r}")
        self.pos = match.end()
        return self.word(match.group(), bare_names)

    def entry(self):
        key = self.name()
        self.skip(": ")
        return key, self.argument()

    @staticmethod
    def word(word, bare_names):
        constants = {"None": None, "True": True, "False": False, "inf": math.inf, "-inf": -math.inf, "nan": math.nan}
        if word in constants:
            return constants[word]
        if re.fullmatch(r"-?\d+", word):
            return int(word)
        try:
            return complex(word) if word.endswith(("j", "j)")) else float(word)
        except ValueError:
            pass
        if word.startswith("torch."):
            return getattr(torch, word[6:])
        if bare_names:
            return Ref(word)
        if re.fullmatch(r"[a-z]+(:\d+)?", word):
            return torch.device(word)
        return ("operator", word)


class Node:
    def __init__(self, name, value, op, target, args=(), kwargs=None, spec=None):
        self.name, self.value, self.op, self.target = name, value, op, target
        self.args, self.kwargs, self.spec = args, kwargs or {}, spec


_NODE = re.compile(r"%('(?:[^'\\]|\\.)*'|[\w.]+) : (.*?) ?\[num_users=\d+\] = (placeholder|get_attr|call_function)\[target=")


def parse(text):
    """{graph path: [Node]}; "" is main. The last node of a graph is its output; its spec lists (kind, target)."""
    graphs, nodes = {}, None
    for line in text.splitlines():
        header = re.fullmatch(r"graph ?(.*)\(\):", line)
        if header:
            nodes = graphs.setdefault(header.group(1), [])
        elif line.startswith("    ") and nodes is not None:
            nodes.append(_return(line[11:]) if line.startswith("    return ") else _node(line[4:]))
    return graphs


def _node(line):
    match = _NODE.match(line)
    if not match:
        raise DumpError(f"not a node: {line[:120]}")
    name, value, op = match.groups()
    scanner = Scanner(line, match.end())
    target = scanner.string() if scanner.peek() in "'\"" else scanner.name()
    scanner.skip("]")
    if op == "call_function":
        scanner.skip("(args = (")
        args = scanner.items(")", scanner.argument)
        scanner.skip(", kwargs = {")
        kwargs = dict(scanner.items("}", scanner.entry))
        return Node(name, value, op, target, args, kwargs)
    spec = None
    if op == "placeholder" and scanner.take(" "):
        kind = scanner.name()
        fqn = scanner.string() if scanner.take(" ") and scanner.peek() in "'\"" else None
        rest = line[scanner.pos:]
        constant = Scanner(rest, rest.index("= ") + 2).argument() if "= " in rest else None
        spec = (kind, fqn, constant)
    return Node(name, value, op, target, spec=spec)


def _return(text):
    scanner = Scanner(text)
    bare = not scanner.take("(")
    values = [scanner.argument(True)] if bare else scanner.items(")", lambda: scanner.argument(True))
    specs = []
    while scanner.pos < len(text):
        scanner.take(",")
        scanner.skip(" ")
        kind = scanner.name()
        specs.append((kind, scanner.string() if text.startswith(" '", scanner.pos) and scanner.take(" ") else None))
    return Node("output", "", "output", "output", values, {"bare": bare}, specs or [("user_output", None)] * len(values))


def _numbers(text):
    """[2, s0, 3] as a list with None for what is symbolic."""
    out, depth, item = [], 0, ""
    for c in text + ",":
        if c == "," and depth == 0:
            if item.strip():
                out.append(int(item) if re.fullmatch(r"\s*-?\d+\s*", item) else None)
            item = ""
        else:
            depth += (c in "([") - (c in ")]")
            item += c
    return out


def tensor_of(value):
    """(dtype, sizes, strides or None, offset) of a dumped tensor value; None when it is not one."""
    match = re.match(r"(\w+)\[", value)
    if not match or match.group(1) not in _DTYPES:
        return None
    depth, end = 0, match.end() - 1
    for end in range(match.end() - 1, len(value)):
        depth += (value[end] == "[") - (value[end] == "]")
        if depth == 0:
            break
    sizes, rest = _numbers(value[match.end():end]), value[end + 1:]
    strides = re.search(r" stride=\[(.*?)\](?: |$)", rest)
    offset = re.search(r" offset=(\d+)", rest)
    return _DTYPES[match.group(1)], sizes, _numbers(strides.group(1)) if strides else None, int(offset.group(1)) if offset else 0


def _resolve(target):
    if target.startswith("operator."):
        return getattr(operator, target[9:])
    if target.startswith("torch.ops."):
        found = torch.ops
        for part in target[10:].split("."):
            found = getattr(found, part)
        return found
    if target.startswith(("math.", "torch.")):
        found = {"math": math, "torch": torch}[target.split(".")[0]]
        for part in target.split(".")[1:]:
            found = getattr(found, part)
        return found
    raise DumpError(f"cannot run {target}")


class Runner:
    """Runs a parsed dump. `weights` maps FQN to tensor; inputs are the user inputs in order."""

    def __init__(self, text, weights):
        self.graphs, self.weights = parse(text), weights
        self.mismatches = []   # values whose type or shape is not the recorded one

    def __call__(self, *inputs):
        """(values, specs) of main's return, where specs are (kind, target)."""
        inputs, main, given = list(inputs), self.graphs[""], []
        for node in main:
            if node.op != "placeholder":
                continue
            kind, fqn, constant = node.spec or ("user_input", None, None)
            if kind in ("parameter", "buffer", "tensor_constant"):
                given.append(self.weights[fqn].detach().clone())
            elif kind == "constant_input":
                inputs.pop(0)
                given.append(constant)
            else:
                value = inputs.pop(0)
                given.append(value.detach().clone() if isinstance(value, torch.Tensor) else value)
        with torch.no_grad():
            return self.run("", given), main[-1].spec

    def run(self, path, given):
        env, metas, given = {}, {}, list(given)
        for node in self.graphs[path]:
            if node.op == "placeholder":
                env[node.name] = given.pop(0)
            elif node.op == "get_attr":
                env[node.name] = ("graph", f"{path}.{node.name}" if path else node.name)
            elif node.op == "output":
                return [self.value(v, env) for v in node.args]
            else:
                env[node.name] = self.call(node, env, metas)
                self.check(node, env[node.name])
            metas[node.name] = tensor_of(node.value)
        raise DumpError(f"graph {path!r} does not return")

    def value(self, argument, env):
        if isinstance(argument, Ref):
            return env[argument]
        if isinstance(argument, list):
            return [self.value(item, env) for item in argument]
        if isinstance(argument, dict):
            return {key: self.value(item, env) for key, item in argument.items()}
        return argument

    def call(self, node, env, metas):
        args = [self.value(a, env) for a in node.args]
        kwargs = {key: self.value(a, env) for key, a in node.kwargs.items()}
        if node.target == "torch.ops.higher_order.cond":
            taken = args[1] if bool(args[0]) else args[2]
            return tuple(self.run(taken[1], args[3]))
        if node.target == "torch.ops.higher_order.while_loop":
            carried, extra = list(args[2]), list(args[3]) if len(args) > 3 else []
            while bool(self.run(args[0][1], carried + extra)[0]):
                carried = self.run(args[1][1], carried + extra)
            return tuple(carried)
        if node.target.startswith("torch.ops.higher_order."):
            raise DumpError(f"cannot run {node.target}")
        if node.target.startswith("torch.ops.aten.as_strided") and isinstance(node.args[0], Ref):
            args[0] = self.laid_out(args[0], metas.get(node.args[0]))
        if node.target in ("torch.ops.aten.view.default", "torch.ops.aten._unsafe_view.default"):
            return torch.ops.aten.reshape.default(*args)   # a rewritten operand may lie otherwise than the original did
        return _resolve(node.target)(*args, **kwargs)

    @staticmethod
    def laid_out(tensor, meta):
        """as_strided addresses memory: lay the operand out as recorded."""
        if not meta or None in meta[1]:
            return tensor
        strides = meta[2] or torch.empty(meta[1], device="meta").stride()
        if None in strides or (tuple(tensor.stride()) == tuple(strides) and tensor.storage_offset() == meta[3]):
            return tensor
        if meta[3] != 0:
            raise DumpError("as_strided of a value that begins inside its storage")
        return torch.empty_strided(meta[1], strides, dtype=tensor.dtype).copy_(tensor)

    def check(self, node, value):
        meta = tensor_of(node.value)
        if meta is None or not isinstance(value, torch.Tensor):
            return
        wrong = value.dtype != meta[0] or value.dim() != len(meta[1])
        wrong = wrong or any(want is not None and want != has for want, has in zip(meta[1], value.shape))
        if wrong:
            self.mismatches.append(f"{node.name} ({node.target}) is {value.dtype}{list(value.shape)}, recorded as {node.value}")


def in_place_calls(text):
    """Calls whose schema says that they write."""
    out = []
    for nodes in parse(text).values():
        for node in nodes:
            if node.op != "call_function" or not node.target.startswith("torch.ops.") or ".higher_order." in node.target:
                continue
            try:
                if _resolve(node.target)._schema.is_mutable:
                    out.append(f"{node.name} ({node.target})")
            except AttributeError:
                pass
    return out
