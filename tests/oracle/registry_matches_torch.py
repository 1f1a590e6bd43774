# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the registries emit verifies, runs and computes what PyTorch computes.

    ORACLE_PYTHON registry_matches_torch.py --cli build/release/bin/fxscope-cli [--all | --only REGEX] [--samples DIR] [--jobs 2] [FILE.pt2 ..]

A sample of programs_registry_*.py, of every op class, of f32 and of another type, is exported as programs of one operator, each lowered by
`fxscope-cli registry` with TOSA as the primary and again with linalg, and must be lowered under the op class that it names, or be decomposed if that is one of FORMULAS. All texts are
verified by torch-mlir-opt, and by Debian's mlir-opt-22 where it is installed; all functions are run on the CPU (run_mlir.py) and compared with
eager PyTorch: type, shape, values, NaN as NaN, and the sign of zeros where the case says so. Each of the 31 primary op classes has at least
eight cases. The sample programs are lowered whole, with their weights, by both chains.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
import types
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import programs_registry_fallback  # noqa: E402, F401
import programs_registry_tosa  # noqa: E402, F401
from programs_registry import CASES, FORMULAS, TOLERANCES, Program  # noqa: E402
from programs_registry_primary import PRIMARY  # noqa: E402
from programs_registry_whole import WHOLE  # noqa: E402
from run_mlir import Failed, Module  # noqa: E402

FEWEST = 8
SAMPLES = ("transformer_block", "residual_block", "addmm", "masked_attention")
CHAINS = ("tosa", "linalg")
TOGETHER = 60
SAMPLED = 8


class Lowered:
    """One case through one chain."""

    def __init__(self, case, primary, text, node):
        self.case, self.primary, self.text, self.node = case, primary, text, node
        self.name = f"{case.name}/{primary}"


def export(module, inputs, path, sizes=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.no_grad():
            torch.export.save(torch.export.export(module, inputs, strict=False, dynamic_shapes=sizes), path)


def lower(cli, path, primary, *more):
    """The text and what the coverage says; the engine is not asked, all texts are verified together later."""
    out = f"{path}.{primary}.mlir"
    done = subprocess.run([cli, "registry", path, "--primary", primary, "--json", "-o", out, *more], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "FXSCOPE_ENGINE": ""})
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()[:300]}")
    return pathlib.Path(out).read_text(), json.loads(done.stdout)


def lower_case(options, path, case):
    """[Lowered] and what is wrong."""
    lowered, problems = [], []
    for primary in case.chains:
        try:
            text, answer = lower(options.cli, path, primary)
        except Exception as error:  # noqa: BLE001
            problems.append(f"{case.name}/{primary}: {error}")
            continue
        calls = [n for n in answer["nodes"] if n["class"] == case.op_class]
        if not answer["complete"]:
            problems += [f"{case.name}/{primary}: {f['message']}" for f in answer["findings"]]
        elif case.op_class in FORMULAS and not calls and answer["decomposed"]:
            lowered.append(Lowered(case, primary, text, {"registry": "decomposition"}))
        elif case.op_class in FORMULAS or not calls:
            problems.append(f"{case.name}/{primary}: no node of class {case.op_class}, but {sorted({n['class'] for n in answer['nodes'] if n['class']})}")
        else:
            lowered.append(Lowered(case, primary, text, calls[0]))
    return lowered, problems


def split_text(lowered):
    return "\n// -----\n".join(one.text for one in lowered)


def verify(tool, lowered, options):
    """Which texts the tool refuses. All in one process; by themselves only when something is wrong."""

    def run(text):
        return subprocess.run([tool, "--split-input-file", "-o", os.devnull], input=text, capture_output=True, text=True, timeout=300)

    if run(split_text(lowered)).returncode == 0:
        return []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = pool.map(lambda one: run(one.text), lowered)
    return [f"{one.name}: {pathlib.Path(tool).name}: {done.stderr.strip()[:300]}" for one, done in zip(lowered, runs) if done.returncode != 0]


