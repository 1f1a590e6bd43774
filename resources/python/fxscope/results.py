# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What fxscope-cli answered, as objects that show themselves in a notebook; their members are in types.py."""

from __future__ import annotations

import html
import json
import os
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from . import programs, types
from .record import Record, record
from .source import Source

if TYPE_CHECKING:
    import torch


class Result(Record):
    """An answer; `json` is its content as plain objects."""

    _text: str
    _source: Source

    @property
    def json(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self._text)
        return content


R = TypeVar("R", bound=Result)


def result(kind: type[R], text: str, source: Source) -> R:
    out = record(kind, json.loads(text))
    out._text, out._source = text, source
    return out


# -- how they show themselves in a notebook ------------------------------------------------------------------------------------------

_STYLE = "text-align:left;vertical-align:top"


def _cell(value: Any, tag: str = "td") -> str:
    return f'<{tag} style="{_STYLE}">{html.escape("" if value is None else str(value))}</{tag}>'


def _table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    lines = ["<tr>" + "".join(_cell(each, "th") for each in head) + "</tr>"]
    lines += ["<tr>" + "".join(_cell(each) for each in row) + "</tr>" for row in rows]
    return "<table>" + "".join(lines) + "</table>"


def _details(summary: str, text: str) -> str:
    return f"<details><summary>{html.escape(summary)}</summary><pre>{html.escape(text)}</pre></details>"


def _page(text: str, height: int) -> str:
    """A page that reaches nothing of the notebook around it."""
    return (f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(text)}" style="display:block;box-sizing:border-box;width:100%;height:{height}px;'
            'border:1px solid #8884;resize:vertical"></iframe>')


# -- the answers ---------------------------------------------------------------------------------------------------------------------


class Lowering(types.LoweringMembers, Result):
    """fxscope.lower: what the stages say."""

    _folder: pathlib.Path

    def text(self, stage: str | None = None) -> str:
        """The MLIR of a stage, by default the last that is there; of a stage that failed, the IR at the failure. Error if there is none."""
        for each in reversed(self.stages):
            file = each.file or each.failure_file if stage else each.file
            if stage in (None, each.name) and file:
                return (self._folder / str(file)).read_text(encoding="utf-8")
        raise programs.Error(f"there is no text of stage {stage!r}; stages are {', '.join(each.name for each in self.stages)}")

    def __repr__(self) -> str:
        steps = ", ".join(f"{stage.name} {stage.status}" for stage in self.stages)
        return f"<{self.input} to {self.target}: {steps}; {len(self.findings)} findings>"

    def _repr_html_(self) -> str:
        rows = [(stage.title, stage.status, "" if stage.seconds is None else f"{stage.seconds:.3f} s", stage.ops,
                 f"in {stage.failing_pass}" if stage.failing_pass else stage.message) for stage in self.stages]
        found = [(finding.severity, finding.node, finding.module, finding.source and f"{finding.source.file}:{finding.source.line}", finding.message)
                 for finding in self.findings]
        return _table(("stage", "status", "time", "ops", ""), rows) + (_table(("", "node", "module", "line", ""), found) if found else "")


_OUTCOMES = {True: "lowers", False: "does not lower", None: "is not known to lower"}


class Diagnosis(types.DiagnosisMembers, Result):
    """fxscope.diagnose: what blocks the program, why, and what was tried."""

    _arguments: list[str]

    @property
    def html(self) -> str:
        """The report as one HTML page."""
        return programs.run([*self._arguments, "--format", "html"])

    def __repr__(self) -> str:
        outcomes = ", ".join(f"{each.to} {_OUTCOMES[each.lowers]}" for each in self.targets)
        return f"<{self.input}: {outcomes}; {len(self.findings)} findings>"

    def _repr_html_(self) -> str:
        return _page(self.html, 640)


