// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/stub.h"

#include <set>

#include "fx/evaluated_text.h"
#include "ops/schema.h"

namespace fxs::registry {
namespace {

/// "acme.swiglu.default" is acme_swiglu, "acme.swiglu.out" acme_swiglu_out; "" if the target has
/// other characters.
std::string functionOf(std::string_view target) {
  if (target.ends_with(".default")) target.remove_suffix(8);
  std::string out(target);
  for (char& c : out)
    if (c == '.') c = '_';
  return fx::isIdentifier(out) ? out : "";
}

/// What a function can take; of others the call does not tell its function.
bool isPassed(const fx::NodeArgument* argument, const ops::SchemaArgument& formal) {
  if (argument == nullptr)
    return !std::holds_alternative<std::string>(formal.defaultValue) && !formal.type.isList();
  const fx::Argument& value = argument->value;
  return value.node() != nullptr || value.integer() != nullptr || value.isNone() ||
         std::holds_alternative<bool>(value) || std::holds_alternative<double>(value);
}

std::string argumentsOf(const fx::Node& node) {
  std::string out;
  if (const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target)) {
    for (const ops::SchemaArgument& argument : schema->arguments)
      if (isPassed(node.find(argument.name), argument))
        out += (out.empty() ? "" : ", ") + std::string(argument.name);
    return out;
  }
  for (const fx::NodeArgument& argument : node.args) {
    if (!fx::isIdentifier(argument.name)) return "";
    out += (out.empty() ? "" : ", ") + argument.name;
  }
  return out;
}

}  // namespace

std::string stubRegistry(const DirectLowering& lowering, const fx::Program& lowered) {
  std::set<std::string_view> known;
  std::string out;
  for (const NodeCoverage& node : lowering.coverage) {
    if (node.status != CoverageStatus::Unmapped && node.status != CoverageStatus::NoLowering)
      continue;
    const fx::Node& call = lowered.node(node.node);
    const std::string function = functionOf(call.target), arguments = argumentsOf(call);
    if (function.empty() || arguments.empty() || !known.insert(call.target).second) continue;
    out += "\nop " + call.target + " (" + arguments + ")\n  external " + function + "\n";
  }
  if (out.empty()) return out;
  return "# Operators that no registry lowers, each as a call of an external function. 'body' in "
         "place of 'external' lowers one here:\n"
         "# see samples/registries/acme.fxreg.\n\nregistry stubs\ntitle External functions\n" +
         out;
}

}  // namespace fxs::registry
