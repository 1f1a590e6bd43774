# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hostile inputs, made from nothing: exported programs whose JSON lies, archives that are no archives, captures, registries, logs,
traces and engines of somebody who means harm. Each is a function that writes one file (or folder) and returns its path; INPUTS
lists them with the commands that have to survive them."""
import json
import os
import struct
import zipfile
import zlib

import support

MAX = (1 << 63) - 1
MIN = -(1 << 63)


# -- Pieces of a program as torch.export.save writes it.

def num(n):
    return {"as_int": n}


def sym(text, hint=4):
    return {"as_expr": {"expr_str": text, "hint": None if hint is None else {"as_int": hint}}}


def size(n):
    return n if isinstance(n, dict) else num(n)


def contiguous(sizes):
    strides, step = [], 1
    for n in reversed(sizes):
        strides.insert(0, step)
        step = min(MAX, step * max(1, n if isinstance(n, int) else 1))
    return strides


def meta(*sizes, dtype=7, strides=None, offset=0, **more):
    return {"dtype": dtype, "sizes": [size(n) for n in sizes], "requires_grad": False, "device": {"type": "cpu", "index": None},
            "strides": [size(n) for n in (contiguous(sizes) if strides is None else strides)], "storage_offset": size(offset), "layout": 7, **more}


def value(x):
    """A Python value as an argument: a str names a tensor."""
    if isinstance(x, dict):
        return x
    if x is None:
        return {"as_none": True}
    if isinstance(x, bool):
        return {"as_bool": x}
    if isinstance(x, int):
        return {"as_int": x}
    if isinstance(x, float):
        return {"as_float": x}
    if isinstance(x, str):
        return {"as_tensor": {"name": x}}
    if all(isinstance(i, int) and not isinstance(i, bool) for i in x):
        return {"as_ints": list(x)}
    if all(isinstance(i, str) for i in x):
        return {"as_tensors": [{"name": i} for i in x]}
    if all(isinstance(i, float) for i in x):
        return {"as_floats": list(x)}
    return {"as_optional_tensors": [{"as_none": True} if i is None else {"as_tensor": {"name": i}} for i in x]}


def call(name, target, outputs=None, /, metadata=None, **arguments):
    outputs = [{"as_tensor": {"name": name}}] if outputs is None else outputs
    return {"target": f"torch.ops.{target}" if "." in target and not target.startswith(("torch.", "_operator.")) else target,
            "inputs": [{"name": k.rstrip("_"), "arg": value(v), "kind": 1} for k, v in arguments.items()], "outputs": outputs,
            "metadata": metadata or {}, "is_hop_single_tensor_return": None, "name": name}


def model(nodes=(), tensors=None, inputs=("x",), outputs=None, **changes):
    """The model.json of a program: `tensors` are the recorded values by name, f32[2, 8] where one says nothing."""
    tensors = dict(tensors or {})
    for name in [*inputs, *(n["name"] for n in nodes if isinstance(n, dict))]:
        tensors.setdefault(name, meta(2, 8))
    outputs = ([nodes[-1]["name"]] if nodes else list(inputs)) if outputs is None else outputs
    tensor = lambda name: {"as_tensor": {"name": name}}
    program = {
        "graph_module": {
            "graph": {"inputs": [tensor(i) for i in inputs], "outputs": [tensor(o) for o in outputs], "nodes": list(nodes), "tensor_values": tensors,
                      "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": False, "custom_obj_values": {}, "sym_float_values": {}},
            "signature": {"input_specs": [{"user_input": {"arg": tensor(i)}} for i in inputs],
                          "output_specs": [{"user_output": {"arg": tensor(o)}} for o in outputs]},
            "module_call_graph": [], "metadata": {}, "treespec_namedtuple_fields": {}},
        "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20}, "verifiers": ["TRAINING"],
        "torch_version": "2.13.0", "guards_code": []}
    graph_changes = changes.pop("graph", {})
    program["graph_module"].update(changes.pop("module", {}))
    program["graph_module"]["graph"].update(graph_changes)
    program.update(changes)
    return program


def members(program, weights=None, config=None, prefix="m"):
    text = program if isinstance(program, (bytes, str)) else json.dumps(program)
    out = {f"{prefix}/archive_format": "pt2", f"{prefix}/archive_version": "0", f"{prefix}/models/model.json": text,
           f"{prefix}/data/weights/model_weights_config.json": json.dumps({"config": config or {}}),
           f"{prefix}/data/constants/model_constants_config.json": json.dumps({"config": {}}), f"{prefix}/byteorder": "little"}
    for name, content in (weights or {}).items():
        out[f"{prefix}/data/weights/{name}"] = content
    return out


def archive(path, entries, packing=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", packing) as z:
        for name, content in entries.items():
            z.writestr(name, content)
    return path


def pt2(work, program, **more):
    return archive(work / "model.pt2", members(program, **more))


def one(target, out=None, rank_in=(2, 8), /, **arguments):
    """A program of one call on `x`."""
    def make(work):
        tensors = {"x": meta(*rank_in), "y": meta(*(out or rank_in))}
        return pt2(work, model([call("y", target, **{k: v for k, v in arguments.items()})], tensors))
    return make


def raw_json(text):
    return lambda work: pt2(work, text)


def program(*args, **kw):
    return lambda work: pt2(work, model(*args, **kw))


def values_of(**tensors):
    return program([call("y", "aten.relu.default", self="x")], tensors)


def expression(text, hint=4):
    return values_of(x=meta(sym(text, hint), 8), y=meta(sym(text, hint), 8))


# -- Archives.

def record(name, data, method=0, size_=None, crc=None, offset=0):
    """Local header with data, and directory entry."""
    name = name.encode() if isinstance(name, str) else name
    crc = zlib.crc32(data) if crc is None else crc
    size_ = len(data) if size_ is None else size_
    local = struct.pack("<IHHHHHIIIHH", 0x04034b50, 20, 0, method, 0, 33, crc, len(data), size_, len(name), 0) + name + data
    entry = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 20, 20, 0, method, 0, 33, crc, len(data), size_, len(name), 0, 0, 0, 0, 0, offset) + name
    return local, entry


def end_of(entries, directory, at, count=None):
    count = len(entries) if count is None else count
    return struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, count & 0xffff, count & 0xffff, len(directory), at, 0)


def overlapping(work):
    """Members that share their bytes: a kernel of 8 MB that is named 2,000 times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(b"\0" * (8 << 20)) + packer.flush()
    crc = zlib.crc32(b"\0" * (8 << 20))
    local, _ = record("m/models/model.json", data, 8, 8 << 20, crc)
    entries = [record(f"m/{i}" if i else "m/models/model.json", data, 8, 8 << 20, crc)[1] for i in range(2000)]
    directory = b"".join(entries)
    path = work / "model.pt2"
    path.write_bytes(local + directory + end_of(entries, directory, len(local)))
    return path


