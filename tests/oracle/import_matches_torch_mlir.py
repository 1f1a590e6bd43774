# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `fxscope-cli import --weights` with torch-mlir's own importer on hundreds of programs.

    import_matches_torch_mlir.py --cli build/bin/fxscope-cli [--all] [--jobs 2] [--only REGEX] [--engine torch-mlir-opt] [--json OUT]

Each program is exported with PyTorch in three forms, saved, and imported in both parity modes: by fxscope from the file, by
torch_mlir.extras.fx_importer from the loaded file. Both texts are canonicalized and must be the same data flow, bytes of the weights
included. With an engine, what each text becomes in the pipelines of torch-mlir's backends must be the same text, where theirs lowers.
Without --all, a sample of the programs, and of each known difference the comparisons of two programs.

With --record, what is equal and small becomes the recorded answers (recorded.py).

Everything that is not equal must stand in known_differences.py with its reason; what stands there and is equal fails too.
"""
import argparse
import collections
import json
import logging
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import traceback
import warnings

import known_differences

# Of a program with dynamic shapes: the mode with import_symbolic_shape_expressions.
WITH_SYMBOLS = "+symbols"
MODES = ("frozen", "program", "program" + WITH_SYMBOLS)
# One in so many programs, and of each known difference so many lines.
SAMPLED, KNOWN_LINES = 27, 2


def our_text(cli, path, mode):
    symbols = ["--symbolic-shapes"] if mode.endswith(WITH_SYMBOLS) else []
    mode = mode.removesuffix(WITH_SYMBOLS)
    run = subprocess.run([cli, "import", path, "--mode", mode, "--weights", *symbols], capture_output=True, text=True, timeout=300)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"exit {run.returncode}: {run.stderr.strip()[:200]}")
    return run.stdout


def compare(cli, path, mode, stages):
    """One word and its details: what comparing the two importers on a file gives."""
    from module_dag import Dag, differences
    from reference_importer import one_line, reference_text

    ours = theirs = ours_dag = None
    try:
        ours = our_text(cli, path, mode)
        ours_dag = Dag(ours)
        ours_state = "ours verifies"
    except Exception as error:
        ours_state = ("ours does not verify: " if ours else "ours fails: ") + one_line(error)
    try:
        theirs = reference_text(path, mode.removesuffix(WITH_SYMBOLS), mode.endswith(WITH_SYMBOLS))
    except Exception as error:
        return f"theirs fails: {one_line(error)}; {ours_state}"
    try:
        theirs_dag = Dag(theirs)
    except Exception as error:
        return f"theirs does not verify: {one_line(error)}; {ours_state}"
    if ours_dag is None:
        return ours_state
    found = differences(ours_dag, theirs_dag)
    if found:
        return "differs: " + "; ".join(found)[:400]
    return stages.compare(ours, theirs) if stages else "equal"


def chosen(options, names):
    """The names of the programs to compare, and of those the ones of which only what is known to differ is; a fixed sample unless all or
    some are asked for."""
    if options.only or options.all:
        return [name for name in names if not options.only or re.search(options.only, name)], set()
    sample = set(list(names)[::SAMPLED])
    known = {line.split("/")[0] for entry in known_differences.KNOWN for line in entry.names[:KNOWN_LINES]}
    return [name for name in names if name in sample | known], known - sample


def worker(options):
    """Runs every n-th program and prints one JSON line for each comparison."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    import torch

    torch.set_num_threads(1)
    import oracle_programs
    from reference_importer import one_line

    stages = None
    if options.engine:
        from backend_stages import Stages

        stages = Stages(options.engine)
    index, count = map(int, options.shard.split("/"))
    names, in_part = chosen(options, oracle_programs.load_all())
    for name in names[index::count]:
        program = oracle_programs.PROGRAMS[name]
        exported = None
        for form in program.forms:
            label = f"{name}/{form}"
            modes = MODES if name not in in_part else [mode for mode in MODES if known_differences.find(f"{label}/{mode}")]
            if not modes:
                continue
            with tempfile.TemporaryDirectory() as folder:
                path = f"{folder}/{name}.pt2"
                try:
                    exported = exported or oracle_programs.export(program, "exported")
                    torch.export.save(oracle_programs.decompose(exported, form), path)
                except Exception as error:
                    print(json.dumps([label, "no file: " + one_line(error)]), flush=True)
                    continue
                for mode in modes:
                    if mode.endswith(WITH_SYMBOLS) and not exported.range_constraints:
                        continue
                    # The final texts are compared once for a program: stages start from the same DAG in the other forms and modes.
                    wanted = stages if form == "decomposed" and mode == "program" else None
                    try:
                        outcome = compare(options.cli, path, mode, wanted)
                    except Exception:
                        outcome = "comparison failed: " + traceback.format_exc()[-300:]
                    print(json.dumps([f"{label}/{mode}", outcome]), flush=True)
                    if options.keep and outcome != "equal":
                        keep(options, path, f"{name}.{form}.{mode}", mode)
                    if options.record and outcome == "equal" and not mode.endswith(WITH_SYMBOLS):
                        record(options, path, f"{name}.{form}", mode)


