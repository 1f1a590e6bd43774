// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/decompose.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/nearest.h"
#include "ops/shapes.h"
#include "rewrite/emit.h"
#include "rewrite/pytorch_forms.h"

namespace fxs::rewrite {
namespace {

/// Limit for rules that produce each other's targets.
constexpr int kMaxDecompositions = 16;

/// The rules of a target, in the order in which they are tried.
using RulesByTarget = std::unordered_map<std::string_view, std::vector<const Rule*>>;

/// A match: the node to which a rule is applied. Nodes emitted by a rule are matched before they
/// are written.
class Match final : public RuleContext {
 public:
  Match(Transcription& step, const RulesByTarget& rules, const fx::Node& node, int depth)
      : step_(step), rules_(rules), node_(node), depth_(depth) {}

  fx::Argument argument(std::string_view name) const override { return argumentOf(node_, name); }
  const fx::TensorMeta* tensor(const fx::Argument& value) const override {
    return step_.tensor(value);
  }
  const fx::TensorMeta* result(std::size_t index) const override {
    if (const fx::ValueList* parts = node_.val.list())
      return index < parts->size() ? (*parts)[index].tensor() : nullptr;
    return index == 0 ? node_.val.tensor() : nullptr;
  }
  fx::Argument call(std::string_view target, std::vector<fx::NodeArgument> args,
                    fx::TensorMeta result) override {
    return callValue(target, std::move(args), std::move(result));
  }
  fx::Argument callValue(std::string_view target, std::vector<fx::NodeArgument> args,
                         fx::Value result) override;
  fx::Argument getitem(const fx::Argument& of, std::size_t index) override;
  const fx::Node& matched() const override { return node_; }
  const fx::Node* producer(const fx::Argument& value) const override {
    const fx::NodeId* id = value.node();
    return id == nullptr ? nullptr : &step_.draft().node(*id);
  }
  void expectNodes(std::uint64_t count) const override { step_.expectNodes(count); }
  fx::Argument size(const fx::Argument& tensor, std::int64_t dim) override {
    const fx::TensorMeta* meta = step_.tensor(tensor);
    if (!meta) return fx::None{};
    const std::optional<std::size_t> wrapped = ops::wrapIndex(dim, meta->rank());
    return wrapped ? step_.size(tensor, *meta, *wrapped) : fx::None{};
  }
  std::optional<std::pair<fx::Argument, std::size_t>> tensorOfSize(
      const fx::SymInt& size) const override;

  /// The replacement values; nullopt if no rule matches.
  std::optional<fx::Argument> replace();

