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
import math
import mmap
import operator
import os
import shutil
import struct
import sys
import zipfile

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


def branch(predicate, if_true, if_false, operands=()):
    return (if_true if bool(predicate) else if_false)(*operands)


def loop(condition, body, carried, additional=()):
    values = tuple(carried)
    while bool(condition(*values, *additional)):
        values = tuple(body(*values, *additional))
    return values


class Recorder(torch.fx.Interpreter):
    def __init__(self, program, writer):
        super().__init__(program.module, graph=program.graph)
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
        if target in (torch.ops.higher_order.cond, branch):
            say(node=self.node, taken="true" if bool(args[0]) else "false")
        if target not in (torch.ops.higher_order.while_loop, loop):
            return super().call_function(target, args, kwargs)
        trips, body = 0, args[1]

        def counted(*values):
            nonlocal trips
            trips += 1
            return body(*values)

        result = super().call_function(target, (args[0], counted, *args[2:]), kwargs)
        say(node=self.node, taken="several" if trips > 1 else str(trips))
        return result


def with_strides(value, strides):
    """The tensor with the strides that the program was exported for."""
    if not strides or not all(type(s) is int for s in strides) or 0 in strides or strides == value.stride():
        return value
    return torch.empty_strided(value.shape, strides, dtype=value.dtype).copy_(value)


class Exported:
    """The program as torch.export reads it."""

    def __init__(self, path):
        # As torch.export.load, which hides why a program cannot be loaded.
        from torch.export.pt2_archive._package import load_pt2

        self.exported = load_pt2(path).exported_programs["model"]
        self.module, self.graph = self.exported.graph_module, self.exported.graph_module.graph

    def arguments(self, given):
        """The values of the placeholders: weights, constants and the given inputs."""
        exported, number = self.exported, 0
        placeholders = [n for n in exported.graph.nodes if n.op == "placeholder"]
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
                value, example = given[str(number)], node.meta.get("val")
                number += 1
                is_strided = isinstance(example, torch.Tensor) and example.layout == torch.strided
                is_tensor = isinstance(example, torch.Tensor)
                yield with_strides(value, example.stride() if is_strided else ()) if is_tensor else value.item()


class NotPlain(Exception):
    """What only torch.export reads."""