def keep(options, path, label, mode):
    """Leaves both texts of a comparison behind, to be looked at."""
    from reference_importer import reference_text

    folder = pathlib.Path(options.keep)
    folder.mkdir(parents=True, exist_ok=True)
    pathlib.Path(path).replace(folder / f"{label}.pt2")
    saved = str(folder / f"{label}.pt2")
    for side, make in (("ours", lambda: our_text(options.cli, saved, mode)), ("theirs", lambda: reference_text(saved, mode.removesuffix(WITH_SYMBOLS), mode.endswith(WITH_SYMBOLS)))):
        try:
            (folder / f"{label}.{side}.mlir").write_text(make())
        except Exception as error:
            (folder / f"{label}.{side}.error").write_text(str(error))
    (folder / f"{label}.pt2").replace(path)


def record(options, path, label, mode):
    """Puts the slimmed file and our text of it into the folder that the recorded answers are packed from."""
    import recorded

    data = recorded.slim(path)
    if len(data) > recorded.LARGEST_FILE:
        return
    file = pathlib.Path(options.record, f"{label}.pt2")
    file.write_bytes(data)
    pathlib.Path(options.record, f"{label}.{mode}.mlir").write_text(our_text(options.cli, str(file), mode))


def pack(folder):
    import recorded

    recorded.write({path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()})
    print(f"recorded {recorded.ARCHIVE}: {recorded.ARCHIVE.stat().st_size >> 10} KiB")


def judge(results):
    """Failures: what differs and is not known, and what is known and does not differ."""
    failures = []
    matched = collections.Counter()
    for label, outcome in results.items():
        entry = known_differences.find(label)
        if outcome == "equal":
            if entry:
                failures.append(f"{label}: is equal, but listed as different ({entry.reason}); take it off the list")
        elif entry is None:
            failures.append(f"{label}: {outcome}")
        elif not re.search(entry.outcome, outcome):
            failures.append(f"{label}: {outcome} (listed, but as {entry.outcome!r})")
        if entry:
            matched[entry.reason] += 1
    return failures, matched


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--engine", default=os.environ.get("FXSCOPE_ENGINE"), help="also compare what the backends' pipelines make of both texts")
    parser.add_argument("--all", action="store_true", help="not only a sample")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="names of programs, a regular expression")
    parser.add_argument("--json", help="where to write every outcome")
    parser.add_argument("--keep", help="a folder for the texts of what is not equal")
    parser.add_argument("--record", metavar="FOLDER", help="an empty folder to record what is equal in; then the recorded answers are written anew")
    parser.add_argument("--shard", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.shard:
        return worker(options)

    started = time.time()
    # Files, not pipes: a worker whose pipe is full would wait until the one before it has ended.
    outputs = [tempfile.TemporaryFile("w+") for _ in range(options.jobs)]
    logs = [tempfile.TemporaryFile("w+") for _ in range(options.jobs)]
    workers = [
        subprocess.Popen([sys.executable, __file__, *sys.argv[1:], "--shard", f"{i}/{options.jobs}"], stdout=output, stderr=log)
        for i, (output, log) in enumerate(zip(outputs, logs))
    ]
    lines = []
    for process, output in zip(workers, outputs):
        process.wait()
        output.seek(0)
        lines += output.readlines()
    results = dict(sorted(json.loads(line) for line in lines if line.startswith("[")))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=0))
    failures, matched = judge(results)
    for process, log in zip(workers, logs):
        if process.wait() != 0:
            log.seek(0)
            failures.append(f"a worker ended with {process.returncode}: {log.read()[-600:]}")
    if not options.only:
        failures += [f"listed, but compared nowhere: {e.reason}" for e in known_differences.KNOWN if not matched[e.reason]]
    if options.record:
        pack(options.record)
    equal = sum(outcome == "equal" for outcome in results.values())
    print(f"{equal} of {len(results)} comparisons equal, {sum(matched.values())} known to differ, {time.time() - started:.0f} s")
    for reason, number in matched.most_common():
        print(f"  {number:4} {reason}")
    print("\n".join(failures))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
