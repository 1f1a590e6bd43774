# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a PyTorch program lowers to MLIR, and where and why it stops.

    import fxscope
    fxscope.lower(model, to="tosa", args=(x,))        # the stages, and what stopped where
    fxscope.diagnose(program, to=["tosa", "stablehlo"])
    fxscope.fix("model.pt2", to="tosa").load()        # an ExportedProgram that lowers

A program is a torch.export.ExportedProgram, a torch.nn.Module with its inputs (args=, kwargs=), an MLIR module (its text, of several lines, or an
object of MLIR's Python bindings), or the path of a file that fxscope-cli opens.
The work is done by fxscope-cli: a result has the content of its JSON (resources/schemas), by attribute and by item, and shows itself in a
notebook. Further keyword arguments are the command's options: decompose=["aten.gelu"] is --decompose aten.gelu, weights=True is --weights,
as_="torch-mlir" is --as torch-mlir. PyTorch is imported only for a program that is not a path.

fxscope.capture has torch.compile's graphs, and those that were never exported.
"""

from .commands import compare, decompositions, diagnose, fix, graph, lower, show, trace
from .programs import Error
from .results import Comparison, Diagnosis, Fixed, Graph, Lowering, Record, Result, Trace

__all__ = [
    "Comparison", "Diagnosis", "Error", "Fixed", "Graph", "Lowering", "Record", "Result", "Trace",
    "compare", "decompositions", "diagnose", "fix", "graph", "lower", "show", "trace",
]
