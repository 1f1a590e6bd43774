# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Members of results, and options of functions, for type checkers and editors. Written from resources/schemas and the options of the programs
by the test cli.python_types: FXSCOPE_WRITE_SCHEMAS=1 ./test -R cli.python_types

A result has the members of its class by attribute and by item. Options are keyword arguments; None leaves one out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NewType, TypedDict, Union, overload

from .record import Record

Path = Union[str, "os.PathLike[str]"]
BuiltinOutputType = Literal[
    "raw", "torch", "linalg-on-tensors", "tosa", "stablehlo", "loops", "llvm-dialect", "llvm-ir", "assembly", "iree-input", "iree-flow",
    "iree-stream", "iree-executable-sources", "iree-executable-targets", "iree-assembly", "iree-cuda-dispatches", "iree-cuda-llvm", "iree-ptx",
    "iree-vulkan-dispatches", "iree-spirv", "iree-rocm-llvm", "iree-amdgcn",
]
UserOutputType = NewType("UserOutputType", str)
"""An output type of a file of yours, or one that is known only when the program runs: to=UserOutputType(name)."""
OutputType = Union[BuiltinOutputType, UserOutputType]
OutputTypes = Union[OutputType, Sequence[OutputType]]


class LoweringOptions(TypedDict, total=False):
    """Options of every function that lowers.

    backend_legal_ops: operations that the torch stage must not decompose (aten.softmax.int)
    extra_library: MLIR file that declares operations legal in the torch stage (extra-library of
        torchdynamo-export-to-torch-backend-pipeline)
    full_paths: print full paths, including those of the engine and of Python files (default: relative to the model's folder, or the file
        name)
    func_name: name of the function (default: main)
    limit: resource limit for the input: unpacked, text, disk (bytes), nodes, values or seconds, e.g. unpacked=200G
    memory: address space limit of the engine, in MiB, or GiB with G (default: 8G)
    mode: import mode: lowering (default), frozen or program (mutation as in import_program)
    model: model to open when the archive holds several, or number of the part of an MLIR file
    no_non_finites: do not let backends emit non-finite constants (allow-non-finites=false)
    output_types: user-defined output types, in the form of resources/output_types.json
    pass_pipeline: run this pass pipeline, such as 'builtin.module(cse,canonicalize)', after --to, or on the program as imported; ${tile=8}
        in it is a parameter
    program: of an MLIR module, or of the output of an MLIR tool: the .pt2 that it was made from, which has the nodes that locations name by
        name or line of Python (default for a module: the .pt2 of its name beside it)
    set: set a parameter of the output type or of --pass-pipeline: cuda-target (GPU that IREE compiles PTX for; default: sm_80),
        vulkan-target (GPU that IREE compiles SPIR-V for; default: rdna3), rocm-target (GPU that IREE compiles AMDGCN for; default: gfx942)
    symbolic_shapes: import symbolic shape expressions (not supported by any backend)
    timeout: time limit per stage, in seconds, or minutes with m (default: 120); waiting for a processor does not count
    tool: program that runs the passes: engine (default), mlir-opt-22, iree-opt, or the path of another *-opt
    weights: pass the weights' data to the engine (default: resource handles without data)
    yes: fetch the engine without a question if none is installed
    """

    backend_legal_ops: str | Sequence[str] | None
    extra_library: Path | None
    full_paths: bool | None
    func_name: str | None
    limit: str | Sequence[str] | None
    memory: str | float | None
    mode: Literal["lowering", "frozen", "program"] | None
    model: str | None
    no_non_finites: bool | None
    output_types: Path | Sequence[Path] | None
    pass_pipeline: str | None
    program: Path | None
    set: str | Sequence[str] | None
    symbolic_shapes: bool | None
    timeout: str | float | None
    tool: Path | None
    weights: bool | None
    yes: bool | None


class LowerOptions(LoweringOptions, total=False):
    """Options of fxscope.lower. Those of LoweringOptions as well.

    as_: do what torch_mlir.fx.export_and_import does with this file and no more: its decompositions, its importer; or with what
        program.run_decompositions() makes of it
    block_size: sizes of the tiles of a Helion kernel (u0=16); the others are those of its file
    decompose: also decompose these operators, where a decomposition exists (aten.gelu, aten.gelu.default)
    decompose_node: also decompose these nodes
    engine: engine to use: a name of 'engine list', or the path of a torch-mlir-opt (default: $FXSCOPE_ENGINE, then the one that 'engine
        fetch' or ./run installed)
    export_test: write a lit test of --pass-pipeline, or of the first pass after --from that changes the text: its input, and CHECK lines
        for its output; verified with FileCheck-22
    fix: first apply what makes it lower, as the command fix does: --via fixed
    from_: continue from an edited text: that of a stage (torch=edited.mlir), or after a pass, by the number or name that trace prints
        (9=edited.mlir)
    keep_node: apply no decomposition to these nodes
    set_arg: set an argument of a node to another value, written as `inspect --graph` prints it (softmax.dim=0); the types recorded in the
        program stay
    skip_pass: leave out these passes, by the numbers that trace prints
    via: lowering path: torch-mlir (default: the whole program through its pipelines), nodes (each node separately, then composed), registry
        (directly through op registries), fixed (the pipelines, after the changes of fix)
    """

    as_: Literal["torch-mlir", "run-decompositions"] | None
    block_size: str | Sequence[str] | None
    decompose: str | Sequence[str] | None
    decompose_node: str | Sequence[str] | None
    engine: Path | None
    export_test: Path | None
    fix: bool | None
    from_: str | None
    keep_node: str | Sequence[str] | None
    set_arg: str | Sequence[str] | None
    skip_pass: str | int | Sequence[str | int] | None
    via: Literal["torch-mlir", "nodes", "registry", "fixed"] | None


class DiagnoseOptions(LoweringOptions, total=False):
    """Options of fxscope.diagnose. Those of LoweringOptions as well.

    as_: do what torch_mlir.fx.export_and_import does with this file and no more: its decompositions, its importer; or with what
        program.run_decompositions() makes of it
    decompose: decompose these operators first, where a decomposition exists
    decompose_node: also decompose these nodes
    engine: engine to use: a name of 'engine list', or the path of a torch-mlir-opt (default: $FXSCOPE_ENGINE, then the one that 'engine
        fetch' or ./run installed)
    inputs: inputs from a .npy, .npz or safetensors file, by name or in order; drawn with a seed (default: seed:0); or one set, also as
        set:NAME,seed:N or, of those that are drawn several times, set:NAME.1: example, ordinary, steps, range, edges, nonfinite, shifted
    keep_node: apply no decomposition to these nodes
    known: faults that were reported, of your own, in the form of resources/engine/known_faults.json: named where an operation fails by one
    layer: in text, html and markdown also show the values of a layer: JSON or CSV with a column "node", or flops or bytes, which fxscope
        computes
    layer_rows: rows of the table of layers, or all (default: as many as fit)
    no_experiments: report what blocks and why, without trying fixes
    numbers: also run what the program lowers to, and find the operations that compute wrong (best with --python)
    python: Python interpreter with PyTorch (auto: python3), to try PyTorch's decompositions too
    set_arg: set an argument of a node to another value, written as `inspect --graph` prints it (softmax.dim=0); the types recorded in the
        program stay
    size: values of symbolic sizes (s0=4); the others are chosen
    """

    as_: Literal["torch-mlir", "run-decompositions"] | None
    decompose: str | Sequence[str] | None
    decompose_node: str | Sequence[str] | None
    engine: Path | None
    inputs: Path | None
    keep_node: str | Sequence[str] | None
    known: Path | None
    layer: Path | Sequence[Path] | None
    layer_rows: str | int | None
    no_experiments: bool | None
    numbers: bool | None
    python: Path | None
    set_arg: str | Sequence[str] | None
    size: str | Sequence[str] | None


class FixOptions(LoweringOptions, total=False):
    """Options of fxscope.fix. Those of LoweringOptions as well.

    decompose: decompose these operators first, where a decomposition exists
    engine: engine to use: a name of 'engine list', or the path of a torch-mlir-opt (default: $FXSCOPE_ENGINE, then the one that 'engine
        fetch' or ./run installed)
    numbers: also compare what the fixed program computes with what the original does, by the installed executors (PyTorch does, with
        --python PATH)
    """

    decompose: str | Sequence[str] | None
    engine: Path | None
    numbers: bool | None


class TraceOptions(LoweringOptions, total=False):
    """Options of fxscope.trace. Those of LoweringOptions as well.

    decompose: also decompose these operators, where a decomposition exists (aten.gelu, aten.gelu.default)
    decompose_node: also decompose these nodes
    engine: engine to use: a name of 'engine list', or the path of a torch-mlir-opt (default: $FXSCOPE_ENGINE, then the one that 'engine
        fetch' or ./run installed)
    export_test: write a lit test of the pass of --pass: the module before it, the pass in a RUN line, and CHECK lines for the module after
        it; verified with FileCheck-22
    from_: continue from an edited text: that of a stage (torch=edited.mlir), or after a pass, by the number or name that trace prints
        (9=edited.mlir)
    keep_node: apply no decomposition to these nodes
    pass_: pass of --export-test, by its number
    set_arg: set an argument of a node to another value, written as `inspect --graph` prints it (softmax.dim=0); the types recorded in the
        program stay
    skip_pass: leave out these passes, by the numbers that trace prints
    """

    decompose: str | Sequence[str] | None
    decompose_node: str | Sequence[str] | None
    engine: Path | None
    export_test: Path | None
    from_: str | None
    keep_node: str | Sequence[str] | None
    pass_: str | int | None
    set_arg: str | Sequence[str] | None
    skip_pass: str | int | Sequence[str | int] | None


