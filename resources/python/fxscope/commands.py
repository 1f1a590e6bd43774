# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of the module, a command of fxscope-cli each."""

from __future__ import annotations

import functools
import importlib
import os
import pathlib
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, overload

from . import programs
from .programs import Error
from .results import (Comparison, Diagnosis, EngineComparison, Fixed, Graph, Lowering, NodeTrace, OperationTrace, PatternTrace, Stop, Trace,
                      result)
from .source import Program, Source
from .types import OutputType, OutputTypes, Path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import CompareOptions, DiagnoseOptions, FixOptions, GraphOptions, LowerOptions, ShowOptions, TraceOptions

# Of fixed programs that were given no place: their path is used when the object is gone.
_UNTIL_EXIT: list[Source] = []
# Windows of show(), by the name of the program, output type and options; with the file that each watches.
_WINDOWS: dict[tuple[str, ...], tuple[subprocess.Popen[bytes], pathlib.Path]] = {}
P = ParamSpec("P")
R = TypeVar("R")


def short_traceback(function: Callable[P, R]) -> Callable[P, R]:
    """An Error comes from the function that was called, whatever it called."""

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Error as error:
            raise error.with_traceback(None)

    return called


@short_traceback
def lower(x: Program, /, to: OutputType | None = None, *, output: Path | None = None, args: Sequence[Any] = (),
          kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None, **options: Unpack[LowerOptions]) -> Lowering:
    """Lowers through every stage up to an output type, or by pass_pipeline="builtin.module(..)"; `output` is a folder for the stages' texts."""
    source = Source(x, args, kwargs, dynamic_shapes)
    folder = pathlib.Path(output or source.folder / "stages")
    arguments = ["lower", str(source.path), *programs.options({"to": to, **options}), "-o", str(folder), "--json"]
    out = result(Lowering, programs.run(arguments), source)
    out._folder = folder
    return out


@short_traceback
def diagnose(x: Program, /, to: OutputTypes, *, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None,
             **options: Unpack[DiagnoseOptions]) -> Diagnosis:
    """Every operation that does not lower, why, and the fixes that were tried and verified."""
    return diagnosed(Source(x, args, kwargs, dynamic_shapes), programs.options({"to": to, **options}))


def diagnosed(source: Source, options: Sequence[str]) -> Diagnosis:
    arguments = ["diagnose", str(source.path), *options]
    text = programs.run([*arguments, "--format", "json"], (programs.FOUND_NOTHING, programs.FINDINGS, programs.INPUT, programs.NOT_KNOWN))
    out = result(Diagnosis, text, source)
    out._arguments = arguments
    return out


@short_traceback
def fix(x: Program, /, to: OutputTypes, *, output: Path | None = None, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None,
        dynamic_shapes: Any = None, python: Path | None = None, **options: Unpack[FixOptions]) -> Fixed:
    """Applies what makes the program lower to all of these output types; `output` is the .pt2 to write."""
    source = Source(x, args, kwargs, dynamic_shapes)
    path = pathlib.Path(output or source.folder / f"{source.path.stem}.fixed.pt2")
    if output is None:
        _UNTIL_EXIT.append(source)
    script = source.folder / "fixed.py"
    chosen = programs.options({"to": to, "python": python, **options})
    arguments = ["fix", str(source.path), *chosen, "-o", str(path), "--python", str(script), "--json"]
    out = result(Fixed, programs.run(arguments), source)
    out.path = path
    out.script = script.read_text(encoding="utf-8") if script.exists() else None
    return out


@short_traceback
def decompositions(x: Program, /, to: OutputTypes, *, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None,
                   dynamic_shapes: Any = None, **options: Unpack[FixOptions]) -> dict[Any, Callable[..., Any]]:
    """A table for ExportedProgram.run_decompositions, and for torch-mlir: its own, with the changes that make the program lower. Error if
    they are no decompositions, or do not make it lower."""
    fixed = fix(x, to, output=None, args=args, kwargs=kwargs, dynamic_shapes=dynamic_shapes, **options)
    stopped = [f"{to}: {why}" for to, why in fixed.stops.items()]
    if stopped:
        raise Error("no decomposition makes it lower to " + "; ".join(stopped), programs.FINDINGS)
    if fixed.script is None:
        raise Error("its changes cannot be written as decompositions; fix() gives the program with them", programs.FINDINGS)
    names: dict[str, Any] = {"__name__": "fixed"}
    try:
        exec(compile(fixed.script, "fixed.py", "exec"), names)
        theirs = importlib.import_module("torch_mlir.extras.fx_decomp_util").get_decomposition_table()
    except ImportError as error:
        raise Error(f"the table needs PyTorch and torch-mlir: {error}") from error
    import torch

    own: dict[Any, Callable[..., Any]] = names.get("decomposition_table", theirs)
    if "program.run_decompositions()" in fixed.script:
        own = {**torch.export.default_decompositions(), **own}
    return own


