# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that older versions of PyTorch saved: python3 old_archives.py --cli FXSCOPE_CLI [--torch PYTHON] [--only NAME ..]

Caches, tied and sliced weights in the layouts of PyTorch 2.7, 2.8 and of this one. What `fix` writes of each file must compute what the
module computes, and leave in its buffers what it leaves there: values, and which weights share memory, are in pickles of the older layouts.
What fxscope cannot tell must be said as *not known*, and be in NOT_KNOWN. `--torch` names another version of PyTorch that saves the programs.
Skipped (77) without an engine.
"""
import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings
import zipfile

import torch
from torch import nn

warnings.filterwarnings("ignore")
SKIP = 77
PROGRAMS = {}
X = torch.linspace(-1, 1, 8).reshape(2, 4)


def program(*inputs, **state):
    """Makes the decorated forward(self, ..) a program; `state` makes its buffers."""

    def register(forward):
        def make():
            module = type(forward.__name__, (nn.Module,), {"forward": forward})()
            torch.manual_seed(0)
            for name, tensor in state.get("buffers", lambda: {})().items():
                module.register_buffer(name, tensor, persistent=name not in state.get("transient", ()))
            for name, value in state.get("parts", lambda: {})().items():
                setattr(module, name, value)
            return module, inputs

        PROGRAMS[forward.__name__] = make
        return forward

    return register


def same():
    tensor = torch.arange(8.0).reshape(2, 4)
    return {"k": tensor, "j": tensor}


def halves():
    base = torch.arange(16.0).reshape(4, 4)
    return {"k": base[:2], "j": base[2:]}


def overlapping():
    base = torch.arange(16.0).reshape(4, 4)
    return {"k": base[:3], "j": base[1:]}


def transposed():
    base = torch.arange(12.0).reshape(3, 4)
    return {"k": base, "j": base.t()}


@program(X, buffers=lambda: {"k": torch.zeros(2, 4), "j": torch.ones(2, 4)})
def two_of_one_shape(self, x):
    self.k.add_(x)
    return self.k * 2, self.j * 3


@program(X, buffers=lambda: {"k": torch.zeros(2, 4)}, parts=lambda: {"l": nn.Linear(4, 4)})
def cache_and_linear(self, x):
    self.k.add_(self.l(x))
    return self.k * 2


@program(X, buffers=same)
def one_tensor_with_two_names(self, x):
    self.k.add_(x)
    return self.k * 2, self.j * 3


@program(X, buffers=halves)
def halves_of_a_storage(self, x):
    self.k.mul_(x)
    return self.k + 1, self.j + 2


@program(X, buffers=halves)
def other_half_of_a_storage(self, x):
    self.j.sub_(x)
    return self.k + 1, self.j + 2


@program(X, buffers=overlapping)
def overlapping_parts_are_read(self, x):
    return self.k.sum() + x, self.j.sum() + x


@program(torch.ones(3, 4), buffers=overlapping)
def overlapping_parts_are_written(self, x):
    self.k.add_(x)
    return self.k * 2, self.j * 3


@program(X, buffers=transposed)
def weight_and_its_transpose(self, x):
    return x @ self.j, self.k.sum(0)


@program(X, buffers=lambda: {"k": torch.arange(8.0).reshape(4, 2).t()})
def strided_cache(self, x):
    self.k.add_(x)
    return self.k.sum(1)


@program(X, buffers=lambda: {"k": torch.arange(64.0)[8:16].view(2, 4)})
def cache_within_a_storage(self, x):
    self.k.copy_(x + self.k)
    return self.k * 2


@program(X, buffers=lambda: {"k": torch.zeros(4, 4), "at": torch.tensor([1, 3])})
def cache_written_by_index(self, x):
    self.k.index_copy_(0, self.at, x)
    return self.k.sum(0)


@program(X, buffers=lambda: {"k": torch.zeros(4, 4)})
def cache_written_by_slice(self, x):
    self.k[1:3].copy_(x)
    return self.k @ x.t()


@program(X, buffers=lambda: {"n": torch.zeros((), dtype=torch.int64), "k": torch.zeros(2, 4, dtype=torch.float64)})
def counter_and_double_cache(self, x):
    self.n.add_(1)
    self.k.add_(x.double())
    return self.k / self.n


@program(X, buffers=lambda: {"mask": torch.tensor([[True, False, True, False]]), "scale": torch.tensor([1, 2, 3, 4], dtype=torch.int8)})
def booleans_and_small_integers(self, x):
    return torch.where(self.mask, x, 0) * self.scale


@program(X, buffers=lambda: {"sixteen": torch.linspace(0, 1, 4).half(), "brain": torch.linspace(0, 1, 4).bfloat16()})
def half_types(self, x):
    return x * self.sixteen.float() + self.brain.float()


@program(X, buffers=lambda: {"k": torch.ones(2, 4)}, transient=("k",))
def transient_buffer(self, x):
    return x + self.k * 2


@program(X)
def lifted_constant(self, x):
    return x + torch.tensor([1.0, 2.0, 3.0, 4.0])


def tied():
    parts = {"embed": nn.Embedding(8, 4), "head": nn.Linear(4, 8, bias=False)}
    parts["head"].weight = parts["embed"].weight
    return parts


@program(X, parts=tied)
def tied_parameters(self, x):
    return self.head(x) + self.embed.weight.sum()


@program(torch.randn(4, 3, 5, 5), parts=lambda: {"norm": nn.BatchNorm2d(3)})
def batch_norm_updates_statistics(self, x):
    return self.norm(x)


@program(X, buffers=lambda: {"empty": torch.zeros(0, 4), "one": torch.tensor(2.5)})
def nothing_and_one_element(self, x):
    return torch.cat([x, self.empty]) * self.one


# What is said instead of a result, by program.
NOT_KNOWN = {
    "overlapping_parts_are_written": "views with a different shape",
}


def save_2_7(exported, path):
    """serialized_exported_program.json and files of torch.save beside it."""
    from torch._export.serde.serialize import serialize

    artifact = serialize(exported)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("version", "8.2")
        archive.writestr("serialized_exported_program.json", artifact.exported_program)
        archive.writestr("serialized_state_dict.pt", artifact.state_dict)
        archive.writestr("serialized_constants.pt", artifact.constants)
        archive.writestr("serialized_example_inputs.pt", artifact.example_inputs)


def save_2_8(exported, path):
    """models/model.json, and files of torch.save under data."""
    from torch._export.serde.serialize import serialize

    artifact = serialize(exported)
    writer = torch._C.PyTorchFileWriter(str(path))
    for member, data in (("archive_format", b"pt2"), ("archive_version", b"0"), ("models/model.json", artifact.exported_program),
                         ("data/weights/model.pt", artifact.state_dict), ("data/constants/model.pt", artifact.constants),
                         ("data/sample_inputs/model.pt", artifact.example_inputs)):
        writer.write_record(member, data, len(data))
    writer.write_end_of_file()


LAYOUTS = {"2.7": save_2_7, "2.8": save_2_8, "": torch.export.save}


def state_of(module):
    return {name: tensor for name, tensor in module.named_buffers()}


def wrong(cli, name, path, directory):
    """How what fxscope writes of the file differs from the module; "" if it does not."""
    module, inputs = PROGRAMS[name]()
    with torch.no_grad():
        results = module(*copy.deepcopy(inputs))
    expected = [x.detach() for x in torch.utils._pytree.tree_leaves(results)]
    fixed = directory / "fixed.pt2"
    done = subprocess.run([cli, "fix", path, "--to", "linalg-on-tensors", "-o", fixed], capture_output=True, text=True, timeout=300)
    if name in NOT_KNOWN:
        return "" if NOT_KNOWN[name] in done.stdout + done.stderr else f"it is not said that it is not known: {done.stdout}{done.stderr}"
    if done.returncode != 0:
        return f"fix: exit {done.returncode}: {done.stdout[-800:]}{done.stderr[-800:]}"
    inspected = json.loads(subprocess.run([cli, "inspect", path, "--json"], capture_output=True, text=True, check=True).stdout)
    if unread := [weight["why_not"] for weight in inspected["weights"] if not weight["readable"]]:
        return f"not read: {unread}"
    loaded = torch.export.load(fixed).module(check_guards=False)
    with torch.no_grad():
        got = torch.utils._pytree.tree_leaves(loaded(*copy.deepcopy(inputs)))
    try:
        torch.testing.assert_close([x.detach() for x in got], expected, rtol=1e-5, atol=1e-6)
        after = state_of(loaded)
        for buffer, tensor in state_of(module).items():
            if buffer in after:
                torch.testing.assert_close(after[buffer], tensor, rtol=1e-5, atol=1e-6, check_stride=False)
    except AssertionError as error:
        return f"differs: {' '.join(str(error).split())[:400]}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--torch", help="a Python whose PyTorch saves the programs")
    parser.add_argument("--save", type=pathlib.Path, help="only saves them in this folder")
    options = parser.parse_args()
    names = options.only or list(PROGRAMS)
    if options.save:
        for name in names:
            module, inputs = PROGRAMS[name]()
            torch.export.save(torch.export.export(module, inputs, strict=False), options.save / f"{name}.pt2")
        return
    if subprocess.run([options.cli, "engine"], capture_output=True).returncode != 0:
        print("there is no engine")
        sys.exit(SKIP)
    failed = count = 0
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        layouts = LAYOUTS
        if options.torch:
            layouts = {"": None}
            subprocess.run([options.torch, __file__, "--cli", "", "--save", directory, "--only", *names], check=True)
        for program_name in names:
            for layout, save in layouts.items():
                path = directory / f"{program_name}.pt2"
                if save:
                    module, inputs = PROGRAMS[program_name]()
                    save(torch.export.export(module, inputs, strict=False), path)
                count += 1
                if what := wrong(options.cli, program_name, path, directory):
                    failed += 1
                    print(f"{program_name}{' as saved by ' + layout if layout else ''}: {what}")
    print(f"{count - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