class CompareOptions(LoweringOptions, total=False):
    """Options of fxscope.compare. Those of LoweringOptions as well.

    decompose: decompose these operators first, where a decomposition exists
    inputs: inputs from a .npy, .npz or safetensors file, by name or in order; drawn with a seed (default: seed:0); or one set, also as
        set:NAME,seed:N or, of those that are drawn several times, set:NAME.1: example, ordinary, steps, range, edges, nonfinite, shifted
    python: Python interpreter with PyTorch (auto: python3), which computes the expected value of every node
    size: values of symbolic sizes (s0=4); the others are chosen
    via: lowering path: torch-mlir (default: the whole program through its pipelines), nodes (each node separately, then composed), registry
        (directly through op registries)
    """

    decompose: str | Sequence[str] | None
    inputs: Path | None
    python: Path | None
    size: str | Sequence[str] | None
    via: Literal["torch-mlir", "nodes", "registry"] | None


class GraphOptions(TypedDict, total=False):
    """Options of fxscope.graph.

    around: draw only the nodes that a node's value comes from and goes to, in so many steps (default: 2)
    between: draw only the nodes on paths from one node to another
    engine: engine to use: a name of 'engine list', or the path of a torch-mlir-opt (default: $FXSCOPE_ENGINE, then the one that 'engine
        fetch' or ./run installed)
    expand: modules to expand: all, none, a depth such as 2, or module paths (default: chosen by size)
    full_paths: print full paths, including those of the engine and of Python files (default: relative to the model's folder, or the file
        name)
    layer: colour the nodes by the first, and show in tool tips and pages the values of a layer: JSON or CSV with a column "node", or flops
        or bytes, which fxscope computes
    layer_rows: rows of the table of layers, or all (default: as many as fit)
    limit: resource limit for the input: unpacked, text, disk (bytes), nodes, values or seconds, e.g. unpacked=200G
    model: model to open when the archive holds several, or number of the part of an MLIR file
    output_types: user-defined output types, in the form of resources/output_types.json
    pass_: draw the operations of module N of 'fxscope-cli trace', each where it is after the passes around N
    program: of an MLIR module, or of the output of an MLIR tool: the .pt2 that it was made from, which has the nodes that locations name by
        name or line of Python (default for a module: the .pt2 of its name beside it)
    query: mark the nodes that match, such as 'op=aten.linear dtype=f16', and dim the others
    scale: pixels of a PNG for each unit of the SVG (default: 1)
    set: set a parameter of the output type or of --pass-pipeline: cuda-target (GPU that IREE compiles PTX for; default: sm_80),
        vulkan-target (GPU that IREE compiles SPIR-V for; default: rdna3), rocm-target (GPU that IREE compiles AMDGCN for; default: gfx942)
    stage: draw the operations of this stage: raw, torch, or an output type
    theme: light or dark
    yes: fetch the engine without a question if none is installed
    """

    around: str | None
    between: str | None
    engine: Path | None
    expand: str | Sequence[str] | None
    full_paths: bool | None
    layer: Path | Sequence[Path] | None
    layer_rows: str | int | None
    limit: str | Sequence[str] | None
    model: str | None
    output_types: Path | Sequence[Path] | None
    pass_: str | int | None
    program: Path | None
    query: str | None
    scale: str | float | None
    set: str | Sequence[str] | None
    stage: str | None
    theme: Literal["light", "dark"] | None
    yes: bool | None


class ShowOptions(TypedDict, total=False):
    """Options of fxscope.show.

    arrangement: Arrangement of the panes: graph, stages, passes, diagnosis or numbers.
    engine: Engine to use: a name that 'fxscope-cli engine list' shows, or the path of a torch-mlir-opt.
    layer: Open a layer, values of the nodes as JSON or CSV; may be repeated.
    output_types: User-defined output types, in the form of resources/output_types.json; may be repeated.
    python: Python interpreter with PyTorch (auto: python3), to try PyTorch's decompositions too, for each file where you allow it.
    registry: User registry (.fxreg), consulted before the others; may be repeated.
    select: Select this node after opening the program.
    set: Set a parameter of output types, such as cuda-target=sm_89; may be repeated.
    settings: File of the window's settings; not written with --screenshot.
    size: Size of the window, e.g. 1600x1000.
    text_scale: Size of the text, 1 to 3; 2 is 200 %. Without it, that of the system.
    theme: light, dark or system.
    """

    arrangement: Literal["graph", "stages", "passes", "diagnosis", "numbers"] | None
    engine: Path | None
    layer: Path | Sequence[Path] | None
    output_types: Path | Sequence[Path] | None
    python: Path | None
    registry: Path | Sequence[Path] | None
    select: str | None
    set: str | Sequence[str] | None
    settings: Path | None
    size: str | None
    text_scale: str | float | None
    theme: Literal["light", "dark", "system"] | None


class Parameter(Record):
    """An object of `parameters`."""

    name: str
    value: str

    if TYPE_CHECKING:

        def __getitem__(self, member: Literal["name", "value"], /) -> str: ...  # type: ignore[override]


