// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Decodes arguments of captured graphs in JSON (resources/schemas/fx.schema.json, "argument"):
// objects whose one member is the kind.
//   {"node": "x"} {"const": 3} {"float": "-inf"} {"complex": [1, 2]} {"list": [..]} {"tuple": [..]}
//   {"dict": {..}} {"slice": [a, b, c]}
//   {"dtype": "float32"} {"device": "cuda:0"} {"layout": "strided"} {"memory_format":
//   "channels_last"} {"operator": "aten.add_.Tensor"}
//   {"sym": "s0"} {"function": "torch.relu"} {"opaque": "<object ..>"}
#include <string_view>
#include <unordered_map>

#include "base/json.h"
#include "fx/program.h"

namespace fxs::read::fx_json {

/// The nodes of one graph by their names in the file: those read so far, and all of them.
struct Names {
  std::unordered_map<std::string_view, fx::NodeId> defined;
  std::unordered_map<std::string_view, Json> all;
};

Result<fx::Argument> argument(const Json&, const Names&);
/// A node's "args" and "kwargs", with names and order from the schema of `target`; without a
/// schema, positional arguments have no names.
Result<std::vector<fx::NodeArgument>> arguments(const Json& node, std::string_view target,
                                                const Names&);

}  // namespace fxs::read::fx_json
