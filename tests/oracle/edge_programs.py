# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is wrong at the edges of inputs is found with drawn inputs, and nothing right is accused:
python3 edge_programs.py --cli FXSCOPE_CLI [--all | --only NAME ..] [--truth]

The programs are those of programs_edges.py. Each is exported with other inputs than those chosen by hand, so that the file gives nothing
away. The truth: PyTorch's values for the inputs chosen by hand against those that IREE computes with what the program lowers to, by this
script. It must be what the table WRONG says; `compare` must find at least 95 % of it, and accuse nothing else. Texts of which IREE and LLVM
compute different things are DISPUTED and left out. With --truth the tables are made anew. By default a sample. Skipped (77) without IREE.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy
import torch
from safetensors.torch import load_file, save_file

import programs_edges
from oracle_programs import Function

warnings.filterwarnings("ignore")
SKIP = 77
TARGETS = ("linalg-on-tensors", "tosa", "stablehlo")
ALARMS = ("differs", "differs-at-nonfinite")
FOUND = 0.95
SAMPLE = ("u8_to_float", "nan_maximum", "negative_indices", "cond_of_bool")


def neutral(tensor, dynamic=None):
    """Another tensor of the same kind: small, positive, legal as an index or a divisor. A size of 1 would be kept as it is."""
    if dynamic:
        tensor = tensor.new_zeros([5 if n == 1 else n for n in tensor.shape])
    count = torch.arange(tensor.numel()).reshape(tensor.shape)
    if tensor.dtype == torch.bool:
        return count % 2 == 0
    return (1 + count % 2).to(tensor.dtype) if not tensor.is_floating_point() else (0.25 + 0.5 * (count % 4)).to(tensor.dtype)


def same(found, expected):
    if found.shape != expected.shape:
        return False
    # Texts below torch do not say whether an integer has a sign.
    if found.dtype == torch.int8 and expected.dtype == torch.uint8:
        found = found.view(torch.uint8)
    if not expected.is_floating_point():
        return torch.equal(found.to(torch.int64), expected.to(torch.int64))
    wide = 0.02 if expected.dtype in (torch.float16, torch.bfloat16) else 1e-4
    a, b = found.double(), expected.double()
    if not torch.equal(torch.isnan(a), torch.isnan(b)) or not torch.equal(torch.isinf(a), torch.isinf(b)):
        return False
    infinite = torch.isinf(b)
    sizes = b[torch.isfinite(b) & (b != 0)].abs()
    small = 1e-5 * float(sizes.median()) if sizes.numel() else 1e-37
    return torch.equal(a[infinite], b[infinite]) and torch.allclose(a[~infinite], b[~infinite], rtol=wide, atol=small, equal_nan=True)


class Iree:
    """IREE's compiler and runtime, called by this script alone."""

    NAMES = {torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.int64: "i64", torch.int32: "i32", torch.int16: "i16",
             torch.int8: "i8", torch.uint8: "i8", torch.bool: "i1"}

    def __init__(self, folder, engine, work):
        self.folder, self.engine, self.work = folder, engine, work

    def compiled(self, text):
        module = self.work / "module.vmfb"
        command = [self.folder / "iree-compile", "-", "-o", module, "--iree-hal-target-device=local",
                   "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host",
                   "--iree-input-demote-f64-to-f32=false", "--iree-opt-const-eval=false"]
        return module if subprocess.run(command, input=text, capture_output=True, text=True).returncode == 0 else None

    def values(self, text, is_tosa, inputs, expected):
        """What the text computes; None if IREE does not run it."""
        if is_tosa:  # printed alike by all versions
            text = subprocess.run([self.engine, "-", "--mlir-print-op-generic"], input=text, capture_output=True, text=True).stdout
        module = self.compiled(text)
        if module is None and is_tosa:  # IREE's profiles refuse some types
            linalg = subprocess.run(["mlir-opt-22", "-", f"--pass-pipeline={TOSA_TO_LINALG}"], input=text, capture_output=True, text=True)
            module = self.compiled(linalg.stdout) if linalg.returncode == 0 else None
        if module is None:
            return None
        command = [self.folder / "iree-run-module", f"--module={module}", "--device=local-sync", "--function=main"]
        for i, tensor in enumerate(inputs):
            (self.work / f"in{i}.bin").write_bytes(tensor.contiguous().numpy().tobytes())
            command.append("--input=" + "".join(f"{n}x" for n in tensor.shape) + f"{self.NAMES[tensor.dtype]}=@{self.work}/in{i}.bin")
        outs = [self.work / f"out{i}.npy" for i in range(len(expected))]
        command += [f"--output=@{out}" for out in outs]
        if subprocess.run(command, capture_output=True).returncode != 0:
            return None
        return [torch.from_numpy(numpy.load(out)) for out in outs]


TOSA_TO_LINALG = ("builtin.module(func.func(tosa-optional-decompositions,tosa-infer-shapes,tosa-make-broadcastable,tosa-to-linalg-named,"
                  "canonicalize,tosa-layerwise-constant-fold,tosa-make-broadcastable,tosa-to-linalg,tosa-to-tensor,tosa-to-arith,tosa-to-scf),"
                  "canonicalize,cse)")


