// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fix/short_python.h"

#include <algorithm>
#include <numeric>

#include "base/work_time.h"
#include "diagnose/minimize.h"

namespace fxs::fix {
namespace {

using Lowers = std::function<Result<bool>(const fx::Program&)>;

class Shortener {
 public:
  Shortener(const LongPython& python, const Lowers& lowers, std::chrono::milliseconds budget,
            const RunContext& context)
      : python_(python), lowers_(lowers), limit_(budget), context_(context) {}

  Result<ShortPython> run() const {
    const std::vector<diagnose::PythonDecomposition>& all = python_.decompositions;
    // That it lowers without a correction says nothing.
    if (all.empty() || std::ranges::any_of(all, &diagnose::PythonDecomposition::corrects))
      return ShortPython{all};
    FXS_TRY(const bool withoutAny, suffices({}));
    if (withoutAny) return ShortPython{};
    FXS_TRY(const bool byPyTorch, decomposedByPyTorch());
    if (byPyTorch) return ShortPython{{}, true};
    // Often nothing of what is rewritten by default is needed.
    diagnose::Subset start(all.size());
    std::iota(start.begin(), start.end(), std::size_t{0});
    diagnose::Subset ofChanges = start;
    std::erase_if(ofChanges, [&](std::size_t i) { return !isOfChange(all[i]); });
    FXS_TRY(const bool withThese, suffices(ofChanges));
    FXS_TRY(const diagnose::Minimized least,
            diagnose::minimize(withThese ? ofChanges : start, 1,
                               [this](const auto& candidates) { return tested(candidates); }));
    ShortPython out;
    for (const std::size_t i : least.kept) out.decompositions.push_back(all[i]);
    return out;
  }

 private:
  /// False if there is no time to try it.
  Result<bool> suffices(const diagnose::Subset& kept) const {
    FXS_TRY(const auto passes, tested({kept}));
    return passes && passes->front();
  }

  Result<std::optional<std::vector<bool>>> tested(
      const std::vector<diagnose::Subset>& candidates) const {
    std::vector<bool> out;
    for (const diagnose::Subset& kept : candidates) {
      if (limit_.isReached()) return std::nullopt;
      std::set<std::string> without = python_.leftOut;
      for (const diagnose::PythonDecomposition& d : python_.decompositions)
        without.insert(d.target);
      for (const std::size_t i : kept) without.erase(python_.decompositions[i].target);
      FXS_TRY(const bool lowers,
              isLowered(diagnose::PythonChanges(python_.base).programWithout(without, context_)));
      out.push_back(lowers);
    }
    return out;
  }

  Result<bool> decomposedByPyTorch() const {
    diagnose::RewriteBase base = python_.base;
    std::erase_if(base.applied, [](const diagnose::Change& c) { return !c.staticSizes; });
    FXS_TRY(const auto change, diagnose::runDecompositions(base, context_));
    if (!change) return false;
    return isLowered(diagnose::changedProgram(base, {&*change}, context_));
  }

  /// False for a program that cannot be made or tried.
  Result<bool> isLowered(const Result<fx::ProgramPtr>& program) const {
    const Result<bool> lowers =
        program ? lowers_(**program) : Result<bool>(tl::unexpected<Error>(program.error()));
    if (!lowers && endsAll(lowers.error())) return tl::unexpected<Error>(lowers.error());
    return lowers.value_or(false);
  }

  bool isOfChange(const diagnose::PythonDecomposition& d) const {
    return std::ranges::any_of(d.nodes,
                               [&](fx::NodeId id) { return python_.changed.contains(id); });
  }

  const LongPython& python_;
  const Lowers& lowers_;
  TimeLimit limit_;
  const RunContext& context_;
};

}  // namespace

Result<ShortPython> shortened(LongPython python, const Lowers& lowers,
                              std::chrono::milliseconds budget, const RunContext& context) {
  return Shortener(python, lowers, budget, context).run();
}

}  // namespace fxs::fix
