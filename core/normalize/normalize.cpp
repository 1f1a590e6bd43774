#include "normalize/normalize.h"

#include <algorithm>
#include <tuple>

#include "normalize/normalized_program.h"
#include "normalize/rule.h"

namespace fxs::normalize {
namespace {

constexpr std::size_t kNodesBetweenChecks = 1024;

const NormalizeRules& allRules() {
  static const NormalizeRules rules = [] {
    NormalizeRules out;
    registerAllNormalizeRules(out);
    return out;
  }();
  return rules;
}

/// A change that was made before, to a program that normalizedProgram() gave.
bool isKnown(const std::optional<std::string_view>& normalizedKeys, std::string_view key) {
  if (!normalizedKeys) return false;
  for (std::string_view rest = *normalizedKeys; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (rest.substr(0, end) == key) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

NodeMetadata normalizeNode(const Values& values, const fx::Node& node) {
  NodeMetadata out;
  out.val = asFakeValue(values.of(node.id));
  const std::optional<std::string_view> normalizedKeys = values.program().meta(node, kNormalizedKey);
  for (const Rule& rule : allRules().rules()) {
    std::vector<Change> changes;
    rule.apply(values, node, out, changes);
    for (Change& c : changes) {
      if (c.before == c.after || isKnown(normalizedKeys, c.key)) continue;
      c.rule = rule.id;
      if (c.reason.empty()) c.reason = rule.reason;
      out.changes.push_back(std::move(c));
    }
  }
  return out;
}

}  // namespace

void NormalizeRules::add(Rule rule) {
  auto after =
      std::find_if(rules_.begin(), rules_.end(), [&](const Rule& r) { return std::tie(rule.order, rule.id) < std::tie(r.order, r.id); });
  rules_.insert(after, std::move(rule));
}

NodeMetadata normalizeNode(const fx::Program& program, const fx::Node& node) {
  Values values(program);
  values.inferFor(node);
  return normalizeNode(values, node);
}

Result<std::shared_ptr<const NormalizedProgram>> normalize(fx::ProgramPtr program, const RunContext& context) {
  auto out = std::make_shared<NormalizedProgram>();
  out->nodes.reserve(program->nodes.size());
  Values values(*program);
  values.inferAll();
  for (const fx::Node& node : program->nodes) {
    if (node.id.index() % kNodesBetweenChecks == 0) {
      if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "normalizing was stopped");
      context.report({"normalizing", static_cast<double>(node.id.index()) / static_cast<double>(program->nodes.size())});
    }
    out->nodes.push_back(normalizeNode(values, node));
  }
  out->program = std::move(program);
  return std::shared_ptr<const NormalizedProgram>(std::move(out));
}

}  // namespace fxs::normalize
