"""Saves a sample beside its script: exported by torch.export, stack traces without the paths of this machine."""
import os
import re
import sys

import torch

HERE = os.path.dirname(os.path.abspath(__file__))


def portable(trace):
    """Paths as a reader of the repository knows them: samples/x.py, site-packages/torch/nn/modules/linear.py."""
    trace = re.sub(r'File "[^"]*/site-packages/', 'File "site-packages/', trace)
    return trace.replace(f'File "{HERE}/', 'File "samples/')


def save(model, args, name, dynamic_shapes=None, kwargs=None):
    with torch.no_grad():
        program = torch.export.export(model.eval(), args, kwargs, dynamic_shapes=dynamic_shapes)
    for module in program.graph_module.modules():
        for node in getattr(module, "graph", torch.fx.Graph()).nodes:
            if node.stack_trace:
                node.meta["stack_trace"] = portable(node.stack_trace)
    path = os.path.join(HERE, name + ".pt2")
    torch.export.save(program, path)
    print(f"{name}.pt2: {os.path.getsize(path)} bytes, {len(program.graph.nodes)} nodes", file=sys.stderr)
