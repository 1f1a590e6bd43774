"""What the cases of registries are written with: a case is a program of one operator, the op class that it must be lowered by, inputs,
and how close its results must be. Values that bite are named here once.
"""
import dataclasses

import torch

CASES = []
# Classes without a handler: a decomposition has their formula, and registries lower its operators.
FORMULAS = set("""
EluOp GeluOp GluOp HardswishOp LeakyReluOp SiluOp SoftplusOp SpecialEntrOp SpecialNdtrOp
CdistForwardOp NativeBatchNormLegitNoStatsOp NativeBatchNormLegitNoTrainingOp NativeBatchNormLegitOp NativeGroupNormOp NativeLayerNormOp
NormScalarOp NormScalarOptDimOp LogSoftmaxOp SoftmaxOp ScaledDotProductFlashAttentionForCpuOp UpsampleBilinear2dVecOp UpsampleNearest2dVecOp
UpsampleTrilinear3dOp StdCorrectionOp StdDefaultOp StdDimOp VarCorrectionOp VarDefaultOp VarDimOp
AdaptiveAvgPool1dOp AdaptiveAvgPool2dOp AdaptiveAvgPool3dOp AddCMulOp AddbmmOp BaddbmmOp HardtanhOp HypotOp LerpOp
ReflectionPad1dOp ReflectionPad2dOp ReflectionPad3dOp ReplicationPad2dOp ReplicationPad3dOp StackOp UnbindOp
""".split())
aten, prims = torch.ops.aten, torch.ops.prims
nan, inf = float("nan"), float("inf")
# (relative, absolute) by the result's type; integers and bool are equal.
TOLERANCES = {torch.float64: (1e-11, 1e-11), torch.float32: (2e-5, 2e-6), torch.float16: (4e-3, 2e-3), torch.bfloat16: (2e-2, 2e-2),
              torch.complex64: (2e-5, 2e-6)}


@dataclasses.dataclass
class Case:
    op_class: str
    name: str
    function: object
    inputs: tuple
    tolerance: tuple = None   # instead of TOLERANCES
    signed_zeros: bool = False  # -0.0 and 0.0 differ
    chains: tuple = ("tosa", "linalg")  # the primary registries of the chains that lower it
    refused: str = None  # a primary registry whose handler must not take it: the chain goes on


class Program(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def add(op_class, name, function, *inputs, **more):
    CASES.append(Case(op_class, f"{op_class}_{name}", function, inputs, **more))


def f(*sizes, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed + sum(sizes))
    return torch.randn(sizes, generator=generator, dtype=torch.float64).to(dtype)


def i(*sizes, dtype=torch.int64, low=-5, high=6, seed=0):
    return torch.randint(low, high, sizes, generator=torch.Generator().manual_seed(seed + sum(sizes)), dtype=dtype)


def b(*sizes, seed=0):
    return i(*sizes, low=0, high=2, seed=seed).bool()


half, bf16, double, i32 = torch.float16, torch.bfloat16, torch.float64, torch.int32
edge = torch.tensor([0.0, -0.0, 1.0, -1.5, 2.5, inf, -inf, nan])
positive = torch.tensor([0.25, 1.0, 2.5, 1e-3, 7.0, inf, nan, 0.0])
lowest_row = torch.tensor([[-inf, -inf, -inf], [-inf, 1.0, -2.0], [nan, 0.0, 1.0]])