class Plain:
    """The same program, if it only calls operators on tensors and numbers, in branches and loops too: importing torch.export takes as long as
    importing torch."""

    TYPES = {number: getattr(torch, name, None) for first, names in (  # ScalarType of torch/_export/serde/schema.py
        (1, "uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 bool bfloat16"),
        (28, "uint16 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu uint32 uint64"),
    ) for number, name in enumerate(names.split(), first)}
    FORMATS = (None, torch.contiguous_format, torch.channels_last, torch.channels_last_3d, torch.preserve_format)
    STRIDED = 7  # Layout
    CONTROL = {"torch.ops.higher_order.cond": branch, "torch.ops.higher_order.while_loop": loop}
    PLAIN = {"as_int", "as_bool", "as_string", "as_ints", "as_bools", "as_strings"}

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path)
        self.bytes = mmap.mmap(self.archive.fp.fileno(), 0, access=mmap.ACCESS_COPY)
        self.folder = self.archive.namelist()[0].split("/")[0]
        model = json.loads(self.archive.read(f"{self.folder}/models/model.json"))["graph_module"]
        self.inputs, self.values = model["graph"]["inputs"], model["graph"]["tensor_values"]
        self.specs = model["signature"]["input_specs"]
        self.weights, self.storages = {}, {}
        for kind, folder in (("weights", "weights"), ("constants", "constants")):
            config = json.loads(self.archive.read(f"{self.folder}/data/{folder}/model_{kind}_config.json"))["config"]
            for name, entry in config.items():
                self.weights[name] = self.weight(f"{self.folder}/data/{folder}/{entry['path_name']}", entry)
        self.module, self.reading, self.nodes = torch.nn.Module(), None, {}  # the graph that is read, and its nodes by name
        self.graph = self.read(model["graph"])

    def weight(self, member, entry):
        meta = entry["tensor_meta"]
        info = self.archive.getinfo(member)
        if entry["use_pickle"] or info.compress_type != zipfile.ZIP_STORED:
            raise NotPlain(member)
        dtype = self.dtype(meta["dtype"])
        storage = self.storages.get((member, dtype))
        if storage is None:
            header = self.bytes[info.header_offset:info.header_offset + 30]
            begin = info.header_offset + 30 + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
            count = info.file_size // dtype.itemsize
            storage = torch.frombuffer(self.bytes, dtype=dtype, offset=begin, count=count) if count else torch.empty(0, dtype=dtype)
            self.storages[member, dtype] = storage
        sizes, strides = ([self.number(each) for each in meta[key]] for key in ("sizes", "strides"))
        if info.file_size == 0:  # the program does not use it
            return torch.zeros(sizes, dtype=dtype)
        return storage.as_strided(sizes, strides, self.number(meta["storage_offset"]))

    def dtype(self, number):
        if self.TYPES.get(number) is None:
            raise NotPlain(f"type {number}")
        return self.TYPES[number]

    @staticmethod
    def number(size):
        if "as_int" not in size:
            raise NotPlain("a symbolic size")
        return size["as_int"]

    def read(self, graph, is_main=True):
        made, outer = torch.fx.Graph(), (self.reading, self.nodes)
        self.reading, self.nodes = made, {}
        for i, argument in enumerate(graph["inputs"]):
            (kind, value), = argument.items()
            if isinstance(value, dict):
                name = value.get("as_name") or value["name"]
            else:
                name = is_main and self.specs[i].get("constant_input", {}).get("name") or f"arg{i}"
            self.nodes[name] = made.placeholder(name)
            self.nodes[name].name = name
        for node in graph["nodes"]:
            self.call(node)
        results = tuple(self.argument(output) for output in graph["outputs"])
        made.output(results[0] if graph.get("is_single_tensor_return") else results)
        self.reading, self.nodes = outer
        return made

    def function(self, graph):
        """A graph of a branch or loop, to be called."""
        made = self.read(graph, is_main=False)
        return lambda *arguments: torch.fx.Interpreter(self.module, graph=made).run(*arguments)

    def target(self, name):
        if name in self.CONTROL:
            return self.CONTROL[name]
        parts = name.split(".")
        if name.startswith("torch.ops.") and len(parts) == 5 and parts[2] != "higher_order":
            packet = getattr(getattr(torch.ops, parts[2]), parts[3], None)
            found = getattr(packet, parts[4], None)
        else:
            module = {"_operator": operator, "math": math, "torch": torch}.get(parts[0])
            found = getattr(module, parts[1], None) if module and len(parts) == 2 else None
        if found is None:
            raise NotPlain(name)
        return found

    def call(self, node):
        target, outputs, args, kwargs = self.target(node["target"]), node["outputs"], [], {}
        for each in node["inputs"]:
            value = self.argument(each["arg"])
            if each["kind"] == 2:
                kwargs[each["name"]] = value
            else:
                args.append(value)
        if not node["name"]:
            raise NotPlain(node["target"])
        made = self.reading.create_node("call_function", target, tuple(args), kwargs, node["name"])
        is_tuple = node.get("is_hop_single_tensor_return") is False
        if len(outputs) == 1 and "as_tensors" not in outputs[0] and not is_tuple:
            self.nodes[self.name(outputs[0])] = made
            return
        parts = [{"as_tensor": each} for each in outputs[0]["as_tensors"]] if len(outputs) == 1 and not is_tuple else outputs
        for i, each in enumerate(parts):
            name = self.name(each)
            self.nodes[name] = self.reading.create_node("call_function", operator.getitem, (made, i), name=name)

    @staticmethod
    def name(argument):
        (kind, value), = argument.items()
        if kind not in ("as_tensor", "as_sym_int", "as_sym_float", "as_sym_bool"):
            raise NotPlain(kind)
        return value["name"] if kind == "as_tensor" else value["as_name"]

    def argument(self, argument):
        (kind, value), = argument.items()
        if kind in self.PLAIN:
            return value
        if kind == "as_float":  # "-Infinity"
            return float(value)
        if kind == "as_floats":
            return [float(each) for each in value]
        if kind == "as_none":
            return None
        if kind == "as_graph":
            return self.function(value["graph"])
        if kind == "as_tensor":
            return self.nodes[value["name"]]
        if kind in ("as_tensors", "as_nested_tensors"):
            return [self.argument({"as_tensors": each}) if isinstance(each, list) else self.nodes[each["name"]] for each in value]
        if kind == "as_optional_tensors":
            return [self.argument(each) for each in value]
        if kind in ("as_sym_int", "as_sym_float", "as_sym_bool"):
            return self.nodes[value["as_name"]] if "as_name" in value else self.argument(value)
        if kind in ("as_sym_ints", "as_sym_floats", "as_sym_bools"):
            return [self.argument({"as_sym_int": each}) for each in value]
        if kind == "as_scalar_type":
            return self.dtype(value)
        if kind == "as_memory_format" and 0 < value < len(self.FORMATS):
            return self.FORMATS[value]
        if kind == "as_layout" and value == self.STRIDED:
            return torch.strided
        if kind == "as_device":
            return torch.device(value["type"], value["index"]) if value.get("index") is not None else torch.device(value["type"])
        if kind == "as_complex":
            return complex(float(value["real"]), float(value["imag"]))
        raise NotPlain(kind)

    def arguments(self, given):
        number = 0
        for spec, argument in zip(self.specs, self.inputs):
            (kind, value), = spec.items()
            if kind in ("parameter", "buffer", "tensor_constant"):
                yield self.weights.get(value[kind + "_name"])
            elif kind == "user_input" and next(iter(argument)) == "as_tensor":
                meta = self.values[argument["as_tensor"]["name"]]
                strides = tuple(each.get("as_int") for each in meta["strides"]) if meta["layout"] == self.STRIDED else ()
                yield with_strides(given[str(number)], strides)
                number += 1
            elif kind == "user_input" and "as_name" in str(argument):
                yield given[str(number)].item()
                number += 1
            elif kind in ("user_input", "constant_input"):
                yield self.argument(argument)
            else:
                raise NotPlain(kind)