def truth(cli, path, exported, inputs, iree, work):
    """By output type: "right", "wrong", or None where nothing ran."""
    expected = [e for e in torch.utils._pytree.tree_leaves(exported.module()(*[i.clone() for i in inputs])) if isinstance(e, torch.Tensor)]
    out = {}
    for target in TARGETS:
        folder = work / "stages"
        subprocess.run(["rm", "-rf", folder], check=True)
        subprocess.run([cli, "lower", path, "--to", target, "-o", folder], capture_output=True)
        texts = sorted(folder.glob(f"*-{target}.mlir"))
        found = iree.values(texts[-1].read_text(), target == "tosa", inputs, expected) if texts else None
        out[target] = None if found is None else "right" if all(map(same, found, expected)) else "wrong"
    return out


def is_disputed(cli, path, exported, target, inputs, work):
    """Whether LLVM computes what PyTorch does with a text that IREE computes wrong: then one of the executors is wrong, not the text."""
    names = [s.arg.name for s in exported.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    save_file({n: t.contiguous() for n, t in zip(names, inputs, strict=True)}, work / "hand.safetensors")
    values = work / "values"
    subprocess.run(["rm", "-rf", values], check=True)
    subprocess.run([cli, "run", path, "--to", target, "--inputs", work / "hand.safetensors", "-o", values], capture_output=True)
    file = values / f"{target}.llvm.safetensors"
    if not file.exists():
        return False
    expected = [e for e in torch.utils._pytree.tree_leaves(exported.module()(*[i.clone() for i in inputs])) if isinstance(e, torch.Tensor)]
    found = list(load_file(file).values())
    return len(found) == len(expected) and all(map(same, found, expected))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--iree", required=True, help="the folder of iree-compile")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--truth", action="store_true", help="print the table, compare nothing")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--known", action="store_true", help="believe the table")
    arguments = parser.parse_args()
    chosen = arguments.only or (list(programs_edges.PROGRAMS) if arguments.all or arguments.truth else SAMPLE)
    problems, missed, wrong, right, suspicious, failed = [], [], 0, 0, [], []
    if not pathlib.Path(arguments.iree, "iree-compile").exists():
        print(f"{arguments.iree} has no IREE")
        sys.exit(SKIP)
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        iree = Iree(pathlib.Path(arguments.iree).absolute(), pathlib.Path(arguments.engine).absolute(), work)
        for name in chosen:
            function, inputs, dynamic = programs_edges.PROGRAMS[name]
            try:
                exported = torch.export.export(Function(function), tuple(neutral(t, dynamic) for t in inputs), dynamic_shapes=dynamic and (dynamic,))
                path = work / "program.pt2"
                torch.export.save(exported, path)
            except Exception as error:  # PyTorch does not export it
                failed.append(f"{name}: {type(error).__name__}: {str(error)[:100]}")
                continue
            listed = programs_edges.WRONG.get(name, ())
            if arguments.known:
                known = {t: "wrong" if t in listed else "right" for t in TARGETS}
            else:
                known = truth(arguments.cli, path, exported, inputs, iree, work)
            found_wrong = tuple(t for t in TARGETS if known[t] == "wrong")
            if arguments.truth:
                for target in found_wrong:
                    if is_disputed(arguments.cli, path, exported, target, inputs, work):
                        known[target] = "disputed"
                found_wrong = tuple(t for t in TARGETS if known[t] == "wrong")
                if found_wrong or arguments.verbose:
                    print(f'    "{name}": {known if arguments.verbose else found_wrong},', flush=True)
                continue
            for target in programs_edges.DISPUTED.get(name, ()):
                known[target] = "disputed"
            found_wrong = tuple(t for t in TARGETS if known[t] == "wrong")
            if found_wrong != tuple(t for t in TARGETS if t in listed):
                problems.append(f"{name}: the table says {listed}, and wrong is {found_wrong}")
            done = subprocess.run([arguments.cli, "compare", path, "--to", ",".join(TARGETS), "--python", sys.executable, "--json"],
                                  capture_output=True, text=True)
            try:
                answer = json.loads(done.stdout)
            except ValueError:
                problems.append(f"{name}: no answer: {done.stderr[-300:]}")
                continue
            for target in answer["targets"]:
                to, verdict = target["to"], target["verdict"]
                line = f"{name} to {to}: {verdict}, {target['message'] or ''} [{target['scope']['message']}]"
                if known[to] == "wrong":
                    wrong += 1
                    if verdict not in ALARMS:
                        missed.append(line)
                elif known[to] == "right":
                    right += 1
                    if verdict in ALARMS:
                        problems.append("accused: " + line)
                    elif verdict != "same":
                        suspicious.append(line)
                print(f"  {known[to]}: {line}", flush=True)
    print(f"{len(chosen)} programs: {wrong} wrong texts, {len(missed)} missed; {right} right ones")
    for title, lines in (("missed", missed), ("suspicious", suspicious), ("not exported", failed), ("problem", problems)):
        for line in lines:
            print(f"{title}: {line}")
    sys.exit(1 if problems or len(missed) > (1 - FOUND) * wrong else 0)


if __name__ == "__main__":
    main()
