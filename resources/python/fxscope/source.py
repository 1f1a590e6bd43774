# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a program in memory to a file that fxscope-cli opens."""

from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from .programs import Error

if TYPE_CHECKING:
    import torch

Program = Union[str, "os.PathLike[str]", "torch.export.ExportedProgram", "torch.nn.Module"]


class ExportError(Error):
    """A module that torch.export does not export; the cause is PyTorch's error."""

    __module__ = "fxscope"


class Source:
    """The file of a program, and a folder that lives as long as this object."""

    is_temporary = True  # a file of that folder, not of the user's

    def __init__(self, x: Program, args: Sequence[Any], kwargs: Mapping[str, Any] | None, dynamic_shapes: Any) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fxscope-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        given = bool(args) or kwargs is not None or dynamic_shapes is not None
        if isinstance(x, os.PathLike) or (isinstance(x, str) and "\n" not in x):
            if given:
                raise Error("args, kwargs and dynamic_shapes are inputs of a module; a file has its own")
            self.path, self.is_temporary = pathlib.Path(x), False
            return
        if _is_module(x):
            if given:
                raise Error("args, kwargs and dynamic_shapes are inputs of a PyTorch module; an MLIR module has none")
            self.path = self.folder / "module.mlir"
            self.path.write_text(str(x), encoding="utf-8")
            return
        try:
            import torch
        except ModuleNotFoundError:
            raise _not_a_program(x) from None

        if isinstance(x, torch.export.ExportedProgram):
            if given:
                raise Error("args, kwargs and dynamic_shapes are inputs of a module; an ExportedProgram has its own")
            program, name = x, "program"
        elif isinstance(x, torch.nn.Module):
            program, name = _exported(x, args, kwargs, dynamic_shapes), type(x).__name__
        else:
            raise _not_a_program(x)
        self.path = self.folder / f"{name}.pt2"
        try:
            torch.export.save(program, self.path)
        except Exception as error:
            words = str(error).strip().splitlines() or [type(error).__name__]
            raise Error(f"torch.export.save cannot write the program: {words[0]}") from error


def _not_a_program(x: object) -> Error:
    return Error(f"expected an ExportedProgram, a torch.nn.Module, an MLIR module or a path, not {type(x).__module__}.{type(x).__qualname__}")


def _is_module(x: object) -> bool:
    """Whether it is the text of an MLIR module, or a module of MLIR's Python bindings, whichever package they are from."""
    return isinstance(x, str) or (type(x).__name__ in ("Module", "ModuleOp") and hasattr(x, "operation"))


def _exported(module: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any] | None, dynamic_shapes: Any) -> torch.export.ExportedProgram:
    from . import capture

    try:
        return capture.export(module, tuple(args), dict(kwargs or {}), dynamic_shapes=dynamic_shapes)
    except capture.CaptureError as error:
        raise ExportError(str(error)) from error.__cause__