class Engine(Record):
    """An object of `engine`."""

    path: str
    version: str
    sha256: str
    note: str | None
    """one line if it is another engine than that with which rules were checked"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["path", "version", "sha256"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["note"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Stage(Record):
    """An object of `stages`."""

    name: str
    title: str
    status: Literal["ok", "breach", "failed", "crashed", "timeout", "unknown", "skipped"]
    """breach: it ended with a text that breaks the contract of its output type; see findings"""

    seconds: float | None
    ops: int | None
    """operations of its text, module and functions included"""

    coverage: float | None
    """fraction of operations whose FX node is known"""

    file: str | None
    """in DIR: the stage's text, with locations"""

    failure_file: str | None
    """in DIR: the IR at the failing pass"""

    failing_pass: str | None
    message: str | None
    """of a skipped stage"""

    argv: list[str]
    """the engine's command line; its standard input is the previous stage"""

    warnings: list[str]
    stderr: str | None
    """the engine's own words, of a stage that is not ok"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["name", "title"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["status"], /) -> Literal["ok", "breach", "failed", "crashed", "timeout", "unknown", "skipped"]: ...
        @overload
        def __getitem__(self, member: Literal["seconds", "coverage"], /) -> float | None: ...
        @overload
        def __getitem__(self, member: Literal["ops"], /) -> int | None: ...
        @overload
        def __getitem__(self, member: Literal["file", "failure_file", "failing_pass", "message", "stderr"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["argv", "warnings"], /) -> list[str]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Operator(Record):
    """An object of `operators`."""

    operator: str
    nodes: int

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["operator"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> int: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Outcome(Record):
    """An object of `outcomes`."""

    to: str
    lowers: bool | None
    """null: not known, because it takes too long or the engine gave no answer"""

    fails_at: str | None
    operators: list[Operator]
    """if not all of them are rewritten for this output type: those that are; it may be missing"""

    _records = {"operators": Operator}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["to"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["lowers"], /) -> bool | None: ...
        @overload
        def __getitem__(self, member: Literal["fails_at"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["operators"], /) -> list[Operator]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class RewrittenBeyondTorchMlir(Record):
    """what was rewritten or imported that torch_mlir.fx.export_and_import does not, and its outcome without"""

    operators: list[Operator]
    outcomes: list[Outcome]

    _records = {"operators": Operator, "outcomes": Outcome}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["operators"], /) -> list[Operator]: ...
        @overload
        def __getitem__(self, member: Literal["outcomes"], /) -> list[Outcome]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Source(Record):
    """An object of `source`."""

    file: str
    line: int
    code: str | None

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["file"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["line"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["code"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Finding(Record):
    """An object of `findings`."""

    severity: Literal["note", "warning", "error"]
    """error: it stops the program"""

    node: str | None
    """of the user's graph"""

    target: str | None
    """the node's own: aten.diff.default"""

    op: str | None
    """the MLIR operation: torch.aten.diff"""

    stage: str | None
    pass_: str | None
    kind: str
    """not-functionalized, other-form, not-imported, not-registered, illegal-op, verifier, contract (of the torch backend, or of an output type),
    beyond-outputs, crash, timeout, memory, output, engine, edit; of registries unmapped, no-lowering, refused"""

    message: str
    source: Source | None
    module: str | None
    """path of the innermost module"""

    count: int
    """nodes with the same cause"""

    tried: None
    """patterns that were tried on it: what `diagnose` finds"""

    experiments: list[str]

    _records = {"source": Source}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["severity"], /) -> Literal["note", "warning", "error"]: ...
        @overload
        def __getitem__(self, member: Literal["node", "target", "op", "stage", "pass", "module"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["kind", "message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["source"], /) -> Source | None: ...
        @overload
        def __getitem__(self, member: Literal["count"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["tried"], /) -> None: ...
        @overload
        def __getitem__(self, member: Literal["experiments"], /) -> list[str]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class LoweringMembers(Record):
    """fxscope-cli lower --json, and lower.json of lower -o DIR: lower.schema.json"""

    schema: Literal["fxscope-lower/1"]
    input: str
    """the input file, as given"""

    target: str
    """an output type: resources/output_types.json, or a file of --output-types"""

    parameters: list[Parameter]
    """of the output type; --set sets them; it may be missing"""

    via: Literal["torch-mlir", "nodes", "registry", "fixed"]
    """the lowering path, as --via names it"""

    ok: bool
    """the program reaches the output type: every stage ended, their texts keep the contracts of the output types, and no finding is an error; the
    exit code is then 0"""

    engine: Engine
    stages: list[Stage]
    """in the order they run; what comes after a stage that is not ok is skipped"""

    rewritten_beyond_torch_mlir: RewrittenBeyondTorchMlir | None
    """what was rewritten or imported that torch_mlir.fx.export_and_import does not, and its outcome without"""

    findings: list[Finding]

    _records = {"parameters": Parameter, "engine": Engine, "stages": Stage, "rewritten_beyond_torch_mlir": RewrittenBeyondTorchMlir, "findings": Finding}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["schema"], /) -> Literal["fxscope-lower/1"]: ...
        @overload
        def __getitem__(self, member: Literal["input", "target"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["parameters"], /) -> list[Parameter]: ...
        @overload
        def __getitem__(self, member: Literal["via"], /) -> Literal["torch-mlir", "nodes", "registry", "fixed"]: ...
        @overload
        def __getitem__(self, member: Literal["ok"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["engine"], /) -> Engine: ...
        @overload
        def __getitem__(self, member: Literal["stages"], /) -> list[Stage]: ...
        @overload
        def __getitem__(self, member: Literal["rewritten_beyond_torch_mlir"], /) -> RewrittenBeyondTorchMlir | None: ...
        @overload
        def __getitem__(self, member: Literal["findings"], /) -> list[Finding]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class DiagnosisEngine(Record):
    """An object of `engine`."""

    path: str
    version: str
    sha256: str

    if TYPE_CHECKING:

        def __getitem__(self, member: Literal["path", "version", "sha256"], /) -> str: ...  # type: ignore[override]


class Computed(Record):
    """what the unchanged program computes, compared with what it should; null: not run (--numbers), or it does not lower"""

    verdict: Literal["same", "not-compared", "suspicious", "differs-at-nonfinite", "differs"]
    message: str | None
    reference: str
    """what it was compared with"""

    scope: str | None
    """for what the verdict holds: sets of inputs, sizes, values; null: nothing was run"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["verdict"], /) -> Literal["same", "not-compared", "suspicious", "differs-at-nonfinite", "differs"]: ...
        @overload
        def __getitem__(self, member: Literal["message", "scope"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["reference"], /) -> str: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Target(Record):
    """An object of `targets`."""

    to: str
    """an output type: resources/output_types.json, or a file of --output-types"""

    lowers: bool | None
    """the unchanged program lowers to the output type; null: not known, because it reached a limit at stopped_at, or one of fxscope's own if that
    is null: see rest_message"""

    message: str
    """1 operation blocks it, at 2 nodes. Fix verified: the whole program lowers."""

    stopped_at: str | None
    """the stage that failed"""

    operations: int
    """findings of this output type that are errors"""

    nodes: int
    """nodes in these findings, each once"""

    rest_lowers: bool | None
    """the program with every blocked operation replaced by inputs lowers: the list is complete; null: not tried"""

    rest_message: str | None
    fixed_lowers: bool | None
    """the program with `changes` applied lowers; null: there was nothing to apply, or it was not tried"""

    changes: list[str]
    """the best experiment of each operation, in order"""

    warnings: list[Finding]
    """about the texts of the unchanged program, one for each node, as the findings of lower"""

    computed: Computed | None
    """what the unchanged program computes, compared with what it should; null: not run (--numbers), or it does not lower"""

    fixed_computed: Computed | None
    """by the program with `changes`"""

    seconds: float

    _records = {"warnings": Finding, "computed": Computed, "fixed_computed": Computed}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["to", "message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["lowers", "rest_lowers", "fixed_lowers"], /) -> bool | None: ...
        @overload
        def __getitem__(self, member: Literal["stopped_at", "rest_message"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["operations", "nodes"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["changes"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["warnings"], /) -> list[Finding]: ...
        @overload
        def __getitem__(self, member: Literal["computed", "fixed_computed"], /) -> Computed | None: ...
        @overload
        def __getitem__(self, member: Literal["seconds"], /) -> float: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Node(Record):
    """An object of `nodes`."""

    name: str
    index: int
    """in the program, as in locations"""

    module: str | None
    source: Source | None
    """the user's Python line"""

    _records = {"source": Source}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["name"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["index"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["module"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["source"], /) -> Source | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Experiment(Record):
    """An object of `experiments`."""

    id: str
    change: str
    """what to do"""

    outcome: Literal["passed", "failed", "not-run"]
    """of the operation by itself"""

    proof: Literal["not-tried", "proved", "disproved"]
    """of the whole program with the change"""

    verified: Literal["nothing", "by-itself", "whole-lowers", "whole-computes"]
    """what a run has shown; by-itself also where other blocked operations were replaced by placeholders"""

    verified_message: str
    """`verified` in words"""

    message: str | None
    """the engine's own when failed, why when not run"""

    proof_message: str | None
    cost: str | None
    """the trade-off of the change"""

    snippet: str | None
    """to paste"""

    language: str | None
    """of the snippet"""

    python: str | None
    """a module with lower(program), for an ExportedProgram and torch-mlir"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["id", "change", "verified_message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["outcome"], /) -> Literal["passed", "failed", "not-run"]: ...
        @overload
        def __getitem__(self, member: Literal["proof"], /) -> Literal["not-tried", "proved", "disproved"]: ...
        @overload
        def __getitem__(self, member: Literal["verified"], /) -> Literal["nothing", "by-itself", "whole-lowers", "whole-computes"]: ...
        @overload
        def __getitem__(self, member: Literal["message", "proof_message", "cost", "snippet", "language", "python"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Size(Record):
    """how it depends on sizes known only at run time; null: it does not"""

    source: int
    """index into size_sources"""

    makes: bool
    """it is of the source itself, which has no form with numbers"""

    with_numbers: Literal["lowers", "fails", "not-known"]
    """the operation by itself, with numbers in place of the sizes"""

    message: str | None
    """why it fails, or why that is not known"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["source"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["makes"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["with_numbers"], /) -> Literal["lowers", "fails", "not-known"]: ...
        @overload
        def __getitem__(self, member: Literal["message"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class DiagnosisFinding(Record):
    """An object of `findings`."""

    severity: Literal["error", "warning"]
    """warning: it does not lower by itself, but the whole program lowers"""

    to: str
    """an output type: resources/output_types.json, or a file of --output-types"""

    node: str | None
    """the first of `nodes`; null when unknown"""

    target: str | None
    """the node's own: aten.diff.default"""

    op: str | None
    """the MLIR operation that was not taken: torch.operator"""

    types: str | None
    """of the first node's tensors: (f32[2, 4]) -> f32[2, 3]"""

    stage: str | None
    pass_: str | None
    kind: Literal["not-functionalized", "not-imported", "not-registered", "no-pattern", "pattern-refused", "types-lost", "numeric-type", "verifier", "contract", "crash", "timeout", "memory", "not-a-tensor", "wrong-result", "unknown", "illegal-op"]
    title: str
    """the kind in words"""

    message: str
    engine_message: str | None
    """the engine's own; may have several lines"""

    source: Source | None
    """the user's Python line"""

    module: str | None
    """path of the innermost module of the first node"""

    count: int
    """length of `nodes`"""

    nodes: list[Node]
    tried: list[str] | None
    """patterns that were tried on it and refused; null: not known"""

    agreement: Literal["confirmed", "alone-only", "whole-only", "not-checked"]
    """does the whole program agree with the operation by itself"""

    agreement_message: str | None
    experiments: list[Experiment]
    """one thing changed and the operation run again; proved ones first"""

    best: str | None
    """id of the experiment to follow: proved, else passed and not disproved"""

    sizes: Size | None
    """how it depends on sizes known only at run time; null: it does not"""

    _records = {"source": Source, "nodes": Node, "experiments": Experiment, "sizes": Size}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["severity"], /) -> Literal["error", "warning"]: ...
        @overload
        def __getitem__(self, member: Literal["to", "title", "message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["node", "target", "op", "types", "stage", "pass", "engine_message", "module", "agreement_message", "best"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["kind"], /) -> Literal["not-functionalized", "not-imported", "not-registered", "no-pattern", "pattern-refused", "types-lost", "numeric-type", "verifier", "contract", "crash", "timeout", "memory", "not-a-tensor", "wrong-result", "unknown", "illegal-op"]: ...
        @overload
        def __getitem__(self, member: Literal["source"], /) -> Source | None: ...
        @overload
        def __getitem__(self, member: Literal["count"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> list[Node]: ...
        @overload
        def __getitem__(self, member: Literal["tried"], /) -> list[str] | None: ...
        @overload
        def __getitem__(self, member: Literal["agreement"], /) -> Literal["confirmed", "alone-only", "whole-only", "not-checked"]: ...
        @overload
        def __getitem__(self, member: Literal["experiments"], /) -> list[Experiment]: ...
        @overload
        def __getitem__(self, member: Literal["sizes"], /) -> Size | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Fix(Record):
    """null: none of the changes that were tried"""

    id: str
    """of the experiment"""

    change: str
    """what to do"""

    then: list[str]
    """changes that some of its operations also require"""

    verified: Literal["nothing", "by-itself", "whole-lowers", "whole-computes"]
    """what runs have shown for all of them"""

    verified_message: str
    """`verified` in words"""

    cost: str | None
    """the trade-off of the change"""

    snippet: str | None
    """to paste"""

    language: str | None
    """of the snippet"""

    python: str | None
    """a module with lower(program), for an ExportedProgram and torch-mlir"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["id", "change", "verified_message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["then"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["verified"], /) -> Literal["nothing", "by-itself", "whole-lowers", "whole-computes"]: ...
        @overload
        def __getitem__(self, member: Literal["cost", "snippet", "language", "python"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Cause(Record):
    """An object of `causes`."""

    severity: Literal["error", "warning"]
    """error: the program stops at it; warning: it does not lower by itself"""

    title: str
    """its operators, or the sizes that it is about"""

    reason: str
    """why, in a phrase"""

    messages: list[str]
    """why, one for each kind and operation"""

    to: list[str]
    """output types that it blocks"""

    operators: list[str]
    """each once"""

    node: str | None
    """the first with a Python line; of sizes, one that makes them"""

    module: str | None
    """path of the innermost module of `node`"""

    source: Source | None
    """the user's Python line of `node`"""

    count: int
    """nodes, each once"""

    findings: list[int]
    """indices into `findings`"""

    fix: Fix | None
    """null: none of the changes that were tried"""

    _records = {"source": Source, "fix": Fix}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["severity"], /) -> Literal["error", "warning"]: ...
        @overload
        def __getitem__(self, member: Literal["title", "reason"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["messages", "to", "operators"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["node", "module"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["source"], /) -> Source | None: ...
        @overload
        def __getitem__(self, member: Literal["count"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["findings"], /) -> list[int]: ...
        @overload
        def __getitem__(self, member: Literal["fix"], /) -> Fix | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Support(Record):
    """An object of `support`."""

    op: str
    """the node's own target: aten.diff.default"""

    target: str
    """an output type: resources/output_types.json, or a file of --output-types"""

    count: int
    """nodes"""

    blocked: int
    """of these"""

    wrong: int
    """of these: they lower, and compute a wrong value (--numbers)"""

    status: Literal["ok", "failed", "wrong", "skipped"]
    """failed: at least one is blocked; wrong: at least one computes wrong; skipped: the survey has no answer"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["op", "target"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["count", "blocked", "wrong"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["status"], /) -> Literal["ok", "failed", "wrong", "skipped"]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Block(Record):
    """An object of `blocks`."""

    to: str
    """an output type: resources/output_types.json, or a file of --output-types"""

    operators: list[str]
    """that fail for these sizes"""

    nodes: int
    """of these operators, each once"""

    message: str | None
    """what the output type can have"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["to"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["operators"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["message"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class SizeSource(Record):
    """An object of `size_sources`."""

    name: str
    """operator and module: aten.where in block_sparse_moe"""

    symbols: list[str]
    """u0"""

    nodes: list[Node]
    blocks: list[Block]
    """of each output type, the findings that this is the cause of"""

    _records = {"nodes": Node, "blocks": Block}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["name"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["symbols"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> list[Node]: ...
        @overload
        def __getitem__(self, member: Literal["blocks"], /) -> list[Block]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class OtherType(Record):
    """An object of `other_types`."""

    to: str
    """an output type: resources/output_types.json, or a file of --output-types"""

    lowers: bool | None
    """the unchanged program; null: not known"""

    operators: list[str]
    """that block it"""

    nodes: int
    """of these operators, each once"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["to"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["lowers"], /) -> bool | None: ...
        @overload
        def __getitem__(self, member: Literal["operators"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> int: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Next(Record):
    """the one thing to do next; null: nothing, or none is known"""

    kind: Literal["fix", "registry", "compare", "bundle", "other-type", "diagnose"]
    message: str
    """what it is for"""

    arguments: list[str]
    """of fxscope-cli"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["kind"], /) -> Literal["fix", "registry", "compare", "bundle", "other-type", "diagnose"]: ...
        @overload
        def __getitem__(self, member: Literal["message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["arguments"], /) -> list[str]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class DiagnosisMembers(Record):
    """fxscope-cli diagnose --format json: diagnose.schema.json"""

    schema: Literal["fxscope-diagnose/1"]
    input: str
    """the input file, as given"""

    engine: DiagnosisEngine
    complete: bool
    """false: stopped or out of time; what is there is true"""

    targets: list[Target]
    """one per requested output type"""

    findings: list[DiagnosisFinding]
    """by output type in the requested order, then by first node"""

    causes: list[Cause]
    """findings with one cause, as the text lists them: those with a fix first"""

    support: list[Support]
    """each operator of the program and each output type"""

    notes: list[str]
    rewritten_beyond_torch_mlir: RewrittenBeyondTorchMlir | None
    """what was rewritten or imported that torch_mlir.fx.export_and_import does not, and its outcome without"""

    python: str | None
    """the Python with PyTorch that was used, or why there is none"""

    distinct: int
    """operations that were run by themselves, each once for all its nodes"""

    size_sources: list[SizeSource]
    """what makes sizes that are known only at run time, by first node"""

    other_types: list[OtherType]
    """output types besides `targets` that were lowered to because such sizes block one of these"""

    next: Next | None
    """the one thing to do next; null: nothing, or none is known"""

    _records = {"engine": DiagnosisEngine, "targets": Target, "findings": DiagnosisFinding, "causes": Cause, "support": Support, "rewritten_beyond_torch_mlir": RewrittenBeyondTorchMlir, "size_sources": SizeSource, "other_types": OtherType, "next": Next}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["schema"], /) -> Literal["fxscope-diagnose/1"]: ...
        @overload
        def __getitem__(self, member: Literal["input"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["engine"], /) -> DiagnosisEngine: ...
        @overload
        def __getitem__(self, member: Literal["complete"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["targets"], /) -> list[Target]: ...
        @overload
        def __getitem__(self, member: Literal["findings"], /) -> list[DiagnosisFinding]: ...
        @overload
        def __getitem__(self, member: Literal["causes"], /) -> list[Cause]: ...
        @overload
        def __getitem__(self, member: Literal["support"], /) -> list[Support]: ...
        @overload
        def __getitem__(self, member: Literal["notes"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["rewritten_beyond_torch_mlir"], /) -> RewrittenBeyondTorchMlir | None: ...
        @overload
        def __getitem__(self, member: Literal["python"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["distinct"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["size_sources"], /) -> list[SizeSource]: ...
        @overload
        def __getitem__(self, member: Literal["other_types"], /) -> list[OtherType]: ...
        @overload
        def __getitem__(self, member: Literal["next"], /) -> Next | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Difference(Record):
    """An object of `differences`."""

    result: str | None
    """node of the user's program; null for all results"""

    set: str
    message: str
    wrong: bool
    """false if only NaN and infinities are others"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["result"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["set", "message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["wrong"], /) -> bool: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Compared(Record):
    """what PyTorch computes with the fixed program and with the original (--python); null if it was not asked"""

    by: str | None
    """versions"""

    sets: list[str]
    """sets of inputs for which results were compared"""

    results: int
    """results that were compared, of all sets"""

    differences: list[Difference]
    not_compared: str | None
    """why nothing was compared"""

    _records = {"differences": Difference}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["by", "not_compared"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["sets"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["results"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["differences"], /) -> list[Difference]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Rewritten(Record):
    """An object of `rewritten`."""

    operator: str
    nodes: list[str]
    """of the user's program"""

    change: str
    python: str | None
    """the same for the user's own script: a module with lower(program)"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["operator", "change"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["python"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Dimension(Record):
    """An object of `dimensions`."""

    input: str
    """node of the user's program"""

    dimension: int

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["input"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["dimension"], /) -> int: ...
        def __getitem__(self, member: str, /) -> Any: ...


class ChangeSize(Record):
    """An object of `sizes`."""

    symbol: str
    fixed: int | None
    """the number that it became; null if it is kept symbolic"""

    most: int | None
    """of one that is kept, if the change limits it"""

    dimensions: list[Dimension]
    """of inputs that have this size"""

    _records = {"dimensions": Dimension}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["symbol"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["fixed", "most"], /) -> int | None: ...
        @overload
        def __getitem__(self, member: Literal["dimensions"], /) -> list[Dimension]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Change(Record):
    """An object of `changes`."""

    target: str
    """the output type that requires it"""

    operator: str
    nodes: list[str]
    """of the user's program"""

    change: str
    """decompose aten.gelu.default"""

    reason: str
    """why the operation does not lower without"""

    verified: Literal["lowers by itself", "whole program lowers with it"]
    cost: str | None
    """its drawback"""

    sizes: list[ChangeSize]
    """symbolic sizes of inputs that it fixes or keeps; empty for other changes"""

    python: str | None
    """the same for the user's own script: a module with lower(program)"""

    _records = {"sizes": ChangeSize}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["target", "operator", "change", "reason"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["verified"], /) -> Literal["lowers by itself", "whole program lowers with it"]: ...
        @overload
        def __getitem__(self, member: Literal["cost", "python"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["sizes"], /) -> list[ChangeSize]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Blocked(Record):
    """An object of `blocked`."""

    target: str
    operator: str
    nodes: list[str]
    """of the user's program"""

    class_: Literal["not-functionalized", "not-imported", "not-registered", "no-pattern", "pattern-refused", "types-lost", "numeric-type", "verifier", "contract", "crash", "timeout", "memory", "not-a-tensor", "wrong-result", "unknown", "illegal-op"]
    message: str

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["target", "operator", "message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["class"], /) -> Literal["not-functionalized", "not-imported", "not-registered", "no-pattern", "pattern-refused", "types-lost", "numeric-type", "verifier", "contract", "crash", "timeout", "memory", "not-a-tensor", "wrong-result", "unknown", "illegal-op"]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class FixedMembers(Record):
    """fxscope-cli fix --json: fix.schema.json"""

    schema: Literal["fxscope-fix/1"]
    input: str
    """the input file, as given"""

    file: str
    """the fixed program"""

    lowers: dict[str, bool | None]
    """whether the fixed program lowers, by output type; null if that is not known"""

    stops: dict[str, str]
    """why not, by output type"""

    warnings: dict[str, list[str]]
    """what torch-mlir's text has that other tools may not read, by output type to which the fixed program lowers"""

    lowers_by_python: dict[str, bool]
    """whether the user's own program lowers, too, with the written Python; by output type to which the fixed program lowers"""

    python_cost: str | None
    """what the written Python loses and the fixed program does not"""

    asked: str | None
    """what torch-mlir was asked (--python), or why it gave no answer"""

    compared: Compared | None
    """what PyTorch computes with the fixed program and with the original (--python); null if it was not asked"""

    rewritten: list[Rewritten]
    """what was done for every output type"""

    changes: list[Change]
    blocked: list[Blocked]
    """what no change helps"""

    _records = {"compared": Compared, "rewritten": Rewritten, "changes": Change, "blocked": Blocked}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["schema"], /) -> Literal["fxscope-fix/1"]: ...
        @overload
        def __getitem__(self, member: Literal["input", "file"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["lowers"], /) -> dict[str, bool | None]: ...
        @overload
        def __getitem__(self, member: Literal["stops"], /) -> dict[str, str]: ...
        @overload
        def __getitem__(self, member: Literal["warnings"], /) -> dict[str, list[str]]: ...
        @overload
        def __getitem__(self, member: Literal["lowers_by_python"], /) -> dict[str, bool]: ...
        @overload
        def __getitem__(self, member: Literal["python_cost", "asked"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["compared"], /) -> Compared | None: ...
        @overload
        def __getitem__(self, member: Literal["rewritten"], /) -> list[Rewritten]: ...
        @overload
        def __getitem__(self, member: Literal["changes"], /) -> list[Change]: ...
        @overload
        def __getitem__(self, member: Literal["blocked"], /) -> list[Blocked]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class TraceEngine(Record):
    """An object of `engine`."""

    path: str
    version: str
    sha256: str
    """empty: made elsewhere"""

    if TYPE_CHECKING:

        def __getitem__(self, member: Literal["path", "version", "sha256"], /) -> str: ...  # type: ignore[override]


class TraceStage(Record):
    """An object of `stages`."""

    name: str
    title: str
    status: Literal["ok", "failed", "crashed", "timeout", "unknown", "skipped"]
    failing_pass: str | None
    why: str | None
    last_snapshot: int | None
    """the module after the stage; null when it did not get that far"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["name", "title"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["status"], /) -> Literal["ok", "failed", "crashed", "timeout", "unknown", "skipped"]: ...
        @overload
        def __getitem__(self, member: Literal["failing_pass", "why"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["last_snapshot"], /) -> int | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Pass(Record):
    """An object of `passes`."""

    index: int
    stage: str
    pass_: str
    options: str
    anchor: str
    """the operation it runs on"""

    ran: bool
    changed: bool
    failed: bool
    """it stopped the pipeline"""

    seconds: float | None
    snapshot: int | None
    """the module after it; that of an earlier pass when it changed nothing"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["index"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["stage", "pass", "options", "anchor"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["ran", "changed", "failed"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["seconds"], /) -> float | None: ...
        @overload
        def __getitem__(self, member: Literal["snapshot"], /) -> int | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Snapshot(Record):
    """An object of `snapshots`."""

    index: int
    stage: str
    pass_: str | None
    pass_index: int | None
    changed: bool
    failure: bool
    """the IR at the failing pass"""

    seconds: float | None
    file: str
    """in the directory of trace.json"""

    ops: int
    """operations, module and functions included"""

    counted: int
    """operations without module and functions"""

    exact: int
    inherited: int
    users: int
    source_line: int
    """by a line of Python that several nodes may share; no part of the coverage"""

    debug_line: int
    """instructions known by their debug line; part of the coverage; absent if there are none; it may be missing"""

    dispatch: int
    """by their dispatch, which may compute several nodes; no part of the coverage; absent if there are none; it may be missing"""

    coverage: float
    """(exact + debug_line + inherited + users) / counted"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["index", "ops", "counted", "exact", "inherited", "users", "source_line", "debug_line", "dispatch"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["stage", "file"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["pass"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["pass_index"], /) -> int | None: ...
        @overload
        def __getitem__(self, member: Literal["changed", "failure"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["seconds"], /) -> float | None: ...
        @overload
        def __getitem__(self, member: Literal["coverage"], /) -> float: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Hop(Record):
    """An object of `hops`."""

    name: str
    snapshot: int | None
    shift: int

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["name"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["snapshot"], /) -> int | None: ...
        @overload
        def __getitem__(self, member: Literal["shift"], /) -> int: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Link(Record):
    """An object of `links`."""

    snapshot: int
    from_: int | None
    """the snapshot that from_ops are of"""

    links: str
    """a letter an operation: how its node is known: x exact, p inherited from the operation around it, u through its users, s by a line of Python,
    - not"""

    lines: list[int]
    """the line it begins on, from 1"""

    nodes: list[int]
    """the nodes of all operations, one after the other"""

    node_ends: list[int]
    """where each operation's nodes end"""

    from_ops: list[int]
    """the operations of `from` that it came from, of all operations one after the other"""

    from_ends: list[int]
    """where each operation's end"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["snapshot"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["from"], /) -> int | None: ...
        @overload
        def __getitem__(self, member: Literal["links"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["lines", "nodes", "node_ends", "from_ops", "from_ends"], /) -> list[int]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class TraceMembers(Record):
    """fxscope-cli trace --json, and trace.json of trace -o DIR: trace.schema.json"""

    schema: Literal["fxscope-trace/1"]
    input: str | None
    """the input file, as given"""

    engine: TraceEngine
    target: str | None
    """the output type; null: made elsewhere"""

    ok: bool
    """every stage is ok"""

    untraced: Literal["same", "differs", "not compared"]
    """whether the last snapshot is what the plain pipeline prints; not compared when that one fails"""

    stages: list[TraceStage]
    passes: list[Pass]
    """every pass of every stage, in order"""

    snapshots: list[Snapshot]
    """the module before the first pass, then after each pass that changed it, then at a failure"""

    hops: list[Hop]
    """what locations in the snapshots lead to: line L of `name` is line L + shift of that snapshot's file"""

    runs: list[list[str]]
    """the engine's command lines"""

    nodes: list[str]
    """names of the program's nodes, by index"""

    findings: list[dict[str, Any]]
    """as in lower.schema.json"""

    links: list[Link]
    """a snapshot's operations in the order of its file, as lists side by side"""

    _records = {"engine": TraceEngine, "stages": TraceStage, "passes": Pass, "snapshots": Snapshot, "hops": Hop, "links": Link}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["schema"], /) -> Literal["fxscope-trace/1"]: ...
        @overload
        def __getitem__(self, member: Literal["input", "target"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["engine"], /) -> TraceEngine: ...
        @overload
        def __getitem__(self, member: Literal["ok"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["untraced"], /) -> Literal["same", "differs", "not compared"]: ...
        @overload
        def __getitem__(self, member: Literal["stages"], /) -> list[TraceStage]: ...
        @overload
        def __getitem__(self, member: Literal["passes"], /) -> list[Pass]: ...
        @overload
        def __getitem__(self, member: Literal["snapshots"], /) -> list[Snapshot]: ...
        @overload
        def __getitem__(self, member: Literal["hops"], /) -> list[Hop]: ...
        @overload
        def __getitem__(self, member: Literal["runs"], /) -> list[list[str]]: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["findings"], /) -> list[dict[str, Any]]: ...
        @overload
        def __getitem__(self, member: Literal["links"], /) -> list[Link]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class History(Record):
    """An object of `history`."""

    stage: str
    pass_: str | None
    pass_index: int | None
    snapshot: int
    file: str
    message: str
    """one line for people"""

    gone: list[str]
    """names of operations that there were more of before: linalg.generic x4"""

    made: list[str]
    changed: int
    """operations whose name stayed and whose text did not"""

    lines: list[int]
    """lines of its operations in the snapshot's file, from 1"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["stage", "file", "message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["pass"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["pass_index"], /) -> int | None: ...
        @overload
        def __getitem__(self, member: Literal["snapshot", "changed"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["gone", "made"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["lines"], /) -> list[int]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class NodeTraceMembers(Record):
    """fxscope-cli trace --node N --json: trace_node.schema.json"""

    schema: Literal["fxscope-trace-node/1"]
    input: str
    target: str | None
    """the output type; null: made elsewhere"""

    node: str
    history: list[History]
    """one entry for each pass that did something to the node's operations; the first is the import"""

    _records = {"history": History}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["schema"], /) -> Literal["fxscope-trace-node/1"]: ...
        @overload
        def __getitem__(self, member: Literal["input", "node"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["target"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["history"], /) -> list[History]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class PatternTraceEngine(Record):
    """An object of `engine`."""

    path: str
    version: str

    if TYPE_CHECKING:

        def __getitem__(self, member: Literal["path", "version"], /) -> str: ...  # type: ignore[override]


class PatternTraceNode(Record):
    """An object of `node`."""

    index: int
    name: str
    target: str

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["index"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["name", "target"], /) -> str: ...
        def __getitem__(self, member: str, /) -> Any: ...


class PatternTracePass(Record):
    """An object of `passes`."""

    stage: str
    pass_: str
    options: str | None
    conversion: bool
    """a dialect conversion, which is taken back as a whole when it cannot finish"""

    failed: bool
    before: dict[str, int] | None
    """the node's operations before the pass, by name; null when unknown"""

    after: dict[str, int] | None

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["stage", "pass"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["options"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["conversion", "failed"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["before", "after"], /) -> dict[str, int] | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Attempt(Record):
    """An object of `attempts`."""

    pass_: int
    """index of passes"""

    ordinal: int | None
    """1-based, among all attempts of the stage; null when unknown"""

    pattern: str | None
    """as the engine spells it; null for a pattern without a name"""

    name: str
    """without namespaces"""

    op: str
    effect: Literal["took effect", "refused", "undone", "unknown"]
    evidence: str
    """what the verdict rests on"""

    became: list[str]
    """operations of the node that were new after it"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["pass"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["ordinal"], /) -> int | None: ...
        @overload
        def __getitem__(self, member: Literal["pattern"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["name", "op", "evidence"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["effect"], /) -> Literal["took effect", "refused", "undone", "unknown"]: ...
        @overload
        def __getitem__(self, member: Literal["became"], /) -> list[str]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class PatternTraceStop(Record):
    """An object of `stops`."""

    stage: str
    pass_: str
    op: str
    message: str
    left_over: bool
    """the pass follows all conversions, none of which lowered the operation"""

    tried: list[str]
    refused_before: list[str]

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["stage", "pass", "op", "message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["left_over"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["tried", "refused_before"], /) -> list[str]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class PatternTraceMembers(Record):
    """fxscope-cli trace --node N --patterns --json: patterns.schema.json"""

    schema: Literal["fxscope-patterns/1"]
    input: str
    """the input file, as given"""

    target: str
    """an output type: resources/output_types.json, or a file of --output-types"""

    engine: PatternTraceEngine
    node: PatternTraceNode
    cut: bool
    """the node was cut out of the program; false: the whole program was run"""

    message: str
    """one sentence: what was run, and whether the whole program agrees"""

    steppable: bool
    """every attempt has its ordinal, so that the engine can be stopped after it"""

    cut_off: bool
    """the log exceeded its time limit: what was tried later is unknown"""

    passes: list[PatternTracePass]
    attempts: list[Attempt]
    stops: list[PatternTraceStop]
    """where the engine stopped at an operation of the node"""

    stopped_elsewhere: str | None

    _records = {"engine": PatternTraceEngine, "node": PatternTraceNode, "passes": PatternTracePass, "attempts": Attempt, "stops": PatternTraceStop}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["schema"], /) -> Literal["fxscope-patterns/1"]: ...
        @overload
        def __getitem__(self, member: Literal["input", "target", "message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["engine"], /) -> PatternTraceEngine: ...
        @overload
        def __getitem__(self, member: Literal["node"], /) -> PatternTraceNode: ...
        @overload
        def __getitem__(self, member: Literal["cut", "steppable", "cut_off"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["passes"], /) -> list[PatternTracePass]: ...
        @overload
        def __getitem__(self, member: Literal["attempts"], /) -> list[Attempt]: ...
        @overload
        def __getitem__(self, member: Literal["stops"], /) -> list[PatternTraceStop]: ...
        @overload
        def __getitem__(self, member: Literal["stopped_elsewhere"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Operation(Record):
    """An object of `operations`."""

    line: int
    """in the snapshot's file, from 1"""

    name: str
    text: str
    """without regions, on one line, shortened"""

    nodes: list[str]
    origin: str
    """one line for people: the pass that made it, and the one that changed it last"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["line"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["name", "text", "origin"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> list[str]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Before(Record):
    """An object of `before`."""

    snapshot: int | None
    file: str | None
    matching: int
    """operations that have the terms of the condition"""

    total: int
    """operations that the condition is about, or that those of the other module came from or became"""

    operations: list[Operation]
    """the first of them"""

    _records = {"operations": Operation}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["snapshot"], /) -> int | None: ...
        @overload
        def __getitem__(self, member: Literal["file"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["matching", "total"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["operations"], /) -> list[Operation]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class PatternAttempt(Record):
    """An object of `attempts`."""

    pattern: str
    op: str
    effect: Literal["took effect", "refused", "undone", "unknown"]
    became: list[str]

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["pattern", "op"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["effect"], /) -> Literal["took effect", "refused", "undone", "unknown"]: ...
        @overload
        def __getitem__(self, member: Literal["became"], /) -> list[str]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Pattern(Record):
    """null without --patterns"""

    node: str
    attempts: list[PatternAttempt]
    """in the pass, on operations of the node, in the order of the engine"""

    _records = {"attempts": PatternAttempt}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["node"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["attempts"], /) -> list[PatternAttempt]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Rewrite(Record):
    """with --patterns, the first single rewrite of the pass, on the node by itself, at which the condition holds, too; null where there is none,
    or the rewrites cannot be stepped through"""

    pattern: str
    """or patterns, of a conversion, which is one step"""

    number: int
    """among the rewrites of the pass on the node"""

    count: int
    before: list[str]
    """operations, each on one line, shortened"""

    after: list[str]
    """operations, each on one line, shortened"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["pattern"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["number", "count"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["before", "after"], /) -> list[str]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class StopMembers(Record):
    """fxscope-cli trace --until CONDITION --json: stop.schema.json"""

    schema: Literal["fxscope-stop/1"]
    input: str
    target: str | None
    """the output type; null: made elsewhere"""

    condition: str
    """as written"""

    found: bool
    """false: it never holds, and all that follows `passes` is empty"""

    modules: int
    """snapshots of the trace: the module as imported, and after each pass that changed it"""

    passes: int
    stage: str | None
    """null: the condition holds for the module as imported"""

    pass_: str | None
    pass_index: int | None
    message: str
    """of the condition `fails`, what failed"""

    before: Before
    after: Before
    patterns: Pattern | None
    """null without --patterns"""

    rewrite: Rewrite | None
    """with --patterns, the first single rewrite of the pass, on the node by itself, at which the condition holds, too; null where there is none,
    or the rewrites cannot be stepped through"""

    _records = {"before": Before, "after": Before, "patterns": Pattern, "rewrite": Rewrite}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["schema"], /) -> Literal["fxscope-stop/1"]: ...
        @overload
        def __getitem__(self, member: Literal["input", "condition", "message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["target", "stage", "pass"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["found"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["modules", "passes"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["pass_index"], /) -> int | None: ...
        @overload
        def __getitem__(self, member: Literal["before", "after"], /) -> Before: ...
        @overload
        def __getitem__(self, member: Literal["patterns"], /) -> Pattern | None: ...
        @overload
        def __getitem__(self, member: Literal["rewrite"], /) -> Rewrite | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Made(Record):
    """the first module that has it, and the pass that made it"""

    snapshot: int
    pass_index: int | None
    """null: the import"""

    pass_: str | None

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["snapshot"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["pass_index"], /) -> int | None: ...
        @overload
        def __getitem__(self, member: Literal["pass"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class OperationTraceOperation(Record):
    """An object of `operations`."""

    snapshot: int
    """that the line is of"""

    line: int
    """in the snapshot's file"""

    name: str
    text: str
    """on one line, shortened, without its regions"""

    nodes: list[str]
    made: Made
    """the first module that has it, and the pass that made it"""

    last_changed: Made
    """the last module in which its text differs from the one before; as `made` if none"""

    pattern: str | None
    """the rewrite pattern that made it; null where it is not known, or without --patterns"""

    message: str
    """one line for people"""

    _records = {"made": Made, "last_changed": Made}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["snapshot", "line"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["name", "text", "message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["made", "last_changed"], /) -> Made: ...
        @overload
        def __getitem__(self, member: Literal["pattern"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class WentTo(Record):
    """An object of `went_to`."""

    pass_index: int
    snapshot: int
    """the module after the pass"""

    message: str
    """one line for people"""

    lines: list[int]
    """of what it became, in the snapshot's file"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["pass_index", "snapshot"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["lines"], /) -> list[int]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class OperationTraceMembers(Record):
    """fxscope-cli trace --op TERMS --json: trace_op.schema.json"""

    schema: Literal["fxscope-trace-op/1"]
    input: str
    terms: str
    """that select the operations, as written"""

    operations: list[OperationTraceOperation]
    """in the order of the text"""

    came_from: list[OperationTraceOperation]
    """of a single operation, what it was made of, and that in turn, back to the import; the last made first"""

    went_to: list[WentTo]
    """of a single operation, the passes that changed or replaced it, and then what it had become"""

    _records = {"operations": OperationTraceOperation, "came_from": OperationTraceOperation, "went_to": WentTo}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["schema"], /) -> Literal["fxscope-trace-op/1"]: ...
        @overload
        def __getitem__(self, member: Literal["input", "terms"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["operations", "came_from"], /) -> list[OperationTraceOperation]: ...
        @overload
        def __getitem__(self, member: Literal["went_to"], /) -> list[WentTo]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Value(Record):
    """An object of `values`."""

    input: str
    type: str
    """i8"""

    min: float | None
    """of the finite elements"""

    max: float | None
    over_range: bool
    """integers over all of their type"""

    has: list[str]
    """kinds of values (resources/numbers/separating_values.txt)"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["input", "type"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["min", "max"], /) -> float | None: ...
        @overload
        def __getitem__(self, member: Literal["over_range"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["has"], /) -> list[str]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Input(Record):
    """An object of `inputs`."""

    set: Literal["given", "example", "ordinary", "steps", "range", "edges", "nonfinite", "shifted"]
    """where the elements come from (docs/numbers.md)"""

    round: int
    """sets of one kind and sizes are counted"""

    sizes: dict[str, int]
    """symbolic sizes by symbol"""

    tensors: list[str]
    """f32[2, 3], in order of the signature"""

    values_: list[Value]
    """by input tensor"""

    notes: list[str]

    _records = {"values": Value}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["set"], /) -> Literal["given", "example", "ordinary", "steps", "range", "edges", "nonfinite", "shifted"]: ...
        @overload
        def __getitem__(self, member: Literal["round"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["sizes"], /) -> dict[str, int]: ...
        @overload
        def __getitem__(self, member: Literal["tensors", "notes"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["values"], /) -> list[Value]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Executor(Record):
    """An object of `executors`."""

    executor: str
    found: str
    """same, differs at add, not compared, not supported, crashed"""

    message: str | None

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["executor", "found"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["message"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Set(Record):
    """An object of `sets`."""

    inputs: int
    """index in the inputs of the answer"""

    set: str
    verdict: Literal["same", "not-compared", "suspicious", "differs-at-nonfinite", "differs"]
    message: str | None
    executors: list[Executor]
    """what each found, before it is weighed against the others"""

    _records = {"executors": Executor}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["inputs"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["set"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["verdict"], /) -> Literal["same", "not-compared", "suspicious", "differs-at-nonfinite", "differs"]: ...
        @overload
        def __getitem__(self, member: Literal["message"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["executors"], /) -> list[Executor]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class NotTried(Record):
    """An object of `not_tried`."""

    values_: list[str]
    inputs: list[str]
    because: str | None
    """the operator whose result is not defined or not stable for them"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["values", "inputs"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["because"], /) -> str | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class NotSeen(Record):
    """An object of `not_seen`."""

    operator: str
    values_: str
    calls: int

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["operator", "values"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["calls"], /) -> int: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Seen(Record):
    """An object of `seen`."""

    operator: str
    values_: str
    calls: int
    seen: int

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["operator", "values"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["calls", "seen"], /) -> int: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Control(Record):
    """An object of `control`."""

    node: str
    loop: bool
    taken: list[Literal["true", "false", "0", "1", "several"]]
    """branches or numbers of trips; empty: not known"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["node"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["loop"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["taken"], /) -> list[Literal["true", "false", "0", "1", "several"]]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class NotCompared(Record):
    """An object of `not_compared`."""

    name: str
    message: str

    if TYPE_CHECKING:

        def __getitem__(self, member: Literal["name", "message"], /) -> str: ...  # type: ignore[override]


class Scope(Record):
    """for what the verdict holds, derived from what ran"""

    message: str
    """one line"""

    sets: list[Set]
    """what the executors say together of each set of inputs"""

    sizes: dict[str, list[int]]
    """symbolic sizes that were compared, by symbol"""

    values_: list[Value]
    """by input tensor, over all sets that were compared"""

    not_tried: list[NotTried]
    not_seen: list[NotSeen] | None
    """values that separate right from wrong and that no operand of the operator's calls had; null: not known, without PyTorch"""

    seen: list[Seen] | None
    """the values that separate right from wrong at each operator, and how many of its calls had one among their operands; null: not known, without
    PyTorch"""

    control: list[Control]
    """conditions and loops of the main graph, and what of them ran"""

    not_compared: list[NotCompared]
    """results"""

    _records = {"sets": Set, "values": Value, "not_tried": NotTried, "not_seen": NotSeen, "seen": Seen, "control": Control, "not_compared": NotCompared}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["sets"], /) -> list[Set]: ...
        @overload
        def __getitem__(self, member: Literal["sizes"], /) -> dict[str, list[int]]: ...
        @overload
        def __getitem__(self, member: Literal["values"], /) -> list[Value]: ...
        @overload
        def __getitem__(self, member: Literal["not_tried"], /) -> list[NotTried]: ...
        @overload
        def __getitem__(self, member: Literal["not_seen"], /) -> list[NotSeen] | None: ...
        @overload
        def __getitem__(self, member: Literal["seen"], /) -> list[Seen] | None: ...
        @overload
        def __getitem__(self, member: Literal["control"], /) -> list[Control]: ...
        @overload
        def __getitem__(self, member: Literal["not_compared"], /) -> list[NotCompared]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Worst(Record):
    """An object of `worst`."""

    index: list[int]
    found: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite"""

    expected: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["index"], /) -> list[int]: ...
        @overload
        def __getitem__(self, member: Literal["found", "expected"], /) -> float | str: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Output(Record):
    """An object of `outputs`."""

    name: str
    type: str
    compared: bool
    why_not: str | None
    verdict: Literal["same", "suspicious", "differs-at-nonfinite", "differs"]
    """it may be missing"""

    kind: Literal["none", "shape", "type", "nan", "infinity", "sign", "permuted", "wrong-elements", "scaled", "rounding"]
    """it may be missing"""

    l2: float | str
    """relative l2 error of the finite elements; it may be missing"""

    units: float | str
    """l2 in eps of the lowest precision in the computation; it may be missing"""

    max_abs: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite; it may be missing"""

    wrong: int
    """it may be missing"""

    elements: int
    """it may be missing"""

    message: str | None
    """it may be missing"""

    worst: list[Worst]
    """it may be missing"""

    _records = {"worst": Worst}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["name", "type"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["compared"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["why_not", "message"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["verdict"], /) -> Literal["same", "suspicious", "differs-at-nonfinite", "differs"]: ...
        @overload
        def __getitem__(self, member: Literal["kind"], /) -> Literal["none", "shape", "type", "nan", "infinity", "sign", "permuted", "wrong-elements", "scaled", "rounding"]: ...
        @overload
        def __getitem__(self, member: Literal["l2", "units", "max_abs"], /) -> float | str: ...
        @overload
        def __getitem__(self, member: Literal["wrong", "elements"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["worst"], /) -> list[Worst]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class First(Record):
    """An object of `first`."""

    node: str
    target: str
    stage: str
    pass_: str | None
    message: str
    by_itself: bool
    """it also differs when it is lowered and run by itself"""

    operations: list[str]

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["node", "target", "stage", "message"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["pass"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["by_itself"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["operations"], /) -> list[str]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Expected(Record):
    """An object of `expected`."""

    elements: int
    nan: int
    infinite: int
    min: float | str
    """of the finite elements"""

    max: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite"""

    mean: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite"""

    norm: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite"""

    histogram: list[int]
    """finite elements in 16 equal steps from min to max"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["elements", "nan", "infinite"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["min", "max", "mean", "norm"], /) -> float | str: ...
        @overload
        def __getitem__(self, member: Literal["histogram"], /) -> list[int]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Result(Record):
    """An object of `results`."""

    name: str
    type: str
    compared: bool
    why_not: str | None
    verdict: Literal["same", "suspicious", "differs-at-nonfinite", "differs"]
    """it may be missing"""

    kind: Literal["none", "shape", "type", "nan", "infinity", "sign", "permuted", "wrong-elements", "scaled", "rounding"]
    """it may be missing"""

    l2: float | str
    """relative l2 error of the finite elements; it may be missing"""

    units: float | str
    """l2 in eps of the lowest precision in the computation; it may be missing"""

    max_abs: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite; it may be missing"""

    wrong: int
    """it may be missing"""

    elements: int
    """it may be missing"""

    message: str | None
    """it may be missing"""

    worst: list[Worst]
    """it may be missing"""

    expected: Expected
    """it may be missing"""

    found: Expected

    _records = {"worst": Worst, "expected": Expected, "found": Expected}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["name", "type"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["compared"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["why_not", "message"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["verdict"], /) -> Literal["same", "suspicious", "differs-at-nonfinite", "differs"]: ...
        @overload
        def __getitem__(self, member: Literal["kind"], /) -> Literal["none", "shape", "type", "nan", "infinity", "sign", "permuted", "wrong-elements", "scaled", "rounding"]: ...
        @overload
        def __getitem__(self, member: Literal["l2", "units", "max_abs"], /) -> float | str: ...
        @overload
        def __getitem__(self, member: Literal["wrong", "elements"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["worst"], /) -> list[Worst]: ...
        @overload
        def __getitem__(self, member: Literal["expected", "found"], /) -> Expected: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Run(Record):
    """An object of `runs`."""

    executor: str
    inputs: int
    """index in the inputs of the answer"""

    sizes: dict[str, int]
    """symbolic sizes by symbol"""

    outcome: Literal["ran", "not-supported", "crashed", "timed-out", "out-of-memory"]
    message: str | None
    node: str | None
    """where it crashed"""

    variants: list[str]
    """of the output types' stages, in which the text was compiled"""

    compile_seconds: float
    run_seconds: float
    results: list[Result]

    _records = {"results": Result}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["executor"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["inputs"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["sizes"], /) -> dict[str, int]: ...
        @overload
        def __getitem__(self, member: Literal["outcome"], /) -> Literal["ran", "not-supported", "crashed", "timed-out", "out-of-memory"]: ...
        @overload
        def __getitem__(self, member: Literal["message", "node"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["variants"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["compile_seconds", "run_seconds"], /) -> float: ...
        @overload
        def __getitem__(self, member: Literal["results"], /) -> list[Result]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Found(Record):
    """An object of `found`."""

    elements: int
    nan: int
    infinite: int
    min: float | str
    """of the finite elements"""

    max: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite"""

    mean: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite"""

    norm: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["elements", "nan", "infinite"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["min", "max", "mean", "norm"], /) -> float | str: ...
        def __getitem__(self, member: str, /) -> Any: ...


class ComparisonTargetNode(Record):
    """An object of `nodes`."""

    node: str
    verdict: Literal["same", "suspicious", "differs-at-nonfinite", "differs"]
    kind: Literal["none", "shape", "type", "nan", "infinity", "sign", "permuted", "wrong-elements", "scaled", "rounding"]
    l2: float | str
    """relative l2 error of the finite elements"""

    units: float | str
    """l2 in eps of the lowest precision in the computation"""

    max_abs: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite"""

    wrong: int
    elements: int
    message: str | None
    worst: list[Worst]
    operand_units: float | str
    """"Infinity", "-Infinity" or "NaN" if not finite"""

    found: Found
    expected: Found

    _records = {"worst": Worst, "found": Found, "expected": Found}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["node"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["verdict"], /) -> Literal["same", "suspicious", "differs-at-nonfinite", "differs"]: ...
        @overload
        def __getitem__(self, member: Literal["kind"], /) -> Literal["none", "shape", "type", "nan", "infinity", "sign", "permuted", "wrong-elements", "scaled", "rounding"]: ...
        @overload
        def __getitem__(self, member: Literal["l2", "units", "max_abs", "operand_units"], /) -> float | str: ...
        @overload
        def __getitem__(self, member: Literal["wrong", "elements"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["message"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["worst"], /) -> list[Worst]: ...
        @overload
        def __getitem__(self, member: Literal["found", "expected"], /) -> Found: ...
        def __getitem__(self, member: str, /) -> Any: ...


class ComparisonTarget(Record):
    """An object of `targets`."""

    to: str
    verdict: Literal["same", "not-compared", "suspicious", "differs-at-nonfinite", "differs"]
    message: str | None
    accusers: list[str]
    """of a suspicious verdict: executors that compute a value other than expected, or crash"""

    defenders: list[str]
    """executors that disagree with these"""

    fault: str | None
    """of executors that disagree: whose fault it probably is, and why"""

    scope: Scope
    """for what the verdict holds, derived from what ran"""

    outputs: list[Output]
    """the worst over all runs"""

    first: First | None
    runs: list[Run]
    nodes: list[ComparisonTargetNode]
    """inner nodes in program order, if they were looked at"""

    _records = {"scope": Scope, "outputs": Output, "first": First, "runs": Run, "nodes": ComparisonTargetNode}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["to"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["verdict"], /) -> Literal["same", "not-compared", "suspicious", "differs-at-nonfinite", "differs"]: ...
        @overload
        def __getitem__(self, member: Literal["message", "fault"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["accusers", "defenders"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["scope"], /) -> Scope: ...
        @overload
        def __getitem__(self, member: Literal["outputs"], /) -> list[Output]: ...
        @overload
        def __getitem__(self, member: Literal["first"], /) -> First | None: ...
        @overload
        def __getitem__(self, member: Literal["runs"], /) -> list[Run]: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> list[ComparisonTargetNode]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class ComparisonMembers(Record):
    """fxscope-cli compare --json: compare.schema.json"""

    schema: Literal["fxscope-compare/1"]
    input: str
    """the input file, as given"""

    via: Literal["torch-mlir", "nodes", "registry"]
    """the lowering path whose texts ran, as --via names it"""

    reference: str
    """what results were compared with"""

    executors: list[str]
    executor_seconds: float
    """what executors took to compile and to run, also inner values and operations by themselves"""

    inputs: list[Input]
    targets: list[ComparisonTarget]
    notes: list[str]

    _records = {"inputs": Input, "targets": ComparisonTarget}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["schema"], /) -> Literal["fxscope-compare/1"]: ...
        @overload
        def __getitem__(self, member: Literal["input", "reference"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["via"], /) -> Literal["torch-mlir", "nodes", "registry"]: ...
        @overload
        def __getitem__(self, member: Literal["executors", "notes"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["executor_seconds"], /) -> float: ...
        @overload
        def __getitem__(self, member: Literal["inputs"], /) -> list[Input]: ...
        @overload
        def __getitem__(self, member: Literal["targets"], /) -> list[ComparisonTarget]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class EngineComparisonEngine(Record):
    """An object of `engines`."""

    name: str | None
    """of a known engine"""

    path: str
    version: str
    sha256: str
    same_as: int | None
    """index of an engine before it that is the same program, and was not run again"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["name"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["path", "version", "sha256"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["same_as"], /) -> int | None: ...
        def __getitem__(self, member: str, /) -> Any: ...


class TypeOutcomeStage(Record):
    """An object of `stages`."""

    name: str
    status: Literal["ok", "failed", "crashed", "timeout", "unknown", "skipped"]
    seconds: float

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["name"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["status"], /) -> Literal["ok", "failed", "crashed", "timeout", "unknown", "skipped"]: ...
        @overload
        def __getitem__(self, member: Literal["seconds"], /) -> float: ...
        def __getitem__(self, member: str, /) -> Any: ...


class TypeOutcome(Record):
    """An object of `outcomes`."""

    status: Literal["ok", "breach", "failed", "crashed", "timeout", "unreadable", "abandoned"]
    stage: str | None
    """where it stopped"""

    pass_: str | None
    """that stopped it"""

    op: str | None
    """the MLIR operation that stopped it"""

    node: str | None
    target: str | None
    message: str | None
    seconds: float
    stages: list[TypeOutcomeStage]

    _records = {"stages": TypeOutcomeStage}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["status"], /) -> Literal["ok", "breach", "failed", "crashed", "timeout", "unreadable", "abandoned"]: ...
        @overload
        def __getitem__(self, member: Literal["stage", "pass", "op", "node", "target", "message"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["seconds"], /) -> float: ...
        @overload
        def __getitem__(self, member: Literal["stages"], /) -> list[TypeOutcomeStage]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class StepStageNode(Record):
    """An object of `nodes`."""

    node: str
    target: str | None
    gone: list[str]
    made: list[str]
    changed: int
    """operations with the same name and another text"""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["node"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["target"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["gone", "made"], /) -> list[str]: ...
        @overload
        def __getitem__(self, member: Literal["changed"], /) -> int: ...
        def __getitem__(self, member: str, /) -> Any: ...


class StepStage(Record):
    """An object of `stages`."""

    stage: str
    unread: str | None
    """why the texts were not compared"""

    added: int
    """operations, as diff counts them"""

    removed: int
    changed: int
    moved: int
    unplaced: str | None
    """why operations were not assigned to nodes"""

    nodes: list[StepStageNode]

    _records = {"nodes": StepStageNode}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["stage"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["unread", "unplaced"], /) -> str | None: ...
        @overload
        def __getitem__(self, member: Literal["added", "removed", "changed", "moved"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["nodes"], /) -> list[StepStageNode]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Step(Record):
    """An object of `steps`."""

    from_: int
    to: int
    same_outcome: bool
    stages: list[StepStage]
    """that both reach, with texts that differ"""

    _records = {"stages": StepStage}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["from", "to"], /) -> int: ...
        @overload
        def __getitem__(self, member: Literal["same_outcome"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["stages"], /) -> list[StepStage]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class Type(Record):
    """An object of `types`."""

    type: str
    outcomes: list[TypeOutcome]
    """by engine"""

    steps: list[Step]
    """from each engine to the next"""

    _records = {"outcomes": TypeOutcome, "steps": Step}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["type"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["outcomes"], /) -> list[TypeOutcome]: ...
        @overload
        def __getitem__(self, member: Literal["steps"], /) -> list[Step]: ...
        def __getitem__(self, member: str, /) -> Any: ...


class EngineComparisonMembers(Record):
    """fxscope-cli compare --json with several engines: engine_compare.schema.json"""

    schema: Literal["fxscope-engine-compare/1"]
    input: str
    differs: bool
    """whether any outcome or text differs"""

    engines: list[EngineComparisonEngine]
    """in the order given"""

    types: list[Type]

    _records = {"engines": EngineComparisonEngine, "types": Type}

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, member: Literal["schema"], /) -> Literal["fxscope-engine-compare/1"]: ...
        @overload
        def __getitem__(self, member: Literal["input"], /) -> str: ...
        @overload
        def __getitem__(self, member: Literal["differs"], /) -> bool: ...
        @overload
        def __getitem__(self, member: Literal["engines"], /) -> list[EngineComparisonEngine]: ...
        @overload
        def __getitem__(self, member: Literal["types"], /) -> list[Type]: ...
        def __getitem__(self, member: str, /) -> Any: ...
