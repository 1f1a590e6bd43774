# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What fxscope says of PyTorch and torch-mlir, asked of them: python3 torch_mlir_claims.py --cli FXSCOPE_CLI [--all]

- tables: what core/import/torch_mlir_refusals.cpp and resources/engine/decomposed_ops.txt list is what the installed packages list.
- refusals: for each sentence of torch_mlir_refusals.cpp there is a program here for which fxscope says it, and fx.export_and_import refuses the
  saved program; programs of the same kind for which fxscope says nothing are imported.
- differences: each program of known_differences.py is imported by `lower --as torch-mlir` exactly if fx.export_and_import imports it.
- pytorch: of an operator that decomposed_ops.txt says so of, PyTorch's table has a function, with which torch-mlir lowers what fxscope lowers.
- forms: an operator that decomposed_ops.txt calls "same" has the same RAW text in both, and where the text is another, a note says so.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import torch
from torch._decomp import get_decompositions
from torch._export.utils import _collect_all_valid_cia_ops
from torch_mlir import fx
from torch_mlir.extras import fx_importer
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

import known_differences
import oracle_programs
import programs_decompositions
from module_dag import Dag, differences

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
ROOT = pathlib.Path(__file__).resolve().parents[2]
REFUSALS = (ROOT / "core/import/torch_mlir_refusals.cpp").read_text()
TABLE = ROOT / "resources/engine/decomposed_ops.txt"
# A package that torch-mlir's importer needs, and this machine may not have.
MISSING_PACKAGE = ("parameter_bfloat16",)
# Programs that take long, and whose operators others have.
LARGE = ("model_", "hf_")
# Programs of an operator whose texts are compared, with --all and without.
ENOUGH, FEW, MANY = 2, 1, 100
# Of each known difference, without --all.
KNOWN_LINES = 2
RESHAPES = [(name, ["aten.reshape.default"], programs_decompositions.Program(function), (torch.randn(3, 4),), None)
            for name, function in (("reshape_of_rows", lambda x: x.reshape(2, -1)), ("reshape_of_columns", lambda x: x.t().reshape(12)))]
DYNAMIC = torch.export.Dim.DYNAMIC
# (name, input, dynamic shapes) of inputs with strides that are symbols.
SIZED = [
    ("part_of_rows", torch.randn(4, 8)[:, :4], ({0: DYNAMIC, 1: DYNAMIC},)),
    ("every_second_column", torch.randn(4, 8)[:, ::2], ({0: DYNAMIC, 1: DYNAMIC},)),
    ("column", torch.randn(4, 8)[:, 2], ({0: DYNAMIC},)),
    ("part_of_planes", torch.randn(4, 8, 5)[:, :4], ({0: DYNAMIC},)),
    ("padded_rows", torch.empty_strided((4, 5, 3), (100, 10, 2)).zero_(), ({0: DYNAMIC, 1: DYNAMIC},)),
]
LIBRARY = torch.library.Library("claims", "FRAGMENT")
LIBRARY.define("scale_into(Tensor x, Tensor(a!) out, float by) -> ()")
LIBRARY.impl("scale_into", lambda x, out, by: out.copy_(x * by), "CPU")
LIBRARY.impl("scale_into", lambda x, out, by: None, "Meta")


class Calls(torch.nn.Module):
    """A function of tensors, with tensors of the module first: those of `parameters`, then of `buffers`."""

    def __init__(self, function, parameters=(), buffers=()):
        super().__init__()
        self.function = function
        self.own = torch.nn.ParameterList(parameters)
        for i, buffer in enumerate(buffers):
            self.register_buffer(f"b{i}", buffer)
        self.count = len(buffers)

    def forward(self, *args):
        return self.function(*self.own, *(getattr(self, f"b{i}") for i in range(self.count)), *args)


def scaled_into(x):
    out = torch.empty_like(x)
    torch.ops.claims.scale_into(x, out, 2.0)
    return out


class AddedTo(torch.nn.Module):
    def forward(self, input):
        return input.add_(1) * 2


def doubled(x, *more):
    from torch._higher_order_ops import while_loop

    return while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2 + sum(more)), (torch.tensor(0), x))


