# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defects of a compiler are found: python3 altered_programs.py --cli FXSCOPE_CLI [--all] [--part I/N] [--only NAME ..] [--kinds KIND ..]

Defects (altered_text.py, altered_semantics.py) are made in what small programs (programs_altered.py, programs_edges.py) are lowered to, by
an engine that alters what torch-mlir-opt prints at one node. `compare` must find them, at that node: at least 97 % of those that change a
value, 90 % of what is found at its node. What is not found must change no value, for the inputs that programs_edges.py has by hand nor for
drawn ones: this script, which knows nothing of fxscope's rule, finds equal values too. Programs that update state in place must compute the
same when they run again, and with constants for weights. By default a sample. With --all, of each program and output type several kinds,
those first that were made least; --part takes every Nth program. Skipped (77) without an engine or executor.
"""
import argparse
import collections
import json
import operator
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings
import zipfile

import torch
from safetensors.torch import load_file, save_file

import altered_semantics
import altered_text
import programs_altered
import programs_edges
from edge_programs import neutral

warnings.filterwarnings("ignore")
SKIP = 77
FOUND, AT_ITS_NODE = 0.97, 0.9
ALARMS = ("differs", "differs-at-nonfinite")
PIPELINES = {"linalg-on-tensors": "torch-backend-to-linalg-on-tensors-backend-pipeline", "tosa": "torch-backend-to-tosa-backend-pipeline",
             "stablehlo": "torch-backend-to-stablehlo-backend-pipeline"}
# Kinds that change a value anywhere. Whether others do is seen for inputs by hand, and for others that are drawn.
CHANGE_VALUES = ("beyond 16", "size 1", "slice", "order of parts", "first value", "swapped results", "one branch",
                 "dropped state", "stale state", "swapped state")
DRAWN = ("ordinary", "steps", "range", "edges", "shifted")
# Where only the function's results are altered, all nodes are right.
AT_RESULTS = ("output order", "dropped state", "doubled state", "swapped state")

# An archive that Python runs, with the engine in it: executors run an engine where it can read no other file and start no program.
ENGINE = """
import os, subprocess, sys, zipfile
if not any(pipeline in a for pipeline, *_ in {altered!r} for a in sys.argv[1:]):
    try:
        os.execv({engine!r}, sys.argv)
    except OSError:
        file = os.memfd_create("engine")
        with open(file, "wb", closefd=False) as copy:
            copy.write(zipfile.ZipFile(sys.argv[0]).read("engine"))
        os.execve(file, sys.argv, os.environ)
import altered_text
done = subprocess.run([{engine!r}, *sys.argv[1:]], stdin=sys.stdin, capture_output=True, text=True)
sys.stderr.write(done.stderr)
out = done.stdout
for pipeline, *defect in {altered!r}:
    if done.returncode == 0 and any(pipeline in a for a in sys.argv[1:]):
        out = altered_text.altered(out, *defect) or out
