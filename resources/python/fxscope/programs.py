# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs fxscope and fxscope-cli: where they are, and running them."""

from __future__ import annotations

import importlib.metadata
import os
import pathlib
import shutil
import signal
import subprocess
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence

FOUND_NOTHING, FINDINGS, USAGE, INPUT, NOT_KNOWN = 0, 1, 2, 3, 4


class Error(RuntimeError):
    """What fxscope could not do, and the way out; in the words of fxscope-cli, `code` is its exit code."""

    __module__ = "fxscope"  # as users know it

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code

    def _render_traceback_(self) -> list[str]:
        """A notebook shows the message alone."""
        return [f"fxscope.Error: {self}"]


def _installed() -> pathlib.Path | None:
    """fxscope-cli of the distribution that this file belongs to."""
    try:
        files = importlib.metadata.files("fxscope") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    here = any(file.name == "programs.py" and pathlib.Path(str(file.locate())).resolve() == pathlib.Path(__file__).resolve() for file in files)
    places = [pathlib.Path(str(file.locate())).resolve() for file in files if file.name == "fxscope-cli"] if here else []
    return next((place for place in places if place.is_file()), None)


def cli() -> pathlib.Path:
    """Installed with this package, else $FXSCOPE_CLI, else in PATH."""
    found = _installed() or os.environ.get("FXSCOPE_CLI") or shutil.which("fxscope-cli")
    if not found:
        raise Error("fxscope-cli was not found: it is not installed with this package, FXSCOPE_CLI does not name it, and it is not in PATH")
    return pathlib.Path(found)


def window() -> pathlib.Path:
    """The desktop program, beside fxscope-cli. Error if it was not built, or has no display."""
    program = cli().with_name("fxscope")
    if not program.is_file():
        raise Error(f"{program} does not exist: this fxscope was installed without its window; run pip install 'fxscope[window]', or build with FXS_GUI=ON")
    if sys.platform == "linux" and not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        raise Error("there is no display for the window: neither DISPLAY nor WAYLAND_DISPLAY is set")
    return program


def options(chosen: Mapping[str, object]) -> list[str]:
    """The command line of keyword arguments: decompose=["a", "b"] is --decompose a --decompose b."""
    out: list[str] = []
    for name, value in chosen.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            out.append(option)
            continue
        one = isinstance(value, (str, os.PathLike)) or not isinstance(value, Iterable)
        for each in [value] if one else value:  # type: ignore[attr-defined]
            out += [option, os.fspath(each) if isinstance(each, os.PathLike) else str(each)]
    return out


def _fetched_engine() -> bool:
    """At the first use of the engine, a script on a terminal asks whether to fetch it; whether it was fetched."""
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)):
        return False
    print("the engine that lowers MLIR, torch-mlir-opt, is not installed; fetch it now (80 MB)? [Y/n]", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    if not answer or answer.strip().lower() not in ("", "y", "yes"):
        return False
    return subprocess.run([str(cli()), "engine", "fetch"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode == FOUND_NOTHING


def run(arguments: Sequence[str], answers: Collection[int] = (FOUND_NOTHING, FINDINGS)) -> str:
    """Standard output of fxscope-cli. Error if it ends with another code than those of answers; an interrupt stops it first."""
    code, out, said = _ended(arguments)
    if code == NOT_KNOWN and said.startswith("no engine found") and _fetched_engine():
        code, out, said = _ended(arguments)
    if code not in answers or (code > FINDINGS and not out):
        raise Error(said or f"fxscope-cli ended with {code}", code)
    if said:
        print(said, file=sys.stderr)
    return out


def _ended(arguments: Sequence[str]) -> tuple[int, str, str]:
    """Exit code, standard output and what it said."""
    # In a session of its own a terminal's Ctrl-C reaches it once: by the interrupt that is passed on.
    process = subprocess.Popen([str(cli()), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               encoding="utf-8", errors="replace", start_new_session=True)
    try:
        out, err = process.communicate()
    except BaseException:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=5)
        except BaseException:
            process.kill()
            process.communicate()
        raise
    return process.returncode, out, err.strip().removeprefix("fxscope-cli: ")