def shared(k, j, x):
    k.add_(x)
    return k * 2, j * 3


def rows():
    """(name, module, inputs, dynamic shapes, whether it is imported)"""
    x, twice = torch.randn(2, 3), torch.zeros(3)
    first = ({0: DYNAMIC},)
    yield "cond", Calls(lambda x: torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))), (x,), None, False
    yield "auto_functionalized", Calls(scaled_into), (x,), None, False
    yield "loop", Calls(doubled), (x,), None, False
    yield "negative", Calls(lambda x: x[:, -x.shape[0] :]), (x,), first, False
    yield "power", Calls(lambda x: torch.zeros(x.shape[0] ** 2)), (x,), first, False
    yield "power_of_a_known_product", Calls(lambda x: (torch.zeros(3).expand(x.shape[0], x.shape[0], 3).flatten(0, 1) + 1, torch.zeros(x.shape[0] ** 2))), (x,), first, True
    yield "power_before_a_product", Calls(lambda x: (torch.zeros(x.shape[0] ** 2), torch.zeros(3).expand(x.shape[0], x.shape[0], 3).flatten(0, 1) + 1)), (x,), first, False
    yield "maximum", Calls(lambda x: torch.zeros(torch.sym_max(x.shape[0], 4))), (x,), first, False
    yield "minimum", Calls(lambda x: torch.zeros(torch.sym_min(x.shape[0], 4))), (x,), first, False
    yield "root", Calls(lambda x: x * torch.sym_sqrt(x.shape[0])), (x,), first, False
    yield "maximum_of_numbers", Calls(lambda x: torch.zeros(torch.sym_max(x.shape[0], 4))), (x,), None, True
    yield "sum_and_product", Calls(lambda x: torch.zeros(x.shape[0] * 2 + 1)), (x,), first, True
    yield "complex128_number", Calls(lambda x: x.to(torch.complex128).real), (x,), None, False
    yield "complex_scalar", Calls(lambda x: torch.view_as_real(torch.view_as_complex(x) * (1 + 2j))), (torch.randn(3, 2),), None, False
    yield "uint16_input", Calls(lambda x: x.to(torch.float32)), (torch.zeros(3, dtype=torch.uint16),), None, False
    yield "uint16_dropped", Calls(lambda x: (x.to(torch.uint16), x + 1)[1]), (x,), None, True
    half, columns = torch.export.Dim("half", min=2, max=50), ({0: DYNAMIC, 1: DYNAMIC},)
    for name, given, dynamic in SIZED:
        yield name, Calls(lambda x: x * 2), (given,), dynamic, False
    yield "derived", Calls(lambda x, y: x[:, ::2] + y), (torch.randn(2, 8), torch.randn(2, 4)), ({1: 2 * half}, {1: half}), False
    yield "transposed_input", Calls(lambda x: x * 2), (x.t(),), columns, True
    yield "offset_input", Calls(lambda x: x * 2), (torch.randn(9)[3:],), first, True
    yield "static_strides", Calls(lambda x: x * 2), (torch.randn(4, 8)[:, ::2],), None, True
    yield "parameter_in_list", Calls(lambda w, x: torch.cat([x, w]), [torch.nn.Parameter(torch.randn(1, 3))]), (x,), None, False
    yield "buffer_in_list", Calls(lambda b, x: torch.cat([x, b]), (), [torch.randn(1, 3)]), (x,), None, True
    yield "strided_by_a_size", Calls(lambda x: torch.as_strided(x, (x.shape[0], 2), (3, 1))), (x,), first, False
    yield "strided", Calls(lambda x: torch.as_strided(x, (2, 2), (3, 1))), (x,), None, True
    yield "number_specialized", Calls(lambda x: (torch.ops.aten.numel(x), x + 1)[1]), (x,), None, True
    yield "parameter_added", Calls(lambda w, x: x + w, [torch.nn.Parameter(torch.randn(3))]), (x,), None, True
    yield "view_outside_aten", Calls(lambda x: torch.ops.prims.view_of(x) + 1), (x,), None, False
    yield "squeezed_outside_aten", Calls(lambda x: torch.ops.prims.squeeze(x[None], [0]) + 1), (x,), None, False
    yield "squeezed", Calls(lambda x: torch.squeeze(x[None, :, None], (0, 2)) + 1), (x,), None, True
    cube = torch.randn(3, 4, 4)
    yield "diagonal_of_view", Calls(lambda x: ((y := x * 2), y[0].fill_diagonal_(0), y)[2]), (cube,), None, False
    yield "strides_of_view", Calls(lambda x: ((y := x * 2), y[0].as_strided((2,), (1,)).add_(1), y)[2]), (cube,), None, False
    yield "strides_of_part", Calls(lambda x: ((y := x * 2), y.unbind(0)[1].as_strided((2,), (1,)).add_(1), y)[2]), (cube,), None, False
    yield "strides", Calls(lambda x: ((y := x * 2), y.as_strided((2, 3), (3, 1))[0].add_(1), y)[2]), (cube,), None, True
    yield "strides_that_are_read", Calls(lambda x: x[0].as_strided((2,), (1,)) + 1), (cube,), None, True
    yield "diagonal_of_copy", Calls(lambda x: x[0].clone().fill_diagonal_(0)), (cube,), None, True
    yield "without_a_fake_kernel", Calls(lambda x: torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -128, 127)), (x,), None, False
    yield "mutated_before_it_is_decomposed", AddedTo(), (x,), None, True
    yield "unused_number", Calls(lambda x: x.reshape([torch.mul(x.shape[0], 3)])), (x,), None, False
    yield "mutated_with_two_names", Calls(shared, (), [twice, twice]), (torch.randn(3),), None, False
    tied = torch.nn.Parameter(torch.randn(3))
    yield "mutated_beside_two_names", Calls(lambda a, b, k, x: (k.add_(x) * a, b + k), [tied, tied], [torch.zeros(3)]), (torch.randn(3),), None, True


