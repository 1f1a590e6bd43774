// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/reduce_module.h"

#include <algorithm>
#include <optional>

#include "diagnose/minimize.h"
#include "mlir/text/module.h"
#include "module/function_parts.h"

namespace fxs::diagnose {
namespace {

using mlir::OpId;

constexpr std::size_t kOperationsAtOnce = 5000;

/// Of `raw`, which fails with that signature: without what one function does not need.
Result<std::string> reduceFunction(const std::string& raw, const module::FunctionParts& function,
                                   const FailureSignature& wanted, const ModuleProbe& probe,
                                   const TimeLimit& budget, const RunContext& context) {
  const SubsetTest test =
      [&](const std::vector<Subset>& candidates) -> Result<std::optional<std::vector<bool>>> {
    if (context.stop.stop_requested() || budget.isReached())
      return std::optional<std::vector<bool>>();
    std::vector<std::string> texts;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (std::string text = function.moduleWith(candidates[i]); !text.empty()) {
        texts.push_back(std::move(text));
        asked.push_back(i);
      }
    auto failures = probe(texts, context);
    if (!failures && failures.error().code == ErrorCode::Cancelled)
      return std::optional<std::vector<bool>>();
    if (!failures) return tl::unexpected<Error>(failures.error());
    std::vector<bool> out(candidates.size(), false);
    for (std::size_t k = 0; k < asked.size(); ++k)
      out[asked[k]] = std::any_of((*failures)[k].begin(), (*failures)[k].end(),
                                  [&](const Failure& f) { return f.signature == wanted; });
    return std::optional(std::move(out));
  };
  Subset all(function.items());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  FXS_TRY(const auto full, test({all}));
  if (!full || !(*full)[0]) return raw;
  FXS_TRY(const Minimized result, minimize(all, kOperationsAtOnce, test));
  return result.kept.size() == all.size() ? raw : function.moduleWith(result.kept);
}

}  // namespace

Result<std::string> reduceModule(const std::string& raw, const FailureSignature& wanted,
                                 const ModuleProbe& probe, const TimeLimit& budget,
                                 const RunContext& context) {
  std::vector<OpId> functions;
  const mlir::Module given(raw);
  for (std::size_t i = 0; i < given.ops.size(); ++i)
    if (given.nameOf(OpId::of(i)) == "func.func") functions.push_back(OpId::of(i));
  // Backwards: what precedes a function that becomes shorter keeps its position.
  std::string out = raw;
  for (auto id = functions.rbegin(); id != functions.rend(); ++id) {
    const mlir::Module text(out);
    const std::optional<module::FunctionParts> function = module::FunctionParts::read(text, *id);
    if (!function) continue;
    FXS_TRY(std::string reduced, reduceFunction(out, *function, wanted, probe, budget, context));
    out = std::move(reduced);
  }
  return out;
}

}  // namespace fxs::diagnose