def many_members(work):
    entries = [record(f"m/{i:x}", b"")[1] for i in range(65000)]
    directory, local = b"".join(entries), record("m/0", b"")[0]
    path = work / "model.pt2"
    path.write_bytes(local + directory + end_of(entries, directory, len(local)))
    return path


def far_member(work):
    """A directory that places its member in a part of the file that is not there."""
    local, entry = record("m/models/model.json", b"{}", offset=0xfffffff0)
    path = work / "model.pt2"
    path.write_bytes(local + entry + end_of([entry], entry, len(local)))
    return path


def zip64_sizes(work):
    extra = struct.pack("<HHQQQ", 1, 24, (1 << 64) - 1, (1 << 64) - 1, 0)
    name = b"m/models/model.json"
    local = struct.pack("<IHHHHHIIIHH", 0x04034b50, 45, 0, 0, 0, 33, 0, 0xffffffff, 0xffffffff, len(name), len(extra)) + name + extra
    entry = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 45, 45, 0, 0, 0, 33, 0, 0xffffffff, 0xffffffff, len(name), len(extra), 0, 0, 0, 0, 0xffffffff) + name + extra
    path = work / "model.pt2"
    path.write_bytes(local + entry + end_of([entry], entry, len(local)))
    return path


def wrong_crc(work):
    good = members(model())
    path = archive(work / "model.pt2", good, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b'"opset_version"', b'"opset_verzion"'))
    return path