def renamed(text, name):
    """The function of a module's text under another name, without the module around it."""
    begin, end = text.index('  "func.func"'), text.rindex("}) : () -> ()")
    return text[:text.index('"builtin.module"')], text[begin:end].replace('sym_name = "main"', f'sym_name = "{name}"', 1)


def module_of(lowered):
    heads, functions = zip(*(renamed(one.text, f"case{i}") for i, one in enumerate(lowered)))
    return heads[0] + '"builtin.module"() ({\n' + "".join(functions) + "}) : () -> ()\n"


def differences(case, got, wanted):
    if len(got) != len(wanted):
        return [f"{len(got)} results, eager has {len(wanted)}"]
    problems = []
    for n, (a, b) in enumerate(zip(got, wanted)):
        # MLIR's integers have no sign: u8 is i8.
        stored = b.view(torch.int8) if b.dtype is torch.uint8 else b
        if a.dtype != stored.dtype or a.shape != b.shape:
            problems.append(f"result {n} is {a.dtype}{list(a.shape)}, eager gives {b.dtype}{list(b.shape)}")
        elif not (b.is_floating_point() or b.is_complex()):
            if not torch.equal(a, stored):
                problems.append(f"result {n} is {a.tolist()}, eager gives {b.tolist()}"[:300])
        else:
            relative, absolute = case.tolerance or TOLERANCES[b.dtype]
            close = torch.isclose(a, b, rtol=relative, atol=absolute, equal_nan=True)
            if case.signed_zeros:
                close &= (a != 0) | (torch.signbit(a) == torch.signbit(b))
            if not close.all():
                where = (~close).flatten().nonzero()[0].item()
                problems.append(f"result {n} is {a.flatten()[where].item()!r} at element {where}, eager gives {b.flatten()[where].item()!r}")
    return problems


def eager(case):
    with torch.no_grad():
        return [t.detach() for t in torch.utils._pytree.tree_leaves(case.function(*[x.clone() for x in case.inputs]))]


def run_together(lowered):
    """What is wrong with each; one that does not compile is found by halves."""
    try:
        module = Module(module_of(lowered))
    except Failed as error:
        if len(lowered) == 1:
            return [f"{lowered[0].name}: does not compile: {str(error)[:400]}"]
        middle = len(lowered) // 2
        return run_together(lowered[:middle]) + run_together(lowered[middle:])
    problems = []
    for n, one in enumerate(lowered):
        got = module.call(f"case{n}", *one.case.inputs)
        problems += [f"{one.name} ({one.node['registry']}): {p}" for p in differences(one.case, got, eager(one.case))]
    return problems


def sample(folder, name):
    """The model and inputs that a sample's script saves."""
    saved = []
    stand_in = types.ModuleType("save")
    stand_in.save = lambda model, inputs, *_, **__: saved.append((model.eval(), inputs))
    sys.modules["save"] = stand_in
    try:
        runpy.run_path(str(folder / f"{name}.py"), run_name="__main__")
    finally:
        del sys.modules["save"]
    return saved[0]


def wrong_results(module, inputs, wanted):
    """What a program writes to its inputs comes first among the results and is not compared."""
    got = module.call("main", *inputs)
    problems = []
    for n, (a, b) in enumerate(zip(got[len(got) - len(wanted):], wanted, strict=True)):
        if a.dtype != b.dtype or a.shape != b.shape or not torch.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True):
            what = f"differs by {(a - b).abs().max().item():.3g}" if a.shape == b.shape and a.dtype == b.dtype else f"is {a.dtype}{list(a.shape)}"
            problems.append(f"result {n} {what}")
    return problems


