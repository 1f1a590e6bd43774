# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewritten programs compute what PyTorch computes.

Exports a sample of programs_inplace.py, with --all each, as torch.export.save writes it, lets fxscope rewrite it, runs the rewritten
graph with PyTorch (run_dump.py) and compares results, mutated buffers, parameters and inputs with eager execution, and the
order of the mutated values with PyTorch's own functionalization. A program that fxscope refuses with a finding is counted and
must be in REFUSED with the reason. Nothing that writes may be left in a program without findings.

    rewrites_match_torch.py --cli build/release/bin/fxscope-cli [--all | --only NAME..] [--files FILE.pt2..]
"""
import argparse
import copy
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from programs_inplace import PROGRAMS  # noqa: E402
from run_dump import DumpError, Runner, in_place_calls  # noqa: E402

# Programs that cannot be functionalized, with part of the finding: they must be refused, and only they.
REFUSED = {
    "instance_norm_with_statistics": "only batch_norm with both running statistics",
    "autocast_einsum_is_composite": "casts inside it",
    "vmap_of_matmul_is_refused": "is inside a vmap",
}
# Programs that torch.export itself cannot export or save, with the reason.
NOT_EXPORTED = {}
SAMPLED = 10


def rewritten(command, path):
    """(dump, findings) of a file."""
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        raise DumpError(f"exit code {done.returncode}: {done.stderr.strip()[:300]}")
    findings = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    return done.stdout, findings


def flat(value):
    return [leaf for leaf in torch.utils._pytree.tree_leaves(value)]


def weights_of(exported):
    """Copies: running the module writes to its buffers."""
    weights = {**exported.state_dict, **exported.constants}
    return {name: w.detach().clone() if isinstance(w, torch.Tensor) else w for name, w in weights.items()}


def same(got, wanted):
    if not isinstance(wanted, torch.Tensor):
        return got == wanted
    if not isinstance(got, torch.Tensor):
        got = torch.tensor(got)
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return False
    return torch.allclose(got.detach(), wanted.detach(), rtol=1e-5, atol=1e-6, equal_nan=True)


def eager(module, inputs):
    """(results, values of parameters and buffers afterwards, inputs afterwards)."""
    module, inputs = copy.deepcopy(module), copy.deepcopy(inputs)
    torch.manual_seed(3)
    with torch.no_grad():
        results = flat(module(*inputs))
    state = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    return results, state, inputs


def mutations(exported):
    """(kind, target) of what PyTorch's own functionalization says is mutated, in its order."""
    kinds = {"BUFFER_MUTATION": "buffer_mutation", "USER_INPUT_MUTATION": "user_input_mutation", "PARAMETER_MUTATION": "parameter_mutation"}
    specs = exported.run_decompositions({}).graph_signature.output_specs
    return [(kinds[s.kind.name], s.target) for s in specs if s.kind.name in kinds]


def compare(runner, dump_inputs, wanted, order):
    """What differs between a rewritten program and eager execution; [] when nothing does."""
    results, state, inputs = wanted
    torch.manual_seed(3)
    values, specs = runner(*dump_inputs)
    problems = list(runner.mismatches)
    user = [v for v, (kind, _) in zip(values, specs) if kind == "user_output"]
    if len(user) != len(results):
        problems.append(f"{len(user)} results, eager has {len(results)}")
    for i, (got, want) in enumerate(zip(user, results)):
        if not same(got, want):
            problems.append(f"result {i} differs")
    mutated = [(kind, target) for kind, target in specs if kind != "user_output"]
    if order is not None and mutated != order:
        problems.append(f"mutates {mutated}, PyTorch says {order}")
    names = [n.name for n in runner.graphs[""] if n.op == "placeholder" and (n.spec is None or n.spec[0] == "user_input")]
    for value, (kind, target) in zip(values, specs):
        if kind == "buffer_mutation" or kind == "parameter_mutation":
            want = state.get(target)
        elif kind == "user_input_mutation":
            want = inputs[names.index(target)]
        else:
            continue
        if want is not None and not same(value, want):
            problems.append(f"{kind} of {target} differs")
    for name, tensor in zip(names, dump_inputs):
        want = inputs[names.index(name)]
        if isinstance(tensor, torch.Tensor) and not same(tensor, want) and ("user_input_mutation", name) not in mutated:
            problems.append(f"input {name} is written and the rewritten program does not say so")
    return problems


