// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/control_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "compare/coverage.h"
#include "compare/elements.h"

namespace fxs::numbers {
namespace {

using compare::Inputs;
using compare::InputSetKind;

constexpr std::uint64_t kFurtherSeeds = 4;

/// Outcomes of a comparison: how far its operands lie apart, for integers up to kFar, for floats
/// whether one is less or greater.
constexpr double kFar = 2;
constexpr std::size_t kOfIntegers = 5, kOfFloats = 2;

/// Comparisons of single elements, which decide like conditions.
std::vector<const fx::Node*> singleComparisons(const fx::Program& program) {
  const std::vector<bool> depends = compare::dependOnInputs(program);
  std::vector<const fx::Node*> out;
  for (const fx::NodeId id : program.main().nodes) {
    const fx::Node& node = program.node(id);
    const fx::TensorMeta* result = node.val.tensor();
    if (depends[id.index()] && result != nullptr && result->rank() == 0 &&
        compare::comparesElements(node))
      out.push_back(&node);
  }
  return out;
}

bool isOfIntegers(const fx::Program& program, const fx::Node& comparison) {
  const fx::NodeId* operand = comparison.args[0].value.node();
  const fx::TensorMeta* meta = operand == nullptr ? nullptr : program.node(*operand).val.tensor();
  return meta != nullptr && isIntegral(meta->dtype);
}

/// What ran of each condition and loop, and how single elements compared, by name.
class Outcomes {
 public:
  explicit Outcomes(const fx::Program& program) : program_(program) {
    for (const fx::NodeId id : program.main().nodes) {
      const fx::Node& node = program.node(id);
      if (node.target.starts_with("higher_order.cond")) wanted_[node.name] = 2;
      if (node.target.starts_with("higher_order.while_loop")) wanted_[node.name] = 3;
    }
    for (const fx::Node* node : singleComparisons(program)) {
      wanted_[node->name] = isOfIntegers(program, *node) ? kOfIntegers : kOfFloats;
      comparisons_.push_back(node);
    }
  }
  bool areComplete() const {
    for (const auto& [name, count] : wanted_) {
      const auto found = reached_.find(name);
      if (found == reached_.end() || found->second.size() < count) return false;
    }
    return true;
  }
  /// Whether something was reached that had not been reached before.
  bool add(const Reference& reference, const Inputs& inputs, const RunContext& context) {
    if (!reference.stopped.empty()) return false;
    bool isNew = false;
    for (const auto& [name, taken] : reference.taken)
      isNew = reached_[name].insert(taken).second || isNew;
    const compare::NodeValue values = nodeValues(program_, reference, inputs, context);
    for (const fx::Node* node : comparisons_) {
      const double far = isOfIntegers(program_, *node) ? kFar : 1;
      compare::forEachDifference(*node, values, [&](double difference) {
        if (std::isnan(difference)) return true;
        const double away =
            std::clamp(std::copysign(std::ceil(std::abs(difference)), difference), -far, far);
        isNew = reached_[node->name].insert(std::to_string(std::lround(away))).second || isNew;
        return true;
      });
    }
    return isNew;
  }

 private:
  const fx::Program& program_;
  std::vector<const fx::Node*> comparisons_;
  std::map<std::string, std::size_t> wanted_;
  std::map<std::string, std::set<std::string>> reached_;
};

Result<std::vector<Inputs>> candidates(const fx::Program& program, const compare::Sizes& sizes,
                                       std::uint64_t seed, const RunContext& context) {
  std::vector<Inputs> out;
  for (std::size_t round = 0; round < compare::kMostShiftedRounds; ++round) {
    FXS_TRY(out.emplace_back(),
            compare::drawInputs(program, sizes, seed, InputSetKind::Shifted, round, context));
  }
  for (std::uint64_t further = 1; further <= kFurtherSeeds; ++further)
    for (const InputSetKind set :
         {InputSetKind::Ordinary, InputSetKind::Steps, InputSetKind::Range}) {
      FXS_TRY(out.emplace_back(),
              compare::drawInputs(program, sizes, seed + further, set, 0, context));
    }
  return out;
}

}  // namespace

Result<std::vector<Inputs>> furtherInputs(const fx::Program& program, const compare::Sizes& sizes,
                                          const CompareOptions& options,
                                          const RunContext& context) {
  if (Outcomes(program).areComplete() || !options.inputsFile.empty() || options.set)
    return std::vector<Inputs>();
  return candidates(program, sizes, options.seed, context);
}

void keepReaching(const fx::Program& program, std::vector<Inputs> further,
                  std::vector<Reference> values, std::vector<Inputs>& inputs,
                  std::vector<Reference>& references, const RunContext& context) {
  Outcomes outcomes(program);
  for (std::size_t i = 0; i < references.size(); ++i)
    outcomes.add(references[i], inputs[i], context);
  for (std::size_t i = 0; i < further.size(); ++i) {
    if (!outcomes.add(values[i], further[i], context)) continue;
    inputs.push_back(std::move(further[i]));
    references.push_back(std::move(values[i]));
  }
}

}  // namespace fxs::numbers
