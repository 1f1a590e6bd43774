// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/inspect.h"

#include <algorithm>
#include <map>

#include "ops/schema.h"

namespace fxs::report {

namespace {

OperatorKind kindOf(const std::string& target, const ops::Schema* schema) {
  if (target.starts_with("higher_order.")) return OperatorKind::HigherOrder;
  if (schema) return OperatorKind::Known;
  if (target.starts_with("_operator.") || target.starts_with("math.") ||
      target.starts_with("torch."))
    return OperatorKind::Python;
  return ops::SchemaTable::builtin().hasNamespace(target.substr(0, target.find('.')))
             ? OperatorKind::Unknown
             : OperatorKind::Custom;
}

/// The node that an in-place operator mutates: the first argument that its schema marks as mutated.
std::string writtenBy(const fx::Program& program, const fx::Node& node, const ops::Schema& schema) {
  for (const ops::SchemaArgument& formal : schema.arguments) {
    if (formal.alias != ops::Alias::Write) continue;
    const fx::NodeArgument* given = node.find(formal.name);
    std::string written;
    if (given)
      fx::forEachNode(given->value, [&](fx::NodeId id) {
        written += (written.empty() ? "" : ", ") + program.node(id).name;
      });
    if (!written.empty()) return written;
  }
  return "";
}

}  // namespace

std::string_view name(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::Known: return "known";
    case OperatorKind::HigherOrder: return "higher_order";
    case OperatorKind::Python: return "python";
    case OperatorKind::Custom: return "custom";
    case OperatorKind::Unknown: return "unknown";
    case OperatorKind::Operation: return "operation";
  }
  return "";
}

Inspection inspect(const fx::Program& program) {
  Inspection out;
  out.nodes = program.nodes.size();
  for (const fx::OutputSpec& spec : program.outputs) {
    using enum fx::OutputKind;
    if (!fx::isMutation(spec.kind)) continue;
    const fx::NodeId* id = spec.value.node();
    out.mutations.push_back(
        {std::string(fx::name(spec.kind)), spec.target, id ? program.node(*id).name : ""});
  }
  struct Seen {
    const ops::Schema* schema;
    OperatorCount count;
  };
  std::map<std::string_view, Seen> seen;
  for (const fx::Node& node : program.nodes) {
    if (node.op != fx::NodeOp::CallFunction) continue;
    auto at = seen.find(node.target);
    if (at == seen.end()) {
      const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
      at = seen.emplace(node.target,
                        Seen{schema,
                             {node.target,
                              program.dialect == fx::kMlirDialect ? OperatorKind::Operation
                                                                  : kindOf(node.target, schema),
                              0}})
               .first;
    }
    ++at->second.count.count;
    if (const ops::Schema* schema = at->second.schema; schema && schema->isMutable)
      if (std::string written = writtenBy(program, node, *schema); !written.empty())
        out.mutations.push_back({"in_place", std::move(written), node.name});
  }
  for (auto& [target, row] : seen) out.operators.push_back(std::move(row.count));
  std::stable_sort(out.operators.begin(), out.operators.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  return out;
}

}  // namespace fxs::report