@overload
def trace(x: Program, /, to: OutputType | None = None, *, node: str | int, patterns: Literal[False] = False, args: Sequence[Any] = (),
          kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None, **options: Unpack[TraceOptions]) -> NodeTrace: ...
@overload
def trace(x: Program, /, to: OutputType | None = None, *, node: str | int, patterns: Literal[True], args: Sequence[Any] = (),
          kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None, **options: Unpack[TraceOptions]) -> PatternTrace: ...
@overload
def trace(x: Program, /, to: OutputType | None = None, *, until: str, patterns: bool = False, args: Sequence[Any] = (),
          kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None, **options: Unpack[TraceOptions]) -> Stop: ...
@overload
def trace(x: Program, /, to: OutputType | None = None, *, op: str, after: int | None = None, patterns: bool = False, args: Sequence[Any] = (),
          kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None, **options: Unpack[TraceOptions]) -> OperationTrace: ...
@overload
def trace(x: Program, /, to: OutputType | None = None, *, output: Path | None = None, args: Sequence[Any] = (),
          kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None, **options: Unpack[TraceOptions]) -> Trace: ...
@short_traceback
def trace(x: Program, /, to: OutputType | None = None, *, output: Path | None = None, node: str | int | None = None, patterns: bool = False,
          until: str | None = None, op: str | None = None, after: int | None = None, args: Sequence[Any] = (),
          kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None,
          **options: Unpack[TraceOptions]) -> Trace | NodeTrace | PatternTrace | Stop | OperationTrace:
    """The module after every pass that changed it; `output` is a folder for the texts. node="relu" is what became of a node, until="op=NAME appears"
    the first pass at which that holds, op="op=NAME" which pass made the operations."""
    source = Source(x, args, kwargs, dynamic_shapes)
    asked = {"to": to, "node": node, "patterns": patterns, "until": until, "op": op, "after": after}
    arguments = ["trace", str(source.path), *programs.options({**asked, **options}), "--json"]
    if op is not None:
        return result(OperationTrace, programs.run(arguments), source)
    if until is not None:
        return result(Stop, programs.run(arguments), source)
    if node is not None:
        text = programs.run(arguments)
        return result(PatternTrace, text, source) if patterns else result(NodeTrace, text, source)
    folder = pathlib.Path(output or source.folder / "passes")
    out = result(Trace, programs.run([*arguments, "-o", str(folder)]), source)
    out._folder = folder
    return out


@overload
def compare(x: Program, /, to: OutputTypes, *, engine: Path | None = None, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None,
            dynamic_shapes: Any = None, **options: Unpack[CompareOptions]) -> Comparison: ...
@overload
def compare(x: Program, /, to: OutputTypes, *, engine: list[Path] | list[str] | tuple[Path, ...], args: Sequence[Any] = (),
            kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None,
            **options: Unpack[CompareOptions]) -> EngineComparison: ...
@short_traceback
def compare(x: Program, /, to: OutputTypes, *, engine: Path | Sequence[Path] | None = None, args: Sequence[Any] = (),
            kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None,
            **options: Unpack[CompareOptions]) -> Comparison | EngineComparison:
    """Whether what the program was lowered to computes what it should; python=sys.executable compares with PyTorch. With several engines, whether
    they lower it to the same."""
    source = Source(x, args, kwargs, dynamic_shapes)
    arguments = ["compare", str(source.path), *programs.options({"to": to, "engine": engine, **options}), "--json"]
    several = not isinstance(engine, (str, os.PathLike)) and len(engine or ()) > 1
    text = programs.run(arguments)
    return result(EngineComparison, text, source) if several else result(Comparison, text, source)


@short_traceback
def graph(x: Program, /, to: OutputType | None = None, *, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None,
          dynamic_shapes: Any = None, **options: Unpack[GraphOptions]) -> Graph:
    """The graph as a picture, grouped by module; with `to`, what stops it on the way to that output type is marked."""
    source = Source(x, args, kwargs, dynamic_shapes)
    return Graph(source.path.name, programs.run(["render", str(source.path), *programs.options({"to": to, **options})]))


@short_traceback
def show(x: Program, /, to: OutputType | None = None, *, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None,
         dynamic_shapes: Any = None, **options: Unpack[ShowOptions]) -> subprocess.Popen[bytes]:
    """Opens the window on the program and returns its process at once. Called again for a program of that name with the same output type
    and options, it updates the window, which keeps what is selected. A script ends when its windows are closed."""
    program = programs.window()
    source = Source(x, args, kwargs, dynamic_shapes)
    chosen = programs.options({"target": to, **options})
    key = (source.path.name if source.is_temporary else str(source.path.resolve()), *chosen)
    if (known := _WINDOWS.get(key)) and known[0].poll() is None:
        if source.is_temporary:
            os.replace(source.path, known[1])
        return known[0]
    process = subprocess.Popen([str(program), "--watch", *chosen, str(source.path)])
    _WINDOWS[key] = (process, source.path)

    def keep(_: Source) -> None:  # its file, until the window is closed
        process.wait()

    threading.Thread(target=keep, args=(source,), name="fxscope").start()
    return process
