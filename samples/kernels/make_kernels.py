"""Writes the Device IR of the kernels here, with fxscope_capture.py: one JSON file each, without stack traces.

    pip install torch==2.13.0 packaging numpy && pip install --no-deps helion==1.5.1 rich psutil filecheck markdown-it-py mdurl pygments
    python samples/kernels/make_kernels.py [FOLDER]

Binding a kernel needs no GPU and compiles nothing.
"""
import json
import pathlib
import sys

import helion
import helion.language as hl
import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "resources" / "python"))
import fxscope_capture  # noqa: E402


def kernel(static):
    return helion.kernel(static_shapes=static, autotune_effort="none")


@kernel(False)
def matmul(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    m, k = x.size()
    k2, n = y.size()
    out = torch.empty([m, n], dtype=torch.promote_types(x.dtype, y.dtype), device=x.device)
    for tile_m, tile_n in hl.tile([m, n]):
        acc = hl.zeros([tile_m, tile_n], dtype=torch.float32)
        for tile_k in hl.tile(k):
            acc = torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])
        out[tile_m, tile_n] = acc
    return out


@kernel(True)
def matmul_f16(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    m, k = x.size()
    k2, n = y.size()
    out = torch.empty([m, n], dtype=torch.promote_types(x.dtype, y.dtype), device=x.device)
    for tile_m, tile_n in hl.tile([m, n]):
        acc = hl.zeros([tile_m, tile_n], dtype=torch.float32)
        for tile_k in hl.tile(k):
            acc = torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])
        out[tile_m, tile_n] = torch.relu(acc)
    return out


@kernel(True)
def softmax(x: torch.Tensor) -> torch.Tensor:
    n, _m = x.size()
    out = torch.empty_like(x)
    for tile_n in hl.tile(n):
        out[tile_n, :] = torch.nn.functional.softmax(x[tile_n, :], dim=1)
    return out


@kernel(True)
def max_dim(x: torch.Tensor):
    n, m = x.size()
    values = torch.empty([n], dtype=x.dtype, device=x.device)
    indices = torch.empty([n], dtype=torch.int64, device=x.device)
    for tile_n in hl.tile(n):
        a = torch.argmax(x[tile_n, :], dim=1)
        b = torch.amax(x[tile_n, :], dim=1)
        values[tile_n] = b
        indices[tile_n] = a
    return values, indices


@kernel(True)
def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    B, M, D = q.size()
    N = k.size(1)
    D = hl.specialize(D)
    out = torch.empty_like(q)
    scale = 1.0 / (D**0.5) * 1.44269504
    for tile_b, tile_m in hl.tile([B, M]):
        m_i = hl.full([tile_b, tile_m], float("-inf"), dtype=torch.float32)
        l_i = torch.full_like(m_i, 1.0)
        acc = hl.zeros([tile_b, tile_m, D], dtype=torch.float32)
        qq = q[tile_b, tile_m, :]
        for tile_n in hl.tile(N):
            kk = k[tile_b, tile_n, :]
            qk = torch.bmm(qq, kk.transpose(1, 2))
            m_ij = torch.maximum(m_i, torch.amax(qk, -1) * scale)
            qk = qk * scale - m_ij[:, :, None]
            p = torch.exp2(qk)
            l_ij = torch.sum(p, -1)
            alpha = torch.exp2(m_i - m_ij)
            l_i = l_i * alpha + l_ij
            acc = acc * alpha[:, :, None]
            vv = v[tile_b, tile_n, :]
            acc = torch.baddbmm(acc, p.to(vv.dtype), vv)
            m_i = m_ij
        acc = acc / l_i[:, :, None]
        out[tile_b, tile_m, :] = acc.to(out.dtype)
    return out


