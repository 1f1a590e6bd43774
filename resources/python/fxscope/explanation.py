# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first answer about a program: does it lower, what stops it, what makes it lower, and what to do next. A diagnosis, or why PyTorch does not
export the program, in at most 25 lines."""

from __future__ import annotations

import dataclasses
import html
import linecache
import keyword
import pathlib
import shlex
import sysconfig
import textwrap
import traceback
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from . import programs
from .commands import diagnosed, short_traceback
from .results import Diagnosis
from .source import ExportError, Program, Source
from .types import OutputType, OutputTypes

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import Cause, DiagnoseOptions, Next

Standing = Literal["lowers", "does not lower", "not known"]
TORCH_MLIR: tuple[OutputType, ...] = ("linalg-on-tensors", "tosa", "stablehlo")
_STANDINGS: dict[bool | None, Standing] = {True: "lowers", False: "does not lower", None: "not known"}
_SIGNS = {"lowers": "✓", "does not lower": "✗", "not known": "?"}
_COLUMNS = 118
_LINES = 25
_NOTES = 2
_FIX_LINES = 4


@dataclasses.dataclass(frozen=True)
class Verdict:
    """Of an output type: whether the program lowers to it, and more in a sentence."""

    output_type: str
    standing: Standing
    message: str


@dataclasses.dataclass(frozen=True)
class Step:
    """What to do, and the Python or the command that does it."""

    message: str
    language: Literal["python", "sh"]
    code: str


@dataclasses.dataclass(frozen=True)
class ExportFailure:
    """Why torch.export does not export the program: PyTorch's message, and the innermost line that is not PyTorch's."""

    message: str
    file: str | None
    line: int | None
    code: str | None


@dataclasses.dataclass(frozen=True)
class Explanation:
    """fxscope.explain: str() is for a terminal, and a notebook shows a card. `diagnosis` has everything that is known; it is None if the program
    was not exported, and `failure` says why."""

    program: str
    verdicts: list[Verdict]
    notes: list[str]
    causes: list[Cause]
    fix: Step | None
    next: Step | None
    diagnosis: Diagnosis | None
    failure: ExportFailure | None

    @property
    def code(self) -> int:
        """Exit code of python -m fxscope explain: 0 if it lowers, 1 if it does not, 4 if that is not known."""
        standings = {verdict.standing for verdict in self.verdicts}
        if self.failure or "does not lower" in standings:
            return programs.FINDINGS
        return programs.NOT_KNOWN if "not known" in standings else programs.FOUND_NOTHING

    def __str__(self) -> str:
        return "\n".join(_shortened(_printable(line), _COLUMNS) for line in self._lines())

    def __repr__(self) -> str:
        outcomes = ", ".join(f"{each.output_type} {each.standing}" for each in self.verdicts) or "does not export"
        return f"<{self.program}: {outcomes}>"

    def _lines(self) -> list[str]:
        out = self._failure_lines() if self.failure else self._verdict_lines()
        end: list[str] = []
        if self.fix:
            end += ["", "fix in Python:", *_indented(self.fix.code)]
        if self.next:
            end += ["", f"next: {self.next.message}", *_indented(self.next.code)]
        for number, cause in enumerate(self.causes, 1):
            lines = ["", *_cause_lines(number, cause)]
            if len(out) + len(lines) + len(end) > _LINES - 1 and number > 1:
                out.append(f"and {len(self.causes) - number + 1} more; `diagnosis.causes` has them")
                break
            out += lines
        return out + end

    def _failure_lines(self) -> list[str]:
        assert self.failure
        out = [f"{self.program} does not export. torch.export says:", f"    {self.failure.message}"]
        if at := _position(self.failure.file, self.failure.line):
            out.append(f"    at {at}" + (f"   {self.failure.code}" if self.failure.code else ""))
        return out

    def _verdict_lines(self) -> list[str]:
        """Output types with the same verdict share a line."""
        rows: dict[tuple[Standing, str], list[str]] = {}
        for each in self.verdicts:
            rows.setdefault((each.standing, _sentence(each)), []).append(each.output_type)
        out = [self.program, ""]
        width = max(len(", ".join(types)) for types in rows.values())
        for (standing, sentence), types in rows.items():
            out += _wrapped(f"{_SIGNS[standing]} {', '.join(types):{width}}  {sentence}", width + 4)
        for note in self.notes[:_NOTES]:
            out += _wrapped(f"! {note}", 2)
        return out

    def _repr_html_(self) -> str:
        parts = [f"<div><b>{_escaped(self.program)}</b></div>"]
        if self.failure:
            parts.append(f"<div>✗ torch.export does not export it</div>{_code(self.failure.message)}")
            if at := _position(self.failure.file, self.failure.line):
                parts.append(f"<div>at {_escaped(at)}</div>" + (_code(self.failure.code) if self.failure.code else ""))
        rows = (f"<div>{_SIGNS[each.standing]} <code>{_escaped(each.output_type)}</code> {_escaped(_sentence(each))}</div>" for each in self.verdicts)
        parts.extend(rows)
        parts.extend(f"<div>! {_escaped(note)}</div>" for note in self.notes)
        if self.causes:
            parts.append('<ol style="margin:8px 0;padding-left:24px">' + "".join(_item(cause) for cause in self.causes) + "</ol>")
        for title, step in (("Fix in Python", self.fix), ("Next", self.next)):
            if step:
                parts.append(f'<div style="margin-top:8px"><b>{title}:</b> {_escaped(step.message)}</div>{_code(step.code)}')
        return ('<div style="border:1px solid #8884;border-radius:6px;padding:8px 12px;max-width:72em;text-align:left;line-height:1.5">'
                + "".join(parts) + "</div>")


@short_traceback
def explain(x: Program, /, *args: Any, to: OutputTypes = TORCH_MLIR, kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None,
            **options: Unpack[DiagnoseOptions]) -> Explanation:
    """The first answer: does it lower, what stops it and where, what makes it lower, and what to do next. A model is given with its inputs:
    explain(model, x, to="tosa"). Without `to`: torch-mlir's output types."""
    try:
        source = Source(x, args, kwargs, dynamic_shapes)
    except ExportError as error:
        return _of_failure(x, error, bool(args or kwargs), to)
    return _of_diagnosis(source, programs.options({"to": to, **options}), _Call(
        source, args=bool(args), kwargs=kwargs is not None, dynamic_shapes=dynamic_shapes is not None))


