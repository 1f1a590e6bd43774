# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Captures torch.fx graphs for fxscope: one file, beside the user's own PyTorch, with no other dependency. With pip it is fxscope.capture.

    import fxscope_capture as fxs
    fxs.capture(model, *args, out="captures")             # torch.export, before and after decompositions
    torch.compile(model, backend=fxs.backend("captures"))  # each graph of Dynamo, its aten form, and why it broke
    fxs.dump(graph_module, "graph.json")                  # any GraphModule or ExportedProgram
    fxs.helion(kernel, args, "kernel.json")               # Device IR of a Helion kernel, bound and never compiled

    python fxscope_capture.py module:function captures    # function() returns (model, args) or (model, args, kwargs)

The files are "fxscope-fx/1" (fx.schema.json): the graph and its metadata as found. Tensors are described, never stored, unless
data=True asks for the parameters, buffers and constants. Constants written in the program, source lines and file names of stack
traces are part of a graph and are in the file.
"""

import base64
import enum
import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

try:
    import torch
    import torch.fx as fx
    from torch._subclasses.fake_tensor import FakeTensor
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise ModuleNotFoundError(f"{__name__} needs PyTorch, in the Python that has the model: pip install torch", name="torch") from None

SCHEMA = "fxscope-fx/1"
INT64 = range(-(2**63), 2**63)


class CaptureError(RuntimeError):
    """What could not be captured, and the way out."""


# -- values: what a node's metadata holds ------------------------------------------------------------------------------------------


def _short(enum_value):
    return str(enum_value).removeprefix("torch.")


def _type_name(value):
    kind = value if isinstance(value, type) else type(value)
    return f"{kind.__module__}.{kind.__qualname__}"


def _hint(symbol, hints=None):
    """The value a symbol had while tracing; nothing is guarded on."""
    node = symbol.node
    try:
        if hints is not None:
            value = node.expr.subs(hints)
            return int(value) if value.is_Integer else None
        hint = node.hint
    except Exception:
        return None
    return hint if isinstance(hint, (int, float, bool)) and not isinstance(hint, torch.SymInt) else None


def _expression(symbol, member, hints=None):
    from sympy import srepr

    expr = symbol.node.expr
    out = {member: str(expr)}
    if not expr.is_Symbol:
        out["srepr"] = srepr(expr)
    out["hint"] = _hint(symbol, hints)
    return out


def _size(size, hints=None):
    if isinstance(size, torch.SymInt):
        expr = getattr(size.node, "expr", None)
        if expr is None:  # a nested tensor's ragged size
            return {"sym": "".join(c if c.isalnum() else "_" for c in str(size)), "hint": None}
        return int(expr) if expr.is_Integer else _expression(size, "sym", hints)
    return int(size)


def _tensor_kind(tensor):
    if isinstance(tensor, FakeTensor):
        return "FakeTensor"
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer) and not type(tensor).__module__.startswith("torch._subclasses"):
        return "TensorSubclass"
    return "MetaTensor" if tensor.device.type == "meta" else "Tensor"


def _tensor(tensor, hints=None):
    """A description: shape, dtype, stride .. and never an element."""
    kind = _tensor_kind(tensor)
    out = {"kind": kind}
    if kind == "TensorSubclass":
        out["class"] = _type_name(tensor)
    out["shape"] = [_size(s, hints) for s in tensor.shape]
    out["dtype"] = _short(tensor.dtype)
    if tensor.layout == torch.strided or kind == "TensorSubclass":
        try:
            out["stride"] = [_size(s, hints) for s in tensor.stride()]
            out["storage_offset"] = _size(tensor.storage_offset(), hints)
        except Exception:
            out.pop("stride", None)
    out["device"] = str(tensor.device)
    if tensor.layout != torch.strided:
        out["layout"] = _short(tensor.layout)
    out["requires_grad"] = tensor.requires_grad
    return out


def _number(value):
    """JSON has no infinity and no NaN."""
    return value if value == value and abs(value) != float("inf") else repr(value)


def _value(value, hints=None):
    if isinstance(value, torch.Tensor):
        return _tensor(value, hints)
    for kind in (torch.SymInt, torch.SymFloat, torch.SymBool):
        if isinstance(value, kind):
            return {"kind": kind.__name__, **_expression(value, "expr", hints)}
    if value is None:
        return {"kind": "NoneType"}
    if isinstance(value, bool) or (isinstance(value, int) and value in INT64) or isinstance(value, str):
        kind = bool if isinstance(value, bool) else int if isinstance(value, int) else str
        return {"kind": kind.__name__, "value": kind(value)}
    if isinstance(value, float):
        return {"kind": "float", "value": _number(value)}
    if isinstance(value, (tuple, list)):
        return {"kind": "list" if isinstance(value, list) else "tuple", "elements": [_value(v, hints) for v in value]}
    if isinstance(value, dict):
        return {"kind": "dict", "items": [[_value(k, hints), _value(v, hints)] for k, v in value.items()]}
    return {"kind": "opaque", "type": _type_name(value), "repr": _opaque(value)}


def _opaque(value):
    """What names an object without showing what it holds: it may hold tensors."""
    if isinstance(value, (enum.Enum, range, type(Ellipsis))):
        return repr(value)
    return _type_name(value) if isinstance(value, type) else f"<{_type_name(value)} object>"


def _tensor_meta(meta, hints=None):
    if meta is None:
        return None
    if hasattr(meta, "shape"):
        fields = {name: getattr(meta, name, None) for name in ("shape", "dtype", "requires_grad", "stride", "memory_format", "is_quantized")}
    elif isinstance(meta, dict) and "shape" in meta:
        fields = meta
    else:
        return [_tensor_meta(m, hints) for m in meta]
    out = {}
    for name, value in fields.items():
        if name in ("shape", "stride") and value is not None:
            out[name] = [_size(s, hints) for s in value]
        elif name == "dtype":
            out[name] = _short(value)
        elif name == "memory_format":
            out[name] = None if value is None else str(value)
        elif name in ("requires_grad", "is_quantized") and value is not None:
            out[name] = bool(value)
    return out


# -- arguments ---------------------------------------------------------------------------------------------------------------------


def _argument(value):
    if isinstance(value, fx.Node):
        return {"node": value.name}
    if value is None or isinstance(value, (bool, str)) or (isinstance(value, int) and value in INT64):
        return {"const": value}
    if isinstance(value, float):
        return {"const": value} if _number(value) is value else {"float": repr(value)}
    if isinstance(value, complex):
        return {"complex": [_number(value.real), _number(value.imag)]}
    if isinstance(value, (tuple, list, torch.Size)):
        return {"list" if isinstance(value, list) else "tuple": [_argument(v) for v in value]}
    if isinstance(value, dict):
        return {"dict": {str(k): _argument(v) for k, v in value.items()}}
    if isinstance(value, slice):
        return {"slice": [_argument(value.start), _argument(value.stop), _argument(value.step)]}
    if isinstance(value, torch.dtype):
        return {"dtype": _short(value)}
    if isinstance(value, torch.device):
        return {"device": str(value)}
    if isinstance(value, torch.layout):
        return {"layout": _short(value)}
    if isinstance(value, torch.memory_format):
        return {"memory_format": _short(value)}
    if isinstance(value, torch.SymInt) and value.node.expr.is_Integer:
        return {"const": int(value.node.expr)}
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return {"sym": str(value)}
    if isinstance(value, torch._ops.OpOverload):
        return {"operator": str(value)}
    if callable(value) and hasattr(value, "__name__"):
        return {"function": _qualified(value)}
    return {"opaque": _opaque(value)}


def _qualified(function):
    """ "aten.add.Tensor", "higher_order.cond", "_operator.getitem", "torch.relu" """
    if isinstance(function, torch._ops.OpOverload):
        return str(function)
    name = getattr(function, "__name__", type(function).__name__)
    if isinstance(function, torch._ops.HigherOrderOperator):
        return f"higher_order.{name}"
    module = getattr(function, "__module__", None)
    if module is None or module == "torch._C._VariableFunctions":
        module = "torch"
    return f"{module}.{name}"


# -- metadata other than values: text, in the form that torch.export.save gives it -------------------------------------------------


def _nn_module_stack(stack):
    def type_text(kind):
        return kind if isinstance(kind, str) else _type_name(kind)

    return ";".join(f"{key},{path},{type_text(kind)}" for key, (path, kind) in stack.items())


def _source_fn_stack(stack):
    def target_text(target):
        return target if isinstance(target, str) else f"{getattr(target, '__module__', None)}.{getattr(target, '__name__', type(target).__name__)}"

    return ";".join(f"{name},{target_text(target)}" for name, target in stack)


TEXT_OF = {
    "stack_trace": str,
    "nn_module_stack": _nn_module_stack,
    "source_fn_stack": _source_fn_stack,
    "torch_fn": ";".join,
    "custom": json.dumps,
    "from_node": lambda sources: json.dumps([s.to_dict() for s in sources if hasattr(s, "to_dict")]),
    "original_aten": str,
}
# What torch.export.save keeps beside values: an exported program is dumped as it would be saved.
EXPORTED = ("stack_trace", "nn_module_stack", "source_fn_stack", "torch_fn", "custom", "from_node")


def _meta(meta, keys):
    out = {}
    for key in keys:
        found = meta.get(key)
        if found is None or (not found and key != "from_node"):
            continue
        try:
            out[key] = TEXT_OF[key](found)
        except Exception:  # metadata of another kind than PyTorch writes: it is there, and not shown
            out[key] = _opaque(found)
    if "val" in meta:
        out["val"] = _value(meta["val"])
    elif "example_value" in meta:
        out["val"] = _value(meta["example_value"])
        out["val_key"] = "example_value"
    if "tensor_meta" in meta and keys is not EXPORTED:
        out["tensor_meta"] = _tensor_meta(meta["tensor_meta"])
    return out


# -- graphs ------------------------------------------------------------------------------------------------------------------------


def _attribute(module, path):
    for part in path.split("."):
        if not hasattr(module, part):
            return None
        module = getattr(module, part)
    return module


class _Writer:
    """Collects the graphs and attributes of one capture."""

    def __init__(self, root, keys, data):
        self.root, self.keys, self.data = root, keys, data
        self.graphs, self.attributes, self.storages = [], {}, {}

    def graph(self, module, path, as_saved):
        index = len(self.graphs)
        self.graphs.append(None)
        records = {node: self._node(module, node, path, as_saved) for node in module.graph.nodes}
        nodes = _AsSaved(module.graph, records).nodes if as_saved else list(records.values())
        self.graphs[index] = {"name": path or "main", "nodes": nodes}
        return index

    def _node(self, module, node, path, as_saved):
        target = node.target if isinstance(node.target, str) else _qualified(node.target)
        out = {"op": node.op, "name": node.name, "target": target}
        if node.op != "placeholder":
            out["args"] = [_argument(a) for a in node.args]
            if node.kwargs:
                out["kwargs"] = {k: _argument(v) for k, v in node.kwargs.items()}
        elif node.args:
            out["default"] = _argument(node.args[0])
        out["meta"] = _meta(node.meta, self.keys)
        if node.op == "call_module":
            out["meta"]["module_type"] = _type_name(_attribute(module, target))
        if node.op == "get_attr":
            held = _attribute(module, target)
            full = f"{path}.{target}" if path else target
            if isinstance(held, fx.GraphModule):
                out["graph"] = self.graph(held, full, as_saved)
            elif isinstance(held, torch.Tensor):
                out["meta"].setdefault("val", _value(held))
                if full != target:
                    out["meta"]["attribute"] = full
                kind = "parameter" if isinstance(held, torch.nn.Parameter) else "buffer" if full in self.buffers() else "constant"
                self.attribute(full, held, kind)
            elif held is not None:
                out["meta"].setdefault("val", _value(held))
        return out

    def buffers(self):
        return {name for name, _ in self.root.named_buffers(remove_duplicate=False)}

    def attribute(self, name, tensor, kind, persistent=True):
        if name in self.attributes:
            return
        out = {"name": name, "kind": kind, "val": _tensor(tensor)}
        if not persistent:
            out["persistent"] = False
        if out["val"]["kind"] == "Tensor" and tensor.layout == torch.strided:
            storage = tensor.untyped_storage()
            out["storage"] = self.storages.setdefault(storage._cdata, len(self.storages))
            out["bytes"] = storage.nbytes()
            if self.data:
                dense = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
                out["data"] = base64.b64encode(bytes(dense.tolist() if dense.numel() < 64 else dense.numpy().tobytes())).decode()
        self.attributes[name] = out


class _AsSaved:
    """A graph's nodes in the order and under the names of torch.export.load: a subgraph stands before the call that takes it, every
    part of a tuple has its getitem right after the call, inputs have no metadata but their values."""

    def __init__(self, graph, records):
        self.records, self.nodes, self.done = records, [], set()
        self.names = {node.name for node in graph.nodes}
        self.renamed = {}
        for node in graph.nodes:
            if node.op == "get_attr" and "graph" in records[node]:
                self._rename(node, node.target)
            if node.op == "call_function":
                records[node]["meta"].setdefault("val", {"kind": "NoneType"})
            if node.op in ("placeholder", "output"):
                meta = records[node]["meta"]
                records[node]["meta"] = {key: meta[key] for key in ("val", "tensor_meta") if key in meta}
        for node in graph.nodes:
            if node.op != "get_attr" and not (_is_getitem(node) and _has_parts(node.args[0])):
                self._add(node)
        for record in self.nodes if self.renamed else []:
            record["args"] = [self._under_new_names(a) for a in record.get("args", [])]
            record["kwargs"] = {k: self._under_new_names(a) for k, a in record.get("kwargs", {}).items()}

    def _free(self, name):
        count, free = 0, name
        while free in self.names:
            count += 1
            free = f"{name}_{count}"
        self.names.add(free)
        return free

    def _rename(self, node, name):
        if node.name == name:
            return
        self.names.discard(node.name)
        self.renamed[node.name] = self.records[node]["name"] = self._free(name)

    def _under_new_names(self, argument):
        (kind, held), = argument.items()
        if kind == "node":
            return {kind: self.renamed.get(held, held)}
        if kind in ("list", "tuple", "slice"):
            return {kind: [self._under_new_names(a) for a in held]}
        if kind == "dict":
            return {kind: {k: self._under_new_names(a) for k, a in held.items()}}
        return argument

    def _add(self, node):
        if node in self.done:
            return
        self.done.add(node)
        for held in node.all_input_nodes:
            if held.op == "get_attr" and held not in self.done:
                self._add(held)
                # A file keeps no metadata for a subgraph: it has that of the call.
                record = self.records[held]
                if "graph" in record:
                    record["meta"] = {k: v for k, v in self.records[node]["meta"].items() if k not in ("val", "tensor_meta")}
        self.nodes.append(self.records[node])
        if _has_parts(node):
            self._add_parts(node)

    def _add_parts(self, node):
        takers = {user.args[1]: user for user in node.users if _is_getitem(user)}
        # A file keeps the metadata of the call alone.
        shared = {k: v for k, v in self.records[node]["meta"].items() if k not in ("val", "tensor_meta")}
        for index, value in enumerate(node.meta["val"]):
            taker = takers.get(index)
            if taker is not None and value is None:
                self._rename(taker, "as_none")
            if taker is not None:
                own = self.records[taker]["meta"]
                self.records[taker]["meta"] = {**shared, **{k: own[k] for k in ("val", "tensor_meta") if k in own}}
                self._add(taker)
            elif not isinstance(value, (list, tuple)):
                name = self._free("as_none") if value is None else f"{node.name}_unused_{index}"
                self.nodes.append({
                    "op": "call_function", "name": name, "target": "_operator.getitem", "args": [{"node": node.name}, {"const": index}],
                    "meta": {**shared, "val": _value(value)},
                })


def _is_getitem(node):
    return node.op == "call_function" and _qualified(node.target) == "_operator.getitem" and isinstance(node.args[0], fx.Node)


def _has_parts(node):
    return node.op == "call_function" and isinstance(node.meta.get("val"), (list, tuple))


# -- exported programs -------------------------------------------------------------------------------------------------------------

INPUT_KINDS = {
    "USER_INPUT": "user_input", "PARAMETER": "parameter", "BUFFER": "buffer", "CONSTANT_TENSOR": "tensor_constant",
    "CUSTOM_OBJ": "custom_obj", "TOKEN": "token",
}


def _spec_argument(spec):
    """A node by its name, or the constant itself."""
    return {"const": spec.value} if type(spec).__name__ == "ConstantArgument" else {"node": spec.name}


def _signature(signature):
    inputs, outputs = [], []
    for spec in signature.input_specs:
        out = {"kind": INPUT_KINDS[spec.kind.name], "node": spec.arg.name}
        if spec.target is not None:
            out["target"] = spec.target
        if spec.persistent is False:
            out["persistent"] = False
        if type(spec.arg).__name__ == "ConstantArgument":
            out["kind"], out["constant"] = "constant_input", _argument(spec.arg.value)
        inputs.append(out)
    for spec in signature.output_specs:
        out = {"kind": spec.kind.name.lower(), "value": _spec_argument(spec.arg)}
        if spec.target is not None:
            out["target"] = spec.target
        outputs.append(out)
    return {"inputs": inputs, "outputs": outputs}


def _bound(value, default=None):
    try:
        number = int(value)
    except Exception:  # an infinity of sympy
        return default
    return number if number in INT64 else default


def _ranges(constraints):
    out = []
    for symbol, bounds in constraints.items():
        out.append({"symbol": str(symbol), "min": _bound(bounds.lower), "max": _bound(bounds.upper)})
    return sorted(out, key=lambda r: r["symbol"])


def _exported(program, data):
    writer = _Writer(program.graph_module, EXPORTED, data)
    writer.graph(program.graph_module, "", as_saved=True)
    tokens = {spec.arg.name for spec in program.graph_signature.input_specs if spec.kind.name == "TOKEN"}
    for node in writer.graphs[0]["nodes"]:
        if node["name"] in tokens:
            node["meta"] = {"val": {"kind": "Token"}}
    for name, tensor in program.state_dict.items():
        writer.attribute(name, tensor, "parameter" if isinstance(tensor, torch.nn.Parameter) else "buffer")
    for name, held in program.constants.items():
        if isinstance(held, torch.Tensor):
            writer.attribute(name, held, "constant")
    calls = program.module_call_graph
    names = calls[0].signature.forward_arg_names if calls and calls[0].signature else None
    return {
        "dialect": ", ".join(getattr(v, "dialect", str(v)) for v in program.verifiers),
        "input_names": list(names or []),
        "ranges": _ranges(program.range_constraints),
        "guards": list(getattr(program, "_guards_code", [])),
        "signature": _signature(program.graph_signature),
        "attributes": list(writer.attributes.values()),
        "graphs": writer.graphs,
    }


def _graph_module(module, data):
    writer = _Writer(module, tuple(TEXT_OF), data)
    writer.graph(module, "", as_saved=False)
    return {"attributes": list(writer.attributes.values()), "graphs": writer.graphs}


# -- the public functions ----------------------------------------------------------------------------------------------------------


def _write(document, path):
    path = os.fspath(path)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1, allow_nan=False)
    return path


def dump(graph: "fx.GraphModule | torch.export.ExportedProgram", path: "str | os.PathLike[str]", *, kind: "str | None" = None,
         title: "str | None" = None, graph_break: "dict[str, str] | None" = None, notes: "Iterable[str]" = (), data: bool = False) -> str:
    """Writes a GraphModule or an ExportedProgram and its metadata as found; the path. graph_break: {"reason": .., "where": ..}.
    data: also the bytes of its parameters, buffers and constants."""
    exported = isinstance(graph, torch.export.ExportedProgram)
    if not exported and not isinstance(graph, fx.GraphModule):
        raise CaptureError(f"dump expects a torch.fx.GraphModule or a torch.export.ExportedProgram, got {_type_name(graph)}")
    head: dict[str, Any] = {"schema": SCHEMA, "kind": kind or ("exported program" if exported else "graph module"), "torch": torch.__version__}
    if title:
        head["title"] = title
    if graph_break:
        head["graph_break"] = graph_break
    if notes:
        head["notes"] = list(notes)
    return _write({**head, **(_exported if exported else _graph_module)(graph, data)}, path)


def export(model: "torch.nn.Module", args: "tuple[Any, ...]", kwargs: "dict[str, Any]", *, dynamic_shapes: Any = None,
           strict: bool = False) -> "torch.export.ExportedProgram":
    """torch.export.export; CaptureError says what else there is where it cannot."""
    try:
        return torch.export.export(model, args, kwargs, dynamic_shapes=dynamic_shapes, strict=strict)
    except Exception as error:
        here = "fxscope_capture" if __name__ == "__main__" else __name__
        raise CaptureError(
            f"torch.export cannot export {_type_name(model)}: {str(error).splitlines()[0] if str(error) else type(error).__name__}\n"
            f"To see the graphs around what it cannot trace, run the model with torch.compile(model, backend={here}.backend(out))."
        ) from error


def capture(model: "torch.nn.Module", *args: Any, out: "str | os.PathLike[str]", dynamic_shapes: Any = None, strict: bool = False,
            data: bool = False, **kwargs: Any) -> "list[str]":
    """Exports model(*args, **kwargs) and writes it as exported and after run_decompositions; the paths."""
    title = _type_name(model)
    program = export(model, args, kwargs, dynamic_shapes=dynamic_shapes, strict=strict)
    paths = [dump(program, os.path.join(out, "exported.json"), title=title, data=data)]
    paths.append(dump(program.run_decompositions(), os.path.join(out, "decomposed.json"), kind="exported program, decomposed", title=title, data=data))
    return paths


def backend(out: "str | os.PathLike[str]", data: bool = False) -> "Callable[..., Any]":
    """A torch.compile backend that writes each graph and runs it as it is: NN_dynamo.json, NN_aten.json (NN_aten_backward.json when it
    trains). A graph that ends in a break says why."""
    count = 0

    def compile_graph(module, example_inputs):
        nonlocal count
        index, count = count, count + 1
        reason = getattr(module, "compile_subgraph_reason", None)
        broke = None
        if reason is not None and getattr(reason, "graph_break", True):
            broke = {"reason": reason.reason}
            for frame in getattr(reason, "user_stack", [])[-1:]:
                broke["where"] = f"{frame.filename}:{frame.lineno} in {frame.name}"
        path = os.path.join(out, f"{index:02}_dynamo.json")
        dump(module, path, kind="Dynamo graph", title=f"graph {index}", graph_break=broke, data=data)

        def keep(suffix, kind):
            def compiler(aten, _):
                dump(aten, os.path.join(out, f"{index:02}_{suffix}.json"), kind=kind, title=f"graph {index}", graph_break=broke, data=data)
                return aten.forward

            return compiler

        from torch._dynamo.backends.common import aot_autograd
        from functorch.compile import make_boxed_compiler

        forward, backward = keep("aten", "aten graph"), keep("aten_backward", "aten graph, backward")
        try:
            return aot_autograd(fw_compiler=make_boxed_compiler(forward), bw_compiler=make_boxed_compiler(backward))(module, example_inputs)
        except Exception as error:
            note = f"there is no aten form: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
            dump(module, path, kind="Dynamo graph", title=f"graph {index}", graph_break=broke, notes=[note], data=data)
            return module.forward

    return compile_graph


# -- Helion ------------------------------------------------------------------------------------------------------------------------


def _helion_meta(meta, hints):
    out = {}
    for key, found in meta.items():
        if key == "val":
            out[key] = _value(found, hints)
        elif key == "tensor_meta":
            out[key] = _tensor_meta(found, hints)
        elif key in ("stack_trace", "seq_nr"):
            out[key] = found
        elif key in ("location", "original_aten"):
            out[key] = None if found is None else str(found)
        elif key == "lowering":
            out[key] = type(found).__name__
        elif isinstance(found, fx.Node):
            out[key] = {"kind": "Node", "name": found.name}
        else:
            out[key] = _value(found, hints)
    return out


def _helion_graph(graph, hints):
    out = {"graph_id": graph.graph_id, "type": type(graph).__name__}
    for key in ("block_ids", "phase_index", "predicate_is_tensor", "cond_graph_id"):
        if hasattr(graph, key):
            out[key] = getattr(graph, key)
    if hasattr(graph, "node_args"):
        out["node_args"] = [n.name for n in graph.node_args]
    other = getattr(graph, "else_branch", None)
    if other is not None:
        out["else_branch"] = other if isinstance(other, int) else getattr(other, "graph_id", None)
    for key in ("if_arg_names", "else_arg_names"):
        if getattr(graph, key, None) is not None:
            out[key] = list(getattr(graph, key))
    if getattr(graph, "branches_outputs", None) is not None:
        out["branches_outputs"] = [list(pair) for pair in graph.branches_outputs]
    out["nodes"] = [
        {
            "op": n.op, "name": n.name, "target": n.target if isinstance(n.target, str) else _qualified(n.target),
            "args": [_argument(a) for a in n.args], "kwargs": {k: _argument(v) for k, v in n.kwargs.items()},
            "users": [u.name for u in n.users], "meta": _helion_meta(n.meta, hints),
        }
        for n in graph.graph.nodes
    ]
    return out


def _helion_origin(found):
    """What a symbol stands for: a block's size, where a tile begins .., or a variable of the host function."""
    origin = found.origin
    kind = type(origin).__name__
    host = None
    if hasattr(origin, "host_str") and not kind.startswith(("Block", "Grid", "Reduction", "Tile")):
        host = origin.host_str()
    return {"origin": kind, "host_str": host, "block_id": getattr(origin, "block_id", None)}


