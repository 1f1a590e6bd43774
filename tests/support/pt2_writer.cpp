// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pt2_writer.h"

#include <algorithm>
#include <stdexcept>

namespace fxs::test {

namespace {

constexpr std::string_view kModel = R"json({
"graph_module": {
  "graph": {
    "inputs": [{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}],
    "outputs": [{"as_tensor": {"name": "relu"}}],
    "nodes": [
      {"target": "torch.ops.aten.add.Tensor",
       "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1}, {"name": "other", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1}],
       "outputs": [{"as_tensor": {"name": "add"}}],
       "metadata": {"stack_trace": "File \"small.py\", line 3, in forward\n    return torch.relu(x + self.w)", "nn_module_stack": "L__self__,,small.Small"},
       "is_hop_single_tensor_return": null, "name": "add"},
      {"target": "torch.ops.aten.relu.default",
       "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "add"}}, "kind": 1}],
       "outputs": [{"as_tensor": {"name": "relu"}}],
       "metadata": {"stack_trace": "File \"small.py\", line 3, in forward\n    return torch.relu(x + self.w)", "nn_module_stack": "L__self__,,small.Small"},
       "is_hop_single_tensor_return": null, "name": "relu"}
    ],
    "tensor_values": {
      "p_w": {"dtype": 7, "sizes": [{"as_int": 3}], "requires_grad": true, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7},
      "x": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": false, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 3}, {"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7},
      "add": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": true, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 3}, {"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7},
      "relu": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": true, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 3}, {"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}
    },
    "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": false, "custom_obj_values": {}, "sym_float_values": {}
  },
  "signature": {
    "input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}}, {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}],
    "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "relu"}}}}]
  },
  "module_call_graph": [{"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": "", "out_spec": "", "forward_arg_names": ["x"]}}],
  "metadata": {}, "treespec_namedtuple_fields": {}
},
"opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20}, "verifiers": ["TRAINING"],
"torch_version": "2.13.0+cpu", "guards_code": []
})json";

constexpr std::string_view kWeights =
    R"({"config": {"w": {"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [{"as_int": 3}], "requires_grad": true, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}}}})";

std::string floats(std::initializer_list<float> values) {
  std::string out;
  for (float v : values) out.append(reinterpret_cast<const char*>(&v), sizeof v);
  return out;
}

}  // namespace

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos)
    throw std::logic_error("the test edits text that does not occur exactly once: " +
                           std::string(from));
  return text.replace(at, from.size(), to);
}

Pt2::Pt2() {
  const std::pair<const char*, std::string> contents[] = {
      {"data/weights/weight_0", floats({1, 2, 3})},
      {"data/weights/model_weights_config.json", std::string(kWeights)},
      {"data/constants/model_constants_config.json", R"({"config": {}})"},
      {"models/model.json", std::string(kModel)},
      {"data/sample_inputs/model.pt", ""},
      {"archive_format", "pt2"},
      {"archive_version", "0"},
      {".data/version", "6\n"},
      {"byteorder", "little"},
  };
  for (const auto& [name, bytes] : contents) {
    ZipMember member;
    member.name = name;
    member.bytes = bytes;
    member.localExtra = 16;
    members.push_back(std::move(member));
  }
}

Pt2& Pt2::set(std::string_view name, std::string bytes) {
  auto at = std::find_if(members.begin(), members.end(),
                         [&](const ZipMember& m) { return m.name == name; });
  if (at == members.end()) {
    at = members.insert(at, ZipMember{});
    at->name = name;
  }
  at->bytes = std::move(bytes);
  return *this;
}

Pt2& Pt2::edit(std::string_view member, std::string_view from, std::string_view to) {
  return set(member, replaced(text(member), from, to));
}

Pt2& Pt2::remove(std::string_view name) {
  if (std::erase_if(members, [&](const ZipMember& m) { return m.name == name; }) != 1)
    throw std::logic_error("no member " + std::string(name));
  return *this;
}

Pt2& Pt2::rename(std::string_view name, std::string to) {
  for (ZipMember& m : members)
    if (m.name == name) {
      m.name = std::move(to);
      return *this;
    }
  throw std::logic_error("no member " + std::string(name));
}

std::string Pt2::text(std::string_view name) const {
  for (const ZipMember& m : members)
    if (m.name == name) return m.bytes;
  throw std::logic_error("no member " + std::string(name));
}

std::vector<ZipMember> Pt2::prefixed() const {
  std::vector<ZipMember> out = members;
  if (!root.empty())
    for (ZipMember& m : out) m.name = root + "/" + m.name;
  return out;
}

}  // namespace fxs::test
