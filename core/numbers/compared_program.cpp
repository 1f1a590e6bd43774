// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/compared_program.h"

#include <algorithm>

#include "compare/taps.h"
#include "compare/values.h"

namespace fxs::numbers {
namespace {

/// Elements that differ in indices before ties and rounding no longer explain it: one in twenty.
constexpr std::uint64_t kTies = 20;

}  // namespace

ComparedProgram::ComparedProgram(const session::Snapshot& snapshot, const compare::Sizes& sizes)
    : user(*snapshot.capture->program),
      program(snapshot.rewritten->program),
      results(compare::resultNodes(*program)),
      specs(compare::resultSpecs(*program)),
      undetermined(compare::undeterminedNodes(*program)),
      valueOf(compare::valueNodes(*program)),
      lowest_(compare::lowestPrecisions(*program)),
      indices_(compare::chosenIndices(*program)),
      sums_(compare::longestSums(*program, sizes)) {}

std::string ComparedProgram::resultName(std::size_t result) const {
  const fx::OutputSpec& spec = *specs[result];
  if (spec.kind != fx::OutputKind::UserOutput) {
    // The target is the name of a weight or of an input; values are kept by the name of its
    // placeholder.
    for (const fx::InputSpec& input : user.inputs)
      if (const std::string& name = nameOf(input.node);
          input.target == spec.target || name == spec.target)
        return name + "#after";
    return {};
  }
  std::size_t position = 0;  // which of the user's outputs
  for (std::size_t r = 0; r < result; ++r)
    position += specs[r]->kind == fx::OutputKind::UserOutput ? 1 : 0;
  const auto& outputs = user.outputs;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (outputs[o].kind != fx::OutputKind::UserOutput || outputs[o].value.isNone()) continue;
    if (position-- == 0) return "output#" + std::to_string(o);
  }
  return {};
}

tensor::Difference ComparedProgram::judged(const tensor::Tensor& found,
                                           const tensor::Tensor& expected, fx::NodeId node,
                                           double scale) const {
  // Texts below torch do not say whether an integer has a sign.
  if (found.dtype != expected.dtype && isIntegral(found.dtype) && isIntegral(expected.dtype) &&
      facts(found.dtype).bytes == facts(expected.dtype).bytes) {
    tensor::Tensor same = found;
    same.dtype = expected.dtype;
    return judged(same, expected, node, scale);
  }
  const DType lowest = node.valid() ? lowest_[node.index()] : DType::Unknown;
  const std::uint64_t terms = node.valid() ? sums_[node.index()] : 1;
  tensor::Difference out = tensor::judge(found, expected, {lowest, scale, terms});
  if (node.valid() && indices_[node.index()] && out.verdict == tensor::Verdict::Differs &&
      out.kind != tensor::Kind::Shape && out.wrong * kTies <= std::max(out.elements, kTies)) {
    out.verdict = tensor::Verdict::Suspicious;
    out.message += "; ties and rounding can choose other elements";
  }
  return out;
}

}  // namespace fxs::numbers
