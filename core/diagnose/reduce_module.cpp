// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/reduce_module.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "diagnose/minimize.h"
#include "mlir/text/module.h"

namespace fxs::diagnose {
namespace {

using mlir::OpId;

constexpr std::size_t kOperationsAtOnce = 5000;

class ModuleReducer {
 public:
  ModuleReducer(std::string text, const ModuleGoal& goal, const TimeLimit& budget,
                const RunContext& context)
      : text_(std::move(text)), goal_(goal), budget_(budget), context_(context) {}

  Result<std::string> run() && {
    FXS_CHECK(eraseSymbols());
    // Backwards: what precedes a function that becomes shorter keeps its position.
    const std::vector<OpId> functions = functionsOf(mlir::Module(text_));
    for (auto id = functions.rbegin(); id != functions.rend(); ++id) FXS_CHECK(reduceFunction(*id));
    FXS_CHECK(eraseSymbols());
    return std::move(text_);
  }

 private:
  static std::vector<OpId> functionsOf(const mlir::Module& module) {
    std::vector<OpId> out;
    for (std::size_t i = 0; i < module.ops.size(); ++i)
      if (module.nameOf(OpId::of(i)) == "func.func") out.push_back(OpId::of(i));
    return out;
  }

  using TextOf = std::function<std::string(const Subset&)>;

  /// `textOf`: "" for what cannot be written.
  SubsetTest testOf(const TextOf& textOf) const {
    return [this, &textOf](
               const std::vector<Subset>& candidates) -> Result<std::optional<std::vector<bool>>> {
      using Kept = std::optional<std::vector<bool>>;
      if (context_.stop.stop_requested() || budget_.isReached()) return Kept();
      std::vector<std::string> texts;
      std::vector<std::size_t> asked;
      for (std::size_t i = 0; i < candidates.size(); ++i)
        if (std::string text = textOf(candidates[i]); !text.empty()) {
          texts.push_back(std::move(text));
          asked.push_back(i);
        }
      const auto passes = goal_.test(texts);
      if (!passes && passes.error().code == ErrorCode::Cancelled) return Kept();
      if (!passes) return tl::unexpected<Error>(passes.error());
      std::vector<bool> out(candidates.size(), false);
      for (std::size_t k = 0; k < asked.size(); ++k) out[asked[k]] = (*passes)[k];
      return Kept(std::move(out));
    };
  }

  /// Keeps the smallest set of items found, of those that are tried first and all.
  Result<> minimizeItems(std::size_t count, std::vector<Subset> starts, const TextOf& textOf) {
    const SubsetTest test = testOf(textOf);
    Subset all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    starts.push_back(all);
    FXS_TRY(const auto passes, test(starts));
    if (!passes || !passes->back()) return {};
    const auto first = std::find(passes->begin(), passes->end(), true) - passes->begin();
    FXS_TRY(const Minimized result,
            minimize(starts[static_cast<std::size_t>(first)], kOperationsAtOnce, test));
    if (result.kept.size() < count) text_ = textOf(result.kept);
    return {};
  }

  Result<> reduceFunction(OpId id) {
    const mlir::Module module(text_);
    const auto function = module::FunctionParts::read(module, id);
    if (!function) return {};
    return minimizeItems(
        function->items(), goal_.guess ? goal_.guess(module, *function) : std::vector<Subset>(),
        [&](const Subset& kept) { return function->moduleWith(function->closed(kept)); });
  }

  /// Of the outermost module, if it has several.
  Result<> eraseSymbols() {
    const mlir::Module module(text_);
    std::vector<TextRange> symbols;
    for (const mlir::Op& op : module.ops) {
      if (!op.parent.valid() || module.op(op.parent).parent.valid()) continue;
      const std::size_t last = module.text.find_last_not_of(" \n", op.text.begin - 1);
      symbols.push_back({last + 1, op.text.end});
    }
    if (symbols.size() < 2) return {};
    return minimizeItems(symbols.size(), {}, [&](const Subset& kept) {
      std::string out;
      std::size_t at = 0;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (std::binary_search(kept.begin(), kept.end(), i)) continue;
        out += module.text.substr(at, symbols[i].begin - at);
        at = symbols[i].end;
      }
      return out.append(module.text.substr(at));
    });
  }

  std::string text_;
  const ModuleGoal& goal_;
  const TimeLimit& budget_;
  const RunContext& context_;
};

}  // namespace

Result<std::string> reduceModule(const std::string& module, const ModuleGoal& goal,
                                 const TimeLimit& budget, const RunContext& context) {
  return ModuleReducer(module, goal, budget, context).run();
}

Result<std::string> reduceModule(const std::string& raw, const FailureSignature& wanted,
                                 const ModuleProbe& probe, const TimeLimit& budget,
                                 const RunContext& context) {
  ModuleGoal goal;
  goal.test = [&](const std::vector<std::string>& texts) -> Result<std::vector<bool>> {
    FXS_TRY(const auto failures, probe(texts, context));
    std::vector<bool> out;
    for (const auto& each : failures)
      out.push_back(std::any_of(each.begin(), each.end(),
                                [&](const Failure& f) { return f.signature == wanted; }));
    return out;
  };
  return reduceModule(raw, goal, budget, context);
}

}  // namespace fxs::diagnose
