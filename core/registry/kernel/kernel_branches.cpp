// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/kernel/kernel_branches.h"

namespace fxs::registry {
namespace {

constexpr const char* kCaptureAgain =
    "the file does not say which variables its branches set; capture the kernel again with "
    "fxscope_capture.py";

/// "acc" of "acc_1": torch.fx numbers the nodes of one variable.
std::string_view variableOf(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool isNumbered =
      end != std::string_view::npos && end > 0 && end + 1 < name.size() && name[end] == '_';
  return isNumbered ? name.substr(0, end) : name;
}

std::optional<fx::Argument> argumentNamed(const std::vector<std::string>& names,
                                          const BranchSide& side, const std::string& name) {
  for (std::size_t i = 0; i < names.size() && i < side.arguments->size(); ++i)
    if (names[i] == name) return (*side.arguments)[i];
  return std::nullopt;
}

std::optional<std::string> knownValue(const BranchSides& sides, const fx::KernelBranchValue& value,
                                      const BranchSide& side, BranchValue& out) {
  if (value.output) {
    if (*value.output < 0 || static_cast<std::size_t>(*value.output) >= side.outputs->size())
      return "the file names output " + std::to_string(*value.output) + " of a branch that has " +
             std::to_string(side.outputs->size());
    out.output = static_cast<std::size_t>(*value.output);
    return std::nullopt;
  }
  auto kept = argumentNamed(sides.known->ifNames, sides.then, value.name);
  if (!kept) kept = argumentNamed(sides.known->elseNames, sides.otherwise, value.name);
  if (!kept)
    return "'" + value.name +
           "' is set in one branch only and read in none, so the file does not say what it is "
           "otherwise; set it in both";
  out.kept = *std::move(kept);
  return std::nullopt;
}

/// The one argument that has the name and type of an output.
std::optional<fx::Argument> sameVariable(const fx::Program& program, const fx::Argument& output,
                                         const fx::ArgumentList& arguments) {
  const fx::NodeId* id = output.node();
  const fx::TensorMeta* type = id != nullptr ? program.node(*id).val.tensor() : nullptr;
  if (type == nullptr) return std::nullopt;
  std::optional<fx::Argument> out;
  for (const fx::Argument& argument : arguments) {
    const fx::NodeId* other = argument.node();
    const fx::TensorMeta* meta = other != nullptr ? program.node(*other).val.tensor() : nullptr;
    if (meta == nullptr || meta->dtype != type->dtype || meta->sizes != type->sizes) continue;
    if (variableOf(program.node(*other).name) != variableOf(program.node(*id).name)) continue;
    if (out) return std::nullopt;
    out = argument;
  }
  return out;
}

}  // namespace

std::optional<std::string> branchPairs(const BranchSides& sides, std::vector<BranchPair>& out) {
  if (sides.known != nullptr) {
    if (sides.known->branches.size() != sides.pairs)
      return "it has " + std::to_string(sides.pairs) + " values, but the file names " +
             std::to_string(sides.known->branches.size());
    for (const auto& [then, otherwise] : sides.known->branches) {
      BranchPair pair;
      if (auto reason = knownValue(sides, then, sides.then, pair.then)) return reason;
      if (auto reason = knownValue(sides, otherwise, sides.otherwise, pair.otherwise))
        return reason;
      out.push_back(std::move(pair));
    }
    return std::nullopt;
  }
  if (sides.pairs == 0) return std::nullopt;
  if (!sides.otherwise.outputs->empty() || sides.then.outputs->size() != sides.pairs)
    return kCaptureAgain;
  for (std::size_t i = 0; i < sides.pairs; ++i) {
    const fx::Argument& output = (*sides.then.outputs)[i];
    const auto kept = sameVariable(*sides.program, output, *sides.then.arguments);
    if (!kept) return kCaptureAgain;
    BranchPair pair;
    pair.then.output = i;
    pair.otherwise.kept = *kept;
    pair.assumed = "the branch is assumed to change '" + sides.program->node(*kept->node()).name +
                   "', by the name of what it returns; a file of fxscope_capture.py says it";
    out.push_back(std::move(pair));
  }
  return std::nullopt;
}

}  // namespace fxs::registry