def explained(file: str, options: list[str]) -> Explanation:
    """With options of the command line."""
    source = Source(file, (), None, None)
    return _of_diagnosis(source, options, _Call(source))


def _of_diagnosis(source: Source, options: list[str], call: _Call) -> Explanation:
    # Lines of Python are in no folder of a program in memory.
    diagnosis = diagnosed(source, [*options, "--full-paths"] if source.is_temporary else options)
    causes = [cause for cause in diagnosis.causes if cause.severity == "error"]
    step = call.step(diagnosis.next) if diagnosis.next else None
    verdicts = [Verdict(each.to, _STANDINGS[each.lowers], each.message) for each in diagnosis.targets]
    warnings = [warning.message for each in diagnosis.targets for warning in each.warnings]
    notes = list(dict.fromkeys([*diagnosis.notes, *warnings]))
    return Explanation(source.path.stem if source.is_temporary else source.path.name, verdicts, notes, causes, _fix(causes, verdicts), step, diagnosis, None)


# -- what makes it lower -------------------------------------------------------------------------------------------------------------


def _fix(causes: list[Cause], verdicts: list[Verdict]) -> Step | None:
    """One change in Python with which the program was seen to lower; causes that it fixes are one."""
    stopped = {each.output_type for each in verdicts if each.standing == "does not lower"}
    if len(causes) != 1 or causes[0].fix is None or not stopped <= set(causes[0].to):
        return None
    fix = causes[0].fix
    code = (fix.snippet or "").strip()
    is_proved = fix.verified in ("whole-lowers", "whole-computes") and not fix.then
    if not is_proved or not code or fix.language != "python" or code.count("\n") >= _FIX_LINES:
        return None
    return Step(f"{fix.change} ({fix.verified_message})", "python", code)