def helion(kernel: Any, args: "Iterable[Any]", out: "str | os.PathLike[str]") -> str:
    """Binds a Helion kernel to its arguments (CPU tensors will do) and writes its Device IR, "helion-device-ir/1"; the path."""
    import helion as package

    bound = kernel.bind(tuple(args))
    host, environment = bound.host_function, bound.env
    shapes = environment.shape_env
    hints = dict(getattr(shapes, "backed_var_to_val", None) or getattr(shapes, "var_to_val", {}))
    blocks = []
    bounds = {}
    for spec in getattr(getattr(environment, "config_spec", None), "block_sizes", ()):
        bounds.update({block_id: getattr(spec, "max_size", None) for block_id in getattr(spec, "block_ids", ())})
    for block in environment.block_sizes:
        size, fixed = block.size, getattr(block.block_size_source, "value", None)
        blocks.append({
            "block_id": block.block_id, "size": _size(size, hints) if isinstance(size, (int, torch.SymInt)) else _opaque(size),
            "var": str(block.var), "reduction": block.reduction, "source": type(block.block_size_source).__name__,
            **({"fixed": fixed} if isinstance(fixed, int) and type(block.block_size_source).__name__ == "FixedBlockSizeSource" else {}),
            **({"max": bounds[block.block_id]} if isinstance(bounds.get(block.block_id), int) else {}),
            "jagged": bool(getattr(environment, "is_jagged_tile", lambda _: False)(block.block_id)), "debug_names": sorted(block.debug_names),
        })
    ir = host.device_ir
    return _write({
        "schema": "helion-device-ir/1", "kernel": getattr(kernel, "name", None) or kernel.fn.__name__,
        "helion": getattr(package, "__version__", "unknown"), "torch": torch.__version__,
        "static_shapes": bool(kernel.settings.static_shapes),
        "args": [{"name": n, "val": _value(a)} for n, a in zip(inspect.signature(kernel.fn).parameters, args)],
        "fake_args": [_value(a, hints) for a in bound.fake_args],
        "expr_to_origin": {str(k): _helion_origin(v) for k, v in host.expr_to_origin.items()},
        "block_sizes": blocks, "root_ids": list(ir.root_ids), "grid_block_ids": [list(ids) for ids in ir.grid_block_ids],
        "shape_env": {str(k): _bound(v) for k, v in hints.items()},
        "graphs": [_helion_graph(g, hints) for g in ir.graphs],
    }, out)


# -- the command line --------------------------------------------------------------------------------------------------------------


def main(arguments: "list[str]") -> int:
    if len(arguments) != 2 or ":" not in arguments[0]:
        print("usage: python fxscope_capture.py module:function OUT\n\nfunction() returns (model, args) or (model, args, kwargs)", file=sys.stderr)
        return 2
    module, _, function = arguments[0].partition(":")
    sys.path.insert(0, os.getcwd())
    made = getattr(importlib.import_module(module), function)()
    model, args, kwargs = (*made, {}) if len(made) == 2 else made
    for path in capture(model, *args, out=arguments[1], **kwargs):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
