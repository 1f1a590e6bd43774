# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of layers: values that you know of the nodes of a program, for graph(layer=..), the window and `fxscope-cli render --layer`."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping
from typing import Any, Literal, Union

from .types import Path

Value = Union[float, str, "tuple[float, str]"]


def _entry(value: Value) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return {"value": _number(value[0]), "text": str(value[1])}
    return _number(value)


def _number(value: Any) -> float | str:
    try:
        number = float(value)
    except TypeError as error:
        raise ValueError(f"a value of a layer is a number, a text, or both as a tuple, not {value!r}") from error
    return number if abs(number) < float("inf") else str(number).replace("inf", "Infinity").replace("nan", "NaN")


def layer(values: Mapping[str, Value], file: Path, *, title: str, unit: str = "", scale: Literal["linear", "log"] | None = None,
          by: Literal["node", "operator"] = "node") -> pathlib.Path:
    """Writes values of nodes, by name, or of operators ("aten.addmm", "aten.addmm.default"), and returns the file's path.

    A value is a number, a text such as the partition that a node is in, or a number with a text that explains it. Numbers colour the graph
    on a scale, texts by what they say: fxscope.graph(program, layer=path).
    """
    content: dict[str, Any] = {"schema": "fxscope-layer/1", "title": title}
    if unit:
        content["unit"] = unit
    if scale:
        content["scale"] = scale
    content[f"{by}s"] = {name: _entry(value) for name, value in values.items()}
    path = pathlib.Path(os.fspath(file))
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    return path


def profiled(profile: Any) -> dict[str, tuple[float, str]]:
    """The time of each operator with what it calls, in a torch.profiler profile, in µs: layer(profiled(prof), .., unit="µs", by="operator")."""
    out = {}
    for event in profile.key_averages():
        if "::" in event.key:
            out[event.key.replace("::", ".")] = (float(event.cpu_time_total), f"{event.count} calls")
    return out