 private:
  Transcription& step_;
  const RulesByTarget& rules_;
  const fx::Node& node_;
  int depth_;
};

std::optional<fx::Argument> Match::replace() {
  const auto found = rules_.find(node_.target);
  if (found == rules_.end() || depth_ >= kMaxDecompositions) return std::nullopt;
  Results values;
  const Rule* fitting = nullptr;
  const std::size_t before = step_.decompositions();
  for (auto rule = found->second.begin(); rule != found->second.end() && !values; ++rule) {
    try {
      Emitter emitter(*this);
      values = (*rule)->apply(emitter);
      fitting = *rule;
    } catch (const Misfit&) {
      values.reset();
    }
    if (!values) step_.keepDecompositions(before);
  }
  if (!values) return std::nullopt;
  step_.applied(*fitting);
  if (node_.val.list())
    return fx::Argument(fx::ArgumentList(std::make_move_iterator(values->begin()),
                                         std::make_move_iterator(values->end())));
  if (values->empty()) return fx::Argument(fx::None{});
  return std::move(values->front());
}

fx::Argument Match::callValue(std::string_view target, std::vector<fx::NodeArgument> args,
                              fx::Value result) {
  if (rules_.contains(target) && depth_ + 1 < kMaxDecompositions) {
    fx::Node pending;
    pending.op = fx::NodeOp::CallFunction;
    pending.name = packetOf(target);
    pending.target = target;
    pending.args = args;
    pending.val = result;
    pending.meta = node_.meta;
    pending.origin = node_.origin;
    if (auto value = Match(step_, rules_, pending, depth_ + 1).replace()) return std::move(*value);
  }
  return step_.emit(target, std::move(args), std::move(result));
}

std::optional<std::pair<fx::Argument, std::size_t>> Match::tensorOfSize(
    const fx::SymInt& size) const {
  const fx::Program& program = step_.draft().program();
  for (const fx::NodeId id : program.graph(step_.writing()).nodes) {
    const fx::TensorMeta* meta = program.node(id).val.tensor();
    if (meta == nullptr || meta->dtype == DType::Bool || isComplex(meta->dtype)) continue;
    const auto at = std::find(meta->sizes.begin(), meta->sizes.end(), size);
    if (at != meta->sizes.end())
      return std::pair(fx::Argument(id), static_cast<std::size_t>(at - meta->sizes.begin()));
  }
  return std::nullopt;
}

fx::Argument Match::getitem(const fx::Argument& of, std::size_t index) {
  if (const fx::ArgumentList* parts = of.list())
    return index < parts->size() ? (*parts)[index] : fx::Argument(fx::None{});
  const fx::NodeId* node = of.node();
  if (!node) return fx::None{};
  const fx::ValueList* parts = step_.draft().node(*node).val.list();
  fx::Value val = parts && index < parts->size() ? (*parts)[index] : fx::Value(fx::Unknown{});
  return step_.emitGetitem(*node, index, std::move(val));
}

/// Operators that read a tensor's storage, whose order a replacement of the tensor need not keep.
bool readsStorage(std::string_view target) { return target.starts_with("aten.as_strided"); }

/// The operand in the order of the storage that it has in the source: a conversion to channels_last
/// may have become its operand.
void keepLayout(Transcription& step, const fx::Node& node, std::vector<fx::NodeArgument>& mapped) {
  if (node.args.empty() || node.args.size() != mapped.size()) return;
  const fx::NodeId* id = node.args.front().value.node();
  const fx::TensorMeta* recorded = id == nullptr ? nullptr : step.source().node(*id).val.tensor();
  const fx::TensorMeta* has = step.tensor(mapped.front().value);
  if (recorded == nullptr || has == nullptr || recorded->dtype != has->dtype ||
      recorded->rank() != has->rank())
    return;
  if (recorded->strides == has->strides && recorded->storageOffset == has->storageOffset) return;
  mapped.front().value =
      step.emit("aten.clone.default", {{"self", mapped.front().value, false}}, *recorded);
}

/// A replacement keeps the recorded value of the original: as_strided depends on its strides, and
/// its symbolic sizes match those of the rest of the program.
void keepRecorded(Draft& draft, const fx::Argument& value, const fx::Value& recorded,
                  std::size_t firstNew) {
  if (const fx::NodeId* id = value.node()) {
    const fx::TensorMeta *known = recorded.tensor(),
                         *made = id->index() < firstNew ? nullptr : draft.node(*id).val.tensor();
    if (known && made && known->dtype == made->dtype && known->rank() == made->rank())
      draft.node(*id).val = *known;
    return;
  }
  const fx::ArgumentList* values = value.list();
  const fx::ValueList* parts = recorded.list();
  if (!values || !parts) return;
  for (std::size_t i = 0; i < values->size() && i < parts->size(); ++i) {
    const fx::Argument& part = (*values)[i];
    if (!part.list()) keepRecorded(draft, part, (*parts)[i], firstNew);
  }
}

/// "aten.squeeze" for the rule of "aten.squeeze.dims".
std::string_view allOverloads(const Rule& rule) {
  return std::string_view(rule.target).substr(0, rule.target.rfind('.'));
}

bool isByDefault(const Rule& rule, Decompositions decompositions) {
  if (decompositions == Decompositions::Essential) return rule.essential;
  if (decompositions == Decompositions::TorchMlir) return isDecomposedByTorchMlir(rule.target);
  return runsDefault(decompositions) && (isNeverKept(rule.target) || isKnownByDefault(rule.target));
}

std::string unknownTargetMessage(const RewriteRules& rules, const std::string& target) {
  std::set<std::string_view> names;
  for (const Rule& rule : rules.rules()) {
    names.insert(rule.target);
    names.insert(allOverloads(rule));
  }
  const std::vector<std::string_view> sorted(names.begin(), names.end());
  const std::vector<std::string> close = nearest(target, sorted, 3);
  std::string message = fmt::format("no decomposition for '{}'", target);
  if (close.empty())
    return message + fmt::format("; there are {}, such as '{}'", rules.rules().size(),
                                 rules.rules().empty() ? "" : rules.rules().front().target);
  message += "; did you mean ";
  for (std::size_t i = 0; i < close.size(); ++i) {
    if (i > 0) message += i + 1 == close.size() ? " or " : ", ";
    message += fmt::format("'{}'", close[i]);
  }
  return message + "?";
}

}  // namespace

Result<std::vector<const Rule*>> chosenRules(const RewriteRules& rules,
                                             const RewriteOptions& options) {
  std::vector<const Rule*> chosen;
  const bool isDefault = runsDefault(options.decompositions);
  if (isDefault)
    for (const Rule& form : defaultForms().rules()) chosen.push_back(&form);
  if (isDefault || isAsTorchMlir(options.decompositions))
    for (const Rule& form : pytorchForms().rules())
      if (!isDefault || isNeverKept(form.target)) chosen.push_back(&form);
  std::set<std::string> unknown = options.decompose;
  for (const Rule& rule : rules.rules()) {
    const std::string packet(allOverloads(rule));
    const bool asked =
        options.decompose.contains(rule.target) || options.decompose.contains(packet);
    unknown.erase(rule.target);
    unknown.erase(packet);
    if (asked || isByDefault(rule, options.decompositions)) chosen.push_back(&rule);
  }
  if (!unknown.empty())
    return fail(ErrorCode::Usage, unknownTargetMessage(rules, *unknown.begin()));
  return chosen;
}

bool anyRuleMatches(const fx::Program& program, const std::vector<const Rule*>& rules) {
  std::set<std::string_view> targets;
  for (const Rule* rule : rules)
    if (rule->apply) targets.insert(rule->target);
  return std::any_of(program.nodes.begin(), program.nodes.end(), [&](const fx::Node& node) {
    return node.op == fx::NodeOp::CallFunction && targets.contains(node.target);
  });
}

namespace {

/// The rules, with the built-in ones of a target.
RulesByTarget withRulesOf(std::string_view target, RulesByTarget rules) {
  for (const Rule& rule : builtinRules().rules())
    if (rule.target == target && rule.apply) rules[rule.target].push_back(&rule);
  return rules;
}

/// Whether a rule has replaced the call.
bool byRule(Transcription& step, const RulesByTarget& rules, const fx::Node& node) {
  if (node.op != fx::NodeOp::CallFunction || !rules.contains(node.target)) return false;
  fx::Node matched = node;
  matched.args = step.mapped(node.args);
  if (readsStorage(node.target)) keepLayout(step, node, matched.args);
  const std::size_t firstNew = step.draft().program().nodes.size();
  auto value = Match(step, rules, matched, 0).replace();
  if (!value) return false;
  keepRecorded(step.draft(), *value, node.val, firstNew);
  step.setValue(node.id, std::move(*value));
  return true;
}

}  // namespace

Result<fx::Program> decompose(const fx::Program& source, const std::vector<const Rule*>& rules,
                              Report& report, const RunContext& run, const NodeChoices& choices) {
  RulesByTarget byTarget;
  for (const Rule* rule : rules)
    if (rule->apply) byTarget[rule->target].push_back(rule);
  Transcription step(source, report, run);
  std::vector<std::pair<fx::GraphId, fx::GraphId>> graphs{{source.main().id, step.draft().main()}};
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const auto [from, to] = graphs[g];
    for (fx::NodeId id : source.graph(from).nodes) {
      if (run.stop.stop_requested())
        return fail(ErrorCode::Cancelled, "cancelled while decomposing");
      const fx::Node& node = source.node(id);
      step.at(node, to);
      if (node.subgraph.valid()) {
        const fx::GraphId made = step.draft().addGraph(source, source.graph(node.subgraph));
        graphs.emplace_back(node.subgraph, made);
        step.draft().node(step.copy()).subgraph = made;
        continue;
      }
      if (step.takePart()) continue;
      const bool isReplaced =
          choices.decompose.contains(node.origin)
              ? byRule(step, withRulesOf(node.target, byTarget), node)
              : !choices.keep.contains(node.origin) && byRule(step, byTarget, node);
      if (!isReplaced) step.copy();
    }
  }
  return std::move(step).take();
}

}  // namespace fxs::rewrite
