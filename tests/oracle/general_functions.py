# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python of a fix is short, and holds for other sizes: python3 general_functions.py --cli FXSCOPE_CLI [--all | NAME ..]

Each program is fixed for an output type to which it does not lower. The Python must have no more lines than the row says, and name no sizes of
the program. It must lower that program, and the same calls of other sizes: with its decomposition table these must compute what they compute
without, and torch-mlir must lower them. The functions for programs_decompositions.py are compared in the same way for other sizes, ranks and
types of the inputs. Without --all, a sample of both. Skipped (77) without an engine.
"""
import argparse
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import torch
from torch.nn import functional as F

import programs_decompositions
from fixed_programs import SKIP, call_as_exported, defined, differences, examined, lowers, one_line, with_views
from python_snippets import Call

warnings.filterwarnings("ignore")
torch.set_num_threads(1)  # a forked process has no other threads
LINALG, TOSA, STABLEHLO = "linalg-on-tensors", "tosa", "stablehlo"
SIZES = (1, 2)
SAMPLED, DRAWN = 6, 50
# The identity of the product has the type of the operands.
OF_ITS_TYPE = "index_reduce"
# Of inputs that are sorted, offsets, distinct, or within what other sizes allow, and of matrices that are well conditioned; and sums of half
# types, whose order is not PyTorch's.
ORDERED = ("searchsorted", "bucketize", "embedding_bag", "take_along_dim", "topk", "kthvalue", "cholesky", "solve_triangular",
           "triangular_solve", "linalg_solve", "linalg_inv", "inverse", "linalg_det", "linalg_slogdet", "logdet")
ROUNDED = "half"
rand, ints, number = torch.rand, torch.randint, torch.arange


def index_put(accumulate):
    return lambda a, i, v: torch.ops.aten.index_put(a, [None, i], v, accumulate)


def recurrent(module):
    return lambda n: (module, (rand(3 * n, 2, 4),))


def written_view(a, w):
    found = F.conv2d(a.permute(0, 3, 1, 2), w, groups=2)
    view = found.permute(0, 2, 3, 1).view(2, 16, 6)
    view[:, 1].mul_(2)
    return found + 1, view


def viewed_attention(x, mask):
    heads = x.view(2, -1, 3, 4).transpose(1, 2)
    return F.scaled_dot_product_attention(heads, heads, heads, mask).transpose(1, 2).contiguous().view(2, -1, 12)


def beside_unknown(call):
    """Beside a call of which it is not known what run_decompositions() makes."""
    return lambda *tensors: (call(*tensors), F.one_hot(torch.tensor([0, 2]), 3))


def given(call, inputs):
    return lambda n: (Call(call), inputs(n))


# name: (output type, most lines, the module and inputs by size)
PROGRAMS = {
    "attention with an added mask": (TOSA, 17, given(lambda q, m: F.scaled_dot_product_attention(q, q, q, m), lambda n: (rand(2, 3, 3 + n, 4), rand(3 + n, 3 + n)))),
    "attention with a mask": (TOSA, 22, given(lambda q, k, m: F.scaled_dot_product_attention(q, k, k, m > 0.5), lambda n: (rand(2, 3, 5, 4), rand(2, 3, 3 + n, 4), rand(2, 1, 5, 3 + n) * (number(5) > 0)[:, None]))),
    "attention to what is before": (STABLEHLO, 22, given(lambda q, k: F.scaled_dot_product_attention(q, k, k, is_causal=True, scale=0.3), lambda n: (rand(2, 3, 3 + n, 4), rand(2, 3, 5, 4)))),
    "attention of more heads": (TOSA, 26, given(lambda q, k: F.scaled_dot_product_attention(q, k, k, is_causal=True, enable_gqa=True), lambda n: (rand(2, 6, 3 + n, 4), rand(2, 3, 3 + n, 4)))),
    "attention with a mask and without": (TOSA, 24, given(lambda q, m: F.scaled_dot_product_attention(F.scaled_dot_product_attention(q, q, q, m), q, q, m > 0.5), lambda n: (rand(2, 3, 3 + n, 4), rand(3 + n, 3 + n)))),
    "attention that is viewed": (TOSA, 26, given(viewed_attention, lambda n: (rand(2, 3 + n, 12), rand(2, 1, 3 + n, 3 + n)))),
    "attention with a mask that is viewed": (TOSA, 30, given(lambda x, m: viewed_attention(x, m > 0.5), lambda n: (rand(2, 3 + n, 12), rand(2, 1, 3 + n, 3 + n)))),
    "cross_entropy": (STABLEHLO, 20, given(beside_unknown(lambda x, t: F.cross_entropy(x, t, ignore_index=2)), lambda n: (rand(4 + n, 5), ints(0, 5, (4 + n,))))),
    "cross_entropy of each": (TOSA, 20, given(beside_unknown(lambda x, t: F.cross_entropy(x, t, reduction="none")), lambda n: (rand(2, 5, 3 + n), ints(0, 5, (2, 3 + n))))),
    "cross_entropy by probabilities": (STABLEHLO, 22, given(beside_unknown(lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1)), lambda n: (rand(4 + n), rand(4 + n)))),
    "cross_entropy by weighted probabilities": (STABLEHLO, 22, given(beside_unknown(lambda x, t, w: F.cross_entropy(x, t, w)), lambda n: (rand(2, 5, 3 + n), rand(2, 5, 3 + n), rand(5)))),
    "nll_loss": (TOSA, 20, given(beside_unknown(lambda x, t: F.nll_loss(x, t, reduction="sum")), lambda n: (rand(4 + n, 5), ints(0, 5, (4 + n,))))),
    "conv1d by groups": (TOSA, 14, given(lambda a, w, b: F.conv1d(a, w, b, padding=1, groups=2), lambda n: (rand(2, 4 * n, 6), rand(6, 2 * n, 3), rand(6)))),
    "conv2d by groups": (TOSA, 14, given(lambda a, w: F.conv2d(a, w, stride=2, groups=2), lambda n: (rand(2, 4 * n, 6, 6), rand(6, 2 * n, 3, 3)))),
    "a sum of the elements before": (STABLEHLO, 15, "dynamic"),
    "index_put": (TOSA, 25, given(index_put(False), lambda n: (rand(3, 4 + n, 2), torch.tensor([1, -2]), rand(3, 2, 2)))),
    "index_put that adds": (TOSA, 25, given(index_put(True), lambda n: (rand(3, 4 + n, 2), torch.tensor([1, 1, -2]), rand(3, 3, 2)))),
    "index_add": (LINALG, 11, given(lambda a, i, v: a.index_add(0, i, v, alpha=2), lambda n: (rand(3 + n, 4), number(2), rand(2, 4)))),
    "topk": (TOSA, 20, given(lambda a: tuple(a.topk(2, dim=1)), lambda n: (rand(3, 5 + n, 2),))),
    "kthvalue": (STABLEHLO, 20, given(lambda a: tuple(a.kthvalue(2)), lambda n: (rand(3, 5 + n),))),
    "sort": (TOSA, 20, given(lambda a: tuple(a.sort(descending=True)), lambda n: (rand(3, 5 + n),))),
    "bicubic": (LINALG, 8, given(lambda x: F.interpolate(x, size=(5, 7), mode="bicubic"), lambda n: (rand(1, 2, 3 + n, 4),))),
    "bicubic between corners": (LINALG, 8, given(lambda x: F.interpolate(x, scale_factor=2.0, mode="bicubic", align_corners=True), lambda n: (rand(1, 2, 3 + n, 4),))),
    "trilinear": (TOSA, 8, given(lambda x: F.interpolate(x, size=(3, 4, 6), mode="trilinear"), lambda n: (rand(1, 2, 3, 2, 2 + n),))),
    "nearest": (STABLEHLO, 8, given(lambda x: F.interpolate(x, size=(5, 7)), lambda n: (rand(1, 2, 3 + n, 4),))),
    "nearest-exact": (LINALG, 8, given(lambda x: F.interpolate(x, scale_factor=(2.0, 3.0), mode="nearest-exact"), lambda n: (rand(1, 2, 3 + n, 4),))),
    "meshgrid": (TOSA, 16, given(lambda a, b: tuple(torch.meshgrid(a, b, indexing="xy")), lambda n: (rand(3 + n), rand(4)))),
    "fake_quantize by channel": (TOSA, 14, given(lambda x, s, z: torch.fake_quantize_per_channel_affine(x, s, z, 1, -128, 127), lambda n: (rand(2, 3 + n, 4), rand(3 + n) * 0.01 + 0.01, ints(-2, 2, (3 + n,), dtype=torch.int32)))),
    "reads where it is true": (LINALG, 34, given(lambda a, m: a[torch.where(m > 0.5)] * 2, lambda n: (rand(3, 4 + n, 2), rand(3, 4 + n)))),
    "diagonal": (STABLEHLO, 16, given(lambda a: a.diagonal(1, 0, 2) * 2, lambda n: (rand(3 + n, 2, 4),))),
    "diagonal_scatter": (TOSA, 16, given(lambda a, s: torch.diagonal_scatter(a, s, -1), lambda n: (rand(4, 3 + n), rand(3)))),
    "slices that are all": (TOSA, 18, given(lambda a, s: torch.slice_scatter(a * 2, s, 1, -9, 9), lambda n: (rand(3, 4 + n), rand(3, 4 + n)))),
    "reads by another name": (LINALG, 42, given(lambda a, m: a[torch.where((m > 0.2).__and__(m < 0.7))] * 2, lambda n: (rand(3, 4 + n, 2), rand(3, 4 + n)))),
    "padding by reflection": (TOSA, 18, given(beside_unknown(lambda a: F.pad(a, (1, 2, -1, 0), "reflect")), lambda n: (rand(1, 3 + n, 4),))),
    "padding by the border": (LINALG, 18, given(beside_unknown(lambda a: F.pad(a, (3, -1), "replicate")), lambda n: (rand(2, 3 + n),))),
    "circular padding": (TOSA, 20, given(beside_unknown(lambda a: F.pad(a, (1, 2, 2, 0), "circular")), lambda n: (rand(1, 2, 3 + n, 4),))),
    "replication_pad3d": (STABLEHLO, 16, given(beside_unknown(lambda a: torch.ops.aten.replication_pad3d(a, [1, 0, 2, 1, 0, 2])), lambda n: (rand(1, 2, 3 + n, 4, 2),))),
    "roll": (TOSA, 14, given(lambda a: torch.roll(a, (1, -2), (0, 1)), lambda n: (rand(3 + n, 4),))),
    "roll of all": (LINALG, 14, given(lambda a: torch.roll(a, 3), lambda n: (rand(3 + n, 4),))),
    "a view of what is laid out otherwise": (TOSA, 20, given(lambda a, w: F.conv2d(a.permute(0, 3, 1, 2), w, groups=2).permute(0, 2, 3, 1).view(2, 16, 6), lambda n: (rand(2, 6, 6, 4 * n), rand(6, 2 * n, 3, 3)))),
    "a write to a view of what is laid out otherwise": (TOSA, 20, given(written_view, lambda n: (rand(2, 6, 6, 4 * n), rand(6, 2 * n, 3, 3)))),
    "instance_norm": (TOSA, 18, given(lambda x: F.instance_norm(x), lambda n: (rand(2, 3 * n, 4, 5),))),
    "instance_norm by running statistics": (TOSA, 18, given(lambda x, m, v: F.instance_norm(x, m, v, use_input_stats=False), lambda n: (rand(2, 3 * n, 4), rand(3 * n), rand(3 * n)))),
    "grid_sampler": (TOSA, 28, given(lambda x, g: F.grid_sample(x, g * 2.4 - 1.2, align_corners=False), lambda n: (rand(2, 3, 4 + n, 5), rand(2, 3, 2, 2)))),
    "grid_sampler of the border": (TOSA, 28, given(lambda x, g: F.grid_sample(x, g * 2.4 - 1.2, "nearest", "border", True), lambda n: (rand(2, 3, 4, 3 + n, 5), rand(2, 3, 2, 2, 3)))),
    "adaptive_avg_pool1d": (TOSA, 18, given(lambda x: F.adaptive_avg_pool1d(x, 3), lambda n: (rand(2, 3, 7 + n),))),
    "adaptive_avg_pool3d": (TOSA, 16, given(lambda x: F.adaptive_avg_pool3d(x, (1, 2, 3)), lambda n: (rand(2, 3, 4, 5 + n, 6),))),
    "cdist": (LINALG, 12, given(torch.cdist, lambda n: (rand(4 + n, 3), rand(5, 3)))),
    "einsum": (TOSA, 20, given(lambda a, b: torch.einsum("ij,jk", a, b), lambda n: (rand(3, 4 * n), rand(4 * n, 5)))),
    "index_reduce": (STABLEHLO, 24, given(lambda a, i, v: a.index_reduce(1, i, v, "prod"), lambda n: (rand(3, 4 + n), ints(0, 4, (2,)), rand(3, 2)))),
    "copysign": (TOSA, 16, given(torch.copysign, lambda n: (rand(3, 4 + n), rand(3, 4 + n) - 0.5))),
    "a distance of pairs": (TOSA, 16, given(beside_unknown(lambda a, b: F.pairwise_distance(a, b, p=1.0)), lambda n: (rand(3, 4 + n), rand(3, 4 + n)))),
    "differences": (TOSA, 16, given(beside_unknown(torch.diff), lambda n: (rand(3, 4 + n),))),
    "weight_norm": (LINALG, 11, given(beside_unknown(torch._weight_norm), lambda n: (rand(3 + n, 4), rand(3 + n, 1)))),
    "max_unpool2d": (TOSA, 32, given(lambda v, i: F.max_unpool2d(v, i, 2), lambda n: F.max_pool2d(rand(2, 3, 4 + 2 * n, 6), 2, return_indices=True))),
    "fractional_max_pool3d": (TOSA, 38, given(lambda x, s: F.fractional_max_pool3d(x, 2, output_size=(2, 2, 3), _random_samples=s), lambda n: (rand(2, 2, 4 + n, 5, 6), rand(2, 2, 3)))),
    "scatter of less": (TOSA, 28, given(lambda a, i, v: a.scatter(1, i, v), lambda n: (rand(3, 4 + n), torch.tensor([[0, 2], [3, 1]]), rand(2, 3)))),
    "scatter_reduce": (TOSA, 54, given(lambda a, i, v: a.scatter_reduce(0, i, v, "mean", include_self=False), lambda n: (rand(3 + n, 4), ints(0, 3, (2, 4)), rand(2, 4)))),
    "as_strided_scatter": (TOSA, 52, given(lambda a, v: torch.as_strided_scatter(a, v, (2, 2), (1, 2), 1), lambda n: (rand(2 + n, 4), rand(2, 2)))),
    "embedding_bag": (TOSA, 42, given(lambda w, i, o: F.embedding_bag(i, w, o, mode="max", padding_idx=-1), lambda n: (rand(5, 3), ints(0, 5, (6 + n,)), torch.tensor([0, 2, 2])))),
    "fft2 with lengths": (LINALG, 40, given(lambda x: torch.view_as_real(torch.fft.fft2(x, (4, 6))), lambda n: (rand(2, 4 + n, 5),))),
    "irfftn": (TOSA, 44, given(lambda x: torch.fft.irfftn(x, norm="ortho"), lambda n: (rand(2, 4, 3 + n),))),
    "transposed convolution by groups": (TOSA, 38, given(lambda x, w, b: F.conv_transpose2d(x, w, b, 2, 1, 1, 2), lambda n: (rand(2, 4, 3 + n, 5), rand(4, 3, 3, 3), rand(6)))),
    "conv2d without a batch": (TOSA, 18, given(lambda x, w: F.conv2d(x, w, groups=2), lambda n: (rand(4, 5 + n, 6), rand(6, 2, 3, 3)))),
    "conv1d with a named padding": (TOSA, 22, given(lambda x, w: F.conv1d(x, w, padding="same", dilation=2, groups=2), lambda n: (rand(4, 5 + n), rand(6, 2, 4)))),
    "a margin loss of labels": (TOSA, 46, given(F.multilabel_margin_loss, lambda n: (rand(3 + n, 4), torch.tensor([[1, 0, -1, 2]]).expand(3 + n, 4).clone()))),
    "adaptive_avg_pool1d without a batch": (LINALG, 18, given(lambda x: F.adaptive_avg_pool1d(x, 1), lambda n: (rand(8, 7 + n),))),
    "grid_sampler by reflection": (TOSA, 28, given(lambda x, g: F.grid_sample(x, g * 6 - 3, padding_mode="reflection", align_corners=False), lambda n: (rand(2, 3, 4 + n, 5), rand(2, 3, 2, 2)))),
    "grid_sampler by reflection at corners": (TOSA, 28, given(lambda x, g: F.grid_sample(x, g * 6 - 3, "nearest", "reflection", True), lambda n: (rand(2, 3, n, 5), rand(2, 3, 2, 2)))),
    "tensordot over a size of 1": (STABLEHLO, 24, given(lambda a, b: torch.tensordot(a, b, dims=([0, 2], [1, -1])), lambda n: (rand(1, 3, 4 + n), rand(2 + n, 5, 4 + n)))),
    "cross over a dimension of 3": (TOSA, 18, given(lambda a, b: torch.cross(a, b), lambda n: (rand(4 + n, 3, 2), rand(4 + n, 3, 2)))),
    "pixel_shuffle of no channels": (STABLEHLO, 18, given(lambda x: F.pixel_shuffle(x, 1), lambda n: (rand(2, 0, 1 + n, 3),))),
    "Cholesky": (TOSA, 15, given(lambda a, b: torch.linalg.cholesky(a @ a.mT + b), lambda n: (rand(2, 3 + n, 3 + n), torch.eye(3 + n)))),
    "systems": (TOSA, 24, given(torch.linalg.solve, lambda n: (rand(2, 3 + n, 3 + n), rand(3 + n, 1 + n)))),
    "inverse": (STABLEHLO, 31, given(lambda a: torch.linalg.inv(a + 2 * torch.eye(a.shape[-1])).cos(), lambda n: (rand(2, 3 + n, 3 + n),))),
    "triangle": (TOSA, 22, given(lambda a, b: torch.linalg.solve_triangular(a + b, b, upper=True), lambda n: (rand(2, 3 + n, 3 + n), torch.eye(3 + n)))),
    "determinant": (TOSA, 18, given(torch.linalg.det, lambda n: (rand(2, 3 + n, 3 + n),))),
    "logarithm of a determinant": (STABLEHLO, 26, given(torch.logdet, lambda n: (rand(2, 3 + n, 3 + n),))),
    "median": (TOSA, 36, given(lambda a: tuple(a.median(1)), lambda n: (rand(3, 4 + n),))),
    "quantile": (TOSA, 40, given(lambda a: a.quantile(0.3, 1), lambda n: (rand(3, 4 + n),))),
    "sort that is stable": (TOSA, 24, given(lambda a: tuple(a.sort(dim=0, stable=True)), lambda n: (rand(3 + n, 4),))),
    "windows": (STABLEHLO, 16, given(lambda a: a.unfold(1, 3, 2), lambda n: (rand(2, 7 + n),))),
    "diag_embed": (STABLEHLO, 16, given(lambda a: torch.diag_embed(a, 1), lambda n: (rand(3, 4 + n),))),
    "take_along_dim": (TOSA, 18, given(lambda a, i: torch.take_along_dim(a, i, 1), lambda n: (rand(3, 4 + n), torch.tensor([[-1, 0]])))),
    "distances of rows": (TOSA, 22, given(F.pdist, lambda n: (rand(3 + n, 4),))),
    "parts of a dimension": (TOSA, 22, given(lambda a: tuple(torch.unbind_copy(a, 1)), lambda n: (rand(3, 4 + n),))),
    "LSTM": (TOSA, 8, recurrent(torch.nn.LSTM(4, 6, num_layers=2, bidirectional=True))),
    "LSTM with a projection": (LINALG, 8, recurrent(torch.nn.LSTM(4, 6, proj_size=3, bias=False))),
    "GRU": (LINALG, 8, recurrent(torch.nn.GRU(4, 6, bidirectional=True))),
    "RNN": (LINALG, 8, recurrent(torch.nn.RNN(4, 6, nonlinearity="relu"))),
}


def exported(make, n):
    if make == "dynamic":
        return torch.export.export(Call(lambda a: a.cumsum(1)), (rand(2, 3 + n),), dynamic_shapes={"tensors": ({1: torch.export.Dim("n", max=64)},)})
    module, inputs = make(n)
    return torch.export.export(module.eval(), inputs)


def resized(tensor, size):
    """The tensor with other sizes, of the same elements."""
    for d, n in enumerate(tensor.shape):
        tensor = tensor.index_select(d, number(size(n)) % n)
    return tensor


# The inputs of a program as other ones.
OTHERS = {
    "longer": lambda x: resized(x, lambda n: n + (n > 1)),
    "twice as long": lambda x: resized(x, lambda n: n * (1 + (n > 1))),
    "of one more dimension": lambda x: x.expand(2, *x.shape).clone(),
    "float64": lambda x: x.double() if x.dtype == torch.float32 else x,
}


def examine_others(module, inputs, script, queue):
    """In a process of its own, as examine(). Inputs that are none of the program are left out."""
    names = defined(script)
    for what, other in OTHERS.items():
        try:
            called = copy.deepcopy(module).to(torch.float64) if what == "float64" else module
            export = lambda: torch.export.export(called.eval(), tuple(other(x) for x in inputs))  # noqa: E731
            original = export()
            original.run_decompositions({})
            original.module()(*(other(x) for x in inputs))
        except Exception:
            continue
        try:
            for line in differences(original, with_views(export(), names).run_decompositions(names["decomposition_table"]), call_as_exported):
                queue.put(("differs", f"{what}: {line}"))
        except Exception as error:
            queue.put(("not run", f"{what}: {one_line(error)}"))
    queue.put(("done", ""))


def of_decompositions(cli, step, directory):
    """What is wrong with functions for programs of one operator."""
    file, fixed, script = (pathlib.Path(directory, name) for name in ("one.pt2", "fixed.pt2", "fixed.py"))
    rows = [row for row in programs_decompositions.PROGRAMS if row[4] is None and row[3] and not row[0].startswith(ORDERED) and ROUNDED not in row[0]]
    compared = 0
    for name, _, module, inputs, _ in rows[::step]:
        if name in programs_decompositions.RANDOM or not all(isinstance(x, torch.Tensor) for x in inputs):
            continue
        torch.export.save(torch.export.export(module.eval(), inputs), file)
        script.unlink(missing_ok=True)
        subprocess.run([cli, "fix", file, "--to", TOSA, "-o", fixed, "--python", script], capture_output=True)
        text = script.read_text() if script.exists() else ""
        if "decomposition_table" in text:
            compared += 1
            for what, value in examined(examine_others, module, inputs, text)[0]:
                yield f"{name}: {what}: {value}"
    if compared == 0:
        yield "no function of a program of one operator was compared"


def examine(files, target, script, queue):
    """In a process of its own, because the engine may crash it."""
    try:
        names = defined(script)
        for file in files:
            decomposed = with_views(torch.export.load(file), names).run_decompositions(names["decomposition_table"])
            for line in differences(torch.export.load(file), decomposed, call_as_exported):
                queue.put(("differs", f"{pathlib.Path(file).stem}: {line}"))
    except Exception as error:
        queue.put(("not run", one_line(error)))
        return
    for file in files:
        what = f"{target} of {pathlib.Path(file).stem}"
        queue.put(("lowering", what))
        queue.put(("lowered", (what, lowers(file, target, names["lower"]))))
    queue.put(("done", ""))


def alternative(cli, file, target):
    """The Python of the diagnosis that has a function, where PyTorch's own decompositions suffice, too."""
    done = subprocess.run([cli, "diagnose", file, "--to", target, "--json"], capture_output=True, text=True)
    found = [e["python"] or "" for finding in json.loads(done.stdout)["findings"] for e in finding["experiments"] if e["outcome"] == "passed"]
    return next((python for python in found if "decomposition_table" in python), "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    problems, lines_of = [], {}
    for name in arguments.names or list(PROGRAMS)[::1 if arguments.all else SAMPLED]:
        target, most, make = PROGRAMS[name]
        with tempfile.TemporaryDirectory(prefix="fxscope-oracle-") as directory:
            files = [str(pathlib.Path(directory, f"size {n}.pt2")) for n in SIZES]
            for n, file in zip(SIZES, files):
                torch.export.save(exported(make, n), file)
            script = pathlib.Path(directory, "fixed.py")
            done = subprocess.run([arguments.cli, "fix", files[0], "--to", target, "-o", str(pathlib.Path(directory, "fixed.pt2")), "--python", str(script),
                                   "--json"], capture_output=True, text=True)
            if done.returncode == 4 and "engine fetch" in done.stderr:
                print(done.stderr)
                sys.exit(SKIP)
            if done.returncode != 0 or not script.exists():
                problems.append(f"{name}: is not fixed: {done.stderr.strip()[-300:]} {json.loads(done.stdout or '{}').get('stops')}")
                continue
            text = script.read_text()
            if "run_decompositions()" in text:
                text = alternative(arguments.cli, files[0], target)
            lines_of[name] = sum(bool(line.strip()) for line in text.splitlines())
            if arguments.verbose:
                print(f"{name}\n{text}", flush=True)
            if lines_of[name] > most:
                problems.append(f"{name}: {lines_of[name]} lines instead of {most}")
            if re.search(r"shape == \(|dtype == torch\.(?!bool)", text) and name != OF_ITS_TYPE:
                problems.append(f"{name}: is for its sizes only")
            if "decomposition_table" not in text:
                problems.append(f"{name}: needs no function")
                continue
            wrong, lowered = examined(examine, files, target, text)
            problems += [f"{name}: {what}: {value}" for what, value in wrong]
            problems += [f"{name}: does not lower to {what}: {why}" for what, why in lowered.items() if why]
    if not arguments.names:
        with tempfile.TemporaryDirectory(prefix="fxscope-oracle-") as directory:
            problems += of_decompositions(arguments.cli, 1 if arguments.all else DRAWN, directory)
    print(f"lines by program: {lines_of}")
    for line in problems:
        print(f"  {line}")
    sys.exit(1 if problems or not lines_of else 0)


if __name__ == "__main__":
    main()
