# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module as hashes of its data flow, so that two texts can be compared without their order, names and locations.

Canonicalized first: constants and list constructions are then unified and what is dead is gone. An operation is the hash of its name, its
attributes, its operands' hashes, its result types and its regions; a resource is the hash of its bytes.
"""
import hashlib
import re

from reference_importer import new_context
from torch_mlir import ir
from torch_mlir.passmanager import PassManager

RESOURCE = re.compile(r'^\s*"?([^"\n]*?)"?: "0x([0-9A-Fa-f]*)"', re.M)
HANDLE = re.compile(r'dense_resource<"?([^">]*)"?>')
ALIGNMENT_DIGITS = 8


def digest(*parts):
    return hashlib.sha1("|".join(map(str, parts)).encode()).hexdigest()[:16]


def unescape(name):
    return re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), name)


class Dag:
    def __init__(self, text):
        marker = text.find("dialect_resources")
        table = text[marker:] if marker >= 0 else ""
        self.resources = {unescape(key): digest(data.upper()[ALIGNMENT_DIGITS:]) for key, data in RESOURCE.findall(table)}
        with new_context():
            module = ir.Module.parse(text)
            PassManager.parse("builtin.module(canonicalize)").run(module.operation)
            self.functions = {f.attributes["sym_name"].value: self.function(f) for f in module.body.operations}

    def attribute(self, attribute):
        return HANDLE.sub(lambda m: "resource " + self.resources.get(unescape(m[1]), "without data"), str(attribute))

    def attributes(self, op):
        try:
            names = [named.name if hasattr(named, "name") else named for named in op.attributes]
            return sorted((name, self.attribute(op.attributes[name])) for name in names)
        except TypeError:
            # The bindings have no class for a complex constant: its printed form stands in.
            return HANDLE.findall(op.get_asm()) + re.findall(r"dense<[^>]*>", op.get_asm())

    def function(self, function):
        attributes = {named.name if hasattr(named, "name") else named for named in function.attributes}
        visible = sorted(attributes - {"sym_name", "function_type", "res_attrs", "arg_attrs"})
        self.all = []
        blocks = [self.block(block, {}, "function") for block in function.regions[0].blocks]
        return str(function.attributes["function_type"]), visible, blocks, sorted(self.all)

    def block(self, block, values, label):
        for index, argument in enumerate(block.arguments):
            values[argument] = digest("argument", label, index, argument.type)
        effects = []
        for op in block.operations:
            op = op.operation
            regions = [self.block(b, values, label + "r") for region in op.regions for b in region.blocks]
            attributes = self.attributes(op)
            types = [str(result.type) for result in op.results]
            own = digest(op.name, attributes, [values[o] for o in op.operands], types, regions)
            for index, result in enumerate(op.results):
                values[result] = digest(own, index)
            if len(op.results) == 0:
                effects.append((op.name, own))
            self.all.append((op.name, own))
        return effects


def differences(ours, theirs, with_attributes=True):
    """What differs between two Dags: nothing when they are the same program."""
    out = []
    for name in sorted(set(ours.functions) | set(theirs.functions)):
        if name not in ours.functions or name not in theirs.functions:
            out.append(f"function @{name} only in {'theirs' if name not in ours.functions else 'ours'}")
            continue
        a, b = ours.functions[name], theirs.functions[name]
        if a[0] != b[0]:
            out.append(f"@{name}: {a[0]} | {b[0]}")
        if with_attributes and a[1] != b[1]:
            out.append(f"@{name}: attributes {a[1]} | {b[1]}")
        if a[2] != b[2]:
            out.append(f"@{name}: what is returned or written differs")
        only = [op for op, h in a[3] if (op, h) not in set(b[3])], [op for op, h in b[3] if (op, h) not in set(a[3])]
        if only[0] or only[1]:
            out.append(f"@{name}: only ours {sorted(only[0])[:6]}, only theirs {sorted(only[1])[:6]}")
    return out