@kernel(True)
def layer_norm(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    n, m = x.size()
    out = torch.empty_like(x)
    for tile in hl.tile(n):
        a = x[tile, :].to(torch.float32)
        var, mean = torch.var_mean(a, dim=-1, keepdim=True, correction=0)
        o = (a - mean) * torch.rsqrt(var + eps)
        out[tile, :] = (o * w[:].to(torch.float32) + b[:].to(torch.float32)).to(x.dtype)
    return out


@kernel(True)
def add_if(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    (n,) = x.size()
    out = torch.empty_like(x)
    for tile in hl.tile(n):
        v = x[tile] + y[tile] * 2.0
        if tile.begin == 0:
            v = torch.sigmoid(v)
        out[tile] = torch.where(v > 0, v, x[tile])
    return out


@kernel(False)
def sum_rows(x: torch.Tensor) -> torch.Tensor:
    n, m = x.size()
    out = torch.empty([n], dtype=x.dtype, device=x.device)
    for tile in hl.tile(n):
        out[tile] = x[tile, :].sum(-1)
    return out


@kernel(True)
def cubic_gelu(x: torch.Tensor, share: float) -> torch.Tensor:
    (n,) = x.size()
    out = torch.empty_like(x)
    for tile in hl.tile(n):
        v = x[tile]
        out[tile] = torch.clamp(torch.nn.functional.gelu(v * v * v), max=share) * (1.0 - share)
    return out


@kernel(True)
def dot_f16(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    m, k = x.size()
    k2, n = y.size()
    out = torch.empty([m, n], dtype=torch.float32, device=x.device)
    for tile_m, tile_n in hl.tile([m, n]):
        acc = hl.zeros([tile_m, tile_n], dtype=torch.float32)
        for tile_k in hl.tile(k):
            acc = hl.dot(x[tile_m, tile_k], y[tile_k, tile_n], acc=acc)
        out[tile_m, tile_n] = acc
    return out


@kernel(True)
def turned_pairs(x: torch.Tensor) -> torch.Tensor:
    n, m, _two = x.size()
    out = torch.empty_like(x)
    for tile_n, tile_m in hl.tile([n, m]):
        a, b = hl.split(x[tile_n, tile_m, :])
        out[tile_n, tile_m, :] = hl.join(-b, a)
    return out


@kernel(True)
def gather_rows(ids: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    (n,) = ids.size()
    _rows, width = table.size()
    out = torch.empty([n, width], dtype=table.dtype, device=table.device)
    for tile_n, tile_w in hl.tile([n, width]):
        out[tile_n, tile_w] = table[ids[tile_n], tile_w]
    return out


@kernel(True)
def scatter_rows(ids: torch.Tensor, x: torch.Tensor, rows: int) -> torch.Tensor:
    n, width = x.size()
    out = torch.zeros([hl.specialize(rows), width], dtype=x.dtype, device=x.device)
    for tile_n, tile_w in hl.tile([n, width]):
        hl.atomic_add(out, [ids[tile_n], tile_w], x[tile_n, tile_w])
    return out


@kernel(True)
def joined_columns(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    n, a = x.size()
    _n, b = y.size()
    out = torch.empty([n, a + b], dtype=x.dtype, device=x.device)
    for tile_n, tile_m in hl.tile(out.size()):
        is_left = (tile_m.index < a)[None, :]
        left = hl.load(x, [tile_n, tile_m], extra_mask=is_left)
        right = hl.load(y, [tile_n, tile_m.index - a], extra_mask=(tile_m.index >= a)[None, :])
        out[tile_n, tile_m] = torch.where(is_left, left, right)
    return out


@kernel(True)
def jagged_sum(x: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
    _total, m = x.size()
    rows = offsets.size(0) - 1
    out = torch.zeros([rows, m], dtype=x.dtype, device=x.device)
    flat = x.view(-1)
    for tile_b in hl.tile(rows):
        starts = offsets[tile_b]
        lengths = offsets[tile_b.index + 1] - starts
        for tile_m in hl.tile(m):
            acc = hl.zeros([tile_b, tile_m], dtype=x.dtype)
            for tile_k in hl.jagged_tile(lengths):
                at = (starts[:, None] + tile_k.index[None, :])[:, :, None] * m + tile_m.index[None, None, :]
                acc = acc + hl.load(flat, [at]).sum(dim=1)
            out[tile_b, tile_m] = acc
    return out


@kernel(True)
def two_steps(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    n, m = x.size()
    sums = torch.empty([n], dtype=x.dtype, device=x.device)
    out = torch.empty_like(x)
    for tile_n in hl.tile(n):
        sums[tile_n] = x[tile_n, :].sum(-1)
    hl.barrier()
    for tile_n, tile_m in hl.tile([n, m]):
        out[tile_n, tile_m] = x[tile_n, tile_m] - sums[tile_n][:, None]
    return sums, out


R = torch.randn
IDS = torch.tensor([3, 0, 7, 7, 2, 5, 1, 9, 4, 4, 6, 0, 8])
OFFSETS = torch.tensor([0, 3, 8, 8, 15, 20])
KERNELS = {
    "matmul": (matmul, (R(64, 32), R(32, 48))),
    "matmul_f16": (matmul_f16, (R(64, 32).half(), R(32, 48).half())),
    "softmax": (softmax, (R(64, 100),)),
    "max_dim": (max_dim, (R(64, 100),)),
    "attention": (attention, (R(2, 64, 32), R(2, 64, 32), R(2, 64, 32))),
    "layer_norm": (layer_norm, (R(32, 64), R(64), R(64))),
    "add_if": (add_if, (R(100), R(100))),
    "sum_rows": (sum_rows, (R(64, 100),)),
    "cubic_gelu": (cubic_gelu, (R(100), 0.25)),
    "dot_f16": (dot_f16, (R(32, 40).half(), R(40, 48).half())),
    "turned_pairs": (turned_pairs, (R(20, 24, 2),)),
    "gather_rows": (gather_rows, (IDS, R(10, 24))),
    "scatter_rows": (scatter_rows, (IDS, R(13, 24), 10)),
    "joined_columns": (joined_columns, (R(20, 40), R(20, 25))),
    "jagged_sum": (jagged_sum, (R(20, 12), OFFSETS)),
    "two_steps": (two_steps, (R(20, 30),)),
}
PRIVATE = ("stack_trace", "location", "seq_nr")


def write(name, folder):
    path = folder / f"{name}.json"
    fxscope_capture.helion(*KERNELS[name], str(path))
    ir = json.loads(path.read_text())
    for graph in ir["graphs"]:
        for node in graph["nodes"]:
            node["meta"] = {key: value for key, value in node["meta"].items() if key not in PRIVATE}
    path.write_text(json.dumps(ir, separators=(",", ":")) + "\n")
    return path


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for each in KERNELS:
        print(write(each, target))