def running_statistics(graph):
    """Names of the placeholders that normalizations update while training, which does not change their version."""
    out = set()
    for node in graph.nodes:
        is_normalization = node.op == "call_function" and any(name in str(node.target) for name in ("batch_norm", "instance_norm"))
        if is_normalization and len(node.args) > 5 and node.args[5]:
            out |= {each.name for each in node.args[3:5] if isinstance(each, torch.fx.Node) and each.op == "placeholder"}
    return out


def load(path):
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 9):
        raise RuntimeError("PyTorch 2.9 or later is required")
    try:
        return Plain(path)
    except Exception:  # whatever it is, PyTorch's own reader decides, and says what is wrong
        return Exported(path)


class Program:
    """The program, loaded again after a run that changed its weights in place."""

    def __init__(self, path):
        self.path, self.loaded = path, None

    def compute(self, inputs, writer, seed):
        """Where it failed and why, or (None, None)."""
        self.loaded = self.loaded or load(self.path)
        names = [n.name for n in self.loaded.graph.nodes if n.op == "placeholder"]
        with torch.no_grad():
            start = list(self.loaded.arguments(read_tensors(inputs)))
            versions = [getattr(value, "_version", 0) for value in start]
            updated = running_statistics(self.loaded.graph)
            torch.manual_seed(seed)
            recorder = Recorder(self.loaded, writer)
            failed = None, None
            try:
                recorder.run(*start)
            except Exception as raised:
                failed = recorder.node, raised
            for name, value, version in zip(names, start, versions):
                if getattr(value, "_version", 0) != version or name in updated:
                    recorder.keep(f"{name}#after", value)
                    self.loaded = None
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
