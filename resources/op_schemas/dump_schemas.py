"""Writes the table of operator schemas that fxscope embeds: python3 dump_schemas.py OUT.txt (needs PyTorch).

One row an overload, sorted by bytes:

    aten::add_.Tensor;Tensor!a self;Tensor other;*Scalar alpha=1;->Tensor!a

The name, then the arguments, then the returns, each begun by "->". A type is spelled as in a schema's text and without
spaces; "!a" marks a written alias of set a, "~a" a read one; "*" marks a keyword-only argument; a default is JSON.
The rows come from schema objects: the printed form of a schema shortens defaults.
"""
import json
import sys

import torch
import torch._dynamo
import torch._higher_order_ops
import torch.ao.quantization.fx._decomposed
import torch.export

SPELLING = {
    "TensorType": "Tensor", "IntType": "int", "SymIntType": "SymInt", "FloatType": "float", "BoolType": "bool",
    "SymBoolType": "SymBool", "NumberType": "Scalar", "ComplexType": "complex", "StringType": "str", "ScalarTypeType": "ScalarType",
    "LayoutType": "Layout", "MemoryFormatType": "MemoryFormat", "DeviceObjType": "Device", "GeneratorType": "Generator",
}


def spell(kind, size=None):
    name = kind.kind()
    if name == "OptionalType":
        return spell(kind.getElementType(), size) + "?"
    if name == "ListType":
        return spell(kind.getElementType()) + f"[{size if size else ''}]"
    return SPELLING.get(name) or str(kind).replace(" ", "")


def alias(argument):
    found = argument.alias_info
    if found is None:
        return ""
    names = sorted(found.before_set)
    return ("!" if found.is_write else "~") + (names[0].split("::")[-1] if len(names) == 1 else "")


def row(schema):
    parts = [schema.name + ("." + schema.overload_name if schema.overload_name else "")]
    for a in schema.arguments:
        default = "=" + json.dumps(a.default_value, separators=(",", ":")) if a.has_default_value() else ""
        parts.append(("*" if a.kwarg_only else "") + spell(a.real_type, a.N) + alias(a) + " " + a.name + default)
    parts += ["->" + spell(r.real_type, r.N) + alias(r) for r in schema.returns]
    if schema.is_mutable != any(a.alias_info is not None and a.alias_info.is_write for a in schema.arguments):
        raise ValueError(f"{schema}: is_mutable disagrees with its aliases")
    if any(";" in p or "\n" in p for p in parts):
        raise ValueError(f"{schema}: a part holds a separator")
    return ";".join(parts)


if __name__ == "__main__":
    key = lambda r: r.partition(";")[0].encode()
    rows = sorted((row(s) for s in torch._C._jit_get_all_schemas()), key=key)
    with open(sys.argv[1], "w", encoding="utf-8", newline="\n") as out:
        out.write(f"torch {torch.__version__.partition('+')[0]}, {len(rows)} overloads\n")
        out.writelines(r + "\n" for r in rows)
