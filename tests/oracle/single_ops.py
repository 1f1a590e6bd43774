# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Precision and recall of `fxscope-cli diagnose`: which operators does it say are blocked, and which are?

    ORACLE_PYTHON single_ops.py --cli build/release/bin/fxscope-cli [--engine torch-mlir-opt] [--all] [--jobs 2] [--only REGEX] [--json OUT]

Every row of programs_single_ops.py is exported and saved as a program of its own. What is true is told by the engine on whole programs,
without any code of the survey, three times: on the module that `fxscope-cli import` writes, of the program as it is decomposed for the
targets; on the module that torch-mlir's own path makes
(fx.export_and_import with mutation: its decompositions, its importer), where fxscope takes the decomposed program as it is; and for rows put
together, several in one program, where the survey must name just those that are blocked by themselves, though the engine stops at the
first. Where fxscope decomposes further, it may reach what torch-mlir's path does not, but must not miss what that reaches.

Any disagreement fails. Without --all, a sample of the rows.
"""
import argparse
import collections
import functools
import json
import logging
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import expected_failures

TARGETS = ("linalg-on-tensors", "tosa", "stablehlo")
TOGETHER = 12
SAMPLED = 20
OUTPUT_TYPES = pathlib.Path(__file__).resolve().parents[2] / "resources/output_types.json"


@functools.cache
def decomposed_for(targets):
    """--decompose and what fxscope decomposes for these targets."""
    types = json.loads(OUTPUT_TYPES.read_text())["types"]
    names = sorted({name for t in types if t["id"] in targets for name in t.get("decompose", [])})
    return ["--decompose", ",".join(names)] if names else []


def survey(cli, path):
    """The survey's findings by target, and which targets it says the program reaches."""
    run = subprocess.run([cli, "diagnose", path, "--to", ",".join(TARGETS), "--no-experiments", "--format", "json"], capture_output=True,
                         text=True, timeout=600)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"diagnose ends with {run.returncode}: {run.stderr.strip()[-300:]}")
    said = json.loads(run.stdout)
    found = {target: [f for f in said["findings"] if f["to"] == target] for target in TARGETS}
    return found, {t["to"]: t["lowers"] for t in said["targets"]}


def is_rewritten(cli, path):
    """Whether fxscope calls other operators than the file does."""
    graphs = [subprocess.run([cli, "inspect", path, "--graph", *more], capture_output=True, text=True, timeout=60).stdout
              for more in ([], ["--rewritten", *decomposed_for(TARGETS)])]
    before, after = (re.findall(r"call_function\[target=([^\]]+)\]", graph) for graph in graphs)
    assert all(graphs), path
    return before != after


def our_modules(cli, path):
    """The module for each target, with what is decomposed for it."""
    out, known = {}, {}
    for target in TARGETS:
        decompose = tuple(decomposed_for((target,)))
        if decompose not in known:
            run = subprocess.run([cli, "import", path, *decompose], capture_output=True, text=True, timeout=60)
            known[decompose] = run.stdout if run.returncode == 0 else None
        out[target] = known[decompose]
    return out


def official(stages, path):
    """Which targets torch-mlir's own path does not reach; none of them where its importer raises. Nothing when PyTorch cannot open
    the file that it saved."""
    import torch
    from reference_importer import reference_text

    try:
        torch.export.load(path)
    except Exception:
        return None
    try:
        return blocked(stages, dict.fromkeys(TARGETS, reference_text(path, "program")))
    except Exception:
        return blocked(stages, {})


def blocked(stages, texts):
    from backend_stages import PIPELINES

    return {target: texts.get(target) is None or stages.lower(texts[target], PIPELINES[target]) is None for target in TARGETS}