def imported(program):
    """The module of fx.export_and_import as text, or None."""
    return lowered(lambda: fx.export_and_import(program))


def lowered(make):
    """A module as text, or None; torch-mlir prints why."""
    kept = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            module = make()
            return module.operation.get_asm() if module.operation.verify() else None
        except Exception:
            return None
        finally:
            os.dup2(kept, 2)
            os.close(kept)


class Asked:
    def __init__(self, cli, folder):
        self.cli, self.folder, self.problems, self.said, self.count = cli, folder, [], set(), 0

    def save(self, exported):
        path = f"{self.folder}/program.pt2"
        torch.export.save(exported, path)
        return path

    def ours(self, path, *more):
        """(exit code, RAW text, findings) of lower --as torch-mlir."""
        command = [self.cli, "lower", path, "--to", "raw", "--as", "torch-mlir", *more]
        done = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=120)
        if done.returncode == 4 and "engine fetch" in done.stderr:
            print(done.stderr)
            sys.exit(77)
        findings = json.loads(done.stdout)["findings"] if done.stdout else []
        return done.returncode, findings

    def check(self, name, exported, expected=None):
        """Both import it, or both refuse it; as `expected` says, if it says."""
        self.count += 1
        path = self.save(exported)
        theirs = lowered(lambda: fx.export_and_import(torch.export.load(path))) is not None
        code, findings = self.ours(path)
        self.said |= {f["message"] for f in findings if f["severity"] == "error"}
        if theirs != (code == 0):
            what = "imports it" if theirs else "refuses it"
            self.problems.append(f"{name}: torch-mlir {what}, fxscope says {[f['message'] for f in findings if f['severity'] == 'error']}")
        if expected is not None and theirs != expected:
            self.problems.append(f"{name}: torch-mlir {'imports' if theirs else 'refuses'} it")


