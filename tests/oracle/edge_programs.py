"""What is wrong at the edges of inputs is found with drawn inputs, and nothing right is accused:
python3 edge_programs.py --cli FXSCOPE_CLI [--all | --only NAME ..] [--truth]

The programs are those of programs_edges.py. Each is exported with other inputs than those chosen by hand, so that the file gives nothing
away. The truth: PyTorch's values for the inputs chosen by hand against those that IREE and LLVM compute with what the program lowers to.
It must be what the table WRONG says; `compare` must find at least 95 % of it, and accuse nothing else. An output type at which the executors
disagree about the inputs chosen by hand is left out. With --truth the table is printed. Skipped (77) without an executor.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
from safetensors.torch import load_file, save_file

import programs_edges
from oracle_programs import Function

warnings.filterwarnings("ignore")
SKIP = 77
TARGETS = ("linalg-on-tensors", "tosa", "stablehlo")
ALARMS = ("differs", "differs-at-nonfinite")
FOUND = 0.95
SAMPLE = ("u8_to_float", "u8_sum", "i64_remainder", "i32_truth_where", "nan_maximum", "inf_relu_large", "steep_logsigmoid", "negative_indices",
          "bool_add", "f_softshrink", "tie_argmax", "cond_of_bool", "f_round", "i32_mul_wraps")


def neutral(tensor):
    """Another tensor of the same kind: small, positive, legal as an index or a divisor."""
    count = torch.arange(tensor.numel()).reshape(tensor.shape)
    if tensor.dtype == torch.bool:
        return count % 2 == 0
    return (1 + count % 2).to(tensor.dtype) if not tensor.is_floating_point() else (0.25 + 0.5 * (count % 4)).to(tensor.dtype)


def same(found, expected):
    if found.shape != expected.shape:
        return False
    if not expected.is_floating_point():
        # Texts below torch do not say whether an integer has a sign.
        return torch.equal(found.to(torch.int64) & 255 if expected.dtype == torch.uint8 else found.to(torch.int64),
                           expected.to(torch.int64))
    wide = 0.02 if expected.dtype in (torch.float16, torch.bfloat16) else 1e-4
    a, b = found.double(), expected.double()
    if not torch.equal(torch.isnan(a), torch.isnan(b)) or not torch.equal(torch.isinf(a), torch.isinf(b)):
        return False
    infinite = torch.isinf(b)
    return torch.equal(a[infinite], b[infinite]) and torch.allclose(a[~infinite], b[~infinite], rtol=wide, atol=1e-37, equal_nan=True)


def truth(cli, path, exported, inputs, work):
    """By output type: "right", "wrong", "disputed", or None where nothing ran."""
    names = [s.arg.name for s in exported.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    save_file({n: t.contiguous() for n, t in zip(names, inputs, strict=True)}, work / "hand.safetensors")
    expected = [e for e in torch.utils._pytree.tree_leaves(exported.module()(*[i.clone() for i in inputs])) if isinstance(e, torch.Tensor)]
    out = {}
    for target in TARGETS:
        values = work / "values"
        subprocess.run(["rm", "-rf", values], check=True)
        done = subprocess.run([cli, "run", path, "--to", target, "--inputs", work / "hand.safetensors", "-o", values], capture_output=True, text=True)
        if done.returncode == 2 and "executor" in done.stderr:
            print(done.stderr)
            sys.exit(SKIP)
        opinions = []
        for file in sorted(values.glob(f"{target}.*.safetensors")):
            found = list(load_file(file).values())
            opinions.append(len(found) == len(expected) and all(map(same, found, expected)))
        out[target] = None if not opinions else "right" if all(opinions) else "wrong" if not any(opinions) else "disputed"
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--truth", action="store_true", help="print the table, compare nothing")
    parser.add_argument("--known", action="store_true", help="believe the table")
    arguments = parser.parse_args()
    chosen = list(programs_edges.PROGRAMS) if arguments.all or arguments.truth else arguments.only or SAMPLE
    problems, missed, wrong, right, suspicious, disputed, failed = [], [], 0, 0, [], 0, []
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        for name in chosen:
            function, inputs, dynamic = programs_edges.PROGRAMS[name]
            try:
                exported = torch.export.export(Function(function), tuple(map(neutral, inputs)), dynamic_shapes=dynamic and (dynamic,))
                path = work / "program.pt2"
                torch.export.save(exported, path)
            except Exception as error:  # PyTorch does not export it
                failed.append(f"{name}: {type(error).__name__}: {str(error)[:100]}")
                continue
            listed = programs_edges.WRONG.get(name, ())
            if arguments.known:
                known = {t: "wrong" if t in listed else "right" for t in TARGETS}
            else:
                known = truth(arguments.cli, path, exported, inputs, work)
            found_wrong = tuple(t for t in TARGETS if known[t] == "wrong")
            disputed += sum(k == "disputed" for k in known.values())
            if arguments.truth:
                print(f'    "{name}": {known},', flush=True)
                continue
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
                line = f"{name} to {to}: {verdict}, {target['why'] or ''} [{target['scope']['words']}]"
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
    print(f"{len(chosen)} programs: {wrong} wrong texts, {len(missed)} missed; {right} right ones; {disputed} disputed")
    for title, lines in (("missed", missed), ("suspicious", suspicious), ("not exported", failed), ("problem", problems)):
        for line in lines:
            print(f"{title}: {line}")
    sys.exit(1 if problems or len(missed) > (1 - FOUND) * wrong else 0)


if __name__ == "__main__":
    main()
