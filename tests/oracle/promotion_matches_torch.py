# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares type promotion, broadcasting and the counting of dimensions (core/ops/promotion.h, core/ops/shapes.h) with PyTorch: every pair
of element types as every pair of kinds of operand (a tensor with dimensions, one without, a Python number), all triples of tensors, and
shapes of up to three dimensions.

python3 promotion_matches_torch.py --promotions PROGRAM"""
import argparse
import itertools
import subprocess
import sys
import warnings

import torch
import torch._prims_common as prims

warnings.simplefilter("ignore")

DTYPES = ("uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 bool bfloat16 uint16 uint32 uint64 "
          "float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu").split()
NUMBERS = {"bool": True, "int64": 1, "float32": 1.0, "complex64": 1j}
TRIPLES = ("uint8", "int8", "int64", "float16", "float32", "float64", "bool", "bfloat16")
SHAPES = [shape for rank in range(4) for shape in itertools.product((0, 1, 2, 3), repeat=rank)]


def operands():
    """(kind:dtype, what PyTorch takes) of every kind of operand."""
    for name in DTYPES:
        yield f"tensor:{name}", torch.empty(2, dtype=getattr(torch, name))
        yield f"zero_dim:{name}", torch.empty((), dtype=getattr(torch, name))
    for name, number in NUMBERS.items():
        yield f"number:{name}", number


def dtype_text(dtype):
    return str(dtype).removeprefix("torch.")


def asked(function, *arguments):
    try:
        return function(*arguments)
    except (RuntimeError, IndexError):
        return "-"


def shape_text(shape):
    return "-" if shape == "-" else ",".join(map(str, shape)) or "."


def questions():
    """(question, PyTorch's answer)."""
    for a, b in itertools.product(DTYPES, repeat=2):
        yield f"promote_types {a} {b}", dtype_text(asked(torch.promote_types, getattr(torch, a), getattr(torch, b)))
    for (a, left), (b, right) in itertools.product(operands(), repeat=2):
        yield f"result_type {a} {b}", dtype_text(asked(torch.result_type, left, right))
    # Of three operands PyTorch has no function; clamp gives the type that they promote to.
    kinds = [(f"{kind}:{name}", torch.empty(shape, dtype=getattr(torch, name), device="meta"))
             for name in TRIPLES for kind, shape in (("tensor", 2), ("zero_dim", ()))]
    for three in itertools.product(kinds, repeat=3):
        yield "result_type " + " ".join(name for name, _ in three), dtype_text(torch.clamp(*(tensor for _, tensor in three)).dtype)
    for name in DTYPES:
        dtype = getattr(torch, name)
        yield f"computation_type {name}", dtype_text(prims.get_computation_dtype(dtype))
        # sqrt is of the kind INT_TO_FLOAT.
        if not name.startswith("float8"):
            yield f"integer_to_float {name}", dtype_text(torch.sqrt(torch.empty(2, dtype=dtype, device="meta")).dtype)
    for a, b in itertools.product(SHAPES, repeat=2):
        yield f"broadcast {shape_text(a)} {shape_text(b)}", shape_text(asked(torch.broadcast_shapes, a, b))
    for rank, dim in itertools.product(range(4), range(-6, 6)):
        x = torch.empty((1,) * rank)
        yield f"wrap_dim {dim} {rank}", str(dim % max(rank, 1)) if asked(torch.sum, x, dim) != "-" else "-"
    for size, at in itertools.product(range(5), range(-7, 7)):
        x = torch.arange(size)
        index = asked(torch.select, x, 0, at)
        yield f"wrap_index {at} {size}", "-" if isinstance(index, str) else str(index.item())
        yield f"slice_bound {at} {size}", str(size - x[at:].numel())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--promotions", required=True, help="the program that asks core/ops")
    options = parser.parse_args()
    asked_of_torch = list(questions())
    text = "".join(question + "\n" for question, _ in asked_of_torch)
    answers = subprocess.run([options.promotions], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(answers) == len(asked_of_torch), f"{len(asked_of_torch)} questions, {len(answers)} answers"
    wrong = [(question, expected, answer) for (question, expected), answer in zip(asked_of_torch, answers) if expected != answer]
    for question, expected, answer in wrong[:50]:
        print(f"{question}: PyTorch says {expected}, fxscope {answer}")
    print(f"{len(answers)} answers, {len(wrong)} of them differ from PyTorch {torch.__version__}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
