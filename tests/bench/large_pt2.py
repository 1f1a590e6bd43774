# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a .pt2 of any number of nodes without PyTorch: a deep chain of small residual layers, as torch.export.save lays it out.

    python3 large_pt2.py OUT.pt2 NODES
"""
import json
import sys
import zipfile

TRACE = ('File "model.py", line {line}, in forward\n    {code}\n'
         '  File "torch/nn/modules/linear.py", line 134, in forward\n    return F.linear(input, self.weight, self.bias)')


def tensor(sizes, requires_grad=False):
    strides, step = [], 1
    for size in reversed(sizes):
        strides.insert(0, step)
        step *= size
    return {"dtype": 7, "sizes": [{"as_int": s} for s in sizes], "requires_grad": requires_grad,
            "device": {"type": "cpu", "index": None}, "strides": [{"as_int": s} for s in strides],
            "storage_offset": {"as_int": 0}, "layout": 7}


def node(name, target, inputs, layer, line, code):
    return {"target": f"torch.ops.aten.{target}", "inputs": [{"name": k, "arg": v, "kind": 1} for k, v in inputs],
            "outputs": [{"as_tensor": {"name": name}}],
            "metadata": {"stack_trace": TRACE.format(line=line, code=code),
                         "nn_module_stack": f"L__self__,,model.Deep;L__self___layers_{layer},layers.{layer},model.Layer",
                         "torch_fn": f"{name}_1;builtin_function_or_method.{target.split('.')[0]}"},
            "is_hop_single_tensor_return": None, "name": name}


def program(nodes, width=8):
    layers = max(1, nodes // 7)   # two parameters and five operations each
    values, calls, inputs, specs = {}, [], [], []
    weights = {}
    for i in range(layers):
        for kind, sizes in (("weight", [width, width]), ("bias", [width])):
            name = f"p_layers_{i}_linear_{kind}"
            values[name] = tensor(sizes, True)
            inputs.append({"as_tensor": {"name": name}})
            fqn = f"layers.{i}.linear.{kind}"
            specs.append({"parameter": {"arg": {"name": name}, "parameter_name": fqn}})
            weights[fqn] = {"path_name": f"weight_{len(weights)}", "is_param": True, "use_pickle": False, "tensor_meta": values[name]}
    values["x"] = tensor([4, width])
    inputs.append({"as_tensor": {"name": "x"}})
    specs.append({"user_input": {"arg": {"as_tensor": {"name": "x"}}}})
    last = "x"
    ref = lambda n: {"as_tensor": {"name": n}}
    for i in range(layers):
        tail = f"_{i}" if i else ""
        steps = [
            (f"linear{tail}", "linear.default", [("input", ref(last)), ("weight", ref(f"p_layers_{i}_linear_weight")), ("bias", ref(f"p_layers_{i}_linear_bias"))], 11, "h = self.linear(x)"),
            (f"relu{tail}", "relu.default", [("self", ref(f"linear{tail}"))], 12, "h = torch.relu(h)"),
            (f"mul{tail}", "mul.Tensor", [("self", ref(f"relu{tail}")), ("other", {"as_float": 0.5})], 13, "h = h * 0.5"),
            (f"sigmoid{tail}", "sigmoid.default", [("self", ref(f"mul{tail}"))], 14, "h = torch.sigmoid(h)"),
            (f"add{tail}", "add.Tensor", [("self", ref(last)), ("other", ref(f"sigmoid{tail}"))], 15, "return x + h"),
        ]
        for name, target, args, line, code in steps:
            calls.append(node(name, target, args, i, line, code))
            values[name] = tensor([4, width])
        last = f"add{tail}"
    graph = {"inputs": inputs, "outputs": [ref(last)], "nodes": calls, "tensor_values": values, "sym_int_values": {},
             "sym_bool_values": {}, "is_single_tensor_return": False, "custom_obj_values": {}, "sym_float_values": {}}
    signature = {"input_specs": specs, "output_specs": [{"user_output": {"arg": ref(last)}}]}
    in_spec = ('[1, {"type": "builtins.tuple", "context": "null", "children_spec": [{"type": "builtins.tuple", "context": "null", '
               '"children_spec": [{"type": null, "context": null, "children_spec": []}]}, '
               '{"type": "builtins.dict", "context": "[]", "children_spec": []}]}]')
    out_spec = '[1, {"type": null, "context": null, "children_spec": []}]'
    model = {"graph_module": {"graph": graph, "signature": signature,
                              "module_call_graph": [{"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": in_spec, "out_spec": out_spec, "forward_arg_names": ["x"]}}],
                              "metadata": {}, "treespec_namedtuple_fields": {}},
             "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20},
             "verifiers": ["TRAINING"], "torch_version": "2.13.0", "guards_code": []}
    return model, weights


def write(path, nodes):
    model, weights = program(nodes)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as out:
        put = lambda name, data: out.writestr(zipfile.ZipInfo("large/" + name, (1980, 1, 1, 0, 0, 0)), data)
        put("archive_format", "pt2")
        put("archive_version", "0")
        put("byteorder", "little")
        put(".data/version", "6\n")
        put("data/weights/model_weights_config.json", json.dumps({"config": weights}))
        for meta in weights.values():
            count = 1
            for size in meta["tensor_meta"]["sizes"]:
                count *= size["as_int"]
            put("data/weights/" + meta["path_name"], b"\0\0\0\x3f" * count)
        put("data/constants/model_constants_config.json", json.dumps({"config": {}}))
        put("models/model.json", json.dumps(model))
        put("data/sample_inputs/model.pt", b"")


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
