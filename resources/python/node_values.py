"""Computes an exported program in PyTorch and writes the value of every node.

    python3 node_values.py PROGRAM.pt2 SEED INPUTS.safetensors VALUES.safetensors [INPUTS.safetensors VALUES.safetensors ..]

PROGRAM is a file that fxscope wrote: nothing in it is a pickle. It is loaded once and run for each INPUTS. These have one tensor per user
input that is not a constant, named "0", "1" .. in order. VALUES has the result of each call under the name of its node, "node#0",
"node#1" .. if it is a tuple; outputs are "output#0" .. in order; an input, buffer or parameter that was changed in place is "node#after".
Prints a JSON object a line: {"python", "torch"}; then for each INPUTS {"node", "skipped"} for each value that cannot be written,
{"node", "taken"} for the branch of a condition or the number of trips of a loop, at last {"values"}, or {"node", "error"} if the program
failed there.
"""
import ctypes
import json
import os
import shutil
import struct
import sys

import torch
from torch.utils._pytree import tree_leaves

NAMES = {  # of element types in safetensors
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "C64": "complex64",
    "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8", "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8",
    "BOOL": "bool", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2", "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz", "F8_E8M0": "float8_e8m0fnu",
}
DTYPES = {name: getattr(torch, dtype) for name, dtype in NAMES.items() if hasattr(torch, dtype)}
OF_SCALARS = {bool: torch.bool, int: torch.int64, float: torch.float64}


def say(**what):
    print(json.dumps(what), flush=True)


def first_line(error):
    while error.__cause__ is not None:
        error = error.__cause__
    text = str(error).strip()
    return f"{type(error).__name__}: {text.splitlines()[0][:300]}" if text else type(error).__name__


def read_tensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = bytearray(file.read())
    out = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        dtype = DTYPES[entry["dtype"]]
        flat = torch.frombuffer(data[begin:end], dtype=dtype) if end > begin else torch.empty(0, dtype=dtype)
        out[name] = flat.reshape(entry["shape"])
    return out


class Writer:
    """Writes each tensor at once: its node may be changed in place later. The header, which comes first, is known only at the end."""

    def __init__(self, path):
        self.path, self.header, self.size = path, {}, 0
        self.data = open(path + ".data", "wb")

    def add(self, name, value):
        if type(value) in OF_SCALARS:
            value = torch.tensor(value, dtype=OF_SCALARS[type(value)])
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"a value of type {type(value).__name__}")
        value = value.detach().resolve_conj().resolve_neg().cpu().contiguous()
        dtype = next((name for name, dtype in DTYPES.items() if dtype == value.dtype), None)
        if dtype is None:
            raise TypeError(f"elements of type {value.dtype}")
        length = value.numel() * value.element_size()
        if length:
            self.data.write((ctypes.c_char * length).from_address(value.data_ptr()))
        self.header[name] = {"dtype": dtype, "shape": list(value.shape), "data_offsets": [self.size, self.size + length]}
        self.size += length

    def close(self):
        self.data.close()
        header = json.dumps(self.header).encode()
        header += b" " * (-len(header) % 8)
        with open(self.path, "wb") as file, open(self.data.name, "rb") as data:
            file.write(struct.pack("<Q", len(header)) + header)
            shutil.copyfileobj(data, file)
        os.remove(self.data.name)


class Recorder(torch.fx.Interpreter):
    def __init__(self, module, writer):
        super().__init__(module)
        self.writer, self.node = writer, None

    def keep(self, name, value):
        try:
            self.writer.add(name, value)
        except OSError:  # the disk is full, or the file is as large as allowed
            raise
        except Exception as error:
            say(node=name, skipped=first_line(error))

    def run_node(self, node):
        self.node = node.name
        result = super().run_node(node)
        if node.op == "output":
            for i, value in enumerate(tree_leaves(result)):
                if value is not None:
                    self.keep(f"output#{i}", value)
        elif node.op == "call_function" and isinstance(result, (tuple, list)):
            for i, value in enumerate(result):
                if value is not None:
                    self.keep(f"{node.name}#{i}", value)
        elif node.op == "call_function" and result is not None:
            self.keep(node.name, result)
        return result

    def call_function(self, target, args, kwargs):
        if target is torch.ops.higher_order.cond:
            say(node=self.node, taken="true" if bool(args[0]) else "false")
        if target is not torch.ops.higher_order.while_loop:
            return super().call_function(target, args, kwargs)
        trips, body = 0, args[1]

        def counted(*values):
            nonlocal trips
            trips += 1
            return body(*values)

        result = super().call_function(target, (args[0], counted, *args[2:]), kwargs)
        say(node=self.node, taken="several" if trips > 1 else str(trips))
        return result


def with_strides(value, node):
    """The tensor with the strides that the program was exported for."""
    example = node.meta.get("val")
    strides = example.stride() if isinstance(example, torch.Tensor) and example.layout == torch.strided else ()
    if not strides or not all(type(s) is int for s in strides) or 0 in strides or strides == value.stride():
        return value
    return torch.empty_strided(value.shape, strides, dtype=value.dtype).copy_(value)


def arguments(exported, given):
    """The values of the placeholders: weights, constants and the given inputs."""
    placeholders = [n for n in exported.graph.nodes if n.op == "placeholder"]
    number = 0
    for spec, node in zip(exported.graph_signature.input_specs, placeholders):
        if spec.target is not None:
            stored = exported.state_dict if spec.target in exported.state_dict else exported.constants
            value = stored.get(spec.target)  # None: an object that the program does not use
            yield value.detach() if isinstance(value, torch.Tensor) else value
        elif spec.kind.name == "TOKEN":
            yield torch.empty(0)
        elif type(spec.arg).__name__ == "ConstantArgument":
            yield spec.arg.value
        else:
            value = given[str(number)]
            number += 1
            is_tensor = isinstance(node.meta.get("val"), torch.Tensor)
            yield with_strides(value, node) if is_tensor else value.item()


def load(path):
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 9):
        raise RuntimeError("PyTorch 2.9 or later is required")
    # As torch.export.load, which hides why a program cannot be loaded.
    from torch.export.pt2_archive._package import load_pt2

    return load_pt2(path).exported_programs["model"]


class Program:
    """The program, loaded again after a run that changed its weights in place."""

    def __init__(self, path):
        self.path, self.exported = path, None

    def compute(self, inputs, writer, seed):
        """Where it failed and why, or (None, None)."""
        self.exported = self.exported or load(self.path)
        exported = self.exported
        names = [n.name for n in exported.graph.nodes if n.op == "placeholder"]
        with torch.no_grad():
            start = list(arguments(exported, read_tensors(inputs)))
            versions = [getattr(value, "_version", 0) for value in start]
            torch.manual_seed(seed)
            recorder = Recorder(exported.graph_module, writer)
            failed = None, None
            try:
                recorder.run(*start)
            except Exception as raised:
                failed = recorder.node, raised
            for name, value, version in zip(names, start, versions):
                if getattr(value, "_version", 0) != version:
                    recorder.keep(f"{name}#after", value)
                    self.exported = None
        return failed


def main():
    path, seed, *files = sys.argv[1:]
    say(python=sys.version.split()[0], torch=torch.__version__)
    program = Program(path)
    for inputs, values in zip(files[::2], files[1::2]):
        writer = Writer(values)
        try:
            node, error = program.compute(inputs, writer, int(seed))
        except Exception as raised:  # whatever PyTorch raises is the answer
            node, error = None, raised
        writer.close()
        if error is None:
            say(values=len(writer.header))
        else:
            say(node=node, error=first_line(error))


main()
