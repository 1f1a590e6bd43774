# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a diagnosis offers as Python runs: python3 python_snippets.py --cli FXSCOPE_CLI [--programs N | --opinfo N | FILE.pt2 ..]

Each snippet of an experiment that passed defines lower(program). Its decomposition table must decompose the program into one that computes the
same, if the change costs nothing, and where the whole program lowers with the experiment, lower() must lower it with torch-mlir. By default
programs for every kind of change; --programs N takes N of right_programs.py instead, --opinfo N of opinfo_programs.py.
Skipped (77) without an engine.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch

import fixed_programs
from fixed_programs import SKIP, TARGETS, call_as_exported, defined, differences, examined, lowers, one_line, with_views
from written_programs_open import register_sample_operators

warnings.filterwarnings("ignore")
torch.set_num_threads(1)  # a forked process has no other threads
WHOLE = ("whole-lowers", "whole-computes")


class Call(torch.nn.Module):
    def __init__(self, call):
        super().__init__()
        self.call = call

    def forward(self, *tensors):
        return self.call(*tensors)


def exported(call, *tensors, dynamic=None):
    return lambda: torch.export.export(Call(call), tensors, dynamic_shapes={"tensors": dynamic} if dynamic else None)


x, batch = torch.rand(4, 4), {0: torch.export.Dim("n", min=2, max=64)}
# A program for each kind of change, by the name that the diagnosis has for it.
KINDS = {
    "decompose": exported(lambda q: torch.nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=q[:, :, :, :4] > 0.5), torch.rand(1, 2, 4, 4)),
    "static-sizes": exported(lambda a: torch.cat([a, a.flip(0)]).softmax(0), torch.rand(4, 6), dynamic=(batch,)),
    "constant-arguments": exported(lambda a: a.view(a.shape[0] * 2, 3), torch.rand(4, 6), dynamic=(batch,)),
    "default:accumulate": exported(lambda a, i, v: a.index_put((i,), v, accumulate=True), x[0], torch.tensor([0, 1, 1]), torch.rand(3)),
    "compute-f32": exported(lambda a: a.logit(), torch.arange(4)),
    "cast-i32": exported(lambda a: torch.remainder(a, 3), torch.randint(3, (4, 4)).to(torch.int8)),
    "torch-decompose": exported(lambda a: torch.float_power(a, 2).relu(), x),
}


def examine(file, experiments, queue):
    """In a process of its own, because the engine may crash it: each (target, experiment)."""
    library = register_sample_operators()
    try:
        torch.export.load(file).run_decompositions({})
    except Exception as error:
        queue.put(("not decomposed", one_line(error)))
        return
    for target, experiment in experiments:
        what = f"{experiment['id']} for {target}"
        target = experiment["id"].removeprefix("target:") if experiment["id"].startswith("target:") else target
        try:
            names = defined(experiment["python"])
            program = torch.export.load(file)
            if "torch.export.export(" in experiment["python"]:
                program = torch.export.export(program.module(), *program.example_inputs)
            decomposed = with_views(program, names).run_decompositions(names.get("decomposition_table", {}))
            if not experiment["cost"]:
                for line in differences(torch.export.load(file), decomposed, call_as_exported):
                    queue.put(("differs", f"{what}: {line}"))
        except Exception as error:
            queue.put(("not run", f"{what}: {one_line(error)}"))
            continue
        if experiment["verified"] in WHOLE:
            queue.put(("lowering", what))
            queue.put(("lowered", (what, lowers(file, target, names["lower"]))))
    queue.put(("done", ""))
    del library


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--programs", type=int, default=0)
    parser.add_argument("--opinfo", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    kinds, problems, programs, lowered_count = collections.Counter(), [], 0, 0
    with tempfile.TemporaryDirectory(prefix="fxscope-oracle-") as directory:
        if arguments.files or arguments.programs or arguments.opinfo or arguments.all:
            chosen = fixed_programs.files(arguments, directory)
        else:
            chosen = ((name, (str(pathlib.Path(directory, f"{name}.pt2")), export)) for name, export in KINDS.items())
        for name, file in chosen:
            wanted = ""
            if isinstance(file, tuple):
                file, export = file
                wanted = name
                torch.export.save(export(), file)
            python = ["--python", sys.executable] if wanted == "torch-decompose" else []
            done = subprocess.run([arguments.cli, "diagnose", file, "--to", ",".join(TARGETS), "--json", *python], capture_output=True, text=True)
            if done.returncode == 4 and "engine fetch" in done.stderr:
                print(done.stderr)
                sys.exit(SKIP)
            programs += 1
            if done.returncode not in (0, 1):
                problems.append(f"{name}: diagnose: {done.stderr.strip()[-300:]}")
                continue
            found = {}
            for finding in json.loads(done.stdout)["findings"]:
                for experiment in finding["experiments"]:
                    if experiment["outcome"] == "passed" and experiment["python"]:
                        found.setdefault(experiment["python"], (finding["to"], experiment))
            kinds.update(experiment["id"] for _, experiment in found.values())
            if wanted and wanted not in {experiment["id"] for _, experiment in found.values()}:
                problems.append(f"{name}: no such change")
            wrong, lowered = examined(examine, file, list(found.values()))
            problems += [f"{name}: {what}: {value}" for what, value in wrong if what != "not decomposed"]
            problems += [f"{name}: does not lower with {what}: {why}" for what, why in lowered.items() if why]
            lowered_count += sum(not why for why in lowered.values())
            if arguments.verbose:
                ids = sorted(experiment["id"] for _, experiment in found.values())
                print(f"{name}: {', '.join(ids) or 'no snippet'}; {sum(not why for why in lowered.values())} lower", flush=True)
    print(f"{programs} programs, {sum(kinds.values())} snippets of {len(kinds)} kinds run, {lowered_count} lower the whole program: {dict(kinds)}")
    for line in problems:
        print(f"  {line}")
    sys.exit(1 if problems or not kinds else 0)


if __name__ == "__main__":
    main()
