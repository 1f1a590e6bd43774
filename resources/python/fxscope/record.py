# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects of the JSON: their members by attribute and by item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

T = TypeVar("T", bound="Record")


class Record(dict[str, Any]):
    """An object of the JSON: record.stages, record["stages"]. A member with the name of a Python keyword has an underscore: record.pass_."""

    _records: ClassVar[Mapping[str, type[Record]]] = {}  # classes of the members that have one

    if not TYPE_CHECKING:  # which members there are is in types.py

        def __getattr__(self, name: str) -> Any:
            if name.endswith("_") and name[:-1] in self:
                return self[name[:-1]]
            try:
                return self[name]
            except KeyError:
                raise AttributeError(f"there is no '{name}'; there is {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={_short(value)}' for name, value in self.items())})"


def _short(value: Any) -> str:
    if isinstance(value, (list, dict)):
        return f"<{len(value)}>"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def record(kind: type[T], content: Mapping[str, Any]) -> T:
    """`content` as an object of the class, and what it contains as objects of theirs."""
    return kind((name, _value(kind._records.get(name, Record), value)) for name, value in content.items())


def _value(kind: type[Record], value: Any) -> Any:
    if isinstance(value, dict):
        return record(kind, value)
    return [_value(kind, each) for each in value] if isinstance(value, list) else value