def tables_differ():
    kept = re.search(r"kKnown\{([^}]*)\}", REFUSALS)[1]
    if set(re.findall(r'"(\w+)"', kept)) != set(fx_importer.PY_BUILTIN_TO_TORCH_OP) | {"getitem"}:
        yield "the scalar functions of the importer are others"
    handled = re.search(r"kHandled\{([^}]*)\}", REFUSALS)[1]
    prefix = "_import_hop_"
    if set(re.findall(r'"(\w+)"', handled)) != {n.removeprefix(prefix) for n in dir(fx_importer.GraphNodeImporter) if n.startswith(prefix)}:
        yield "the higher-order operators of the importer are others"
    lines = [line.split() for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    listed = {line[1] for line in lines if line[0] == "table"}
    if listed != {str(op) for op in get_decomposition_table() if isinstance(op, torch._ops.OpOverload)}:
        yield "the decomposition table is another"
    composite = torch._C.DispatchKey.CompositeImplicitAutograd
    ignored = {str(op) for op in _collect_all_valid_cia_ops()
               if composite in op.py_kernels and not torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), "CompositeImplicitAutograd")}
    if {line[1] for line in lines if line[0] == "kept"} != ignored:
        yield "the operators whose function in a table PyTorch does not call are others"
    listed = {line[1] for line in lines if line[0] == "default"}
    default = {str(op) for op in torch.export.default_decompositions()}
    if listed - default:
        yield f"run_decompositions() does not decompose {sorted(listed - default)}"
    from torch._export import utils

    kept = {str(op) for op in utils._collect_all_valid_cia_ops()}  # makes all operators known to Python
    listed, implicit, mutating = {line[1] for line in lines if line[0] == "composite"}, set(), set()
    for packet in torch.ops.aten:
        for overload in getattr(getattr(torch.ops.aten, packet), "overloads", list)():
            op = getattr(getattr(torch.ops.aten, packet), overload)
            try:
                if utils._is_cia_op(op):
                    implicit.add(str(op))
                    mutating.update([str(op)] if op._schema.is_mutable else [])
            except RuntimeError:
                pass  # an operator of TorchScript alone
    if missing := sorted(implicit - mutating - kept - listed):
        yield f"PyTorch never keeps {', '.join(missing)}"
    for target in sorted(listed & kept):
        yield f"PyTorch keeps {target}"
    for target in sorted(listed - implicit):
        if not eval(f"torch.ops.{target}").py_kernels:
            yield f"PyTorch has no Python form of {target}"


def mended(asked, name, exported):
    """The written Python lowers a program as it was exported and loaded; a fixed file with no loop is imported."""
    path, script, fixed, names = asked.save(exported), f"{asked.folder}/fixed.py", f"{asked.folder}/fixed.pt2", {}
    subprocess.run([asked.cli, "fix", path, "--to", "linalg-on-tensors", "-o", fixed, "--python", script], capture_output=True)
    exec(pathlib.Path(script).read_text(), names)
    for given, program in (("loaded", torch.export.load(path)), ("exported", exported)):
        if lowered(lambda: names["lower"](program)) is None:
            asked.problems.append(f"{name}: the written Python does not lower the program that is {given}")
    if name != "loop" and lowered(lambda: fx.export_and_import(torch.export.load(fixed), output_type="linalg-on-tensors")) is None:
        asked.problems.append(f"{name}: the fixed file is not imported")


def refusals(asked):
    for name, module, inputs, shapes, expected in rows():
        shapes = None if shapes is None else {"args": shapes}
        asked.check(name, torch.export.export(module, inputs, dynamic_shapes=shapes, strict=False), expected)
    asked.check("mutated", torch.export.export(AddedTo(), (torch.randn(3),)).run_decompositions(), False)
    loop = torch.export.export(Calls(doubled), (torch.randn(3),), strict=False)
    mended(asked, "loop", loop)
    for name, module, inputs, shapes, _ in rows():
        if name == "derived" or name in [sized[0] for sized in SIZED]:
            mended(asked, name, torch.export.export(module, inputs, dynamic_shapes={"args": shapes}, strict=False))
    if imported(loop) is None:
        asked.problems.append("a loop that was not saved: torch-mlir refuses it")
    if imported(torch.export.export(Calls(lambda w, x: doubled(x, w), [torch.nn.Parameter(torch.randn(3))]), (torch.randn(3),))) is not None:
        asked.problems.append("a loop with additional inputs: torch-mlir imports it")
    sentences = set(re.findall(r'"((?:does not|has no|expects|PyTorch does)[^"]*)"', REFUSALS))
    for sentence in sorted(sentences):
        if not any(sentence in message for message in asked.said):
            asked.problems.append(f"no program here for {sentence!r}")