def check(command, folder, name, module, inputs, dynamic):
    """("ok" | "refused" | "not exported" | "WRONG", details)."""
    path = folder / f"{name}.pt2"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exported = torch.export.export(copy.deepcopy(module), copy.deepcopy(inputs), dynamic_shapes=dynamic, strict=False)
            torch.export.save(exported, path)
            wanted = eager(module, inputs)
    except Exception as error:  # noqa: BLE001 - whatever the exporter raises
        return "not exported", f"{type(error).__name__}: {error}".splitlines()[0][:160]
    try:
        text, findings = rewritten(command, path)
        if findings:
            return "refused", "; ".join(findings)[:300]
        left = in_place_calls(text)
        if left:
            return "WRONG", "still writes: " + ", ".join(left)
        try:
            order = mutations(exported)
        except Exception:  # noqa: BLE001 - PyTorch's own functionalization does not know the program
            order = None
        problems = compare(Runner(text, weights_of(exported)), copy.deepcopy(inputs), wanted, order)
    except Exception as error:  # noqa: BLE001 - the program under test may raise anything
        return "WRONG", f"{type(error).__name__}: {error}"[:300]
    return ("WRONG", "; ".join(problems)[:400]) if problems else ("ok", "")


def check_file(command, path):
    """A saved program with its weights and sample inputs against what its own module computes."""
    exported = torch.export.load(path)
    if exported.example_inputs is None:
        return "no inputs", ""
    inputs, keywords = exported.example_inputs
    text, findings = rewritten(command, path)
    if findings:
        return "refused", "; ".join(findings)[:300]
    left = in_place_calls(text)
    if left:
        return "WRONG", "still writes: " + ", ".join(left)
    weights = weights_of(exported)
    torch.manual_seed(3)
    with torch.no_grad():
        results = flat(exported.module()(*copy.deepcopy(inputs), **copy.deepcopy(keywords)))
    runner = Runner(text, weights)
    torch.manual_seed(3)
    values, specs = runner(*flat((inputs, keywords)))
    problems = list(runner.mismatches)
    user = [v for v, (kind, _) in zip(values, specs) if kind == "user_output"]
    problems += [f"result {i} differs by {(a.double() - b.double()).abs().max() if isinstance(a, torch.Tensor) else a}"
                 for i, (a, b) in enumerate(zip(user, results)) if not same(a, b) and not torch.allclose(a, b, rtol=1e-4, atol=1e-4, equal_nan=True)]
    return ("WRONG", "; ".join(problems)[:400]) if problems else ("ok", f"{len(user)} results")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True, help="fxscope-cli")
    parser.add_argument("--only", nargs="*", help="these programs")
    parser.add_argument("--all", action="store_true", help="not only a sample")
    parser.add_argument("--files", nargs="*", help="these saved programs instead")
    options = parser.parse_args()
    command = [options.cli, "inspect", "--graph", "--rewritten"]
    counts, failures = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        if options.files:
            for file in options.files:
                try:
                    outcome, details = check_file(command, pathlib.Path(file))
                except Exception as error:  # noqa: BLE001
                    outcome, details = "WRONG", f"{type(error).__name__}: {error}"[:300]
                failures += outcome == "WRONG"
                print(f"{outcome}: {file} {details}", flush=True)
            return 1 if failures else 0
        for number, (name, module, inputs, dynamic) in enumerate(PROGRAMS):
            chosen = name in options.only if options.only else options.all or number % SAMPLED == 0 or name in REFUSED or name in NOT_EXPORTED
            if not chosen:
                continue
            outcome, details = check(command, pathlib.Path(folder), name, module, inputs, dynamic)
            counts[outcome] = counts.get(outcome, 0) + 1
            expected = "refused" if name in REFUSED else "not exported" if name in NOT_EXPORTED else "ok"
            reason = REFUSED.get(name) or NOT_EXPORTED.get(name) or ""
            if outcome != expected or reason not in details:
                failures += 1
                print(f"{name}: {outcome}, expected {expected}: {details}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
