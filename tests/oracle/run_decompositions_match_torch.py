# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--as run-decompositions` has the operations of program.run_decompositions(): python3 run_decompositions_match_torch.py --cli FXSCOPE_CLI [--all | FILE.pt2 ..]

Exports a program for each operator that is decomposed, also in float16, or takes the given files, decomposes them with PyTorch, first by default and then by
torch-mlir's table, and compares the operations with those of `inspect --rewritten`. Operations that change nothing, and scalars computed from sizes,
are left out. Where fxscope says that it does not know a form, nothing is compared; of the programs here it must know all but those in UNKNOWN.
Without --all, a sample of the programs.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import torch
from python_snippets import Call
from run_dump import parse
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

warnings.filterwarnings("ignore")
F = torch.nn.functional
SAMPLED = 5
x, q, image = torch.randn(2, 3, 4), torch.randn(1, 2, 4, 8), torch.randn(1, 4, 8, 8)
classes = torch.tensor([1, 2])
batch = {0: torch.export.Dim("n", min=2, max=64)}


def heads_of(a):
    q = a.view(a.shape[0], -1, 2, 8).transpose(1, 2)
    return F.scaled_dot_product_attention(q, q, q).transpose(1, 2).contiguous().reshape(a.shape[0], -1, 16).contiguous()


def cell_of(gates):
    return [torch.randn(3, 5), torch.randn(3, 4), torch.randn(4 * gates, 5), torch.randn(4 * gates, 4), torch.randn(4 * gates), torch.randn(4 * gates)]


