# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dispatches by themselves: python3 dispatches_alone.py --cli FXSCOPE_CLI [--all] [NAME..]

`split --to iree-flow` of whole models: each dispatch computes by itself what it computed in the program, also by the test that is written
beside them; the distinct ones are as many as IREE counts after it has made equal ones one (--iree-scheduling-dump-statistics-file). By
default three models; with --all, all of MODELS, which have more than 100 distinct dispatches. Skipped (77) without an engine or IREE.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import installed
import oracle_programs
import torch

warnings.filterwarnings("ignore")
MODELS = ("model_resnet", "model_gpt", "model_classifier_lstm", "model_vit", "model_unet", "model_transformer_encoder", "model_mobile",
          "model_convnext_block", "model_autoencoder", "model_mlp_mixer", "model_gpt_dynamic", "model_resnet_dynamic")
SAMPLE = MODELS[:3]
LEAST = 100  # distinct dispatches of all models
IREE = installed.ROOT / ".cache/iree"


def counted_by_iree(cli, file, arguments, folder):
    """Executables and dispatches in the statistics of iree-compile, which goes on from the text of dispatches."""
    subprocess.run([cli, "lower", file, "--to", "iree-flow", "-o", folder], check=True, capture_output=True)
    done = subprocess.run([IREE / "iree-compile", next(folder.glob("*iree-flow.mlir")), *arguments, "--compile-to=executable-sources", "-o", os.devnull,
                           "--iree-scheduling-dump-statistics-format=pretty", "--iree-scheduling-dump-statistics-file=-"],
                          check=True, capture_output=True, text=True)
    return tuple(int(re.search(rf"^//\s*{name}: (\d+)", done.stdout + done.stderr, re.M)[1]) for name in ("Executables", "Dispatches"))


def check(cli, name, work):
    """Why a model fails, and its distinct dispatches."""
    file, out = work / f"{name}.pt2", work / name
    torch.export.save(oracle_programs.export(oracle_programs.PROGRAMS[name], "exported"), file)
    done = subprocess.run([cli, "split", file, "--to", "iree-flow", "-o", out, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        return [f"exit {done.returncode}: {done.stderr}{done.stdout[-2000:]}"], 0
    answer = json.loads(done.stdout)
    failures = [f"{each['name']}: {each['outcome']}: {each['message']}" for each in answer["programs"] if each["outcome"] not in ("equal", "same")]
    failures += [f"{each['name']} is not written: {each['reason']}" for each in answer["left"]]
    counted = counted_by_iree(cli, file, answer["programs"][0]["arguments"], work / f"{name}-lowered")
    if counted != (said := (answer["distinct"], answer["sites"])):
        failures.append(f"{said} executables and calls, IREE counts {counted}")
    env = {**os.environ, "IREE_COMPILE": str(IREE / "iree-compile"), "IREE_RUN_MODULE": str(IREE / "iree-run-module")}
    test = subprocess.run([sys.executable, out / "test_dispatches.py"], env=env, capture_output=True, text=True)
    if test.returncode != 0:
        failures.append(f"test_dispatches.py: {test.stdout}{test.stderr}")
    return failures, answer["distinct"]


def main():
    options = installed.asked(__doc__, is_sampled=True)
    if not os.access(IREE / "iree-compile", os.X_OK):
        print("no IREE")
        sys.exit(installed.SKIP)
    oracle_programs.load_all()
    names = options.names or (MODELS if options.all else SAMPLE)
    failed, distinct = [], 0
    with tempfile.TemporaryDirectory() as work:
        for name in names:
            failures, count = check(options.cli, name, pathlib.Path(work))
            distinct += count
            print(f"{name}: {count} distinct dispatches{''.join(f'{chr(10)}  {failure}' for failure in failures)}", flush=True)
            failed += failures
    print(f"{distinct} distinct dispatches of {len(names)} models, {len(failed)} failures")
    sys.exit(bool(failed) or (options.all and distinct < LEAST))


if __name__ == "__main__":
    main()
