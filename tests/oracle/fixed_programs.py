# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `fix` writes is the same program, and lowers in torch-mlir: python3 fixed_programs.py --cli FXSCOPE_CLI [--all | --programs N | --opinfo N] [FILE.pt2 ..]

Each program is fixed for all output types. torch.export.load must open the result, which must compute on three random inputs what the original
computes, to the tolerance of torch.testing, and torch_mlir.fx.export_and_import must lower it to the types that `fix` says; where `fix` says that
it is not known, either will do. What it writes as Python must do the same to the original, and each snippet must run. By default some of the
samples, of programs_fixed.py, programs_complex.py, programs_mended.py, opinfo_programs.py and of right_programs.py; --part I/N takes every
N-th program from the I-th on; --opinfo N takes N programs of opinfo_programs.py instead. Skipped (77) without an engine.
"""
import argparse
import collections
import functools
import json
import multiprocessing
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
from torch_mlir import fx
from torch_mlir.compiler_utils import OutputType
from torch_mlir.extras.fx_decomp_util import get_decomposition_table
from tqdm import tqdm

import opinfo_programs
import right_programs
from programs_complex import COMPLEX
from programs_fixed import FIXED
from programs_mended import MENDED, TO_LINALG, Held
from written_programs_open import flat, register_sample_operators

warnings.filterwarnings("ignore")
torch.set_num_threads(1)  # a forked process has no other threads
tqdm.monitor_interval = 0
SKIP = 77
TARGETS = ("linalg-on-tensors", "tosa", "stablehlo")
# Programs of right_programs.py, one in so many of other tables, and of samples and of what is mended.
SAMPLE, SAMPLED, MORE_SAMPLED, OPINFO = 6, 9, 2, 24
NARROW = ("float16", "float8")  # kernels round otherwise
# What PyTorch does itself before it decomposes.
DONE_BY_PYTORCH = ("functionalize", "inline-context")
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
# Programs whose results are random numbers, uninitialized memory, or what is found in a sequence that is not sorted.
RANDOM = ("searchsorted", "bucketize", "rand", "uniform", "exponential", "dropout", "bernoulli", "empty", "multinomial", "normal_")
# Which of several equal elements these name is not specified.
TIED = ("kthvalue", "topk")
ALWAYS = ("fake_weights",)
MUST_LOWER, MUST_LOWER_TO_LINALG = ({name for name, *_ in programs} for programs in (MENDED, TO_LINALG))


def variants(exported):
    """Three inputs of the program: as it was exported, then with other floats and the same integers in another order. Other programs may
    have no example inputs; then they are drawn."""
    args, kwargs = exported.example_inputs if exported.example_inputs else (None, None)
    if args is None:
        values = [n.meta["val"] for n in exported.graph.nodes if n.name in exported.graph_signature.user_inputs]
        leaves = [torch.ones([int(s) for s in v.shape], dtype=v.dtype) if isinstance(v, torch.Tensor) else v for v in values]
        args, kwargs = torch.utils._pytree.tree_unflatten(leaves, exported.call_spec.in_spec)
    leaves, spec = torch.utils._pytree.tree_flatten((args, kwargs))
    yield leaves, spec
    for seed in (1, 2):
        torch.manual_seed(seed)

        def other(value):
            if not isinstance(value, torch.Tensor) or value.is_meta:
                return value
            if value.is_floating_point() or value.is_complex():
                positive = value.numel() > 0 and not value.is_complex() and bool((value >= 0).all())
                drawn = torch.rand_like(value.float()) if positive else torch.randn_like(value if value.is_complex() else value.float())
                return drawn.to(value.dtype)
            return value.flatten()[torch.randperm(value.numel())].reshape(value.shape)
        yield [other(value) for value in leaves], spec


def copies(leaves):
    return [x.clone() if isinstance(x, torch.Tensor) else x for x in leaves]


def differences(original, fixed, call, constants=True):
    """How the two programs' results, and what they leave in their inputs, differ; one line each. `call` runs the second one with leaves and
    their tree. Without constants, the results of the first that are no tensors or symbols are not compared."""
    returned = [isinstance(value, torch.fx.Node) for value in original.graph.output_node().args[0]][-len(original.graph_signature.user_outputs):]
    if any(value.is_meta for value in original.state_dict.values()):
        return  # nothing to compute with
    for number, (leaves, spec) in enumerate(variants(original)):
        given, other = copies(leaves), copies(leaves)
        args, kwargs = torch.utils._pytree.tree_unflatten(given, spec)
        try:
            torch.manual_seed(5)
            expected = flat(original.module(check_guards=False)(*args, **kwargs))
        except Exception:
            continue  # not an input of this program
        if not constants:
            expected = [value for value, is_value in zip(expected, returned, strict=True) if is_value]
        torch.manual_seed(5)
        got = flat(call(fixed.module(check_guards=False), other, spec))
        pairs = list(zip(expected, got, strict=True)) + list(zip(given, other, strict=True))
        for i, (a, b) in enumerate(pairs):
            if a is None or isinstance(a, str):
                if a != b:
                    yield f"inputs {number}: {b} instead of {a}"
                continue
            try:
                torch.testing.assert_close(torch.as_tensor(b), torch.as_tensor(a), equal_nan=True)
            except AssertionError as error:
                yield f"inputs {number}, {'result' if i < len(got) else 'input'} {i % max(len(got), 1)}: {' '.join(str(error).split())[:200]}"


def is_tie(name, value):
    return any(word in name for word in TIED) and "Tensor-likes are not equal!" in value  # as assert_close says of integers


def one_line(error):
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def why_not(lower, *arguments, **keywords):
    try:
        lower(*arguments, **keywords)
        return ""
    except Exception as error:
        return one_line(error)


def lowers(program, target, lower=fx.export_and_import):
    return why_not(lower, torch.export.load(program), output_type=OutputType.get(target))


def imported_once(program, lower=fx.export_and_import):
    """lower(program) as a function of the output type. To decompose and import takes longest, and is the same for each type."""

    @functools.cache
    def imported():
        kept, own = [], fx._module_lowering
        fx._module_lowering = lambda verbose, printing, output_type, module, **options: kept.append((module, options))
        try:
            lower(torch.export.load(program))
        except Exception as error:
            return error
        finally:
            fx._module_lowering = own
        return kept[0]

    def to(target):
        if isinstance(imported(), Exception):
            raise imported()
        module, options = imported()
        return fx._module_lowering(False, False, OutputType.get(target), module.operation.clone(), **options)

    return to


def call_as_exported(module, leaves, spec):
    args, kwargs = torch.utils._pytree.tree_unflatten(leaves, spec)
    return module(*args, **kwargs)


def defined(source):
    names = {}
    exec(compile(source, "fixed.py", "exec"), names)
    return names


def with_views(program, names):
    """The program with the views that the written Python makes reshapes, as its lower() does first."""
    names.get("reshape_views", lambda program: None)(program)
    return program


def examine_python(original, script, answer, queue):
    """As examine(), of the module and of each snippet."""
    library = register_sample_operators()
    names = {}
    try:
        torch.export.load(original).run_decompositions({})
    except Exception as error:
        queue.put(("not decomposed", one_line(error)))
        return
    try:
        for source in sorted({item["python"] for item in answer["changes"] + answer["rewritten"] if item["python"]}):
            torch.export.load(original).run_decompositions(defined(source).get("decomposition_table", {}))
        names = defined(pathlib.Path(script).read_text())
        decomposed = with_views(torch.export.load(original), names).run_decompositions(names.get("decomposition_table", {}))
        for line in differences(torch.export.load(original), decomposed, call_as_exported):
            queue.put(("differs", line))
        if "results" in names:
            program = torch.export.load(original)
            names["leave_out_constants"](program)
            for line in differences(torch.export.load(original), program, lambda *call: names["results"](flat(call_as_exported(*call)))):
                queue.put(("differs", f"without constants: {line}"))
    except Exception as error:
        queue.put(("not run", one_line(error)))
    lower = imported_once(original, names["lower"]) if "lower" in names else None
    for target in TARGETS:
        if answer["lowers"][target]:
            queue.put(("lowering", target))
            queue.put(("lowered", (target, why_not(lower, target) if lower else "no lower()")))
    queue.put(("done", ""))
    del library


def examine(original, fixed, said, queue):
    """In a process of its own, because the engine may crash it."""
    library = register_sample_operators()
    first = None
    try:
        first = torch.export.load(original)
    except Exception as error:
        queue.put(("original not opened", one_line(error)))
    try:
        program = torch.export.load(fixed)
    except Exception as error:
        queue.put(("not opened", one_line(error)))
        return
    for name, tensor in (first.state_dict if first else {}).items():
        kept = program.state_dict.get(name)
        if kept is not None and kept.requires_grad != tensor.requires_grad:
            queue.put(("differs", f"requires_grad of {name} is {kept.requires_grad}"))
    constants = not any(change["operator"] == "output" for change in said["changes"])
    try:
        for line in differences(first, program, lambda module, leaves, _: module(*leaves), constants) if first else []:
            queue.put(("differs", line))
    except Exception as error:
        queue.put(("not run", one_line(error)))
    lower = imported_once(fixed)
    for target in TARGETS:
        queue.put(("lowering", target))
        queue.put(("lowered", (target, why_not(lower, target))))
    queue.put(("done", ""))
    del library


@functools.cache
def warmed_up():
    """What PyTorch imports for its first decomposition takes a second; each process that is forked later has it."""
    torch.export.export(torch.nn.ReLU(), (torch.ones(1),)).run_decompositions(get_decomposition_table())


def examined(examination, *arguments):
    """What a process of its own found: lines that are wrong, and by target why it does not lower, "" if it does."""
    warmed_up()
    queue = multiprocessing.SimpleQueue()
    process = multiprocessing.Process(target=examination, args=(*arguments, queue))
    process.start()
    process.join(300)
    if process.is_alive():
        process.kill()
        process.join()
    wrong, lowered, last, ended = [], {}, "", False
    while not queue.empty():
        what, value = queue.get()
        if what == "lowering":
            last = value
        elif what == "lowered":
            lowered[value[0]] = value[1]
        elif what == "done":
            ended = True
        else:
            wrong.append((what, value))
    if not ended and last:
        lowered[last] = "it crashes"
    return wrong, lowered


def exporter(call, inputs, dynamic=None):
    module = call if isinstance(call, torch.nn.Module) else right_programs.Function(call)
    return lambda: torch.export.export(module, inputs, dynamic_shapes=dynamic, strict=False)


def mended(function, inputs, sizes):
    return lambda: torch.export.export(Held(function), inputs, dynamic_shapes={"inputs": sizes} if sizes else None, strict=False)


def files(arguments, directory):
    """(name, file) of each program."""
    often, step = (1, 1) if arguments.all else (MORE_SAMPLED, SAMPLED)
    for file in arguments.files or ([] if arguments.programs == 0 or arguments.opinfo else sorted(SAMPLES.glob("*.pt2"))[::often]):
        yield pathlib.Path(file).stem, str(file)
    if arguments.files:
        return
    if arguments.opinfo:
        chosen, count = opinfo_programs.programs(), arguments.opinfo
    else:
        samples = [row for row in opinfo_programs.programs() if not any(narrow in row[1] for narrow in NARROW)][:OPINFO]
        chosen = right_programs.programs()
        chosen = chosen if arguments.all else chosen[:arguments.programs] + [each for each in chosen if each[1] in ALWAYS]
        chosen = ([("fixed", name, exporter(*row)) for name, *row in FIXED[::step]]
                  + [("mended", name, mended(function, inputs, sizes)) for name, function, inputs, sizes in (MENDED + TO_LINALG)[::often]]
                  + [("complex", name, exporter(call, inputs)) for name, call, inputs in COMPLEX[::step]] + samples + list(chosen))
        count = len(chosen)
    first, step = (int(number) for number in getattr(arguments, "part", "0/1").split("/"))
    chosen = chosen[first::step]
    for _, name, export in chosen:
        if count == 0:
            return
        file = pathlib.Path(directory, "original.pt2")
        try:
            torch.export.save(export(), file)
        except Exception:
            continue
        count -= 1
        yield name, str(file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--programs", type=int, default=SAMPLE)
    parser.add_argument("--opinfo", type=int, default=0)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    count, said_counts, stock_counts, python_counts = (collections.Counter() for _ in range(4))
    problems = []
    with tempfile.TemporaryDirectory(prefix="fxscope-oracle-") as directory:
        fixed, script = str(pathlib.Path(directory, "fixed.pt2")), str(pathlib.Path(directory, "fixed.py"))
        for name, file in files(arguments, directory):
            pathlib.Path(script).unlink(missing_ok=True)
            done = subprocess.run([arguments.cli, "fix", file, "--to", ",".join(TARGETS), "-o", fixed, "--python", script, "--json"], capture_output=True, text=True)
            if done.returncode == 4 and "engine fetch" in done.stderr:
                print(done.stderr)
                sys.exit(SKIP)
            count["programs"] += 1
            if done.returncode not in (0, 1):
                problems.append(f"{name}: fix: {done.stderr.strip()[-300:]}")
                continue
            answer = json.loads(done.stdout)
            wrong, stock = examined(examine, file, fixed, answer)
            is_script = pathlib.Path(script).exists()
            count["file"] += not is_script
            in_python, by_python = examined(examine_python, file, script, answer) if is_script else ([], {})
            for what, value in wrong:
                if what == "not opened" and "resolve" not in value and "custom op" not in value:
                    problems.append(f"{name}: is not opened: {value}")
                elif what not in ("not opened", "original not opened") and not any(word in name for word in RANDOM) and not is_tie(name, value):
                    problems.append(f"{name}: {what}: {value}")
            for what, value in in_python:
                if what == "not decomposed":
                    count["file"] += 1  # PyTorch cannot decompose the original
                elif not any(word in name for word in RANDOM) and not is_tie(name, value):
                    problems.append(f"{name}: its Python: {what}: {value}")
            for target, why in by_python.items():
                python_counts[target] += why == ""
                if not answer["lowers_by_python"][target]:
                    count["file"] += 1
                elif why and stock.get(target) == "":
                    problems.append(f"{name}: its Python does not lower to {target}: {why}")
            for target in TARGETS:
                says, does = answer["lowers"][target], stock.get(target) == ""
                if says is None:
                    count["not known"] += 1
                    continue
                said_counts[target] += says
                stock_counts[target] += does
                if says and not does and target in stock:
                    problems.append(f"{name}: is said to lower to {target}: {stock[target]}")
                if not does and (name in MUST_LOWER or (name in MUST_LOWER_TO_LINALG and target == "linalg-on-tensors")):
                    problems.append(f"{name}: is not mended for {target}: {answer['stops'].get(target)}")
                if not says and does:
                    problems.append(f"{name}: lowers to {target}, which is not said: {answer['stops'][target]}")
            if arguments.verbose:
                row = " ".join(f"{t}: {'ok' if stock.get(t) == '' else 'FAILS'}{'' if by_python.get(t, '') == '' else ', not by Python'}" for t in TARGETS)
                print(f"{name}: {row}", flush=True)
    print(f"{count['programs']} programs; torch-mlir lowers {dict(stock_counts)} of what was written, {dict(said_counts)} were said to lower; "
          f"with the Python, the originals lower {dict(python_counts)}, and {count['file']} only as the file; {count['not known']} are not known")
    for line in problems:
        print(f"  {line}")
    sys.exit(1 if problems or count["programs"] == 0 else 0)


if __name__ == "__main__":
    main()