def one(options, stages, row):
    """The row by itself: what the survey says and what is true, by target."""
    import torch
    from programs_single_ops import export
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    with tempfile.TemporaryDirectory() as folder:
        path, decomposed = f"{folder}/program.pt2", f"{folder}/decomposed.pt2"
        exported = export([row])
        torch.export.save(exported, path)
        found, lowers = survey(options.cli, path)
        ours = our_modules(options.cli, path)
        torch.export.save(exported.run_decompositions(get_decomposition_table()), decomposed)
        of_decomposed, _ = survey(options.cli, decomposed)
        calls = [n for n in exported.graph.nodes if n.op == "call_function" and getattr(n.target, "__name__", "") != "getitem"]
        return {"row": row.name, "calls": len(calls), "survey": {t: bool(found[t]) for t in TARGETS}, "lowers": lowers,
                "kinds": {t: sorted({f["kind"] for f in found[t]}) for t in TARGETS},
                "agreement": {t: sorted({f["agreement"] for f in found[t]}) for t in TARGETS},
                "decomposed": {t: bool(of_decomposed[t]) for t in TARGETS}, "rewritten": is_rewritten(options.cli, decomposed),
                "whole": blocked(stages, ours),
                "official": official(stages, decomposed)}


def together(options, rows):
    """Several rows as one program: which of them the survey names, by target."""
    import torch
    from programs_single_ops import export

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/program.pt2"
        torch.export.save(export(rows), path)
        found, _ = survey(options.cli, path)
    named = {target: set() for target in TARGETS}
    unplaced = []
    for target in TARGETS:
        for finding in found[target]:
            modules = [n["module"] for n in finding["nodes"]] or [None]
            for module in modules:
                number = re.match(r"r(\d+)", module or "")
                if number:
                    named[target].add(rows[int(number[1])].name)
                else:
                    unplaced.append([target, finding["node"], finding["kind"], finding["message"]])
    return {"together": [row.name for row in rows], "named": {t: sorted(named[t]) for t in TARGETS}, "unplaced": unplaced}