def cut(work):
    path = pt2(work, model())
    path.write_bytes(path.read_bytes()[:-30])
    return path


def names_that_climb(work):
    return archive(work / "model.pt2", {**members(model()), "../../escape": "x", "/etc/escape": "x", "m\\..\\..\\escape": "x", "C:\\escape": "x"})


def name_with_nul(work):
    path = archive(work / "model.pt2", {**members(model()), "m/data/xNULy": "x"})
    path.write_bytes(path.read_bytes().replace(b"xNULy", b"x\0\0\0y"))
    return path


def fake_end(work):
    path = pt2(work, model())
    data = bytearray(path.read_bytes())
    fake = struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 9, 9, 9, 9, 0)
    data[-2:] = struct.pack("<H", len(fake))
    path.write_bytes(bytes(data) + fake)
    return path


def nested_archive(work):
    inner = pt2(work, model()).read_bytes()
    return archive(work / "outer.pt2", {"m/archive_format": "pt2", "m/models/model.json": inner})


def many_models(work):
    entries = members(model())
    for i in range(20000):
        entries[f"m/models/model_{i}.json"] = "{}"
    return archive(work / "model.pt2", entries)


def encrypted(work):
    path = pt2(work, model())
    data = bytearray(path.read_bytes())
    for signature, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        where = -1
        while (where := data.find(signature, where + 1)) >= 0:
            data[where + at] |= 1
    path.write_bytes(bytes(data))
    return path


# -- Files that are no files.

def written(name, content):
    def make(work):
        path = work / name
        path.write_bytes(content() if callable(content) else content)
        return path
    return make


def link_to_itself(work):
    path = work / "model.pt2"
    path.symlink_to(path)
    return path


def pipe(work):
    path = work / "model.pt2"
    os.mkfifo(path)
    return path


def directory(work):
    path = work / "model.pt2"
    path.mkdir()
    return path


def folder_of_links(work):
    folder = work / "captures"
    folder.mkdir()
    for i in range(200):
        (folder / f"{i}.json").symlink_to("/dev/zero" if i % 2 else folder)
    return folder


def deep_folder(work):
    at = work / "captures"
    for _ in range(300):
        at = at / "d"
    at.mkdir(parents=True)
    (at / "x.json").write_text("{}")
    return work / "captures"


# -- Weights.

def weight(name="w", sizes=(2, 8), strides=None, offset=0, dtype=7, path_name="weight_0", data=b"\0" * 64, tensor=None, **payload):
    """A program that adds a parameter to x; the parameter is stored as said."""
    def make(work):
        nodes = [call("y", "aten.add.Tensor", self="x", other="p_w")]
        program_ = model(nodes, {"p_w": tensor or meta(*sizes)}, inputs=("p_w", "x"))
        program_["graph_module"]["signature"]["input_specs"][0] = {"parameter": {"arg": {"name": "p_w"}, "parameter_name": name}}
        config = {name: {"path_name": path_name, "is_param": True, "use_pickle": False,
                         "tensor_meta": meta(*sizes, strides=strides, offset=offset, dtype=dtype), **payload}}
        return pt2(work, program_, weights={"weight_0": data}, config=config)
    return make


# -- Control flow.

def branches(depth=1, own=False):
    def graph(level):
        if level == 0:
            return model([call("z", "aten.relu.default", self="a")], inputs=("a",))["graph_module"]["graph"]
        inner = {"as_graph": {"name": f"g{level}", "graph": graph(level - 1)}}
        nodes = [call("z", "torch.ops.higher_order.cond", pred=True, true_fn=inner, false_fn=inner if level < 3 else inner, operands=["a"])]
        return model(nodes, inputs=("a",))["graph_module"]["graph"]

    def make(work):
        inner = {"as_graph": {"name": "g", "graph": graph(depth)}}
        return pt2(work, model([call("y", "torch.ops.higher_order.cond", pred=True, true_fn=inner, false_fn=inner, operands=["x"])]))
    return make


