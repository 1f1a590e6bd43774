// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/control_search.h"

#include <map>
#include <set>

#include "compare/elements.h"

namespace fxs::numbers {
namespace {

using compare::Inputs;
using compare::InputSetKind;

constexpr std::uint64_t kFurtherSeeds = 4;

/// What ran of each condition and loop, by name.
class Outcomes {
 public:
  explicit Outcomes(const fx::Program& program) {
    for (const fx::NodeId id : program.main().nodes) {
      const fx::Node& node = program.node(id);
      if (node.target.starts_with("higher_order.cond")) wanted_[node.name] = 2;
      if (node.target.starts_with("higher_order.while_loop")) wanted_[node.name] = 3;
    }
  }
  bool areComplete() const {
    for (const auto& [name, count] : wanted_) {
      const auto found = taken_.find(name);
      if (found == taken_.end() || found->second.size() < count) return false;
    }
    return true;
  }
  /// Whether something ran that had not run before.
  bool add(const Reference& reference) {
    bool isNew = false;
    if (reference.stopped.empty())
      for (const auto& [name, taken] : reference.taken)
        isNew = taken_[name].insert(taken).second || isNew;
    return isNew;
  }

 private:
  std::map<std::string, std::size_t> wanted_;
  std::map<std::string, std::set<std::string>> taken_;
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
                  std::vector<Reference>& references) {
  Outcomes outcomes(program);
  for (const Reference& reference : references) outcomes.add(reference);
  for (std::size_t i = 0; i < further.size(); ++i) {
    if (!outcomes.add(values[i])) continue;
    inputs.push_back(std::move(further[i]));
    references.push_back(std::move(values[i]));
  }
}

}  // namespace fxs::numbers