def worker(options):
    """Every n-th row and every n-th program of several, one JSON line each."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    import torch

    torch.set_num_threads(1)
    import torch.ao.quantization.fx._decomposed  # noqa: F401  registers quantized_decomposed
    from backend_stages import Stages
    from programs_single_ops import ROWS

    stages = Stages(options.engine)
    index, count = map(int, options.shard.split("/"))
    rows = [row for row in ROWS if not options.only or re.search(options.only, row.name)]
    if not options.all and not options.only:
        rows = rows[::SAMPLED]
    made = []
    for row in rows[index::count]:
        try:
            print(json.dumps(one(options, stages, row)), flush=True)
            made.append(row)
        except Exception as error:
            print(json.dumps({"row": row.name, "error": f"{type(error).__name__}: {error}"[:300]}), flush=True)
    for begin in range(0, len(made), TOGETHER):
        group = made[begin : begin + TOGETHER]
        if len(group) < 2:
            continue
        try:
            print(json.dumps(together(options, group)), flush=True)
        except Exception as error:
            print(json.dumps({"together": [row.name for row in group], "error": f"{type(error).__name__}: {error}"[:300]}), flush=True)


class Score:
    """Blocked or not, said against true."""

    def __init__(self, title):
        self.title = title
        self.counts = collections.Counter()
        self.wrong = []

    def add(self, row, target, said, true):
        self.counts[target, said, true] += 1
        if said != true:
            self.wrong.append((row, target, "named, and lowers" if said else "not named, and blocked"))

    def report(self):
        print(f"\n{self.title}")
        print(f"  {'target':18} {'programs':>8} {'blocked':>8} {'named':>6} {'precision':>10} {'recall':>8}")
        for target in TARGETS:
            right, extra, missed, fine = (self.counts[target, s, t] for s, t in ((True, True), (True, False), (False, True), (False, False)))
            precision = right / (right + extra) if right + extra else 1
            recall = right / (right + missed) if right + missed else 1
            print(f"  {target:18} {right + extra + missed + fine:8} {right + missed:8} {right + extra:6} {precision:10.4f} {recall:8.4f}")

    def disagreements(self):
        for row, target, what in sorted(self.wrong):
            print(f"  {row} to {target}: {what}")
        return len(self.wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--engine", default=os.environ.get("FXSCOPE_ENGINE"))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only")
    parser.add_argument("--json")
    parser.add_argument("--shard")
    options = parser.parse_args()
    if not options.engine:
        print("no engine: --engine or FXSCOPE_ENGINE", file=sys.stderr)
        return 77
    if options.shard:
        return worker(options)
    answers, failed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for n in range(options.jobs):
            lines = open(f"{folder}/{n}", "w+")  # a pipe that nobody reads yet would stop the job
            argv = [sys.executable, *sys.argv, "--shard", f"{n}/{options.jobs}", "--engine", options.engine]
            jobs.append((subprocess.Popen(argv, stdout=lines), lines))
        for job, lines in jobs:
            failed += job.wait() != 0
            lines.seek(0)
            answers += [json.loads(line) for line in lines]
            lines.close()
    if options.json:
        with open(options.json, "w") as out:
            json.dump(answers, out, indent=1)

    singles = {a["row"]: a for a in answers if "row" in a and "error" not in a}
    scores = {"whole": Score("Programs of one operator, against the engine on the whole program as fxscope imports it"),
              "official": Score("Those that fxscope takes as torch-mlir's table leaves them, against the engine on torch-mlir's own path"),
              "together": Score(f"Operators in programs of up to {TOGETHER}, against each by itself")}
    contradictions = []
    for row, answer in singles.items():
        for target in TARGETS:
            scores["whole"].add(row, target, answer["survey"][target], answer["whole"][target])
            if answer["lowers"][target] == answer["whole"][target]:
                contradictions.append(f"{row} to {target}: the program is said {'' if answer['lowers'][target] else 'not '}to lower")
            if answer["official"] and not answer["rewritten"]:
                scores["official"].add(row, target, answer["decomposed"][target], answer["official"][target])
    for answer in answers:
        if "together" not in answer or "error" in answer:
            continue
        for row in answer["together"]:
            for target in TARGETS:
                scores["together"].add(row, target, row in answer["named"][target], singles[row]["whole"][target])
    problems = failed + len(contradictions)
    print(f"{len(singles)} programs of one operator, {len({r.partition('/')[0] for r in singles})} operators")
    for line in contradictions:
        print(f"  {line}")
    unopened = [row for row, a in singles.items() if a["official"] is None]
    if unopened:
        print(f"  PyTorch does not open the file that it saved: {', '.join(unopened)}")
    for answer in answers:
        if "error" in answer:
            problems += 1
            print(f"  {answer.get('row') or answer.get('together')}: {answer['error']}")
        for unplaced in answer.get("unplaced", []):
            problems += 1
            print(f"  at no operator of its own: {unplaced}")
    for score in scores.values():
        score.report()
        problems += score.disagreements()
    print("\nOperators that torch-mlir's end-to-end suite expects to fail")
    for target in TARGETS:
        of_kind = [a for a in singles.values() if expected_failures.named(a["row"], target)]
        stopped = [a for a in of_kind if a["whole"][target]]
        missed = [a["row"] for a in stopped if not a["survey"][target]]
        problems += len(missed)
        print(f"  {target:18} {len(of_kind)} programs, the engine lowers {len(of_kind) - len(stopped)}, the survey names "
              f"{len(stopped) - len(missed)} of the other {len(stopped)}{': not ' if missed else ''}{', '.join(missed)}")
    further = [a for a in singles.values() if a["official"] and a["rewritten"]]
    print(f"\n{len(further)} programs that fxscope decomposes further than torch-mlir's table")
    for target in TARGETS:
        theirs, ours = (sum(a[key][target] for a in further) for key in ("official", "decomposed"))
        missed = [a["row"] for a in further if a["decomposed"][target] and not a["official"][target]]
        problems += len(missed)
        print(f"  {target:18} torch-mlir's path does not lower {theirs}, fxscope names {ours}"
              f"{', though torch-mlir lowers ' if missed else ''}{', '.join(missed)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