def check_whole(options, name, path, cases):
    """One saved program by both chains, with its weights, on each (inputs, results): (answers, what is wrong)."""
    answers, problems = [], []
    for primary in CHAINS:
        try:
            text, answer = lower(options.cli, str(path), primary, "--weights")
            answers.append(answer)
            if not answer["complete"]:
                problems += [f"{name}/{primary}: {f['message']}" for f in answer["findings"]]
                continue
            module = Module(text)
            for inputs, wanted in cases:
                problems += [f"{name}/{primary}: {[list(x.shape) for x in inputs]}: {p}" for p in wrong_results(module, inputs, wanted)]
        except (Failed, RuntimeError) as error:
            problems.append(f"{name}/{primary}: {str(error)[:400]}")
    return answers, problems


def check_samples(options):
    """Each sample whole; every op class that lowers a node of one has cases of its own."""
    problems, covered = [], {case.op_class for case in CASES}
    folder = pathlib.Path(options.samples)
    for name in SAMPLES:
        model, inputs = sample(folder, name)
        with torch.no_grad():
            wanted = torch.utils._pytree.tree_leaves(model(*inputs))
        with tempfile.TemporaryDirectory() as scratch:
            path = shutil.copy(folder / f"{name}.pt2", pathlib.Path(scratch) / f"{name}.pt2")
            answers, wrong = check_whole(options, name, path, [(inputs, wanted)])
        problems += wrong
        for answer in answers:
            if answer["complete"]:
                problems += sorted(f"{name}/{answer['chain'][0]}: op class {node['class']} has no case" for node in answer["nodes"]
                                   if node["class"] and node["class"] not in covered)
    return len(SAMPLES) * len(CHAINS), problems


def check_programs(options):
    """The programs of several operators, on all their inputs."""
    problems = []
    chosen = [p for p in WHOLE if re.search(options.only, p.name)]
    with tempfile.TemporaryDirectory() as scratch:
        for program in chosen:
            path = os.path.join(options.keep or scratch, f"{program.name}.pt2")
            export(program.module, program.inputs[0], path, program.sizes)
            with torch.no_grad():
                cases = [(inputs, tensors_in(program.module(*inputs))) for inputs in program.inputs]
            problems += check_whole(options, program.name, path, cases)[1]
    return len(chosen) * len(CHAINS), problems


def tensors_in(tree):
    return [x for x in torch.utils._pytree.tree_leaves(tree) if isinstance(x, torch.Tensor)]


def sizes_of(exported, larger):
    """A value for each symbol of the inputs: the least of its range that is not 0 or 1, or some more."""
    sizes = {}
    for n, (symbol, values) in enumerate(sorted(exported.range_constraints.items(), key=str)):
        sizes[symbol] = min(max(int(values.lower), 2) + (3 + n if larger else 0), int(min(values.upper, 1 << 20)))
    return sizes


def resized(exported, sizes):
    """The inputs that a program was exported with, repeated or cut to other sizes."""
    recorded = [n.meta["val"] for n in exported.graph.nodes if n.name in exported.graph_signature.user_inputs]

    def of(example, value):
        if not isinstance(example, torch.Tensor):
            return example
        for dim, size in enumerate(value.shape):
            if isinstance(size, torch.SymInt):
                size = int(size.node.expr.xreplace(sizes))
                example = example.index_select(dim, torch.arange(size) % example.shape[dim])
        return example

    leaves, spec = torch.utils._pytree.tree_flatten(exported.example_inputs)
    return torch.utils._pytree.tree_unflatten([of(x, v) for x, v in zip(leaves, recorded, strict=True)], spec)


def case_of(exported, inputs):
    args, kwargs = inputs
    with torch.no_grad():
        results = exported.module()(*[x.clone() if isinstance(x, torch.Tensor) else x for x in args], **kwargs)
    return tensors_in((args, kwargs)), tensors_in(results)


def check_files(options):
    """Saved programs, with the inputs that they were exported with, and where sizes are symbolic with others of two more sizes."""
    problems = []
    for file in options.files:
        exported = torch.export.load(file)
        cases = [case_of(exported, exported.example_inputs)]
        recorded = [n.meta["val"] for n in exported.graph.nodes if n.name in exported.graph_signature.user_inputs]
        if any(isinstance(size, torch.SymInt) for x in recorded if isinstance(x, torch.Tensor) for size in x.shape):
            cases += [case_of(exported, resized(exported, sizes_of(exported, larger))) for larger in (False, True)]
        problems += check_whole(options, file, file, cases)[1]
    return len(options.files) * len(CHAINS), problems