class Fixed(types.FixedMembers, Result):
    """fxscope.fix: `path` is the fixed program, `script` the same for a script of one's own, if it can be one."""

    path: pathlib.Path
    script: str | None

    def load(self) -> torch.export.ExportedProgram:
        """The fixed program."""
        import torch

        return torch.export.load(self.path)

    def __repr__(self) -> str:
        outcomes = ", ".join(f"{to} {_OUTCOMES[ok]}" for to, ok in self.lowers.items())
        return f"<{self.input} fixed: {outcomes}; {len(self.changes)} changes>"

    def _repr_html_(self) -> str:
        out = _table(("output type", "", ""), [(to, _OUTCOMES[ok], self.stops.get(to) or "; ".join(self.warnings.get(to, []))) for to, ok in self.lowers.items()])
        if self.changes:
            out += _table(("output type", "change", "nodes", "why", "verified"),
                          [(c.target, c.change, ", ".join(c.nodes), c.reason, c.verified) for c in self.changes])
        if self.blocked:
            out += _table(("output type", "operator", "nodes", "what blocks it"), [(b.target, b.operator, ", ".join(b.nodes), b.message) for b in self.blocked])
        return out + (_details("as a Python module", self.script) if self.script else "")


class Trace(types.TraceMembers, Result):
    """fxscope.trace: the passes, and the modules that they made."""

    _folder: pathlib.Path

    def text(self, number: int) -> str:
        """The module after a pass, by its index."""
        at = self.passes[number].snapshot
        if at is None:
            raise programs.Error(f"pass {number} has no module: it was not reached")
        return (self._folder / str(self.snapshots[at].file)).read_text(encoding="utf-8")

    def __repr__(self) -> str:
        return f"<{self.input} to {self.target}: {len(self.passes)} passes, {len(self.snapshots)} snapshots>"

    def _repr_html_(self) -> str:
        return _table(("pass", "stage", "", "ops"), [(each.pass_index, each.stage, self.passes[each.pass_index]["pass"], each.ops)
                                                     for each in self.snapshots if each.pass_index is not None])


class NodeTrace(types.NodeTraceMembers, Result):
    """fxscope.trace with node=: what became of it, pass by pass."""

    def __repr__(self) -> str:
        return f"<{self.input} to {self.target}, node {self.node}: {len(self.history)} entries>"


class PatternTrace(types.PatternTraceMembers, Result):
    """fxscope.trace with node= and patterns=True: the rewrite patterns that were tried on it."""

    def __repr__(self) -> str:
        return f"<{self.input} to {self.target}, node {self.node.name}: {len(self.attempts)} attempts>"


class Stop(types.StopMembers, Result):
    """fxscope.trace with until=: the first pass at which the condition holds."""

    def __repr__(self) -> str:
        return f"<{self.input} to {self.target}, {self.condition}: {f'in {self.pass_}' if self.found else 'nowhere'}>"


class OperationTrace(types.OperationTraceMembers, Result):
    """fxscope.trace with op=: which pass made the operations, and which changed them last."""

    def __repr__(self) -> str:
        return f"<{self.input}, {self.terms}: {len(self.operations)} operations>"


class Comparison(types.ComparisonMembers, Result):
    """fxscope.compare: what the program computes, and what it should."""

    def __repr__(self) -> str:
        return f"<{self.input}: {', '.join(f'{each.to} {each.verdict}' for each in self.targets)}>"

    def _repr_html_(self) -> str:
        return _table(("output type", "verdict", ""), [(each.to, each.verdict, each.message) for each in self.targets])


class EngineComparison(types.EngineComparisonMembers, Result):
    """fxscope.compare with several engines: what each lowers the program to."""

    def __repr__(self) -> str:
        return f"<{self.input} with {len(self.engines)} engines: {'they differ' if self.differs else 'no difference'}>"


class Graph:
    """fxscope.graph: a picture."""

    def __init__(self, name: str, svg: str) -> None:
        self.name, self.svg = name, svg

    def save(self, path: str | os.PathLike[str]) -> None:
        pathlib.Path(path).write_text(self.svg, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<graph of {self.name}, {len(self.svg)} bytes of SVG>"

    def _repr_svg_(self) -> str:
        return self.svg
