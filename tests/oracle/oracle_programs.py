"""The collection of oracle programs: what each is called, how to build it, and the forms in which it is exported.

A module of the folder `programs` adds programs with `fn` (a function of tensors) or `program` (a builder of a module with its
inputs). Nothing is built before it is asked for.
"""
import dataclasses
import importlib
import pathlib
from typing import Any, Callable

import torch

FORMS = ("exported", "decomposed", "core")


@dataclasses.dataclass
class Case:
    """One exportable program: `module(*args, **kwargs)`."""

    module: torch.nn.Module
    args: tuple = ()
    kwargs: dict = dataclasses.field(default_factory=dict)
    dynamic_shapes: Any = None
    strict: bool = False


@dataclasses.dataclass
class Program:
    name: str
    build: Callable[[], Case]
    forms: tuple = FORMS


PROGRAMS: dict[str, Program] = {}


class Function(torch.nn.Module):
    """A plain function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args, **kwargs):
        return self.function(*args, **kwargs)


def add(name: str, build: Callable[[], Case], forms=FORMS):
    assert name not in PROGRAMS, name
    PROGRAMS[name] = Program(name, build, tuple(forms))


def fn(name: str, function: Callable, *args, dynamic=None, forms=FORMS, **kwargs):
    """A function of `args`; a callable argument is called to make the input."""

    def build():
        made = tuple(a() if callable(a) else a for a in args)
        return Case(Function(function), made, kwargs, dynamic)

    add(name, build, forms)


def program(name: str, forms=FORMS):
    """Decorates a function that returns a Case."""

    def register(build):
        add(name, build, forms)
        return build

    return register


def layer(name: str, make: Callable[[], torch.nn.Module], *args, dynamic=None, forms=FORMS):
    """A module in evaluation mode with its inputs."""

    def build():
        return Case(make().eval(), tuple(a() if callable(a) else a for a in args), {}, dynamic)

    add(name, build, forms)


def f32(*shape):
    """Inputs are made when the program is, from a seed of their own shape."""
    return lambda: torch.rand(shape, generator=torch.Generator().manual_seed(sum(shape) + 17)) * 2 - 1


def pos(*shape):
    return lambda: torch.rand(shape, generator=torch.Generator().manual_seed(sum(shape) + 5)) + 0.5


def i64(*shape, high=4):
    return lambda: torch.randint(0, high, shape, generator=torch.Generator().manual_seed(sum(shape) + 3))


def typed(dtype, *shape):
    return lambda: f32(*shape)().mul(4).to(dtype)


def boolean(*shape):
    return lambda: f32(*shape)() > 0


def load_all():
    for path in sorted((pathlib.Path(__file__).parent / "programs").glob("*.py")):
        importlib.import_module(f"programs.{path.stem}")
    return PROGRAMS


def export(program: Program, form: str):
    """The program in one of FORMS: as exported, after torch-mlir's default decompositions, after PyTorch's core ATen decompositions."""
    torch.manual_seed(0)
    case = program.build()
    exported = torch.export.export(
        case.module, case.args, case.kwargs or None, dynamic_shapes=case.dynamic_shapes, strict=case.strict
    )
    return decompose(exported, form)


def decompose(exported, form: str):
    if form == "decomposed":
        from torch_mlir.extras.fx_decomp_util import get_decomposition_table

        return exported.run_decompositions(get_decomposition_table())
    if form == "core":
        return exported.run_decompositions()
    return exported
