# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`lower --as torch-mlir` does what torch_mlir.fx.export_and_import does: python3 as_torch_mlir.py --cli FXSCOPE_CLI [--all | --programs N | --opinfo N | FILE.pt2 ..]

For each program and output type both must lower it, or both must fail, at the same operation: the one that the pass or the importer names.
KNOWN lists what stops it before torch-mlir is asked; of the rest at least 98 % must agree. By default those that
fixed_programs.py takes. The decompositions of both are compared by name, and what is known of element types, too. Skipped (77) without an engine.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import warnings

import torch
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

import fixed_programs
from fixed_programs import SKIP, TARGETS, examined, imported_once, one_line
from written_programs_open import register_sample_operators

warnings.filterwarnings("ignore")
torch.set_num_threads(1)  # a forked process has no other threads
SHARE = 0.98
TABLE = pathlib.Path(__file__).resolve().parents[2] / "resources/engine/decomposed_ops.txt"
DTYPES = TABLE.with_name("importer_dtypes.txt")
FAILED_OP = re.compile(r"failed to legalize operation '([\w.]+)'|'([\w.]+)' op |error: ([\w ]+)")
NAMED_OP = re.compile(r'"torch.operator".*?name = "([\w.]+)"')
# What PyTorch, or a package that is missing here, stops before torch-mlir is asked.
KNOWN = {
    "UnsupportedOperatorException": "PyTorch cannot trace the operator again",
    "expected compiled_fn to be GraphModule": "PyTorch does not trace this state again",
}


def op_of(text):
    """The operation at which an engine's message says it fails."""
    for line in text.splitlines():
        if "error:" not in line or "Failed to canonicalize" in line:  # which stops no pass
            continue
        found = FAILED_OP.search(line)
        if found and (found[1] or found[2]):
            op = found[1] or found[2]
            named = NAMED_OP.search(line)
            return named[1] if op == "torch.operator" and named else op
    return ""


def torch_mlir(file, queue):
    """What export_and_import says, by target; in a process of its own, because it may crash."""
    library = register_sample_operators()
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
    lower = imported_once(file)
    for target in TARGETS:
        queue.put(("lowering", target))
        with tempfile.TemporaryFile() as captured:
            kept = os.dup(2)
            os.dup2(captured.fileno(), 2)
            try:
                lower(target)
                why = ("ok", "")
            except Exception as error:
                sys.stderr.flush()
                captured.seek(0)
                said = captured.read().decode(errors="replace")
                compiler = "TorchMlirCompilerError" in type(error).__name__
                why = ("fails", op_of(said) or one_line(error)) if compiler else ("refused", one_line(error))
            finally:
                os.dup2(kept, 2)
                os.close(kept)
        queue.put(("lowered", (target, why)))
    queue.put(("done", ""))
    del library


def fxscope(cli, file, target):
    done = subprocess.run([cli, "lower", file, "--as", "torch-mlir", "--to", target, "--json"], capture_output=True, text=True)
    if done.returncode == 4 and "engine fetch" in done.stderr:
        print(done.stderr)
        sys.exit(SKIP)
    if done.returncode == 4:
        return ("not known", done.stderr.strip()[-200:])
    if done.returncode not in (0, 1):
        return ("refused", done.stderr.strip()[-200:])
    answer = json.loads(done.stdout)
    if done.returncode == 0:
        return ("ok", "")
    errors = [finding for finding in answer["findings"] if finding["severity"] == "error"]
    raw = [finding for finding in errors if finding["stage"] in ("raw", "rewrite")]
    if raw:
        return ("refused", raw[0]["message"])
    said = "\n".join(stage["stderr"] or "" for stage in answer["stages"])
    return ("fails", op_of(said) or (errors[0]["op"] or errors[0]["message"] if errors else ""))


def agree(theirs, ours):
    if ours[0] == "not known":
        return False
    if theirs[0] == "ok" or ours[0] == "ok":
        return theirs[0] == ours[0]
    if "refused" in (theirs[0], ours[0]):
        return theirs[0] == ours[0]
    return theirs[1] == ours[1] or theirs[1] == "it crashes" or not theirs[1].startswith(("torch.", "tosa.", "stablehlo.", "linalg.", "tensor.", "arith.", "tm_tensor."))


def tables_differ():
    wanted = {str(op) for op in get_decomposition_table() if isinstance(op, torch._ops.OpOverload)}
    known = {line.split()[1] for line in TABLE.read_text().splitlines() if line.startswith("table ")}
    return sorted(wanted ^ known)


def autograd_differs():
    """Composite rows that are marked as taken apart above autograd, and are not, or the other way round."""
    rows = [line.split() for line in TABLE.read_text().splitlines() if line.startswith("composite ")]
    through_another = {"aten.batch_norm.default", "aten._batch_norm_impl_index.default"}  # they call native_batch_norm
    for _, name, *marks in rows:
        space, packet, overload = name.split(".")
        kernels = getattr(getattr(getattr(torch.ops, space), packet), overload).py_kernels
        if (torch._C.DispatchKey.Autograd in kernels or name in through_another) != ("autograd" in marks):
            yield name


def dtypes_differ():
    """Rows of importer_dtypes.txt that the importer does not have, and the other way round."""
    now = subprocess.run([sys.executable, "-B", str(DTYPES.with_name("dump_importer.py"))], capture_output=True, text=True, check=True).stdout
    return sorted(set(now.splitlines()) ^ set(DTYPES.read_text().splitlines()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--programs", type=int, default=fixed_programs.SAMPLE)
    parser.add_argument("--opinfo", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    count, differences = collections.Counter(), []
    problems = [f"decomposed by only one: {name}" for name in tables_differ()]
    problems += [f"is it decomposed above autograd: {name}" for name in autograd_differs()]
    problems += [f"of element types, said by only one: {row}" for row in dtypes_differ()]
    with tempfile.TemporaryDirectory(prefix="fxscope-oracle-") as directory:
        for name, file in fixed_programs.files(arguments, directory):
            _, theirs = examined(torch_mlir, file)
            for target in TARGETS:
                if target not in theirs:
                    continue
                their = theirs[target] if isinstance(theirs[target], tuple) else ("fails", theirs[target])
                our = fxscope(arguments.cli, file, target)
                count["compared"] += 1
                count["ok" if their[0] == "ok" else "fails"] += 1
                if agree(their, our):
                    count["agree"] += 1
                elif any(words in their[1] for words in KNOWN):
                    count["known"] += 1
                else:
                    differences.append(f"{name} to {target}: torch-mlir {' '.join(their)[:150]}; fxscope {' '.join(our)[:200]}")
                    if arguments.verbose:
                        print(differences[-1], flush=True)
    share = count["agree"] / max(count["compared"], 1)
    print(f"{count['agree']} of {count['compared']} agree ({share:.1%}): torch-mlir lowers {count['ok']} and fails {count['fails']}; "
          f"{count['known']} differ for a known reason")
    for line in problems + differences:
        print(f"  {line}")
    sys.exit(1 if problems or not count["compared"] or (count["agree"] + count["known"]) / count["compared"] < SHARE else 0)


if __name__ == "__main__":
    main()