class _Call:
    """How the program is written in what to do next: a file is named on a command line, a program in memory in Python."""

    def __init__(self, source: Source, **given: bool) -> None:
        self.is_file, self.file = not source.is_temporary, str(source.path)
        self.name = "module" if source.path.suffix == ".mlir" else "model" if any(given.values()) else "program"
        self.inputs = [f"{name}={name}" for name, is_given in given.items() if is_given]

    def step(self, following: Next) -> Step:
        # A diagnosis names a file without its folder.
        arguments = [self.file if word == pathlib.Path(self.file).name else word for word in following.arguments]
        command, *rest = arguments
        if self.is_file:
            return Step(following.message, "sh", "fxscope-cli " + shlex.join(arguments))
        if command not in ("fix", "lower", "compare", "diagnose"):
            name = pathlib.Path(self.file).name
            saved = f"torch.export.save(program, {name!r})" if self.name != "module" else f"pathlib.Path({name!r}).write_text(module)"
            return Step(f"{following.message}: save it, {saved}", "sh", "fxscope-cli " + shlex.join(
                name if word == self.file else word for word in arguments))
        keywords = _keywords(word for word in rest if word != self.file)
        keywords.pop("o", None)
        if command == "compare":
            keywords["python"] = "sys.executable"
        written = ", ".join([self.name, *(f"{name}={value}" for name, value in keywords.items()), *self.inputs])
        call = f"fxscope.{command}({written})"
        return Step(following.message, "python", f"fixed = {call}.load()" if command == "fix" else call)


def _keywords(arguments: Iterable[str]) -> dict[str, str]:
    """Options of a command line as Python: --decompose a --weights is decompose="a", weights=True."""
    values: dict[str, list[str]] = {}
    name = ""
    for word in arguments:
        if word.startswith("-"):
            name = word.lstrip("-").replace("-", "_")
            values.setdefault(name, [])
        else:
            values[name] += word.split(",") if name == "to" else [word]
    return {each + "_" if keyword.iskeyword(each) else each: "True" if not all_ else repr(all_[0]) if len(all_) == 1 else repr(all_)
            for each, all_ in values.items()}


# -- what does not export ------------------------------------------------------------------------------------------------------------


def _of_failure(x: Any, error: ExportError, has_inputs: bool, to: OutputTypes) -> Explanation:
    name = type(x).__name__
    if not has_inputs:
        step = Step("a model is exported with its inputs; give them", "python", "fxscope.explain(model, *inputs)")
    else:
        first = to if isinstance(to, str) else to[0]
        step = Step("capture the graphs around what it cannot trace, and look at each", "python",
                    'torch.compile(model, backend=fxscope.capture.backend("captures"))(*inputs)\n'
                    f'print(fxscope.explain("captures/00_aten.json", to="{first}"))')
    return Explanation(name, [], [], [], None, step, None, _failure(error.__cause__ or error))


def _failure(error: BaseException) -> ExportFailure:
    message = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    message = message.partition(" (unhinted: ")[0]
    if isinstance(error, (AttributeError, KeyError, TypeError, NameError)):
        message = f"{type(error).__name__}: {message}"
    frame = next((each for each in reversed(traceback.extract_tb(error.__traceback__)) if _is_users(each.filename)), None)
    if frame is None:
        return ExportFailure(message, None, None, None)
    return ExportFailure(message, frame.filename, frame.lineno, linecache.getline(frame.filename, frame.lineno or 0).strip() or None)