def deep_graphs(depth):
    """Subgraphs in subgraphs, one in each, by text: the JSON is too deep for Python's own writer."""
    def make(work):
        leaf = json.dumps(model([call("z", "aten.relu.default", self="a")], inputs=("a",))["graph_module"]["graph"])
        mark = "@@"
        level = json.dumps(model([call("z", "torch.ops.higher_order.wrap", wrapped={"as_graph": {"name": "g", "graph": mark}}, operands=["a"])],
                                 inputs=("a",))["graph_module"]["graph"])
        head, tail = level.split(json.dumps(mark))
        whole = json.dumps(model([call("y", "torch.ops.higher_order.wrap", wrapped={"as_graph": {"name": "g", "graph": mark}}, operands=["x"])]))
        return pt2(work, whole.replace(json.dumps(mark), head * depth + leaf + tail * depth))
    return make


def chain(count, target="aten.relu.default"):
    def make(work):
        nodes, before = [], "x"
        for i in range(count):
            nodes.append(call(f"n{i}", target, self=before))
            before = f"n{i}"
        return pt2(work, model(nodes))
    return make


def star(count):
    """One value that `count` others use, and one call that takes them all."""
    def make(work):
        nodes = [call(f"n{i}", "aten.relu.default", self="x") for i in range(count)]
        nodes.append(call("y", "aten.cat.default", tensors=[f"n{i}" for i in range(count)]))
        return pt2(work, model(nodes))
    return make


def views_in_place(count):
    """Views of views of one buffer, each written to: what functionalization has to carry through all of them."""
    def make(work):
        nodes, before = [], "x"
        for i in range(count):
            nodes.append(call(f"v{i}", "aten.view.default", self=before, size=[2, 8]))
            nodes.append(call(f"w{i}", "aten.add_.Tensor", self=f"v{i}", other="x"))
            before = f"v{i}"
        return pt2(work, model(nodes))
    return make


# -- What other tools left.

def fx_capture(text):
    def make(work):
        path = work / "capture.json"
        path.write_text(text if isinstance(text, str) else json.dumps(text))
        return path
    return make


def log(content):
    def make(work):
        path = work / "log.txt"
        path.write_bytes(content().encode() if callable(content) else content)
        return path
    return make


def engine_that(body):
    """A stand-in for torch-mlir-opt that answers the probe and then does `body`, beside a small program to lower."""
    def make(work):
        engine = work / "engine"
        engine.write_text(support.FAKE_PROBE + body + "\n")
        engine.chmod(0o700)
        return pt2(work, model([call("y", "aten.relu.default", self="x")]))
    return make


def mlir(text):
    def make(work):
        path = work / "a.mlir"
        path.write_text(text if isinstance(text, str) else text())
        return path
    return make


def sparse(begin, size):
    """A file of `size` bytes whose end is a hole."""
    def make(work):
        path = work / "a.mlir"
        path.write_bytes(begin)
        os.truncate(path, size)
        return path
    return make


def registry_text(text):
    """An .fxreg beside the sample that it is asked for: the command names it as @."""
    return written("user.fxreg", lambda: (text if isinstance(text, str) else text()).encode())


def stored_trace(**changes):
    def make(work):
        trace = {"schema": "fxscope-trace/1", "input": "a.pt2", "engine": {"path": "e", "version": "1", "sha256": "0" * 64}, "target": "torch", "ok": True, "stages": [],
                 "passes": [], "snapshots": [{"index": 0, "stage": "raw", "pass": None, "changed": True, "seconds": 0, "file": "00.mlir", "ops": 1, "coverage": 1}],
                 "nodes": [], "links": [], "findings": [], "runs": []}
        trace.update(changes)
        (work / "00.mlir").write_text("module {\n}\n")
        (work / "trace.json").write_text(json.dumps(trace))
        return work / "trace.json"
    return make


def dumps_of_functions(count, functions):
    """A log of dumps of single functions, of a module of many."""
    def make():
        return "".join(f"// -----// IR Dump After P{i} (p) ('func.func' operation: @f{i % functions}) //----- //\nfunc.func @f{i % functions}() {{\n  return\n}}\n\n"
                       for i in range(count))
    return make


def bundle(manifest, **files):
    def make(work):
        text = manifest if isinstance(manifest, str) else json.dumps(manifest)
        return archive(work / "bundle.zip", {"fxscope-x-000000000000/manifest.json": text, **{f"fxscope-x-000000000000/{n}": c for n, c in files.items()}})
    return make
