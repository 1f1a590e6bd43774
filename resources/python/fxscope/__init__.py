# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a PyTorch program lowers to MLIR, and where and why it stops.

    import fxscope
    fxscope.explain(model, x, to="tosa")              # does it lower? what stops it, and what makes it lower
    fxscope.lower(model, to="tosa", args=(x,))        # the stages, and what stopped where
    fxscope.diagnose(program, to=["tosa", "stablehlo"])
    fxscope.fix("model.pt2", to="tosa").load()        # an ExportedProgram that lowers

A program is a torch.export.ExportedProgram, a torch.nn.Module with its inputs (args=, kwargs=), an MLIR module (its
text, of several lines, or an object of MLIR's Python bindings), or the path of a file that fxscope-cli opens. PyTorch
is imported only for a program that is in memory.

The work is done by fxscope-cli: a result has the content of its JSON, by attribute and by item, and shows itself in a
notebook. Further keyword arguments are the command's options: decompose=["aten.gelu"] is --decompose aten.gelu,
weights=True is --weights, as_="torch-mlir" is --as torch-mlir. fxscope.types has the members of results and the
options of functions.

An fxscope.Error says what could not be done, and the way out. fxscope.capture has torch.compile's graphs, and those
that were never exported.
"""

from typing import TYPE_CHECKING

from .commands import compare, decompositions, diagnose, fix, graph, lower, show, trace
from .explanation import Explanation as Explanation, explain
from .layers import layer as layer
from .programs import Error as Error
from .record import Record as Record
from .results import (Comparison as Comparison, Diagnosis as Diagnosis, EngineComparison as EngineComparison, Fixed as Fixed, Graph as Graph,
                      Lowering as Lowering, NodeTrace as NodeTrace, OperationTrace as OperationTrace, PatternTrace as PatternTrace,
                      Result as Result, Stop as Stop, Trace as Trace)
from .types import UserOutputType as UserOutputType

if TYPE_CHECKING:
    from . import capture as capture
else:

    def __getattr__(name):  # what imports PyTorch, once it is used
        if name != "capture":
            raise AttributeError(f"module 'fxscope' has no attribute {name!r}")
        import importlib

        return importlib.import_module(".capture", __name__)


# The functions: help(fxscope) is about them.
__all__ = ["compare", "decompositions", "diagnose", "explain", "fix", "graph", "lower", "show", "trace"]