def _is_users(file: str) -> bool:
    """Whether a file is neither of PyTorch, nor of Python, nor of this module."""
    import torch

    path = pathlib.Path(file)
    own = (pathlib.Path(torch.__file__).parent, pathlib.Path(__file__).parent, pathlib.Path(__file__).resolve().parent)
    python = pathlib.Path(sysconfig.get_paths()["stdlib"])
    return not file.startswith("<") and not any(path.is_relative_to(folder) for folder in own) and (
        not path.is_relative_to(python) or "site-packages" in path.parts)


# -- texts ---------------------------------------------------------------------------------------------------------------------------


def _sentence(verdict: Verdict) -> str:
    """With the standing said once."""
    said = verdict.message.startswith(verdict.standing)
    return verdict.message if said else f"{verdict.standing}: {verdict.message}"


def _position(file: str | None, line: int | None) -> str:
    """A file below the current folder by its path from there."""
    if file is None:
        return ""
    path, folder = pathlib.Path(file), pathlib.Path.cwd()
    return f"{path.relative_to(folder) if path.is_relative_to(folder) else path}:{line}"


def _indented(code: str) -> list[str]:
    return ["    " + line for line in code.splitlines()]


def _place(cause: Cause) -> str:
    """"net.py:24, in layers.0.attention, and 1 other node"; the first node where its line is not known."""
    first = _position(cause.source.file, cause.source.line) if cause.source else f"node {cause.node}" if cause.node else ""
    others = f"and {cause.count - 1} other node{'s' if cause.count > 2 else ''}" if cause.count > 1 else ""
    return ", ".join(part for part in (first, f"in {cause.module}" if cause.module else "", others) if part)


def _cause_lines(number: int, cause: Cause) -> list[str]:
    out = [f"{number}. {cause.title}: {cause.reason} ({', '.join(cause.to)})"]
    if at := _place(cause):
        out.append(f"   at   {at}")
    if cause.source and cause.source.code:
        out.append(f"        {cause.source.code.strip()}")
    if cause.fix is None and cause.messages:
        out += _wrapped(f"   why  {cause.messages[0]}", 8)
    return [*out, f"   fix  {_fix_text(cause, _COLUMNS - 8)}"]


def _fix_text(cause: Cause, columns: int) -> str:
    """With what was verified, which is not cut."""
    if cause.fix is None:
        return "none: no change that was tried makes it lower"
    change = "".join([cause.fix.change, *(f", then {each}" for each in cause.fix.then)])
    verified = f" ({cause.fix.verified_message})"
    return _shortened(change, columns - len(verified)) + verified


def _printable(text: str) -> str:
    """What a program says, without control characters and others that are not seen: a terminal would obey them."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _escaped(text: str) -> str:
    return html.escape("\n".join(map(_printable, text.split("\n"))))


def _wrapped(line: str, indent: int) -> list[str]:
    """In two lines at most."""
    return textwrap.wrap(line, _COLUMNS, subsequent_indent=" " * indent, max_lines=2, placeholder=" …", break_on_hyphens=False)


def _shortened(line: str, columns: int) -> str:
    return line if len(line) <= columns else line[:columns - 1] + "…"


def _code(text: str) -> str:
    return f'<pre style="margin:4px 0;padding:6px 8px;border:1px solid #8884;white-space:pre-wrap">{_escaped(text)}</pre>'


def _item(cause: Cause) -> str:
    lines = [f"<b>{_escaped(cause.title)}</b>: {_escaped(cause.reason)} ({_escaped(', '.join(cause.to))})"]
    if at := _place(cause):
        lines.append("at " + _escaped(at))
    if cause.source and cause.source.code:
        lines.append(f"<code>{_escaped(cause.source.code.strip())}</code>")
    if cause.fix is None:
        lines.extend(f"why: {_escaped(message)}" for message in cause.messages)
    lines.append("fix: " + _escaped(_fix_text(cause, 1000)))
    return "<li>" + "<br/>".join(lines) + "</li>"
