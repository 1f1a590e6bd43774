// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "normalize/normalize.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "base/take_until.h"
#include "fx/cost.h"
#include "normalize/rule.h"

namespace fxs::normalize {
namespace {

constexpr std::size_t kNodesBetweenChecks = 1024;
constexpr std::uint64_t kCostOfMetadata = 64;  // fields and changes of a node, as fx/cost.h counts

const NormalizeRules& allRules() {
  static const NormalizeRules rules = [] {
    NormalizeRules out;
    registerAllNormalizeRules(out);
    return out;
  }();
  return rules;
}

/// The metadata key that lists which other keys of a node were normalized before, one per line.
constexpr const char* kNormalizedKey = "normalized";

/// The value with every tensor's kind set to Fake.
fx::Value asFakeValue(fx::Value value) {
  if (auto* tensor = std::get_if<fx::TensorMeta>(&value)) tensor->kind = fx::TensorKind::Fake;
  if (auto* parts = std::get_if<fx::ValueList>(&value))
    for (fx::Value& part : *parts) part = asFakeValue(std::move(part));
  return value;
}

std::unordered_set<std::string_view> keysIn(std::string_view normalized) {
  std::unordered_set<std::string_view> out;
  while (!normalized.empty()) out.insert(takeUntil('\n', normalized));
  return out;
}

NodeMetadata normalizeNode(const Values& values, const fx::Node& node) {
  NodeMetadata out;
  out.val = asFakeValue(values.of(node.id));
  const std::unordered_set<std::string_view> known =
      keysIn(values.program().meta(node, kNormalizedKey).value_or(""));
  for (const Rule& rule : allRules().rules()) {
    std::vector<MetadataChange> changes;
    rule.apply(values, node, out, changes);
    for (MetadataChange& c : changes) {
      if (c.before == c.after || known.contains(c.key)) continue;
      c.rule = rule.id;
      if (c.reason.empty()) c.reason = rule.reason;
      out.changes.push_back(std::move(c));
    }
  }
  return out;
}

}  // namespace

void NormalizeRules::add(Rule rule) {
  auto after = std::find_if(rules_.begin(), rules_.end(), [&](const Rule& r) {
    return std::tie(rule.order, rule.id) < std::tie(r.order, r.id);
  });
  rules_.insert(after, std::move(rule));
}

NodeMetadata normalizeNode(const fx::Program& program, const fx::Node& node,
                           const RunContext& context) {
  Values values(program, context);
  values.inferFor(node);
  return normalizeNode(values, node);
}

Result<std::shared_ptr<const NormalizedProgram>> normalize(fx::ProgramPtr program,
                                                           const RunContext& context) {
  auto out = std::make_shared<NormalizedProgram>();
  out->nodes.reserve(program->nodes.size());
  Values values(*program, context);
  values.inferAll();
  for (const fx::Node& node : program->nodes) {
    if (node.id.index() % kNodesBetweenChecks == 0) {
      if (context.stop.stop_requested())
        return fail(ErrorCode::Cancelled, "normalization was cancelled");
      context.report({"normalizing", static_cast<double>(node.id.index()) /
                                         static_cast<double>(program->nodes.size())});
    }
    // Parsed texts are kept for every node that refers to them.
    std::uint64_t texts = 0;
    for (const fx::MetaString& entry : node.meta) texts += program->text(entry.text).size();
    context.spend(Resource::Text, texts, node.name);
    context.spend(Resource::Values, kCostOfMetadata + fx::costOf(values.of(node.id)), node.name);
    out->nodes.push_back(normalizeNode(values, node));
  }
  out->program = std::move(program);
  return std::shared_ptr<const NormalizedProgram>(std::move(out));
}

fx::ProgramPtr withInferredValues(fx::ProgramPtr program, const RunContext& context) {
  Values values(*program, context);
  values.inferAll();
  if (std::none_of(program->nodes.begin(), program->nodes.end(),
                   [&](const fx::Node& node) { return values.inferred(node.id) != nullptr; }))
    return program;
  auto out = std::make_shared<fx::Program>(*program);
  for (fx::Node& node : out->nodes)
    if (const Inferred* inferred = values.inferred(node.id)) node.val = inferred->val;
  return out;
}

}  // namespace fxs::normalize
