// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/module_state.h"

#include <algorithm>
#include <array>

namespace fxs::import {

std::string mlirNameOf(std::string_view fxTarget) {
  static constexpr std::string_view kDefault = ".default";
  if (fxTarget.ends_with(kDefault)) fxTarget.remove_suffix(kDefault.size());
  return "torch." + std::string(fxTarget);
}

ModuleState::ModuleState(const fx::Program& p, const ImportOptions& o, const RunContext& c)
    : program(p),
      options(o),
      context(c),
      literals(p, o),
      values(p.nodes.size()),
      functions(p.graphs.size()),
      registered_(o.registeredOps != nullptr ? *o.registeredOps : pinnedRegisteredOps()) {}

const Target& ModuleState::target(std::string_view fxTarget) {
  std::string key(fxTarget);
  const auto found = targets_.find(key);
  if (found != targets_.end()) return found->second;
  return targets_
      .emplace(std::move(key),
               Target{mlirNameOf(fxTarget), ops::SchemaTable::builtin().find(fxTarget)})
      .first->second;
}

bool ModuleState::isRegistered(const std::string& mlirName) {
  asked.insert(mlirName);
  return registered_.contains(mlirName);
}

std::string ModuleState::locationOf(const fx::Node& node) const {
  const fx::Node& origin = program.originOf(node);
  std::string out = " loc(";
  appendQuoted(out, origin.name);
  out += "(\"fx\":";
  out += std::to_string(origin.id.index());
  out += ":0))";
  return out;
}

const std::vector<fx::NodeId>& ModuleState::usersOf(fx::NodeId id) {
  if (!users_) users_ = fx::usersOf(program);
  return (*users_)[id.index()];
}

bool ModuleState::isOnlyConverted(fx::NodeId id) {
  constexpr std::array<std::string_view, 4> kConversions{"aten.to.dtype", "aten._to_copy.default",
                                                         "prims.convert_element_type.default",
                                                         fx::kAssertTensorMetadata};
  const std::vector<fx::NodeId>& users = usersOf(id);
  return std::all_of(users.begin(), users.end(), [&](fx::NodeId user) {
    return std::find(kConversions.begin(), kConversions.end(), program.node(user).target) !=
           kConversions.end();
  });
}

void ModuleState::note(const fx::Node& node, fx::Severity severity, std::string kind,
                       std::string message) {
  context.spend(Resource::Text, message.size() + node.name.size() + node.target.size(),
                "findings of the import");
  fx::Finding finding = fx::findingAt(program, node, std::move(kind), std::move(message));
  finding.severity = severity;
  finding.stage = "raw";
  findings.push_back(std::move(finding));
}

void ModuleState::cannotImport(const fx::Node& node, std::string message) {
  note(node, fx::Severity::Error, "not-imported", std::move(message));
}

void ModuleState::writtenAsOperator(const fx::Node& node, const std::string& mlirName) {
  const auto [found, isNew] = operatorFinding_.try_emplace(mlirName, findings.size());
  if (!isNew) {
    ++findings[found->second].count;
    return;
  }
  note(node, fx::Severity::Warning, "not-registered",
       mlirName +
           ": the engine does not register this operation; it is imported as torch.operator, which "
           "is illegal in the torch stage unless an "
           "extra library or a pattern handles it");
  findings.back().op = mlirName;
}

}  // namespace fxs::import
