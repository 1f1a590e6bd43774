#pragma once
// Arguments of captured graphs in JSON (resources/schemas/fx.schema.json, "argument"): each is an object with one member, its kind.
//   {"node": "x"} {"const": 3} {"float": "-inf"} {"complex": [1, 2]} {"list": [..]} {"tuple": [..]} {"dict": {..}} {"slice": [a, b, c]}
//   {"dtype": "float32"} {"device": "cuda:0"} {"layout": "strided"} {"memory_format": "channels_last"} {"operator": "aten.add_.Tensor"}
//   {"sym": "s0"} {"function": "torch.relu"} {"opaque": "<object ..>"}
#include <string_view>
#include <unordered_map>

#include "base/json.h"
#include "fx/program.h"

namespace fxs::read::fx_json {

/// The nodes of one graph by the names they have in the file, and those that come later.
struct Names {
  std::unordered_map<std::string_view, fx::NodeId> defined;
  std::unordered_map<std::string_view, Json> all;
};

Result<fx::Argument> argument(const Json&, const Names&);
/// The list of a node's "args" and "kwargs", named by the schema of `target` where PyTorch has it, else by position alone; in the
/// order of the schema.
Result<std::vector<fx::NodeArgument>> arguments(const Json& node, std::string_view target, const Names&);

}  // namespace fxs::read::fx_json
