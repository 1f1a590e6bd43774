// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/taps.h"

#include <set>

namespace fxs::compare {

std::vector<const fx::OutputSpec*> resultSpecs(const fx::Program& program) {
  std::vector<const fx::OutputSpec*> out;
  for (const fx::OutputSpec& spec : program.outputs) {
    if (spec.kind == fx::OutputKind::Token || spec.value.isNone()) continue;
    const fx::NodeId* id = spec.value.node();
    if (id == nullptr || !std::holds_alternative<fx::NoneValue>(program.node(*id).val))
      out.push_back(&spec);
  }
  return out;
}

std::vector<fx::NodeId> resultNodes(const fx::Program& program) {
  std::vector<fx::NodeId> out;
  for (const fx::OutputSpec* spec : resultSpecs(program))
    out.push_back(spec->value.node() != nullptr ? *spec->value.node() : fx::NodeId());
  return out;
}

std::vector<fx::NodeId> tappableNodes(const fx::Program& program) {
  std::set<fx::NodeId> results;
  for (const fx::NodeId id : resultNodes(program)) results.insert(id);
  std::vector<fx::NodeId> out;
  for (const fx::NodeId id : program.main().nodes) {
    const fx::Node& node = program.node(id);
    if (node.op == fx::NodeOp::CallFunction && node.val.tensor() != nullptr &&
        node.val.tensor()->layout == Layout::Strided && !results.contains(id))
      out.push_back(id);
  }
  return out;
}

Result<Tapped> withTaps(const fx::ProgramPtr& program, const std::vector<fx::NodeId>& nodes) {
  auto tapped = std::make_shared<fx::Program>(*program);
  if (!tapped->original) tapped->original = program;
  fx::Node& output = tapped->nodes[tapped->main().nodes.back().index()];
  fx::ArgumentList values;
  if (!output.args.empty() && output.args.front().value.list() != nullptr)
    values = *output.args.front().value.list();
  for (const fx::NodeId node : nodes) {
    values.emplace_back(node);
    tapped->outputs.push_back({fx::OutputKind::UserOutput, fx::Argument(node), {}});
  }
  if (output.args.empty()) output.args.push_back({"", {}, false});
  output.args.front().value = std::move(values);
  FXS_CHECK(fx::verify(*tapped));
  return Tapped{std::move(tapped), nodes};
}

}  // namespace fxs::compare
