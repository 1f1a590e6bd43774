// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/joined.h"
#include "compare/comparison.h"
#include "compare/element_ranges.h"
#include "compare/guards.h"
#include "compare/value_plan.h"

namespace fxs::compare {
namespace {

constexpr std::size_t kMostNames = 3;

/// "x, y, z and 3 more"
std::string namesText(const std::vector<std::string>& names) {
  if (names.size() <= kMostNames) return joined(names, ", ");
  const std::vector<std::string> first(names.begin(), names.begin() + kMostNames);
  return joined(first, ", ") + fmt::format(" and {} more", names.size() - kMostNames);
}

bool wasCompared(const Run& run) {
  return run.reason.empty() && run.outcome == execute::Outcome::Ran &&
         std::any_of(run.results.begin(), run.results.end(),
                     [](const ResultComparison& result) { return result.compared; });
}

void addTensor(const tensor::Tensor& tensor, Scope::Tried& out) {
  out.dtype = tensor.dtype;
  out.values |= valuesIn(tensor);
  if (isComplex(tensor.dtype)) return;
  const tensor::Statistics statistics = tensor::statisticsOf(tensor);
  if (statistics.elements == statistics.nans + statistics.infinities) return;
  out.min = std::min(out.min.value_or(statistics.min), statistics.min);
  out.max = std::max(out.max.value_or(statistics.max), statistics.max);
}

/// All but the least integer, which has no negative.
bool isOverRange(const Scope::Tried& tried) {
  if (!isIntegral(tried.dtype) || !tried.min) return false;
  const IntegerLimits limits = integerLimits(tried.dtype);
  return *tried.min <= limits.least + 1 && *tried.max >= limits.most;
}

std::string typeOf(DType dtype) { return std::string(facts(dtype).torchName); }

/// Why an input had no such values: the operator that does not bear them, "" if there is none.
std::string reasonOf(Value value, const ValuePlan& plan, const fx::Program& program) {
  const fx::NodeId node =
      plan.borne.has(value) ? fx::NodeId() : plan.forbids[static_cast<std::size_t>(value)];
  if (!node.valid()) return {};
  const fx::Node& of = program.node(node);
  return packetOf(of).empty() ? of.target : std::string(packetOf(of));
}

/// Inputs that lack the same for the same reason share one entry.
void addNotTried(const Scope::Tried& tried, const ValuePlan& plan, const fx::Program& program,
                 std::vector<Scope::NotTried>& out) {
  if (!isFloating(tried.dtype)) return;
  std::vector<Scope::NotTried> own;
  for (const Value value : {Value::Nan, Value::Infinity}) {
    if (tried.values.has(value)) continue;
    const std::string because = reasonOf(value, plan, program);
    if (!own.empty() && own.back().because == because) own.back().values.add(value);
    else own.push_back({{value}, {tried.input}, because});
  }
  for (Scope::NotTried& each : own) {
    const auto known = std::find_if(out.begin(), out.end(), [&](const Scope::NotTried& other) {
      return other.because == each.because && other.values == each.values;
    });
    if (known == out.end()) out.push_back(std::move(each));
    else known->inputs.push_back(tried.input);
  }
}

/// "int8 over its range", "k int64 0 to 4"; inputs that are alike share one.
std::vector<std::string> integersText(const std::vector<Scope::Tried>& all) {
  std::vector<std::pair<std::string, std::vector<std::string>>> byText;
  for (const Scope::Tried& tried : all) {
    if (!isIntegral(tried.dtype) || !tried.min) continue;
    const std::string text =
        tried.isFullRange
            ? typeOf(tried.dtype) + " over its range"
            : fmt::format("{} {:.0f} to {:.0f}", typeOf(tried.dtype), *tried.min, *tried.max);
    const auto known = std::find_if(byText.begin(), byText.end(),
                                    [&](const auto& each) { return each.first == text; });
    if (known == byText.end()) byText.push_back({text, {tried.input}});
    else known->second.push_back(tried.input);
  }
  std::vector<std::string> out;
  for (const auto& [text, inputs] : byText) {
    const bool isOnlyOne = byText.size() == 1 && text.ends_with("range");
    out.push_back(isOnlyOne ? text : namesText(inputs) + " " + text);
  }
  return out;
}

/// "no ties of rounding at round", by value.
std::vector<std::string> unseenText(const std::vector<Unseen>& unseen) {
  std::map<Value, std::vector<std::string>> byValue;
  for (const Unseen& each : unseen) byValue[each.value].push_back(each.packet);
  std::vector<std::string> out;
  for (const auto& [value, packets] : byValue)
    out.push_back(fmt::format("no {} at {}", title(value), namesText(packets)));
  return out;
}

/// "only the true branch of cond ran"
std::string controlText(const Scope::Control& control) {
  const std::vector<std::string> taken(control.taken.begin(), control.taken.end());
  if (taken.empty())
    return (control.isLoop ? "trips of " : "branches of ") + control.name + " not known";
  if (!control.isLoop) return "only the " + taken.front() + " branch of " + control.name + " ran";
  return control.name + " made " + joined(taken, " or ") +
         (taken.back() == "1" ? " trip" : " trips");
}

std::string titles(Values values) {
  std::vector<std::string> out;
  for (const Value value : values.list()) out.emplace_back(title(value));
  std::reverse(out.begin(), out.end());  // NaN first
  return joined(out, " and ");
}

/// The values of an input in some sets.
Scope::Tried triedIn(const fx::Node& input, std::size_t position,
                     const std::vector<const Inputs*>& sets) {
  Scope::Tried out;
  out.input = input.name;
  for (const Inputs* inputs : sets)
    if (position < inputs->tensors.size()) addTensor(inputs->tensors[position], out);
  out.isFullRange = isOverRange(out);
  return out;
}

/// Fills in what the runs of one set of inputs compared, and what they did not.
class RunScopes {
 public:
  explicit RunScopes(Scope& out) : out_(out) {}

