// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fix/short_python.h"

#include <algorithm>
#include <numeric>

#include "base/work_time.h"
#include "diagnose/minimize.h"

namespace fxs::fix {
namespace {

using Lowers = std::function<Result<bool>(const fx::Program&)>;

/// What is left out does not decide whether views need a copy: Shortener adds it.
void leaveOutViews(LongPython& python) {
  std::erase_if(python.decompositions, &diagnose::PythonDecomposition::isOfViews);
}

class Shortener {
 public:
  Shortener(const LongPython& python, const Lowers& lowers, TimeLimit limit,
            const RunContext& context)
      : python_(python), lowers_(lowers), limit_(limit), context_(context) {}

  Result<ShortPython> run() const {
    const std::vector<diagnose::PythonDecomposition>& all = python_.decompositions;
    if (all.empty()) return ShortPython{};
    // That it lowers without a correction says nothing.
    if (std::ranges::any_of(all, &diagnose::PythonDecomposition::corrects))
      return withViews(ShortPython{all});
    FXS_TRY(const bool withoutAny, suffices({}));
    if (withoutAny) return ShortPython{};
    FXS_TRY(const bool byPyTorch, decomposedByPyTorch());
    if (byPyTorch) return ShortPython{{}, true};
    FXS_TRY(ShortPython out, leastOf());
    if (out.decompositions.size() < 2) return out;
    FXS_TRY(std::optional<ShortPython> after, leastAfterPyTorch());
    const bool isShorter = after && linesOf(*after) < linesOf(out);
    return isShorter ? *std::move(after) : std::move(out);
  }

 private:
  /// As few decompositions as suffice, of which there is at least one.
  Result<ShortPython> leastOf() const {
    const std::vector<diagnose::PythonDecomposition>& all = python_.decompositions;
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
    return withViews(std::move(out));
  }

  /// Also what the views of the program need then.
  Result<ShortPython> withViews(ShortPython python) const {
    std::set<std::string> without = allTargets();
    for (const diagnose::PythonDecomposition& d : python.decompositions) without.erase(d.target);
    FXS_TRY(const fx::ProgramPtr changed,
            diagnose::PythonChanges(python_.base).programWithout(without, context_));
    FXS_CHECK(diagnose::addViewsOfCopies(python.decompositions, changed));
    return python;
  }

  /// With PyTorch's decompositions first, which leave less to be decomposed; std::nullopt if that
  /// is not known, or does not suffice.
  Result<std::optional<ShortPython>> leastAfterPyTorch() const {
    if (diagnose::RewritePlan(python_.base, {}).runDecompositions) return std::nullopt;
    FXS_TRY(auto change, diagnose::runDecompositions(withStaticSizesOnly(), context_));
    if (!change) return std::nullopt;
    LongPython after{python_.base, {}, {}, python_.changed};
    after.base.applied.push_back(*std::move(change));
    diagnose::PythonChanges changes(after.base);
    FXS_TRY(after.decompositions, changes.with({}, context_));
    leaveOutViews(after);
    after.leftOut = changes.leftOut();
    if (after.decompositions.empty()) return std::nullopt;
    const Shortener shortener(after, lowers_, limit_, context_);
    diagnose::Subset all(after.decompositions.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    FXS_TRY(const bool lowers, shortener.suffices(all));
    if (!lowers) return std::nullopt;
    FXS_TRY(ShortPython out, shortener.leastOf());
    out.runDecompositions = true;
    return out;
  }

  static std::ptrdiff_t linesOf(const ShortPython& python) {
    std::ptrdiff_t lines = 0;
    for (const diagnose::PythonDecomposition& d : python.decompositions)
      lines += std::ranges::count(d.function, '\n');
    return lines;
  }

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
      std::set<std::string> without = allTargets();
      for (const std::size_t i : kept) without.erase(python_.decompositions[i].target);
      FXS_TRY(const bool lowers,
              isLowered(diagnose::PythonChanges(python_.base).programWithout(without, context_)));
      out.push_back(lowers);
    }
    return out;
  }

  std::set<std::string> allTargets() const {
    std::set<std::string> out = python_.leftOut;
    for (const diagnose::PythonDecomposition& d : python_.decompositions) out.insert(d.target);
    return out;
  }

  diagnose::RewriteBase withStaticSizesOnly() const {
    diagnose::RewriteBase base = python_.base;
    std::erase_if(base.applied, [](const diagnose::Change& c) { return !c.staticSizes; });
    return base;
  }

  Result<bool> decomposedByPyTorch() const {
    const diagnose::RewriteBase base = withStaticSizesOnly();
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
  leaveOutViews(python);
  return Shortener(python, lowers, TimeLimit(budget), context).run();
}

}  // namespace fxs::fix
