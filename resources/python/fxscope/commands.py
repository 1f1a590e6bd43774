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
from typing import Any, ParamSpec, TypeVar, Union

from . import programs
from .programs import Error, Option
from .results import Comparison, Diagnosis, Fixed, Graph, Lowering, Trace, result
from .source import Program, Source

Types = Union[str, Sequence[str]]
# Of fixed programs that were given no place: their path is used when the object is gone.
_UNTIL_EXIT: list[Source] = []
P = ParamSpec("P")
R = TypeVar("R")


def _short_traceback(function: Callable[P, R]) -> Callable[P, R]:
    """An Error comes from the function that was called, whatever it called."""

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Error as error:
            raise error.with_traceback(None)

    return called


@_short_traceback
def lower(x: Program, /, to: str | None = None, *, output: str | os.PathLike[str] | None = None, args: Sequence[Any] = (),
          kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None, **options: Option) -> Lowering:
    """Lowers through every stage up to an output type, or by pass_pipeline="builtin.module(..)"; `output` is a folder for the stages' texts."""
    source = Source(x, args, kwargs, dynamic_shapes)
    folder = pathlib.Path(output or source.folder / "stages")
    arguments = ["lower", str(source.path), *programs.options({"to": to, **options}), "-o", str(folder), "--json"]
    out = result(Lowering, programs.run(arguments), source)
    out._folder = folder
    return out


@_short_traceback
def diagnose(x: Program, /, to: Types, *, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None,
             **options: Option) -> Diagnosis:
    """Every operation that does not lower, why, and the fixes that were tried and verified."""
    source = Source(x, args, kwargs, dynamic_shapes)
    arguments = ["diagnose", str(source.path), *programs.options({"to": to, **options})]
    out = result(Diagnosis, programs.run([*arguments, "--format", "json"]), source)
    out._arguments = arguments
    return out


@_short_traceback
def fix(x: Program, /, to: Types, *, output: str | os.PathLike[str] | None = None, args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None, **options: Option) -> Fixed:
    """Applies what makes the program lower to all of these output types; `output` is the .pt2 to write."""
    source = Source(x, args, kwargs, dynamic_shapes)
    path = pathlib.Path(output or source.folder / f"{source.path.stem}.fixed.pt2")
    if output is None:
        _UNTIL_EXIT.append(source)
    script = source.folder / "fixed.py"
    arguments = ["fix", str(source.path), *programs.options({"to": to, **options}), "-o", str(path), "--python", str(script), "--json"]
    out = result(Fixed, programs.run(arguments), source)
    out.path = path
    out.script = script.read_text(encoding="utf-8") if script.exists() else None
    return out


@_short_traceback
def decompositions(x: Program, /, to: Types, *, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None,
                   **options: Option) -> dict[Any, Callable[..., Any]]:
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


@_short_traceback
def trace(x: Program, /, to: str | None = None, *, output: str | os.PathLike[str] | None = None, args: Sequence[Any] = (),
          kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None, **options: Option) -> Trace:
    """The module after every pass that changed it; `output` is a folder for the texts. With node="relu" what became of a node."""
    source = Source(x, args, kwargs, dynamic_shapes)
    folder = pathlib.Path(output or source.folder / "passes")
    arguments = ["trace", str(source.path), *programs.options({"to": to, **options}), "--json"]
    if "node" not in options:
        arguments += ["-o", str(folder)]
    out = result(Trace, programs.run(arguments), source)
    out._folder = folder
    return out


@_short_traceback
def compare(x: Program, /, to: Types, *, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None,
            **options: Option) -> Comparison:
    """Whether what the program was lowered to computes what it should. With python=sys.executable the values are PyTorch's."""
    source = Source(x, args, kwargs, dynamic_shapes)
    return result(Comparison, programs.run(["compare", str(source.path), *programs.options({"to": to, **options}), "--json"]), source)


@_short_traceback
def graph(x: Program, /, to: str | None = None, *, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None,
          **options: Option) -> Graph:
    """The graph as a picture, grouped by module; with `to`, what stops it on the way to that output type is marked."""
    source = Source(x, args, kwargs, dynamic_shapes)
    return Graph(source.path.name, programs.run(["render", str(source.path), *programs.options({"to": to, **options})]))


@_short_traceback
def show(x: Program, /, to: str | None = None, *, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None,
         **options: Option) -> subprocess.Popen[bytes]:
    """Opens the window on the program and returns its process at once; a script ends when its windows are closed."""
    program = programs.window()
    source = Source(x, args, kwargs, dynamic_shapes)
    process = subprocess.Popen([str(program), *programs.options({"target": to, **options}), str(source.path)])

    def keep(_: Source) -> None:  # its file, until the window is closed
        process.wait()

    threading.Thread(target=keep, args=(source,), name="fxscope").start()
    return process
