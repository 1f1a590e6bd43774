# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs put together node by node compute what PyTorch computes, and what their whole lowering computes.

Each program is exported, lowered whole and node by node to linalg-on-tensors and to TOSA, both are compiled and run on the CPU (run_mlir.py),
and the results are compared with eager execution and with each other. What lowers whole must lower node by node; the other way round
it need not be, as nodes that give nothing are left out.

    composed_matches_torch.py --cli build/release/bin/fxscope-cli [--only NAME..] [--all]
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from oracle_programs import load_all  # noqa: E402
from run_mlir import Failed, Module  # noqa: E402

TARGETS = ("linalg-on-tensors", "tosa")
# A handful that between them have weights, tuples, lists, scalars, dynamic sizes, mutated buffers, subgraphs, attention and convolutions; and
# those of them that TOSA does not take.
CHOSEN = ("model_resnet", "model_resnet_dynamic", "model_mobile", "model_unet", "model_vit", "model_mlp_mixer", "model_classifier_lstm",
          "batch_norm_updates_statistics", "buffer_mutated", "cond_with_weights", "dyn_attention", "dyn_interpolate")
NOT_LOWERED = {("model_resnet_dynamic", "tosa"), ("cond_with_weights", "tosa"), ("dyn_attention", "tosa"), ("dyn_interpolate", "tosa")}


def lowered(cli, path, target, *more):
    done = subprocess.run([cli, "lower", path, "--to", target, "--weights", "-o", "-", *more], capture_output=True, text=True, timeout=600)
    return done.stdout if done.returncode == 0 else None


def run(text, inputs, wanted):
    """The results; of sizes that are not known the wanted ones are taken."""
    module = Module(text)
    sizes = module.results["main"]
    offset = len(sizes) - len(wanted)
    for i, (shape, dtype) in enumerate(sizes):
        if any(size < 0 for size in shape):
            sizes[i] = (list(wanted[i - offset].shape), dtype)
    return module.call("main", *inputs)


def same(got, wanted):
    return got.dtype == wanted.dtype and got.shape == wanted.shape and torch.allclose(got, wanted, rtol=1e-4, atol=1e-5, equal_nan=True)


def equal(a, b):
    return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))


def check(cli, program, directory):
    """A line for each target: "same", "not lowered", or what is wrong."""
    case = program.build()
    inputs = torch.utils._pytree.tree_leaves((case.args, case.kwargs))
    if not all(isinstance(x, torch.Tensor) for x in inputs):
        return {"": "skipped: an input is not a tensor"}
    path = str(directory / f"{program.name}.pt2")
    copies = [x.detach().clone() for x in inputs]
    exported = torch.export.export(case.module, case.args, case.kwargs, dynamic_shapes=case.dynamic_shapes, strict=case.strict)
    torch.export.save(exported, path)
    with torch.no_grad():
        wanted = torch.utils._pytree.tree_leaves(case.module(*case.args, **case.kwargs))
    if not all(isinstance(x, torch.Tensor) for x in wanted):
        return {"": "skipped: an output is not a tensor"}
    answers = {}
    for target in TARGETS:
        whole, nodes = lowered(cli, path, target), lowered(cli, path, target, "--via", "nodes")
        if whole is None or nodes is None:
            answers[target] = "WRONG: whole only" if whole else "lowered node by node only" if nodes else "not lowered"
            continue
        try:
            results = run(nodes, [x.clone() for x in copies], wanted)
            reference = run(whole, [x.clone() for x in copies], wanted)
        except Failed as error:
            answers[target] = f"not run: {str(error).splitlines()[0][:160]}"
            continue
        computes = equal(results[len(results) - len(wanted):], wanted)
        if equal(results, reference):
            answers[target] = "same" if computes else "differs from PyTorch, as the whole lowering does"
        else:
            answers[target] = "the whole lowering differs from PyTorch" if computes else "WRONG: neither what PyTorch nor what the whole lowering computes"
    return answers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--all", action="store_true", help="every program of the collection")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    programs = load_all()
    names = options.only or (sorted(programs) if options.all else CHOSEN)
    counts, wrong = {}, 0
    with tempfile.TemporaryDirectory(prefix="fxscope-composed-") as directory:
        for name in names:
            torch.manual_seed(0)
            try:
                answers = check(options.cli, programs[name], pathlib.Path(directory))
            except Exception as error:  # what torch.export refuses is not asked here
                answers = {"": f"skipped: {type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}"}
            for target, answer in answers.items():
                print(f"{name} {target}: {answer}", flush=True)
                key = f"{target} {answer.split(':')[0]}"
                counts[key] = counts.get(key, 0) + 1
                chosen = name in CHOSEN and answer != ("not lowered" if (name, target) in NOT_LOWERED else "same")
                wrong += answer.startswith("WRONG") or chosen
    print(counts)
    sys.exit(1 if wrong or not counts else 0)


if __name__ == "__main__":
    main()
