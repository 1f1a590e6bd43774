#include "normalize/normalize.h"

#include <algorithm>
#include <tuple>

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

}  // namespace

void NormalizeRules::add(Rule rule) {
  auto after =
      std::find_if(rules_.begin(), rules_.end(), [&](const Rule& r) { return std::tie(rule.order, rule.id) < std::tie(r.order, r.id); });
  rules_.insert(after, std::move(rule));
}

NodeMetadata normalizeNode(const fx::Program& program, const fx::Node& node) {
  NodeMetadata out;
  out.val = node.val;
  for (const Rule& rule : allRules().rules()) {
    std::vector<Change> changes;
    rule.apply(program, node, out, changes);
    for (Change& c : changes) {
      if (c.before == c.after) continue;
      c.rule = rule.id;
      if (c.reason.empty()) c.reason = rule.reason;
      out.changes.push_back(std::move(c));
    }
  }
  return out;
}

Result<std::shared_ptr<const NormalizedProgram>> normalize(fx::ProgramPtr program, const RunContext& context) {
  auto out = std::make_shared<NormalizedProgram>();
  out->nodes.reserve(program->nodes.size());
  for (const fx::Node& node : program->nodes) {
    if (node.id.index() % kNodesBetweenChecks == 0) {
      if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "normalizing was stopped");
      context.report({"normalizing", static_cast<double>(node.id.index()) / static_cast<double>(program->nodes.size())});
    }
    out->nodes.push_back(normalizeNode(*program, node));
  }
  out->program = std::move(program);
  return std::shared_ptr<const NormalizedProgram>(std::move(out));
}

}  // namespace fxs::normalize