# name: (call, tensors, dynamic shapes)
PROGRAMS = {
    "attention": (lambda a: F.scaled_dot_product_attention(a, a, a), [q]),
    "attention causal": (lambda a: F.scaled_dot_product_attention(a, a, a, is_causal=True), [q]),
    "attention masked": (lambda a, m: F.scaled_dot_product_attention(a, a, a, attn_mask=m), [q, torch.ones(1, 1, 4, 4, dtype=torch.bool)]),
    "attention biased": (lambda a, m: F.scaled_dot_product_attention(a, a, a, attn_mask=m), [q, torch.ones(1, 1, 4, 4)]),
    "attention scaled": (lambda a: F.scaled_dot_product_attention(a, a, a, scale=0.5), [q]),
    "attention of groups": (lambda a, k: F.scaled_dot_product_attention(a, k, k, enable_gqa=True), [torch.randn(1, 4, 4, 8), q]),
    "attention of rank 3": (lambda a: F.scaled_dot_product_attention(a, a, a), [q[0]]),
    "attention transposed": (lambda a: F.scaled_dot_product_attention(*[a.view(1, 4, 2, 8).transpose(1, 2)] * 3), [torch.randn(1, 4, 16)]),
    "attention dynamic": (lambda a, m: F.scaled_dot_product_attention(a, a, a, attn_mask=m), [torch.randn(3, 2, 4, 8), torch.ones(3, 1, 4, 4, dtype=torch.bool)], [batch, batch]),
    "linear of attention": (lambda a, w: F.linear(heads_of(a), w), [torch.randn(3, 5, 16), torch.randn(6, 16)]),
    "linear of attention dynamic": (lambda a, w, b: F.linear(heads_of(a), w, b), [torch.randn(3, 5, 16), torch.randn(6, 16), torch.randn(6)], [{**batch, 1: torch.export.Dim("t", min=2, max=64)}, None, None]),
    "linear of attention of one": (lambda a, w: F.linear(heads_of(a), w), [torch.randn(1, 5, 16), torch.randn(6, 16)]),
    "linear": (lambda a, w, b: F.linear(a, w, b), [x, torch.randn(5, 4), torch.randn(5)]),
    "linear dynamic": (lambda a, w, b: F.linear(a, w, b), [x, torch.randn(5, 4), torch.randn(5)], [batch, None, None]),
    "linear of rank 2": (lambda a, w, b: F.linear(a, w, b), [x[0], torch.randn(5, 4), torch.randn(5)]),
    "linear of rank 4": (lambda a, w, b: F.linear(a, w, b), [q, torch.randn(5, 8), torch.randn(5)]),
    "linear unbiased": (lambda a, w: F.linear(a, w), [x, torch.randn(5, 4)]),
    "linear transposed": (lambda a, w, b: F.linear(a.transpose(0, 1), w, b), [x, torch.randn(5, 4), torch.randn(5)]),
    "matmul of rank 2": (lambda a, b: a @ b, [x[0], torch.randn(4, 5)]),
    "matmul of rank 3": (lambda a, b: a @ b, [x, torch.randn(2, 4, 5)]),
    "matmul of rank 4": (lambda a: a @ a.transpose(-1, -2), [q]),
    "matmul folded": (lambda a, b: a @ b, [x, torch.randn(4, 5)]),
    "matmul broadcast": (lambda a, b: a @ b, [q, torch.randn(1, 8, 5)]),
    "matmul dynamic": (lambda a, b: a @ b, [x, torch.randn(2, 4, 5)], [batch, batch]),
    "matmul transposed": (lambda a, b: a.transpose(0, 1) @ b, [x, torch.randn(4, 5)]),
    "softmax": (lambda a: a.softmax(-1), [x]),
    "softmax converted": (lambda a: F.softmax(a, -1, dtype=torch.float32), [x.half()]),
    "log_softmax": (lambda a: a.log_softmax(-1), [x]),
    "transpose": (lambda a: a.transpose(1, 2), [x]),
    "layer_norm": (lambda a, w: F.layer_norm(a, (4,), w, w), [x, torch.randn(4)]),
    "layer_norm plain": (lambda a: F.layer_norm(a, (3, 4)), [x]),
    "group_norm": (lambda a, w: F.group_norm(a, 2, w, w), [image, torch.randn(4)]),
    "group_norm of a symbolic batch": (lambda a, w: F.group_norm(a, 2, w, w), [torch.randn(3, 4, 8, 8), torch.randn(4)], [batch, None]),
    "rms_norm": (lambda a, w: F.rms_norm(a, (4,), w), [x, torch.ones(4)]),
    "rms_norm with epsilon": (lambda a: F.rms_norm(a, (4,), eps=1e-6), [x]),
    "batch_norm": (lambda a, w: F.batch_norm(a, w, w.abs(), w, w), [image, torch.randn(4)]),
    "batch_norm of the batch": (lambda a, w: F.batch_norm(a, None, None, w, w, True), [image, torch.randn(4)]),
    "native batch_norm of the batch": (lambda a, w: torch.ops.aten.native_batch_norm(a, w, None, None, None, True, 0.1, 1e-5), [image, torch.randn(4)]),
    "arange": (lambda a: torch.arange(4) + a, [x]),
    "arange from": (lambda a: torch.arange(1, 5) + a, [x]),
    "arange of a size": (lambda a: torch.arange(a.shape[0]) + a[:, 0, 0], [x], [batch]),
    "number of elements": (lambda a: a / a.numel(), [x], [batch]),
    "zeros": (lambda a: torch.zeros(3, 4) + a, [x]),
    "ones": (lambda a: torch.ones(3, 4, dtype=torch.int64) + a, [x]),
    "ones of bools": (lambda a: torch.where(torch.ones(3, 4, dtype=torch.bool), a, 0.0), [x]),
    "new_ones": (lambda a: a.new_ones(3, 4) + a, [x]),
    "new_zeros": (lambda a: a.new_zeros(3, 4) + a, [x]),
    "ones_like": (lambda a: torch.ones_like(a) + a, [x]),
    "zeros_like": (lambda a: torch.zeros_like(a, dtype=torch.int64) + a, [x]),
    "type_as": (lambda a, b: a.type_as(b), [x, torch.zeros(2, dtype=torch.int64)]),
    "rsub": (lambda a: 1 - a, [x]),
    "squeeze": (lambda a: a.squeeze(0), [x[:1]]),
    "conv1d": (lambda a, w: F.conv1d(a, w, padding=1), [x, torch.randn(4, 3, 3)]),
    "conv2d": (lambda a, w, b: F.conv2d(a, w, b, stride=2), [image, torch.randn(4, 4, 3, 3), torch.randn(4)]),
    "conv2d of groups": (lambda a, w: F.conv2d(a, w, groups=2), [image, torch.randn(4, 2, 3, 3)]),
    "conv3d": (lambda a, w: F.conv3d(a, w), [torch.randn(1, 2, 4, 4, 4), torch.randn(3, 2, 2, 2, 2)]),
    "conv_transpose1d": (lambda a, w: F.conv_transpose1d(a, w), [x, torch.randn(3, 4, 3)]),
    "conv_transpose2d": (lambda a, w: F.conv_transpose2d(a, w, stride=2), [image, torch.randn(4, 4, 3, 3)]),
    "adaptive_avg_pool2d to one": (lambda a: F.adaptive_avg_pool2d(a, 1), [image]),
    "pad": (lambda a: F.pad(a, (1, 1)), [x]),
    "silu": (F.silu, [x]),
    "max_pool2d": (lambda a: F.max_pool2d(a, 3, 2, 1), [image]),
    "max_pool1d": (lambda a: F.max_pool1d(a, 2), [x]),
    "baddbmm": (lambda a, b, c: torch.baddbmm(c, a, b), [x, torch.randn(2, 4, 5), torch.randn(2, 3, 5)]),
    "repeat_interleave": (lambda a: a.repeat_interleave(2, 1), [x]),
    "where of numbers": (lambda a: torch.where(a > 0, 1.0, 0.0), [x]),
    "where of a number": (lambda a: torch.where(a > 0, a, 0.0), [x]),
    "where from a number": (lambda a: torch.where(a > 0, 0.0, a), [x]),
    "masked_fill": (lambda a: a.masked_fill(a > 0, -1e9), [x]),
    "masked_fill of integers": (lambda a: a.masked_fill(a > 0, 2), [torch.arange(4)]),
    "triu": (lambda a: a.triu(), [x]),
    "triu of a diagonal": (lambda a: a.triu(diagonal=1), [x]),
    "tril": (lambda a: a.tril(), [x]),
    "tril of bools": (lambda a: (a > 0).tril(), [x]),
    "max and min": (lambda a: torch.max(a, torch.min(a, a * 2)), [x]),
    "tile": (lambda a: a.tile(2, 1, 1), [x]),
    "stack": (lambda a: torch.stack([a, a]), [x]),
    "stack at the end": (lambda a: torch.stack([a, a], -1), [x]),
    "clamp_min and clamp_max": (lambda a: a.clamp_min(0.5).clamp_max(1), [x]),
    "relu6": (F.relu6, [x]),
    "hardswish": (F.hardswish, [x]),
    "hardsigmoid": (F.hardsigmoid, [x]),
    "softplus": (F.softplus, [x]),
    "mish": (F.mish, [x]),
    "glu": (F.glu, [x]),
    "addcmul": (lambda a: torch.addcmul(a, a, a, value=2), [x]),
    "expand_as": (lambda a: a[:1].expand_as(a), [x]),
    "split": (lambda a: a.split(3, -1), [x]),
    "chunk": (lambda a: a.chunk(2, -1)[1], [x]),
    "unbind": (lambda a: a.unbind(0)[1], [x]),
    "variance": (lambda a: a.var(-1, keepdim=True), [x]),
    "logsumexp": (lambda a: a.logsumexp(-1), [x]),
    "logsumexp kept": (lambda a: a.logsumexp(-1, keepdim=True), [x]),
    "and, or": (lambda a: ((a > 0) & (a < 1)) | (a < -1), [x]),
    "multiply": (lambda a: torch.multiply(a, a), [x]),
    "reshape": (lambda a: a.transpose(0, 1).reshape(6, 4), [x]),
    "flatten": (lambda a: a.flatten(1), [x]),
    "contiguous": (lambda a: a.transpose(0, 1).contiguous(), [x]),
    "dropout": (lambda a: F.dropout(a, 0.1, False), [x]),
    "embedding": (lambda w, i: F.embedding(i, w), [x[0], torch.tensor([0, 1])]),
    "to": (lambda a: a.to(torch.float16), [x]),
    "full": (lambda a: torch.full((3, 4), 2.0) + a, [x]),
    "meshgrid": (lambda a: torch.meshgrid(a, a, indexing="ij")[0] + 1, [torch.randn(4)]),
    "diff": (lambda a: a.diff(), [x]),
    "outer": (torch.outer, [x[0, 0], x[0, 1]]),
    "dot": (torch.dot, [x[0, 0], x[0, 1]]),
    "roll": (lambda a: a.roll(1, 1), [x]),
    "prelu": (lambda a, w: F.prelu(a, w), [x, torch.ones(1)]),
    "einsum": (lambda a: torch.einsum("bij,bkj->bik", a, a), [x]),
    "einsum outer": (lambda a: torch.einsum("i,j->ij", a, a), [x[0, 0]]),
    "einsum with a matrix": (lambda a, w: torch.einsum("bij,jk->bik", a, w), [x, torch.randn(4, 5)]),
    "einsum of heads": (lambda a, b: torch.einsum("bqhd,bkhd->bhqk", a, b), [torch.randn(2, 3, 4, 5)] * 2),
    "diff after": (lambda a: a.diff(prepend=a[:, :1] - 1, dim=1), [x]),
    "diff dynamic": (lambda a: a.diff(prepend=a[:1] - 1, dim=0), [x], [batch]),
    "t": (lambda a: a.t(), [x[0]]),
    "sum": (lambda a: a.sum() + a.bool().sum(), [x]),
    "avg_pool1d": (lambda a: F.avg_pool1d(a, 2), [x]),
    "adaptive_avg_pool1d": (lambda a: F.adaptive_avg_pool1d(a, 1), [x]),
    "masked_fill of a tensor": (lambda a, v: a.masked_fill(a > 0, v), [x, torch.tensor(2.0)]),
    "index_copy and index_add": (lambda a, i: a.index_copy(1, i, a[:, :2]).index_add(1, i, a[:, :2]), [x, torch.tensor([0, 2])]),
    "all": (lambda a: (a > 0).all(1), [x]),
    "conv1d of the same size": (lambda a, w: F.conv1d(a, w, padding="same"), [x, torch.randn(4, 3, 3)]),
    "adaptive_avg_pool2d": (lambda a: F.adaptive_avg_pool2d(a, 3), [image]),
    "gelu": (F.gelu, [x]),
    "elu": (F.elu, [x]),
    "cumsum": (lambda a: a.cumsum(-1), [x]),
    "normalize": (lambda a: F.normalize(a, dim=-1), [x]),
    "standard deviation": (lambda a: a.std(-1), [x]),
    "reflected": (lambda a: F.pad(a, (1, 1), mode="reflect"), [x]),
    "reflected in two dimensions": (lambda a: F.pad(a, (1, 2, 0, 3), mode="reflect"), [image]),
    "reflected dynamic": (lambda a: F.pad(a, (1, 2), mode="reflect"), [torch.randn(1, 2, 9)], [{2: torch.export.Dim("t", min=4, max=64)}]),
    "replicated": (lambda a: F.pad(a, (0, 2, -1, 3), mode="replicate"), [image]),
    "replicated in three dimensions": (lambda a: F.pad(a, (1, 2, 1, 1, 0, 1), mode="replicate"), [torch.randn(1, 2, 4, 4, 4)]),
    "replicated dynamic": (lambda a: F.pad(a, (1, 2), mode="replicate"), [x], [batch]),
    "circular": (lambda a: F.pad(a, (1, 2), mode="circular"), [x]),
    "circular with a cut": (lambda a: F.pad(a, (1, -2, 0, 3), mode="circular"), [image]),
    "circular in three dimensions": (lambda a: F.pad(a, (1, 2, 1, 1, 0, 1), mode="circular"), [torch.randn(1, 2, 4, 4, 4)]),
    "circular dynamic": (lambda a: F.pad(a, (1, 2), mode="circular"), [torch.randn(1, 2, 9)], [{2: torch.export.Dim("t", min=4, max=64)}]),
    "nll_loss": (lambda a, t: F.nll_loss(a, t), [x[:, :, 0], classes]),
    "nll_loss of weights": (lambda a, t, w: F.nll_loss(a, t, w), [x[:, :, 0], classes, torch.rand(3)]),
    "nll_loss of one": (lambda a, t: F.nll_loss(a, t, reduction="sum"), [x[0, :, 0], classes[0]]),
    "nll_loss of images": (lambda a, t: F.nll_loss(a, t, reduction="none"), [image, torch.ones(1, 8, 8, dtype=torch.int64)]),
    "cross_entropy without a size": (lambda a, t: F.cross_entropy(a, t.clamp(0, a.size(1)), ignore_index=a.size(1)), [torch.randn(3, 7), torch.tensor([1, 2, 3])], [{0: batch[0], 1: torch.export.Dim("classes", min=4, max=64)}, batch]),
    "cross_entropy": (lambda a, t: F.cross_entropy(a, t), [x[:, :, 0], classes]),
    "cross_entropy of rows": (lambda a, t: F.cross_entropy(a, t, reduction="none"), [x, torch.ones(2, 4, dtype=torch.int64)]),
    "cross_entropy of half precision": (lambda a, t: F.cross_entropy(a, t), [x.half(), torch.ones(2, 4, dtype=torch.int64)]),
    "cross_entropy dynamic": (lambda a, t: F.cross_entropy(a, t), [x[:, :, 0], classes], [batch, batch]),
    "cross_entropy dynamic of rows": (lambda a, t: F.cross_entropy(a, t), [x, torch.ones(2, 4, dtype=torch.int64)], [batch, batch]),
    "cross_entropy of weights": (lambda a, t, w: F.cross_entropy(a, t, w), [x, torch.ones(2, 4, dtype=torch.int64), torch.rand(3)]),
    "cross_entropy smoothed": (lambda a, t: F.cross_entropy(a, t, label_smoothing=0.1), [x[:, :, 0], classes]),
    "cross_entropy smoothed and summed": (lambda a, t: F.cross_entropy(a, t, label_smoothing=0.1, reduction="sum"), [x, torch.ones(2, 4, dtype=torch.int64)]),
    "cross_entropy smoothed, each": (lambda a, t: F.cross_entropy(a, t, label_smoothing=0.1, reduction="none"), [x, torch.ones(2, 4, dtype=torch.int64)]),
    "cross_entropy of probabilities": (lambda a, t, w: F.cross_entropy(a, t, w, label_smoothing=0.1), [x, torch.rand(2, 3, 4), torch.rand(3)]),
    "cross_entropy of probabilities, each": (lambda a, t: F.cross_entropy(a, t, reduction="none"), [x, torch.rand(2, 3, 4)]),
    "interpolate": (lambda a: F.interpolate(a, scale_factor=2.0), [image]),
    "interpolate linearly": (lambda a: F.interpolate(a, scale_factor=2.0, mode="bilinear"), [image]),
    "one_hot": (lambda a: F.one_hot(a, 4), [torch.tensor([0, 1])]),
    "index": (lambda a, i: a[i], [x, torch.tensor([0, 1])]),
    "narrow": (lambda a: a.narrow(1, 0, 2), [x]),
    "unflatten": (lambda a: a.unflatten(-1, (2, 2)), [x]),
    "movedim": (lambda a: a.movedim(0, 1), [x]),
    "square and rsqrt": (lambda a: a.square().rsqrt(), [x]),
    "leaky_relu": (F.leaky_relu, [x]),
    "attention causal in bfloat16": (lambda a, k: F.scaled_dot_product_attention(a, k, k, is_causal=True, enable_gqa=True), [torch.randn(1, 4, 4, 8).bfloat16(), q.bfloat16()]),
    "attention with dropout": (lambda a: F.scaled_dot_product_attention(a, a, a, dropout_p=0.1), [q]),
    "einsum of one": (lambda a: torch.einsum("bij->jbi", a), [x]),
    "rms_norm in bfloat16": (lambda a, w: F.rms_norm(a, (4,), w), [x.bfloat16(), torch.ones(4).bfloat16()]),
    "activations": (lambda a: F.glu(F.mish(F.softplus(F.hardsigmoid(F.hardswish(F.silu(a)))))), [x]),
    "baddbmm without the first": (lambda a, b, c: torch.baddbmm(c, a, b, beta=0, alpha=0.25), [x, torch.randn(2, 4, 5), torch.randn(2, 3, 5)]),
    "baddbmm scaled": (lambda a, b, c: torch.baddbmm(c, a, b, beta=0.5, alpha=2), [x, torch.randn(2, 4, 5), torch.randn(2, 3, 5)]),
    "column written": (lambda a: ((b := a * 1), b.__setitem__((slice(None), -1), 2.0), b)[2], [x]),
    "select_scatter dynamic": (lambda a: torch.select_scatter(a, a[:, 1], 1, 0), [x], [batch]),
    "fills": (lambda a: (a * 1).fill_(2) + torch.fill(a, 0.5), [x]),
    "detach": (lambda a: a.detach() + 1, [x]),
    "eye": (lambda a: torch.eye(4) + torch.eye(4, dtype=torch.int64) + torch.eye(3, 4)[:1], [x[0, 0]]),
    "l1_loss": (lambda a, b: F.l1_loss(a, b) + F.l1_loss(a, b, reduction="sum") + F.l1_loss(a, b[:1], reduction="none"), [x, x + 1]),
    "broadcast_tensors": (lambda a, b: torch.broadcast_tensors(a, b)[1] + 1, [x, x[:1]]),
    "pixel_shuffle": (lambda a: F.pixel_shuffle(a, 2), [image]),
    "floor_divide": (lambda a: a // 2 + a // (a + 1), [torch.arange(4)]),
    "weight_norm in bfloat16": (lambda v, g: torch._weight_norm(v, g, 0), [x.bfloat16(), x[:, :1, :1].bfloat16()]),
    "weight_norm": (lambda v, g: torch._weight_norm(v, g, 0) + torch._weight_norm(v, g[:1, :1, :1].expand(1, 1, 4), 2), [x, x[:, :1, :1]]),
    "gru_cell": (torch.gru_cell, cell_of(3)),
    "gru_cell unbiased": (torch.gru_cell, cell_of(3)[:4]),
    "lstm_cell": (lambda a, h, *w: torch.lstm_cell(a, (h, h + 1), *w), cell_of(4)),
    "rnn cells": (lambda a, h, *w: torch.rnn_tanh_cell(a, h, *w) + torch.rnn_relu_cell(a, h, *w), cell_of(1)),
    "smooth_l1_loss": (lambda a, b: F.smooth_l1_loss(a, b) + F.smooth_l1_loss(a, b, reduction="sum", beta=0.5) + F.smooth_l1_loss(a, b, reduction="none"), [x, x + 1]),
    "huber_loss": (lambda a, b: F.huber_loss(a, b) + F.huber_loss(a, b, reduction="sum", delta=0.5) + F.huber_loss(a, b, reduction="none"), [x, x + 1]),
    "kl_div": (lambda a, b: F.kl_div(a, b, reduction="batchmean") + F.kl_div(a, b, reduction="sum", log_target=True), [x, x + 1]),
    "binary_cross_entropy_with_logits": (lambda a, b, w: F.binary_cross_entropy_with_logits(a, b) + F.binary_cross_entropy_with_logits(a, b, w, pos_weight=w, reduction="none"), [x, x + 1, torch.rand(4)]),
    "poisson_nll_loss": (lambda a, b: F.poisson_nll_loss(a, b) + F.poisson_nll_loss(a, b, log_input=False, reduction="sum"), [x, x + 1]),
    "interpolate along a line": (lambda a: F.interpolate(F.interpolate(F.interpolate(a, size=7, mode="linear"), scale_factor=1.5, mode="linear"), size=3, mode="linear", align_corners=True), [x]),
    "cosine_similarity": (lambda a, b: F.cosine_similarity(a, b, -1), [x, x + 1]),
    "log_sigmoid and celu": (lambda a: F.celu(F.logsigmoid(a)), [x]),
    "selu": (F.selu, [x]),
    "roll of two dimensions": (lambda a: a.roll((-1, 2), (0, 2)), [x]),
    "three dimensions": (lambda a: F.adaptive_avg_pool3d(F.max_pool3d(a, 2, 1, ceil_mode=True), 1), [torch.randn(1, 2, 4, 4, 4)]),
    "channel_shuffle": (lambda a: F.channel_shuffle(a, 2), [image]),
    "argsort": (lambda a: a.argsort(1) + a.argsort(stable=True, dim=0, descending=True), [x]),
    "attention with a padding mask": (lambda a, m: F.scaled_dot_product_attention(a, a, a, torch.zeros_like(m, dtype=a.dtype).masked_fill_(m, -9).view(1, 1, 1, 4).expand(1, 2, 1, 4).reshape(2, 1, 4).view(1, 2, -1, 4)), [q, torch.ones(1, 4) > 0]),
}
# Operators of torch-mlir's table whose rule here is another: what they become lowers alike.
OTHER_RULES = {"group_norm", "adaptive_avg_pool2d", "interpolate linearly"}


def half(value):
    return value.half() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


# PyTorch computes most of float16 in float32.
IN_HALF = " in float16"
PROGRAMS |= {name + IN_HALF: (call, [half(t) for t in tensors], *dynamic) for name, (call, tensors, *dynamic) in PROGRAMS.items()
             if name not in OTHER_RULES and any(t.dtype is torch.float32 for t in tensors)}
# Programs with operators whose form is not known here.
UNKNOWN = {"one_hot"} | {name + IN_HALF for name in (
    "gru_cell", "gru_cell unbiased", "lstm_cell", "rnn cells", "smooth_l1_loss", "huber_loss", "kl_div", "binary_cross_entropy_with_logits",
    "cosine_similarity", "log_sigmoid and celu", "poisson_nll_loss", "interpolate along a line")}


def counted(names):
    """By operator; of functions of Python, those of operators only."""
    out = collections.Counter()
    for name in names:
        parts = name.split(".")
        if parts[0] in ("aten", "prims") and parts[1] not in ("sym_size", "alias", "detach", "_assert_scalar", "sym_constrain_range_for_size"):
            out[name] += 1
    return out


def changes_nothing(node):
    value = node.meta.get("val")
    if str(node.target) == "aten.permute.default" and list(node.args[1]) == sorted(node.args[1]):
        return True
    if not isinstance(value, torch.Tensor) or str(node.target) not in ("aten.view.default", "aten.expand.default"):
        return False
    operand = node.args[0].meta["val"]
    return tuple(operand.shape) == tuple(value.shape)


def theirs(exported):
    program = exported.run_decompositions().run_decompositions(get_decomposition_table())
    program.graph.eliminate_dead_code()
    return counted(str(n.target) for n in program.graph.nodes if n.op == "call_function" and not changes_nothing(n))


def ours(cli, path):
    """(operations, operators of unknown form)"""
    done = subprocess.run([cli, "inspect", str(path), "--graph", "--rewritten", "--as", "run-decompositions"], capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip()[:300])
    nodes = [node for graph in parse(done.stdout).values() for node in graph]
    values = {node.name: str(node.value).split(" stride=")[0] for node in nodes}
    calls = [node for node in nodes if node.op == "call_function"]
    for node in calls:
        node.target = node.target.removeprefix("torch.ops.")
    kept = [node.target for node in calls
            if not (node.target in ("aten.view.default", "aten.expand.default") and values.get(node.args[0]) == values[node.name])]
    return counted(kept), re.findall(r"what PyTorch makes of ([\w.]+) is not known", done.stderr)


def check(cli, path, exported):
    """(what is wrong, operators of unknown form)"""
    mine, unknown = ours(cli, path)
    if unknown:
        return [], unknown
    want, problems = theirs(exported), []
    if more := mine - want:
        problems.append(f"only here {dict(more)}")
    if less := want - mine:
        problems.append(f"only in PyTorch {dict(less)}")
    return problems, []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true", help="not only a sample")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    wrong, unknown_ops, compared = 0, collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        def programs():
            for file in arguments.files:
                try:
                    yield file, pathlib.Path(file), torch.export.load(file)
                except RuntimeError as error:
                    print(f"{file}: not read by PyTorch: {str(error).splitlines()[0]}")
            for number, (name, (call, tensors, *dynamic)) in enumerate(({} if arguments.files else PROGRAMS).items()):
                if not arguments.all and number % SAMPLED and name not in {"one_hot"} | OTHER_RULES:
                    continue
                exported = torch.export.export(Call(call), tuple(tensors), dynamic_shapes={"tensors": tuple(dynamic[0])} if dynamic else None)
                path = pathlib.Path(folder, "program.pt2")
                torch.export.save(exported, path)
                yield name, path, exported

        for name, path, exported in programs():
            try:
                problems, unknown = check(arguments.cli, path, exported)
            except Exception as error:
                problems, unknown = [f"{type(error).__name__}: {str(error)[:200]}"], []
            unknown_ops.update(unknown)
            compared += not unknown
            if not arguments.files and bool(unknown) != (name in UNKNOWN):
                problems.append(f"unknown forms: {unknown}" if unknown else "it is known")
            if name in OTHER_RULES:
                problems = [] if problems else ["it is the same"]
            for problem in problems:
                print(f"{name}: {problem}")
                wrong += 1
    print(f"{compared} programs compared; unknown: {dict(unknown_ops)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
