# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs functions on tensors (and on numbers: i1, i64, f64) in one MLIR module on the CPU, with the Python bindings of the torch-mlir wheel alone.

Dialects: tosa, linalg, tensor, arith, math, complex, scf. A Module is compiled once; call() takes and gives torch tensors. bfloat16 goes
through its bits, as NumPy does not have it.
"""
import ctypes

import numpy as np
import torch
from torch_mlir import ir, passmanager
from torch_mlir.execution_engine import ExecutionEngine

LOWERING = (
    "builtin.module(func.func(tosa-optional-decompositions,tosa-to-linalg-named,canonicalize,tosa-to-linalg,tosa-to-tensor,tosa-to-arith,"
    "tosa-to-scf),convert-elementwise-to-linalg,empty-tensor-to-alloc-tensor,"
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map},scf-forall-to-for,canonicalize,"
    "expand-strided-metadata,convert-linalg-to-loops,lower-affine,convert-bufferization-to-memref,memref-expand,arith-expand,"
    "convert-scf-to-cf,func.func(llvm-request-c-wrappers),convert-complex-to-llvm,convert-math-to-llvm,convert-math-to-libm,"
    "expand-strided-metadata,lower-affine,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,"
    "convert-cf-to-llvm,convert-arith-to-llvm,reconcile-unrealized-casts)"
)
DTYPES = {
    "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "i1": torch.bool, "i8": torch.int8,
    "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "complex<f32>": torch.complex64, "complex<f64>": torch.complex128,
}


# Where a processor converts between f64 and f16 in no instruction of its own, compiled code calls these functions of GCC's library.
ctypes.CDLL("libgcc_s.so.1", mode=ctypes.RTLD_GLOBAL)


# And these, which GCC 12's does not have. The sixteen bits of the result lie where those of a float begin.
@ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_double)
def double_to_bfloat16(value):
    rounded = np.float32(value)
    bits = int(rounded.view(np.uint32))
    if value != value:
        return float(np.uint32(bits >> 16 | 0x40).view(np.float32))
    if np.isfinite(rounded) and float(rounded) != value:  # to odd, so that the next rounding is the only one
        bits = (bits - (abs(float(rounded)) > abs(value))) | 1
    return float(np.uint32((bits + 0x7fff + (bits >> 16 & 1)) >> 16).view(np.float32))


@ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_float)
def float_to_bfloat16(value):
    return double_to_bfloat16(value)


class Failed(Exception):
    """The module does not parse, or a pass or the compiler refuses it."""


def descriptor(rank):
    fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64)]
    if rank:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type(f"MemRef{rank}", (ctypes.Structure,), {"_fields_": fields})


def array_of(tensor):
    tensor = tensor.detach().resolve_conj().contiguous()
    return (tensor.view(torch.int16) if tensor.dtype is torch.bfloat16 else tensor).numpy()


def described(array):
    """A memref of an array, which must live as long."""
    memref = descriptor(array.ndim)()
    memref.allocated = memref.aligned = array.ctypes.data
    for i in range(array.ndim):
        memref.sizes[i], memref.strides[i] = array.shape[i], array.strides[i] // array.itemsize
    return memref


def tensor_of(memref, sizes, dtype):
    """A copy of what a memref holds."""
    stored = torch.int16 if dtype is torch.bfloat16 else dtype
    kind = torch.empty(0, dtype=stored).numpy().dtype
    count = 1
    for size in sizes:
        count *= size
    if count == 0:
        return torch.empty(sizes, dtype=dtype)
    strides = list(memref.strides) if sizes else []
    span = 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))
    raw = (ctypes.c_char * (span * kind.itemsize)).from_address(memref.aligned + memref.offset * kind.itemsize)
    view = np.lib.stride_tricks.as_strided(np.frombuffer(raw, dtype=kind), sizes, [s * kind.itemsize for s in strides])
    out = torch.from_numpy(np.array(view))
    return out.view(torch.bfloat16) if dtype is torch.bfloat16 else out


@ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
def memref_copy(item, source, target):
    """The one function of MLIR's C runtime that bufferized code calls; the wheel does not have it."""

    def view(unranked):
        rank = ctypes.c_int64.from_address(unranked).value
        at = ctypes.c_void_p.from_address(unranked + 8).value
        memref = descriptor(rank).from_address(at)
        sizes, strides = (list(memref.sizes), list(memref.strides)) if rank else ([], [])
        if 0 in sizes:
            return np.empty(sizes, dtype=f"V{item}")
        span = 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))
        raw = (ctypes.c_char * (span * item)).from_address(memref.aligned + memref.offset * item)
        return np.lib.stride_tricks.as_strided(np.frombuffer(raw, dtype=f"V{item}"), sizes, [s * item for s in strides])

    to = view(target)
    if to.size:
        to[...] = view(source)


class Module:
    def __init__(self, text, optimize=0):
        self.context = ir.Context()
        with self.context, ir.Location.unknown():
            try:
                module = ir.Module.parse(text)
                self.results = {}
                for operation in module.body.operations:
                    if operation.operation.name == "func.func" and "sym_visibility" not in operation.operation.attributes:
                        name = ir.StringAttr(operation.operation.attributes["sym_name"]).value
                        types = ir.FunctionType(ir.TypeAttr(operation.operation.attributes["function_type"]).value).results
                        ranked = [ir.RankedTensorType(t) for t in types]
                        self.results[name] = [(list(t.shape), DTYPES[str(t.element_type)]) for t in ranked]
                passmanager.PassManager.parse(LOWERING).run(module.operation)
                self.engine = ExecutionEngine(module, opt_level=optimize)
            except Exception as error:
                raise Failed(str(error)[:2000]) from None
        self.register()

    def register(self):
        """What compiled code calls."""
        for name, function in (("memrefCopy", memref_copy), ("__truncsfbf2", float_to_bfloat16), ("__truncdfbf2", double_to_bfloat16)):
            self.engine.raw_register_runtime(name, ctypes.cast(function, ctypes.c_void_p))

    def call(self, name, *inputs):
        arrays = [tensor if isinstance(tensor, (bool, int, float)) else array_of(tensor).copy() for tensor in inputs]
        numbers = {bool: ctypes.c_bool, int: ctypes.c_int64, float: ctypes.c_double}
        values = [numbers[type(a)](a) if type(a) in numbers else ctypes.pointer(described(a)) for a in arrays]
        specs = self.results[name]
        kinds = [descriptor(len(sizes)) for sizes, _ in specs]
        result = type("Results", (ctypes.Structure,), {"_fields_": [(f"r{i}", kind) for i, kind in enumerate(kinds)]})()
        arguments = [ctypes.pointer(value) for value in values]
        self.engine.invoke(name, ctypes.pointer(ctypes.pointer(result)), *arguments)
        found = [getattr(result, f"r{i}") for i in range(len(specs))]
        return [tensor_of(memref, list(memref.sizes) if sizes else [], dtype) for memref, (sizes, dtype) in zip(found, specs)]
