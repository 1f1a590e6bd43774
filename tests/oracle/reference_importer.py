# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch-mlir's own importer on a saved program: the reference that fxscope's text is compared with."""
import re

import torch
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras.fx_importer import FxImporter

MODES = ("frozen", "program")


def new_context():
    context = ir.Context()
    torch_dialect.register_dialect(context)
    return context


def as_exported(exported):
    """Undoes what loading changes and the importer does not expect: the value of a list-returning operator became a tuple, which it takes
    for several results, and the tuples of a while_loop's carried and additional inputs became lists."""

    def fix(module):
        for node in module.graph.nodes:
            value = node.meta.get("val")
            is_overload = node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)
            if is_overload and isinstance(value, tuple) and len(node.target._schema.returns) == 1:
                node.meta["val"] = list(value)
            if node.op == "call_function" and str(node.target) == "while_loop":
                node.args = tuple(tuple(a) if isinstance(a, list) else a for a in node.args)
        for _, child in module.named_children():
            if isinstance(child, torch.fx.GraphModule):
                fix(child)

    fix(exported.graph_module)
    return exported


def reference_text(path, mode, symbolic_shapes=False):
    """The importer's module as text, or the exception it raised. The program is loaded anew: the importer changes it."""
    exported = as_exported(torch.export.load(path))
    importer = FxImporter(context=new_context())
    run = importer.import_frozen_program if mode == "frozen" else importer.import_program
    run(exported, import_symbolic_shape_expressions=symbolic_shapes)
    return importer.module.operation.get_asm()


def one_line(error):
    """The first line of an error that says something, without paths and numbers that change."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else ""
    if text.startswith("Unable to parse module assembly") and len(lines) > 1:
        text = lines[1]
    text = re.sub(r'error: "[^"]*":\d+:\d+: ', "error: ", text)
    text = re.sub(r" at 0x[0-9a-f]+|, \{'val'.*", "", text)
    return f"{type(error).__name__}: {text}"[:200]