def known(asked, lines):
    oracle_programs.load_all()
    names = dict.fromkeys(name.split("/")[0] for entry in known_differences.KNOWN for name in entry.names[:lines])
    for name in names:
        if name.startswith(LARGE + MISSING_PACKAGE):
            continue
        asked.check(name, oracle_programs.export(oracle_programs.PROGRAMS[name], "exported"))


def forms(asked, enough):
    same = {line.split()[1]: line.endswith(" same") for line in TABLE.read_text().splitlines() if not line.startswith(("#", "default ", "kept "))}
    equal, other = {}, {}
    for name, wanted, module, inputs, dynamic in [*RESHAPES, *programs_decompositions.PROGRAMS]:
        targets = [t for t in wanted if t in same]
        if dynamic is not None or all(len(equal.get(t, ())) >= enough for t in targets):
            continue
        try:
            exported = torch.export.export(module, inputs, strict=False)
            path = asked.save(exported)
            theirs = imported(torch.export.load(path))
        except Exception:
            continue
        if theirs is None:
            continue
        text = subprocess.run([asked.cli, "lower", path, "--to", "raw", "--as", "torch-mlir", "--weights", "-o", "-"], capture_output=True, text=True).stdout
        is_equal = bool(text) and not differences(Dag(text), Dag(theirs))
        _, findings = asked.ours(path)
        noted = any(f["kind"] == "other-form" for f in findings)
        if not is_equal and not noted:
            asked.problems.append(f"{name}: another RAW text, and no note")
        for target in targets:
            equal.setdefault(target, []).append(is_equal)
        if not is_equal:
            other.setdefault(targets[0], name)
    for target, all_equal in sorted(equal.items()):
        print(f"  {target}: {sum(all_equal)} of {len(all_equal)}{' same' if same[target] else ''} {other.get(target, '')}")
        if same[target] and not all(all_equal):
            asked.problems.append(f"{target} is not the same")
    for target in sorted(t for t in same if same[t] and t not in equal):
        asked.problems.append(f"no program here for {target}")


def pytorch(asked, enough):
    count = {line.split()[1]: 0 for line in TABLE.read_text().splitlines() if line.startswith("pytorch ")}
    for name, wanted, module, inputs, dynamic in programs_decompositions.PROGRAMS:
        targets = [target for target in wanted if target in count]
        if dynamic is not None or all(count[target] >= enough for target in targets):
            continue
        path = asked.save(torch.export.export(module, inputs, strict=False))
        table = get_decomposition_table() | get_decompositions([eval(f"torch.ops.{target}") for target in targets])
        for to in ("linalg-on-tensors", "tosa", "stablehlo"):
            done = subprocess.run([asked.cli, "lower", path, "--to", to, "--decompose", ",".join(targets)], capture_output=True)
            if done.returncode != 0:
                continue
            for target in targets:
                count[target] += 1
            if lowered(lambda: fx.export_and_import(torch.export.load(path), output_type=to, decomposition_table=table)) is None:
                asked.problems.append(f"{name}: PyTorch's table does not lower it to {to}")
    asked.problems += [f"no program here for {target}" for target, programs in count.items() if not programs]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true", help="more programs of an operator")
    parser.add_argument("--only", choices=("refusals", "known", "forms", "pytorch"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fxscope-oracle-") as folder:
        asked = Asked(options.cli, folder)
        asked.problems += tables_differ()
        parts = {"refusals": refusals, "known": lambda asked: known(asked, None if options.all else KNOWN_LINES),
                 "forms": lambda asked: forms(asked, ENOUGH if options.all else FEW), "pytorch": lambda asked: pytorch(asked, MANY if options.all else FEW)}
        for name, part in parts.items():
            if options.only in (None, name):
                part(asked)
    print(f"{asked.count} programs asked, {len(asked.problems)} answers that are not so")
    for line in asked.problems:
        print(f"  {line}")
    sys.exit(1 if asked.problems else 0)


if __name__ == "__main__":
    main()
