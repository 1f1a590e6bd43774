// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/smaller_sizes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "ops/shapes.h"

namespace fxs::diagnose {
namespace {

using fx::Node;
using fx::NodeOp;
using fx::TensorMeta;

/// Operations that are not elementwise, but whose sizes are those of their operands.
constexpr std::array<std::string_view, 7> kOfEqualSizes{
    "aten.addmm.default",
    "aten.baddbmm.default",
    "aten.bmm.default",
    "aten.linear.default",
    "aten.matmul.default",
    "aten.mm.default",
    "aten.scaled_dot_product_attention.default"};

/// Numbers too small to be a size to shrink: dimensions, counts of 0 or 1.
bool isSmall(const fx::Argument& argument) {
  if (const std::int64_t* number = argument.integer()) return *number >= -1 && *number <= 1;
  if (const fx::ArgumentList* list = argument.list())
    return std::all_of(list->begin(), list->end(), isSmall);
  return !std::holds_alternative<fx::ArgumentDict>(argument);
}

/// Whether `sizes` is what the operands broadcast to.
bool isBroadcast(const std::vector<const TensorMeta*>& operands,
                 const std::vector<fx::SymInt>& sizes) {
  std::vector<fx::SymInt> out;
  for (const TensorMeta* operand : operands) {
    auto both = ops::broadcastShapes(out, operand->sizes);
    if (!both) return false;
    out = *std::move(both);
  }
  return !operands.empty() && out == sizes;
}

bool keepsEqualSizes(const fx::Program& program, const Node& node) {
  const TensorMeta* own = node.val.tensor();
  // Nothing is known of operations of other libraries.
  if (own == nullptr || !own->isStaticShape() || !node.target.starts_with("aten.")) return false;
  std::vector<const TensorMeta*> operands;
  bool known = true;
  for (const fx::NodeArgument& argument : node.args) {
    known = known && isSmall(argument.value);
    fx::forEachNode(argument.value, [&](fx::NodeId used) {
      const TensorMeta* operand = program.node(used).val.tensor();
      known = known && operand != nullptr && operand->isStaticShape();
      operands.push_back(operand);
    });
  }
  if (!known) return false;
  return isBroadcast(operands, own->sizes) ||
         std::find(kOfEqualSizes.begin(), kOfEqualSizes.end(), node.target) != kOfEqualSizes.end();
}

}  // namespace

std::vector<std::int64_t> sizesThatMayShrink(const fx::Program& program, std::int64_t small) {
  if (program.graphs.size() != 1) return {};
  std::set<std::int64_t> sizes, fixed;
  for (const Node& node : program.nodes) {
    if (node.op == NodeOp::Output) continue;
    const TensorMeta* tensor = node.val.tensor();
    if (tensor == nullptr || !tensor->isStaticShape()) return {};
    if (node.op != NodeOp::Placeholder &&
        (node.op != NodeOp::CallFunction || !keepsEqualSizes(program, node)))
      return {};
    const fx::InputSpec* input =
        node.op == NodeOp::Placeholder ? program.inputOf(node.id) : nullptr;
    const bool isWeight = input != nullptr && input->kind != fx::InputKind::UserInput;
    for (const fx::SymInt& size : tensor->sizes)
      if (size.value() > small) (isWeight ? fixed : sizes).insert(size.value());
  }
  std::vector<std::int64_t> out;
  std::set_difference(sizes.begin(), sizes.end(), fixed.begin(), fixed.end(),
                      std::back_inserter(out));
  return out;
}

fx::ProgramPtr withSmallSizes(const fx::Program& program, const std::set<std::int64_t>& sizes,
                              std::int64_t small) {
  auto out = std::make_shared<fx::Program>(program);
  for (Node& node : out->nodes)
    if (auto* tensor = std::get_if<TensorMeta>(&node.val)) {
      for (fx::SymInt& size : tensor->sizes)
        if (sizes.contains(size.value())) size = small;
      tensor->strides = fx::contiguousStrides(tensor->sizes);
      tensor->storageOffset = 0;
    }
  return out;
}

}  // namespace fxs::diagnose