sys.stdout.write(out)
sys.exit(done.returncode)
"""


class Harness:
    def __init__(self, cli, engine, directory):
        self.cli, self.engine, self.directory = cli, engine, pathlib.Path(directory)
        self.unaltered = {}

    def call(self, *args, engine=None):
        env = {**os.environ, "FXSCOPE_ENGINE": str(engine or self.engine), "XDG_CACHE_HOME": str(self.directory / "cache"),
               "OMP_NUM_THREADS": "1",
               "FXSCOPE_CAGE_READ": ":".join([str(pathlib.Path(self.engine).parent), sys.prefix, sys.base_prefix])}
        return subprocess.run([self.cli, *map(str, args)], capture_output=True, text=True, env=env)

    def compare(self, program, targets, engine=None):
        """By output type; a text where there is no answer."""
        done = self.call("compare", program, "--to", ",".join(targets), "--python", sys.executable, "--json", engine=engine)
        if done.returncode in (2, 4) and "executor" in done.stderr:
            print(done.stderr)
            sys.exit(SKIP)
        try:
            return {target["to"]: target for target in json.loads(done.stdout)["targets"]}
        except ValueError:
            return done.stderr[-300:] or f"ended with {done.returncode}"

    def altering(self, defects):
        """An engine with one defect at each of some output types."""
        path = self.directory / "engine"
        path.write_bytes(f"#!{sys.executable}\n".encode())
        with zipfile.ZipFile(path, "a") as archive:
            altered = [(PIPELINES[d.to], *d[1:]) for d in defects]
            archive.writestr("__main__.py", ENGINE.format(engine=str(self.engine), altered=altered))
            for module in (altered_text, altered_semantics):
                archive.write(module.__file__, pathlib.Path(module.__file__).name)
            archive.write(self.engine, "engine")
        path.chmod(0o755)
        return path

    def values(self, program, targets, inputs, engine=None, options=()):
        """What the executors compute: {output type and executor: {result: values}}."""
        out = self.directory / "values"
        subprocess.run(["rm", "-rf", out], check=True)
        self.call("run", program, "--to", ",".join(targets), "--inputs", inputs, "-o", out, *options, engine=engine)
        return {p.name: load_file(p) for to in targets for p in sorted(out.glob(f"{to}.*.safetensors"))}


class Defect(collections.namedtuple("Defect", "to kind node place count", defaults=[None])):
    def __str__(self):
        return f"{self.kind} at {self.node} ({self.place}) of {self.to}"


def equal(found, expected):
    """Bitwise but for rounding: this script's own opinion."""
    return bool(found) and found.keys() == expected.keys() and all(
        found[name].keys() == want.keys() and all(
            found[name][k].shape == v.shape and torch.allclose(found[name][k].double(), v.double(), rtol=1e-6, atol=1e-7, equal_nan=True)
            for k, v in want.items())
        for name, want in expected.items())