  void add(std::size_t set, const std::vector<const Run*>& runs) {
    for (const Run* run : runs) addNotCompared(*run);
    std::vector<std::string> compared;
    for (const Run* run : runs)
      if (wasCompared(*run)) compared.push_back(run->executor);
    if (compared.empty()) return;
    out_.sets.push_back(set);
    if (compared.size() == 1) ++out_.alone[compared.front()];
  }

 private:
  void addNotCompared(const Run& run) {
    if (!run.reason.empty()) {
      if (reasons_.insert(run.reason).second) out_.setsNotCompared.push_back(run.reason);
      return;
    }
    for (const ResultComparison& result : run.results)
      if (!result.compared && names_.insert(result.name).second)
        out_.notCompared.push_back({result.name, result.reason});
  }

  Scope& out_;
  std::set<std::string> names_, reasons_;
};

void addTried(const std::vector<const Inputs*>& sets, const fx::Program& program,
              const RunContext& context, Scope& out) {
  const std::vector<const fx::Node*> given = givenInputs(program);
  const std::vector<ValuePlan> plans = valuePlans(program, context);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i]->val.tensor() == nullptr) continue;
    Scope::Tried tried = triedIn(*given[i], i, sets);
    addNotTried(tried, plans[i], program, out.notTried);
    out.tried.push_back(std::move(tried));
  }
}

}  // namespace

std::vector<Scope::Tried> valuesOf(const Inputs& inputs, const fx::Program& program) {
  std::vector<Scope::Tried> out;
  const std::vector<const fx::Node*> given = givenInputs(program);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i]->val.tensor() != nullptr) out.push_back(triedIn(*given[i], i, {&inputs}));
  return out;
}

Scope scopeOf(const TargetComparison& target, const Comparison& comparison,
              const fx::Program& program, const RunContext& context) {
  Scope out;
  RunScopes scopes(out);
  for (const auto& [set, runs] : runsByInputs(target)) scopes.add(set, runs);
  std::vector<const Inputs*> sets;
  for (const std::size_t set : out.sets) sets.push_back(&comparison.inputs[set]);
  if (!sets.empty()) addTried(sets, program, context, out);
  for (const fx::NodeId id : program.main().nodes) {
    const std::string& called = program.node(id).target;
    const bool isLoop = called.starts_with("higher_order.while_loop");
    if (isLoop || called.starts_with("higher_order.cond"))
      out.control.push_back({program.node(id).name, isLoop, {}});
  }
  for (const Inputs* inputs : sets)
    for (const auto& [symbol, size] : inputs->sizes) out.sizes[symbol].insert(size);
  return out;
}

std::string Scope::message() const {
  if (sets.empty()) return "no inputs";
  std::vector<std::string> parts{counted(sets.size(), "input set")};
  for (const auto& [executor, count] : alone)
    parts.push_back((count == sets.size() ? std::string() : fmt::format("{} of them ", count)) +
                    "only by " + executor);
  std::vector<std::string> symbols;
  for (const auto& [symbol, values] : sizes) {
    std::vector<std::string> texts;
    for (const std::int64_t value : values) texts.push_back(std::to_string(value));
    symbols.push_back(symbol + " in {" + joined(texts) + "}");
  }
  if (!symbols.empty()) parts.push_back("sizes " + joined(symbols));
  for (std::string& text : integersText(tried)) parts.push_back(std::move(text));
  for (const NotTried& each : notTried)
    parts.push_back(titles(each.values) + " not tried in " + namesText(each.inputs) +
                    (each.because.empty() ? std::string() : " (" + each.because + ")"));
  for (std::string& text : unseenText(unseen)) parts.push_back(std::move(text));
  for (const Control& each : control)
    if (!each.isComplete()) parts.push_back(controlText(each));
  for (const NotCompared& each : notCompared)
    parts.push_back(each.name + " not compared: " + each.message);
  for (const std::string& reason : setsNotCompared)
    parts.push_back("inputs not compared: " + reason);
  return joined(parts, ", ");
}

}  // namespace fxs::compare
