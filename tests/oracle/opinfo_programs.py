# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of one operator each from PyTorch's OpInfo database: its samples, in all element types that it lists for the CPU.

`programs()` gives (kind, name, export) in a fixed random order, one sample of every operator before the second of any, each any of its samples.
The tensors of a sample are the program's inputs, what else it has are constants. Operators whose results are random or uninitialized are left out, and with
`complex=False` complex types: TOSA has none. PyTorch's database needs the package expecttest.
"""
import random
import warnings

import torch

warnings.filterwarnings("ignore")
SAMPLES_PER_TYPE = 3
MOST_SAMPLES = 1000  # more than an operator has
LEFT_OUT = ("empty", "rand", "bernoulli", "multinomial", "normal", "dropout", "cauchy", "exponential", "geometric", "uniform", "log_normal", "to_sparse", "jiterator",
            "new_empty", "sparse", "nested", "equal", "item", "tolist", "rrelu", "alpha", "as_strided_copy", "view_copy")


class Sample(torch.nn.Module):
    """An operator with the sample's constants; forward() takes its tensors."""

    def __init__(self, operator, leaves, spec):
        super().__init__()
        self.operator, self.spec = operator, spec
        self.leaves = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        self.where = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    def forward(self, *tensors):
        leaves = list(self.leaves)
        for i, tensor in zip(self.where, tensors, strict=True):
            leaves[i] = tensor
        args, kwargs = torch.utils._pytree.tree_unflatten(leaves, self.spec)
        results = self.operator(*args, **kwargs)
        return tuple(results) if isinstance(results, tuple) else results  # a named tuple is not saved


def exporter(info, dtype, index):
    def export():
        torch.manual_seed(11)
        samples = list(info.sample_inputs("cpu", dtype, requires_grad=False))  # all first: the generator changes the gradient mode
        sample = samples[random.Random(f"{info.name}{dtype}{index}").randrange(MOST_SAMPLES) % len(samples)]
        leaves, spec = torch.utils._pytree.tree_flatten(((sample.input, *sample.args), sample.kwargs))
        tensors = tuple(leaf.detach() for leaf in leaves if isinstance(leaf, torch.Tensor))
        return torch.export.export(Sample(info.op, leaves, spec), tensors, strict=False)
    return export


def programs(complex=False):  # noqa: A002 - PyTorch's word
    from torch.testing._internal.common_methods_invocations import op_db
    by_rank = []
    for info in op_db:
        if any(word in info.name for word in LEFT_OUT):
            continue
        label = info.name.replace(".", "_") + (f"_{info.variant_test_name}" if info.variant_test_name else "")
        own = [(index, dtype) for index in range(SAMPLES_PER_TYPE) for dtype in sorted(info.dtypes, key=str)
               if complex or not dtype.is_complex]
        random.Random(label).shuffle(own)
        for rank, (index, dtype) in enumerate(own):
            by_rank.append((rank, random.Random(f"{label}{rank}").random(), f"{label}_{str(dtype).removeprefix('torch.')}_{index}", exporter(info, dtype, index)))
    return [("opinfo", name, export) for _, _, name, export in sorted(by_rank, key=lambda entry: entry[:2])]