def inputs_by_hand(name, exported, kind, directory):
    """Files of inputs: those of programs_edges.py, and for defects at NaN the examples with one."""
    names = [s.arg.name for s in exported.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    chosen = [programs_edges.PROGRAMS[name][1]] if name in programs_edges.PROGRAMS else []
    if kind == "comparison with NaN":
        given = torch.utils._pytree.tree_leaves(exported.example_inputs)
        for i, tensor in enumerate(given):
            if tensor.is_floating_point():
                with_nan = tensor.clone()
                with_nan.view(-1)[0] = float("nan")
                chosen.append([*given[:i], with_nan, *given[i + 1:]])
    for number, tensors in enumerate(chosen):
        path = pathlib.Path(directory, f"hand{number}.safetensors")
        save_file({n: t.contiguous() for n, t in zip(names, tensors, strict=True)}, path)
        yield path


def changes_a_value(h, name, program, exported, defect):
    """The inputs for which an altered program computes something else, or None."""
    # The largest element, which is subtracted from exponents, may be any number.
    # 0 is the least unsigned integer.
    is_least = defect.kind == "first value" and any(t.dtype == torch.uint8 for t in torch.utils._pytree.tree_leaves(exported.example_inputs))
    if defect.kind in CHANGE_VALUES and "softmax" not in defect.node and not is_least:
        return "by its kind"
    altering = h.altering([defect])
    for inputs in [*inputs_by_hand(name, exported, defect.kind, h.directory), *(f"set:{each},seed:1" for each in DRAWN)]:
        key = name, defect.to, inputs
        if key not in h.unaltered:
            h.unaltered[key] = h.values(program, [defect.to], inputs)
        expected = h.unaltered[key]
        if expected and not equal(h.values(program, [defect.to], inputs, altering), expected):
            return "for " + str(inputs).rsplit("/", maxsplit=1)[-1]
    return None


def depends_on_the_run(h, program, targets):
    """By output type, whether a program that updates its state in place computes something else when it runs again, or with constants for
    weights; None if not."""
    constants = h.altering([Defect(to, altered_text.CONSTANTS, "", 0) for to in targets]), ["--weights"]
    runs = [h.values(program, targets, "seed:0", *how) for how in ((), (), constants, constants)]
    depends = {}
    for to in targets:
        first, again, *constant = ({name: value for name, value in run.items() if name.startswith(f"{to}.")} for run in runs)
        depends[to] = ("does not run" if not first else "computes something else when it runs again" if not equal(again, first) else
                       None if all(equal(each, first) for each in constant) else "computes something else with constants for weights")
    return depends


class Choice:
    """Kinds that were made least come first, and places change from program to program."""

    def __init__(self, kinds):
        self.kinds, self.made, self.turn = kinds, collections.Counter(), 0

    def of(self, to, text, kinds, each):
        places = {kind: [(node, p) for node, count in altered_text.places(text, kind) for p in range(count)]
                  for kind in kinds if kind in self.kinds}
        out = []
        for kind in sorted((k for k in places if places[k]), key=lambda k: (self.made[k, to], self.made[k], k))[:each]:
            self.made[kind, to] += 1
            self.made[kind] += 1
            self.turn += 1
            node, place = places[kind][(self.turn * 7) % len(places[kind])]
            out.append(Defect(to, kind, node, place, sum(each[0] == node for each in places[kind])))
        return out


def programs():
    """(name, module, inputs, dynamic, kinds, how many of an output type)"""
    for each in programs_altered.floats():
        yield (*each, tuple(altered_text.LINALG_KINDS), 4)
    for each in programs_altered.state():
        yield (*each, tuple(altered_semantics.STATE_KINDS), 4)
    for each in programs_altered.meanings():
        yield (*each, tuple(altered_semantics.KINDS), 4)
    for each in programs_altered.edges(neutral):
        yield (*each, tuple(altered_semantics.KINDS), 1)


def wrong_already(h, name, program, texts):
    """What the engine computes wrong, by output type."""
    if name in programs_edges.PROGRAMS:
        tables = (programs_edges.WRONG, programs_edges.DISPUTED)
        return {to: "listed in programs_edges.py" for to in texts if any(to in table.get(name, ()) for table in tables)}
    said = h.compare(program, texts) if texts else {}
    if isinstance(said, str):
        return dict.fromkeys(texts, said)
    return {to: f"{said[to]['verdict']}, {said[to]['message']}" for to in texts if said[to]["verdict"] != "same"}


SAMPLE = {"norm": "narrowed type", "momentum": "stale state", "i32_rshift": "signedness"}


def is_at_its_node(defect, target, exported):
    """Whether the node is named, or the one that takes a result out of its tuple."""
    first = target["first"]["node"] if target["first"] else None
    named = next((n for n in exported.graph.nodes if n.name == first), None)
    if named is not None and named.target is operator.getitem and named.args[0].name == defect.node:
        return True
    if defect.kind not in AT_RESULTS:
        return first == defect.node
    return defect.kind == "output order" or first == defect.node or (target["message"] or "").startswith(defect.node + ":")


class Tally:
    def __init__(self):
        self.made, self.found, self.at_node = collections.Counter(), collections.Counter(), collections.Counter()
        self.by_one = 0  # found, and suspicious, since one executor alone runs the text
        self.lines = []

    def add(self, h, name, program, exported, defect, target, verbose):
        first = target["first"]["node"] if target["first"] else None
        said = f"{name}: {defect}: {target['verdict']} at {first}, {target['message']}"
        ran = {run["executor"] for run in target["runs"] if run["outcome"] == "ran"}
        if target["verdict"] == "suspicious" and len(ran) == 1:
            self.by_one += 1
        if target["verdict"] in ALARMS or (target["verdict"] == "suspicious" and len(ran) == 1):
            self.made[defect.kind] += 1
            self.found[defect.kind] += 1
            if is_at_its_node(defect, target, exported):
                self.at_node[defect.kind] += 1
            else:
                self.lines.append(f"at another node: {said}")
        else:
            inputs = changes_a_value(h, name, program, exported, defect)
            if inputs is None:
                self.made["no effect"] += 1
            else:
                self.made[defect.kind] += 1
                self.lines.append(f"missed: {said}; changes a value {inputs} [{target['scope']['message']}]")
            said += f" -> {inputs}"
        if verbose:
            print(said, flush=True)

    def print(self):
        without = self.made.pop("no effect", 0)
        made, found, at_node = (sum(c.values()) for c in (self.made, self.found, self.at_node))
        for line in self.lines:
            print("  " + line)
        for kind, count in sorted(self.made.items()):
            print(f"  {kind}: {count} made, {self.found[kind]} found, {self.at_node[kind]} at its node")
        print(f"{made} defects, {made - found} missed, {found - at_node} at another node; {self.by_one} found by one executor alone; "
              f"{without} change no value")
        return made > 0 and found >= FOUND * made and at_node >= AT_ITS_NODE * found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--part", default="0/1", help="I/N: every Nth program, from the Ith")
    parser.add_argument("--only", nargs="+", help="programs")
    parser.add_argument("--kinds", nargs="+", default=list(altered_text.KINDS))
    parser.add_argument("--most", type=int, help="defects of a program and output type")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    engine = os.environ.get("FXSCOPE_ENGINE") or pathlib.Path(__file__).parents[2] / ".cache/engine/torch-mlir-opt"
    if not os.access(engine, os.X_OK):
        print("no engine")
        sys.exit(SKIP)
    part, parts = map(int, arguments.part.split("/"))
    tally, choice, not_same, problems = Tally(), Choice(arguments.kinds), [], []
    with tempfile.TemporaryDirectory() as directory:
        h = Harness(arguments.cli, engine, directory)
        for number, (name, model, inputs, dynamic, kinds, each) in enumerate(programs()):
            chosen = name in arguments.only if arguments.only else arguments.all or name in SAMPLE
            if not chosen or number % parts != part:
                continue
            program = pathlib.Path(directory, "program.pt2")
            try:
                exported = torch.export.export(model, inputs, dynamic_shapes=dynamic)
                torch.export.save(exported, program)
            except Exception as error:
                not_same.append(f"{name}: not exported: {type(error).__name__}: {str(error)[:100]}")
                continue
            targets = ("linalg-on-tensors",) if kinds == tuple(altered_text.LINALG_KINDS) else tuple(PIPELINES)
            texts = {to: h.call("lower", program, "--to", to, "-o", "-").stdout for to in targets}
            texts = {to: text for to, text in texts.items() if text}
            is_sampled = not arguments.all and not arguments.only
            for to, why in ({} if is_sampled else wrong_already(h, name, program, texts)).items():
                not_same.append(f"{name} to {to}: {why}")
                del texts[to]
            if kinds == tuple(altered_semantics.STATE_KINDS) and texts and not is_sampled:  # of which neutral_runs.py has a sample
                problems += [f"{name} to {to}: {why}" for to, why in depends_on_the_run(h, program, list(texts)).items() if why]
            most = arguments.most or (1 if is_sampled else each)
            wanted = [SAMPLE[name]] if is_sampled else kinds
            defects = {to: choice.of(to, text, wanted, most) for to, text in texts.items()}
            for n in range(max(map(len, defects.values()), default=0)):
                batch = [of[n] for of in defects.values() if n < len(of)]
                answer = h.compare(program, [d.to for d in batch], engine=h.altering(batch))
                for defect in batch:
                    if isinstance(answer, str):
                        tally.made[defect.kind] += 1
                        tally.lines.append(f"missed: {name}: {defect}: no answer: {answer}")
                    else:
                        tally.add(h, name, program, exported, defect, answer[defect.to], arguments.verbose)
    for line in not_same:
        print("  not altered: " + line)
    for line in problems:
        print("  " + line)
    sys.exit(0 if tally.print() and not problems else 1)


if __name__ == "__main__":
    main()