def sample_of(cases):
    """The first case of each kind, and some others."""
    seen = set()
    for number, case in enumerate(cases):
        is_f32 = any(isinstance(x, torch.Tensor) and x.dtype is torch.float32 for x in case.inputs)
        kind = case.op_class, case.chains, case.refused, case.signed_zeros, is_f32
        if number % SAMPLED == 0 or kind not in seen:
            seen.add(kind)
            yield case


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True, help="fxscope-cli")
    parser.add_argument("--samples", default=str(pathlib.Path(__file__).parents[2] / "samples"))
    parser.add_argument("--all", action="store_true", help="not only a sample")
    parser.add_argument("--only", default="", help="cases whose names match")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="keep the texts in this directory")
    parser.add_argument("files", nargs="*", help="only these saved programs, whole")
    return parser.parse_args()


def report(problems):
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def report_whole(count, wrong, begin, others=()):
    right = count - len({p.split(":")[0] for p in wrong})
    print(f"{right} of {count} whole programs compute what PyTorch computes ({time.time() - begin:.0f} s)")
    return report([*others, *wrong])


def main():
    options = parse()
    begin = time.time()
    if options.files:
        return report_whole(*check_files(options), begin)
    count = {op_class: sum(c.op_class == op_class for c in CASES) for op_class in PRIMARY}
    problems = [f"{op_class} has {n} cases, {FEWEST} are needed" for op_class, n in count.items() if n < FEWEST]
    names = [case.name for case in CASES]
    problems += [f"two cases are called {name}" for name in {n for n in names if names.count(n) > 1}]
    cases = [case for case in CASES if re.search(options.only, case.name)] if options.all or options.only else list(sample_of(CASES))
    lowered = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = []
        for case in cases:
            path = os.path.join(options.keep or folder, f"{case.name}.pt2")
            export(Program(case.function), case.inputs, path)
            waiting.append(pool.submit(lower_case, options, path, case))
        for one in waiting:
            done, wrong = one.result()
            lowered += done
            problems += wrong
    print(f"{len(cases)} cases exported and lowered by {len(CHAINS)} chains ({time.time() - begin:.0f} s)", flush=True)
    tools = [os.environ.get("FXSCOPE_ENGINE"), shutil.which("mlir-opt-22") or shutil.which("mlir-opt")]
    for tool, what in zip(tools, ("torch-mlir-opt", "mlir-opt-22")):
        if not tool:
            print(f"SKIPPED: no {what} here, so that half of the verification is left out", flush=True)
            continue
        refused = verify(tool, lowered, options)
        problems += refused
        print(f"{len(lowered) - len(refused)} of {len(lowered)} texts verify in {what} ({time.time() - begin:.0f} s)", flush=True)
    wrong = []
    for start in range(0, len(lowered), TOGETHER):
        wrong += run_together(lowered[start:start + TOGETHER])
    problems += wrong
    failed = {p.split(" ")[0].split(":")[0] for p in wrong}
    print(f"{len(lowered) - len(failed)} of {len(lowered)} functions compute what PyTorch computes, of "
          f"{len({one.case.op_class for one in lowered})} op classes ({time.time() - begin:.0f} s)", flush=True)
    for primary in CHAINS:
        by = collections.Counter(one.node["registry"] for one in lowered if one.primary == primary)
        print(f"with {primary} first: " + ", ".join(f"{n} by {registry}" for registry, n in by.most_common()), flush=True)
    whole, wrong = check_programs(options)
    if not options.only:
        samples, more = check_samples(options)
        whole, wrong = whole + samples, wrong + more
    return report_whole(whole, wrong, begin, problems)


if __name__ == "__main__":
    sys.exit(main())
