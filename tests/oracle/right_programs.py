# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Right programs raise no alarm: python3 right_programs.py --cli FXSCOPE_CLI [--all | --programs N [--first M] | --kind KIND ..]

`compare` judges the small programs of the other oracle tests, long sums, terms that cancel, and programs with NaN and infinities, at every
output type. What the engine computes wrong is listed in WRONG and must be found. Of any other alarm, a few lines of PyTorch decide whether
the numbers are wrong: then the program belongs in WRONG, else the alarm is false. At most one in 300 compared stages may raise a false one, and one in 50 may be
and one in 50 may be suspicious. By default a sample of each kind; with --all every program, which takes hours. Skipped (77) without an
engine or executor.
"""
import argparse
import collections
import importlib
import itertools
import json
import pathlib
import random
import re
import resource
import struct
import subprocess
import sys
import tempfile
import warnings

import torch

import oracle_programs
import programs_single_ops
from oracle_programs import Function, boolean, f32, i64, typed

warnings.filterwarnings("ignore")
SKIP = 77
TARGETS = ("linalg-on-tensors", "tosa", "stablehlo")
STAGES_PER_FALSE_ALARM = 300
STAGES_PER_SUSPICION = 50
ALARMS = ("differs", "differs-at-nonfinite")
SAMPLE = 6
TYPED = re.compile(r"\b(bf16|f16|f64|i64|i32|i8|u8|bool|mixed types)\b")

# Programs that the engine computes wrong, where, and why.
LINALG, TOSA, STABLEHLO = TARGETS
DROPS_NAN = "the NaN of one operand is dropped"
WRONG = {
    "act_gelu_tanh": ((LINALG,), "0.797724 for sqrt(2 / pi)"),
    "aten.gelu.default/tanh": ((LINALG,), "0.797724 for sqrt(2 / pi)"),
    "act_softshrink": (TARGETS, "x < -lambda comes back as x - lambda"),
    "aten.softshrink.default": (TARGETS, "x < -lambda comes back as x - lambda"),
    "nan_maximum": ((LINALG,), DROPS_NAN),
    "nan_minimum": ((LINALG,), DROPS_NAN),
    "nan_clamp": ((LINALG,), DROPS_NAN),
    "certain_cross_entropy_with_logits": (TARGETS, "1 - 1 of constants is folded to 2**64"),
    "fraction_of_many": ((STABLEHLO,), "the remainder has the sign of the dividend"),
    "inf_relu": ((TOSA,), "clamped to 3.4e38"),
    "dyn_relu": ((TOSA,), "infinity is clamped to 3.4e38"),
    "aten.relu.default": ((TOSA,), "infinity is clamped to 3.4e38"),
    "act_threshold": (TARGETS, "compared with 0.1 of f64, and NaN is replaced"),
    "max_pool2d_indices": (TARGETS, "other elements are taken where there are NaN and infinity"),
    "aten.clamp.Tensor": ((LINALG,), DROPS_NAN),
    "sdpa_mask_bool": ((LINALG,), "NaN in rows that are fully masked"),
    "argmin_dim": ((LINALG, STABLEHLO), "other elements are taken where there is NaN"),
    "index_assignment": ((LINALG,), "negative indices are written out of bounds"),
    "aten.embedding_dense_backward.default": ((LINALG,), "indices that PyTorch leaves out are read out of bounds"),
    "nan_relu": ((TOSA,), "infinity is clamped to 3.4e38"),
    "aten.relu.default/f16 dynamic": ((TOSA,), "infinity is clamped to 65504"),
    "act_hardswish": (TARGETS, "divided before it is multiplied, which PyTorch's product overflows"),
    "aten.linalg_det.default": ((LINALG,), "without pivoting, the NaN of 0 / 0"),
    "act_hardtanh": ((LINALG,), DROPS_NAN),
    "negative_indices": ((STABLEHLO,), "gather takes them as they are"),
    "buffer_uint8": ((LINALG, TOSA), "uint8 is converted as if it had a sign"),
    "index_put_accumulate": ((LINALG,), "negative indices are written out of bounds"),
    "ldexp": (TARGETS, "0 is multiplied by the power, which is infinity"),
    "bool_add": ((TOSA, STABLEHLO), "added modulo 2"),
    "inf_minus_inf": ((TOSA,), "0 where infinity is multiplied by 0"),
    "max_pool2d_ceil": ((STABLEHLO,), "windows that reach beyond the input lose elements"),
    "vector_norm_inf": ((LINALG, STABLEHLO), "taken as a sum of powers of infinity"),
}
# What is wrong, and can only be suspicious: one executor alone runs the text, or computes as it says, and the other in a wider type.
IMPRECISE = {
    "bfloat16_norm_2000": ((LINALG, STABLEHLO), "2000 terms are added in bfloat16"),
    "bfloat16_centred_sum": ((LINALG, STABLEHLO), "2000 terms are added in bfloat16"),
    "index_put_accumulate": ((STABLEHLO,), "negative indices are written out of bounds"),
    "argsort": ((STABLEHLO,), "NaN is sorted as a number that equals all"),
    "exp_minus_one": ((TOSA,), "infinity is clamped to 3.4e38"),
    "index_assignment": ((TOSA, STABLEHLO), "negative indices are written out of bounds"),
    "aten.gelu.default/f64": ((TOSA,), "a polynomial for float32"),
}

# What PyTorch itself computes otherwise on another processor.
DISPUTED = ("aten.gelu.default/bf16",)


def with_nan(x):
    return torch.where(x > 0, x, float("nan"))


def with_inf(x, inf=float("inf")):
    return torch.where(x > 0, inf, x)


LONG = {
    "sum_10000": (lambda x: x.sum(), f32(10000)),
    "sum_100000": (lambda x: x.sum(-1), f32(2, 100000)),
    "mean_100000": (lambda x: x.mean(), f32(100, 1000)),
    "var_10000": (lambda x: (x.var(-1), x.std(-1)), f32(2, 10000)),
    "norm_10000": (lambda x: torch.linalg.vector_norm(x), f32(10000)),
    "logsumexp_10000": (lambda x: torch.logsumexp(x, -1), f32(2, 10000)),
    "softmax_10000": (lambda x: torch.softmax(x, -1), f32(2, 10000)),
    "log_softmax_10000": (lambda x: torch.log_softmax(x, -1), f32(2, 10000)),
    "layer_norm_10000": (lambda x: torch.nn.functional.layer_norm(x, (10000,)), f32(2, 10000)),
    "cumsum_10000": (lambda x: x.cumsum(-1), f32(10000)),
    "matmul_20000": (lambda a, b: a @ b, f32(3, 20000), f32(20000, 4)),
    "matmul_100000": (lambda a, b: a @ b, f32(2, 100000), f32(100000, 2)),
    "conv_4608": (lambda x, w: torch.nn.functional.conv2d(x, w), f32(1, 512, 4, 4), f32(2, 512, 3, 3)),
    "sum_of_products_10000": (lambda a, b: (a * b).sum(-1) - a.mean(-1), f32(2, 10000), f32(2, 10000)),
    "integer_sum_10000": (lambda x: x.sum(), i64(10000)),
    "half_sum_10000": (lambda x: x.sum(-1), typed(torch.float16, 2, 10000)),
    "half_matmul_2000": (lambda a, b: a @ b, typed(torch.float16, 3, 2000), typed(torch.float16, 2000, 4)),
    "half_softmax_2000": (lambda x: torch.softmax(x, -1), typed(torch.float16, 2, 2000)),
    "bfloat16_mean_10000": (lambda x: x.mean(-1), typed(torch.bfloat16, 2, 10000)),
    "bfloat16_matmul_2000": (lambda a, b: a @ b, typed(torch.bfloat16, 3, 2000), typed(torch.bfloat16, 2000, 4)),
    "bfloat16_norm_2000": (lambda x: torch.nn.functional.layer_norm(x, (2000,)), typed(torch.bfloat16, 2, 2000)),
}

NONFINITE = {
    "nan_maximum": (lambda x, y: torch.maximum(with_nan(x), y), f32(4, 5), f32(4, 5)),
    "nan_minimum": (lambda x, y: torch.minimum(with_nan(x), y), f32(4, 5), f32(4, 5)),
    "nan_clamp": (lambda x: with_nan(x).clamp(-1, 1), f32(4, 5)),
    "nan_relu": (lambda x: torch.relu(with_nan(x)), f32(4, 5)),
    "nan_replaced": (lambda x: torch.where(torch.isnan(with_nan(x)), 0.0, with_nan(x)) * 2, f32(4, 5)),
    "nan_compared": (lambda x: (with_nan(x) == with_nan(x), with_nan(x) < 0, torch.isnan(with_nan(x)).sum()), f32(4, 5)),
    "nan_sum": (lambda x: (with_nan(x).sum(), with_nan(x).mean(-1)), f32(4, 5)),
    "nan_amax": (lambda x: with_nan(x).amax(-1), f32(4, 5)),
    "nan_matmul": (lambda x, y: with_nan(x) @ y, f32(4, 5), f32(5, 3)),
    "inf_relu": (lambda x: torch.relu(with_inf(x)), f32(4, 5)),
    "inf_softmax": (lambda x: torch.softmax(with_inf(x, float("-inf")), -1), f32(4, 5)),
    "inf_logsumexp": (lambda x: torch.logsumexp(with_inf(x, float("-inf")), -1), f32(4, 5)),
    "inf_minus_inf": (lambda x, y: (with_inf(x) - with_inf(y), with_inf(x) * 0.0, 1.0 / with_inf(x)), f32(4, 5), f32(4, 5)),
    "inf_functions": (lambda x: (torch.tanh(with_inf(x)), torch.exp(-with_inf(x)), torch.sigmoid(with_inf(x))), f32(4, 5)),
}


def nearly_equal(x, mean=100.0, spread=1e-3):
    return mean + x * spread


# Terms cancel: rounding is all that is left, or most of it.
CANCELLING = {
    "divergence_of_equals": (lambda x: torch.nn.functional.kl_div(torch.log_softmax(x, 1), torch.softmax(x, 1), reduction="batchmean"), f32(8, 16)),
    "divergence_of_equals_each": (lambda x: torch.nn.functional.kl_div(torch.log_softmax(x, 1), torch.softmax(x, 1), reduction="none"), f32(8, 16)),
    "cosine_of_orthogonal": (lambda x, y: torch.nn.functional.cosine_similarity(x, y - x * (x * y).sum(1, True) / (x * x).sum(1, True)), f32(8, 16), f32(8, 16)),
    "cosine_loss_of_parallel": (lambda x: torch.nn.functional.cosine_embedding_loss(x, x * 3, torch.ones(8)), f32(8, 16)),
    "certain_binary_cross_entropy": (lambda x: torch.nn.functional.binary_cross_entropy(torch.sigmoid(x.abs() + 9), torch.ones(8, 16)), f32(8, 16)),
    "certain_cross_entropy_with_logits": (lambda x: torch.nn.functional.binary_cross_entropy_with_logits(x.abs() + 9, torch.ones(8, 16)), f32(8, 16)),
    "steps_of_a_plateau": (lambda x: torch.diff(nearly_equal(x)), f32(8, 16)),
    "trace_of_a_commutator": (lambda x, y: torch.trace(x @ y - y @ x), f32(8, 8), f32(8, 8)),
    "cross_of_parallel": (lambda x: torch.linalg.cross(x, x * 1.7), f32(8, 3)),
    "distance_of_equals": (lambda x: torch.dist(x.sin() * x.cos() * 2, (x * 2).sin()), f32(8, 16)),
    "log_of_one": (lambda x: torch.logaddexp(x, torch.log1p(-torch.exp(x))), f32(8, 16)),
    "log_gamma_near_zeros": (lambda x: (torch.lgamma(1 + x * 0.01), torch.lgamma(2 + x * 0.01)), f32(8, 16)),
    "digamma_near_zero": (lambda x: torch.digamma(1.4616321 + x * 0.001), f32(8, 16)),
    "sinc_of_integers": (lambda x: torch.sinc(torch.round(x * 3)), f32(8, 16)),
    "fraction_of_many": (lambda x: (torch.frac(x.sin() * 1000), torch.remainder(x.cos() * 500, 3), torch.fmod(x.sin() * 700, 0.7)), f32(8, 16)),
    "sine_and_cosine": (lambda x: torch.sin(x)**2 + torch.cos(x)**2 - 1, f32(8, 16)),
    "half_sine_and_cosine": (lambda x: torch.sin(x)**2 + torch.cos(x)**2 - 1, typed(torch.float16, 8, 16)),
    "bfloat16_sine_and_cosine": (lambda x: torch.sin(x)**2 + torch.cos(x)**2 - 1, typed(torch.bfloat16, 8, 16)),
    "double_sine_and_cosine": (lambda x: torch.sin(x)**2 + torch.cos(x)**2 - 1, typed(torch.float64, 8, 16)),
    "log_of_exp": (lambda x: torch.log(torch.exp(x)) - x, f32(8, 16)),
    "bfloat16_log_of_exp": (lambda x: torch.log(torch.exp(x)) - x, typed(torch.bfloat16, 8, 16)),
    "softmax_sum": (lambda x: torch.softmax(x, -1).sum(-1) - 1, f32(8, 16)),
    "half_softmax_sum": (lambda x: torch.softmax(x, -1).sum(-1) - 1, typed(torch.float16, 8, 16)),
    "logsumexp_of_log_softmax": (lambda x: torch.logsumexp(torch.log_softmax(x, -1), -1), f32(8, 16)),
    "mean_and_sum": (lambda x: x.mean(-1) - x.sum(-1) / 16, f32(8, 16)),
    "mean_and_sum_100000": (lambda x: x.mean() - x.sum() / 100000, f32(100, 1000)),
    "half_mean_and_sum_10000": (lambda x: x.mean(-1) - x.sum(-1) / 10000, typed(torch.float16, 2, 10000)),
    "bfloat16_centred_sum": (lambda x: (x - x.mean(-1, keepdim=True)).sum(-1), typed(torch.bfloat16, 4, 2000)),
    "centred_sum_20000": (lambda x: (x - x.mean(-1, keepdim=True)).sum(-1), f32(4, 20000)),
    "transposed_matmul": (lambda a, b: (a @ b) - (b.T @ a.T).T, f32(16, 64), f32(64, 16)),
    "half_transposed_matmul": (lambda a, b: (a @ b) - (b.T @ a.T).T, typed(torch.float16, 16, 64), typed(torch.float16, 64, 16)),
    "orthogonal_matmul": (lambda a, b: torch.cat([a, a], -1) @ torch.cat([b, -b]), f32(8, 64), f32(64, 8)),
    "layer_norm_of_constant": (lambda x: torch.nn.functional.layer_norm(x[:, :1].expand(-1, 33) * 3.7, (33,)), f32(8, 16)),
    "half_layer_norm_of_constant": (lambda x: torch.nn.functional.layer_norm(x[:, :1].expand(-1, 33) * 3.7, (33,)),
                                    typed(torch.float16, 8, 16)),
    "batch_norm_of_constant": (lambda x: torch.nn.functional.batch_norm(x[:1, :].expand(33, -1) * 3.7, None, None, training=True), f32(8, 16)),
    "var_of_nearly_equal": (lambda x: nearly_equal(x).var(-1), f32(8, 16)),
    "std_of_constant": (lambda x: (x[:, :1].expand(-1, 33) * 3.7).std(-1), f32(8, 16)),
    "half_var_of_nearly_equal": (lambda x: nearly_equal(x, 10, 1e-2).var(-1), typed(torch.float16, 8, 16)),
    "square_of_sum": (lambda a, b: ((a + b)**2 - a**2 - 2 * a * b - b**2) * 1000.0, f32(8, 16), f32(8, 16)),
    "function_of_rounding": (lambda x: torch.tanh((torch.sin(x)**2 + torch.cos(x)**2 - 1) * 1e6) @ x.T, f32(8, 16)),
    "exp_minus_one": (lambda x: (torch.exp(x * 1e-4) - 1) / x.abs().clamp_min(0.5), f32(8, 16)),
    "cross_entropy_of_certain": (lambda x: torch.nn.functional.cross_entropy(torch.cat([x[:, :1] + 12.0, x], -1), torch.zeros(8, dtype=torch.int64)),
                                 f32(8, 4)),
    "normalized_rounding": (lambda x: torch.nn.functional.layer_norm(torch.log(torch.exp(x)) - x, (16,)), f32(8, 16)),
}

INTEGERS = {
    "negative_indices": (lambda x: x[[-1, 0, -2]], f32(4, 5)),
    "bool_add": (lambda x, y: x + y, boolean(4, 5), boolean(4, 5)),
}


def programs():
    """(kind, name, exported program's maker), of each kind in turn."""
    kinds = {}

    def export_function(entry):
        return torch.export.export(Function(entry[0]), tuple(a() for a in entry[1:]))

    for kind, entries in {"cancelling": CANCELLING, "long": LONG, "nonfinite": NONFINITE, "integers": INTEGERS}.items():
        kinds[kind] = [(name, lambda e=entry: export_function(e)) for name, entry in entries.items()]
    for path in sorted((pathlib.Path(__file__).parent / "programs").glob("*.py")):
        known = set(oracle_programs.PROGRAMS)
        importlib.import_module(f"programs.{path.stem}")
        kinds[path.stem] = [(name, lambda p=p: oracle_programs.export(p, "exported")) for name, p in oracle_programs.PROGRAMS.items()
                            if name not in known and "exported" in p.forms]
    del kinds["models"]  # not small
    for row in programs_single_ops.ROWS:
        kinds.setdefault("typed operator" if TYPED.search(row.form) else "operator", []).append(
            (row.name, lambda r=row: programs_single_ops.export([r])))
    for kind in kinds.values():
        random.Random(0).shuffle(kind)
    rounds = itertools.zip_longest(*([(kind, *entry) for entry in entries] for kind, entries in kinds.items()))
    return [entry for turn in rounds for entry in turn if entry]


def tensors(path):
    data = pathlib.Path(path).read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    kinds = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64, "I32": torch.int32,
             "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool, "C64": torch.complex64}
    out = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            elements = torch.Size(entry["shape"]).numel()
            flat = torch.frombuffer(bytearray(data[8 + size + begin:8 + size + end]) or bytearray(16), dtype=kinds[entry["dtype"]])
            out[name] = flat[:elements].reshape(entry["shape"])
    return out


def wide_equal(found, expected):
    half = expected.dtype in (torch.float16, torch.bfloat16)
    wide = 0.05 if half else 1e-3
    a, b = found.double(), expected.double()
    finite = b[torch.isfinite(b)]
    return a.shape == b.shape and torch.allclose(a, b, rtol=wide, atol=wide * float(finite.abs().median()) if finite.numel() else 0, equal_nan=True)


def is_right(cli, program, exported, answer, target, directory):
    """Whether some executor computes what PyTorch does, for all inputs that raise an alarm: this script's own opinion, with wide
    tolerances. What PyTorch refuses to compute cannot be wrong."""
    out = pathlib.Path(directory, "values")
    for each in target["scope"]["sets"]:
        if each["verdict"] not in ALARMS:
            continue
        inputs = answer["inputs"][each["inputs"]]
        name = inputs["set"] + (f".{inputs['round']}" if inputs["round"] else "")
        subprocess.run(["rm", "-rf", out])
        sizes = [f"{symbol}={size}" for symbol, size in inputs["sizes"].items() if inputs["set"] != "example"]
        subprocess.run([cli, "run", program, "--to", target["to"], "--inputs", f"set:{name}", "-o", out, *(["--size", ",".join(sizes)] if sizes else [])],
                       capture_output=True, text=True)
        given = list(tensors(out / "inputs.safetensors").values())
        try:
            expected = torch.utils._pytree.tree_leaves(exported.module()(*given))
        except RuntimeError:
            continue
        expected = [e for e in expected if isinstance(e, torch.Tensor)]
        runs = [list(tensors(p).values()) for p in sorted(out.glob(f"{target['to']}.*.safetensors"))]
        if not any(len(run) >= len(expected) and all(map(wide_equal, run[-len(expected):], expected)) for run in runs):
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--kind", action="append", help="all programs of this kind")
    parser.add_argument("--programs", type=int, default=SAMPLE)
    parser.add_argument("--first", type=int, default=0, help="how many of these are left out at the beginning")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    chosen = [p for p in programs() if not arguments.kind or p[0] in arguments.kind]
    if not arguments.all and not arguments.kind:
        chosen = chosen[arguments.first:arguments.programs]
    count = collections.Counter()
    compared, not_compared, raised, kinds = (collections.Counter() for _ in range(4))
    false, missed, unlisted, suspicious, failed, no_reference = [], [], [], [], [], []
    with tempfile.TemporaryDirectory() as directory:
        program = pathlib.Path(directory, "program.pt2")
        for kind, name, export in chosen:
            try:
                exported = export()
                torch.export.save(exported, program)
            except Exception as error:
                not_compared[f"not exported: {type(error).__name__}"] += len(TARGETS)
                continue
            done = subprocess.run([arguments.cli, "compare", program, "--to", ",".join(TARGETS), "--python", sys.executable, "--json"],
                                  capture_output=True, text=True)
            if done.returncode in (2, 4) and any(words in done.stderr for words in ("engine fetch", "executor")):
                print(done.stderr)
                sys.exit(SKIP)
            try:
                answer = json.loads(done.stdout)
            except ValueError:
                failed.append(f"{name}: no answer: {done.stderr[-300:]}")
                continue
            count["programs"] += 1
            kinds[kind] += 1
            if "PyTorch" not in answer["reference"]:
                no_reference.append(f"{name}: " + "; ".join(answer["notes"]))
            wrong_at, imprecise_at = (table.get(name, ((), ""))[0] for table in (WRONG, IMPRECISE))
            for target in answer["targets"]:
                to, verdict = target["to"], target["verdict"]
                what = f"{name} to {to}: {verdict}, {target['message']}"
                if arguments.verbose:
                    print(what, flush=True)
                if verdict == "not-compared":
                    not_compared[f"{to}: {(target['message'] or '')[:60]}"] += 1
                    continue
                compared[to] += 1
                if verdict == "suspicious" and to not in imprecise_at:
                    suspicious.append(what)
                if to in imprecise_at and verdict == "same":
                    missed.append(what)
                if to in wrong_at:
                    raised[f"{name} to {to}"] += 1
                    if verdict not in ALARMS:
                        missed.append(what)
                elif verdict in ALARMS and name not in DISPUTED:
                    right = is_right(arguments.cli, program, exported, answer, target, directory)
                    (false if right else unlisted).append(what)
                    if arguments.verbose:
                        print("   ", "false" if right else "not listed", flush=True)
    stages = sum(compared.values())
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"{count['programs']} programs {dict(kinds)}, {stages} compared stages {dict(compared)}, {sum(not_compared.values())} not compared")
    print(f"{len(raised) - len(missed)} alarms that are listed, {len(false)} false, {len(suspicious)} suspicious, "
          f"{sum(u.ru_utime + u.ru_stime for u in spent):.0f} s of CPU")
    for title, lines in (("false", false), ("missed", missed), ("not listed", unlisted), ("no answer", failed), ("suspicious", suspicious),
                         ("without PyTorch's values", no_reference)):
        for line in lines:
            print(f"  {title}: {line}")
    if arguments.verbose:
        for why, times in not_compared.most_common():
            print(f"  not compared, {times} times: {why}")
    too_many = len(false) > stages / STAGES_PER_FALSE_ALARM or len(suspicious) > max(1, stages / STAGES_PER_SUSPICION)
    sys.exit(1 if stages == 0 or missed or unlisted or failed or too_many else 0)


if __name__ == "__main__":
    main()
