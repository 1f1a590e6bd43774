// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/joined.h"
#include "base/json.h"
#include "report/finding.h"

namespace fxs::report {
namespace {

using registry::CoverageStatus;
using registry::NodeCoverage;

struct Share {
  std::size_t nodes = 0, ops = 0;
};

/// By registry, in chain order, including those that lowered nothing.
std::vector<std::pair<std::string, Share>> byRegistry(const registry::DirectLowering& lowering) {
  std::vector<std::pair<std::string, Share>> out;
  for (const std::string& name : lowering.chain) out.emplace_back(name, Share{});
  for (const NodeCoverage& node : lowering.coverage)
    for (auto& [name, share] : out)
      if (node.status == CoverageStatus::Lowered && node.registry == name) {
        ++share.nodes;
        share.ops += node.ops;
      }
  return out;
}

struct ClassShare {
  std::size_t nodes = 0;
  std::vector<std::string> registries;  ///< that lowered one of them
};
std::map<std::string, ClassShare> byClass(const registry::DirectLowering& lowering) {
  std::map<std::string, ClassShare> out;
  for (const NodeCoverage& node : lowering.coverage) {
    if (node.opClass.empty()) continue;
    ClassShare& share = out[node.opClass];
    ++share.nodes;
    if (!node.registry.empty() && std::find(share.registries.begin(), share.registries.end(),
                                            node.registry) == share.registries.end())
      share.registries.push_back(node.registry);
  }
  return out;
}

std::size_t count(const registry::DirectLowering& lowering, CoverageStatus status) {
  return static_cast<std::size_t>(
      std::count_if(lowering.coverage.begin(), lowering.coverage.end(),
                    [&](const NodeCoverage& node) { return node.status == status; }));
}

std::string verifiedWords(const RegistryReport& report) {
  if (!report.verified) return "not verified: " + report.notVerified;
  if (report.verified->status == lower::StageStatus::Ok)
    return fmt::format("verified by the engine in {:.2f} s", report.verified->seconds.count());
  return "the engine rejects the module: " + std::string(lower::name(report.verified->status));
}

}  // namespace

std::string registryText(const RegistryReport& report) {
  const registry::DirectLowering& lowering = report.lowering;
  const std::size_t lowered = count(lowering, CoverageStatus::Lowered);
  const std::size_t calls = lowering.coverage.size() - count(lowering, CoverageStatus::Structural);
  Document out{fmt::format("{}{}: {} of {} lowered by {}", report.input,
                           report.file.empty() ? "" : " -> " + report.file, lowered,
                           counted(calls, "node"), joined(lowering.chain, ", then "))};
  if (!report.decomposed.empty())
    out.head.emplace_back("decomposed first: " + joined(report.decomposed));
  for (const std::string& packed : lowering.packing) out.head.emplace_back("packed: " + packed);
  Table registries{{{"registry"}, {"nodes", true}, {"operations", true}}, {}};
  for (const auto& [name, share] : byRegistry(lowering))
    registries.rows.push_back({{name, std::to_string(share.nodes), std::to_string(share.ops)}});
  Table classes{{{"class"}, {"nodes", true}, {"lowered by"}}, {}};
  for (const auto& [name, share] : byClass(lowering))
    classes.rows.push_back({{name, std::to_string(share.nodes),
                             share.registries.empty() ? "not lowered" : joined(share.registries)}});
  List nodes;
  if (report.everyNode)
    for (const NodeCoverage& node : lowering.coverage) {
      const fx::Node& of = report.program.node(node.node);
      nodes.items.push_back({fmt::format(
          "{} {}: {}{}{}", of.id.index(), of.name, registry::name(node.status),
          node.registry.empty() ? "" : " by " + node.registry,
          node.opClass.empty()
              ? ""
              : fmt::format(" ({}, {})", node.opClass, counted(node.ops, "operation")))});
    }
  out.blocks = {std::move(registries), std::move(classes), std::move(nodes),
                findingsList(report.findings, report.user), Paragraph{verifiedWords(report)}};
  return renderText(out);
}

std::string registryJson(const RegistryReport& report) {
  const registry::DirectLowering& lowering = report.lowering;
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-registry/1").member("input", report.input);
  json.textOrNull("file", report.file).member("chain", lowering.chain);
  const bool isRejected =
      (report.verified && report.verified->status != lower::StageStatus::Ok) ||
      std::any_of(report.findings.begin(), report.findings.end(),
                  [](const fx::Finding& f) { return f.severity == fx::Severity::Error; });
  json.member("complete", lowering.complete && !isRejected).member("decomposed", report.decomposed);
  json.member("packing", lowering.packing).key("verified");
  if (report.verified)
    json.beginObject()
        .member("status", lower::name(report.verified->status))
        .member("seconds", report.verified->seconds.count())
        .endObject();
  else json.null();
  json.textOrNull("not_verified", report.notVerified).key("registries").beginArray();
  for (const auto& [name, share] : byRegistry(lowering))
    json.beginObject()
        .member("name", name)
        .member("nodes", share.nodes)
        .member("ops", share.ops)
        .endObject();
  json.endArray().key("classes").beginArray();
  for (const auto& [name, share] : byClass(lowering)) {
    json.beginObject().member("name", name).member("nodes", share.nodes);
    json.member("registries", share.registries).endObject();
  }
  json.endArray().key("nodes").beginArray();
  for (const NodeCoverage& node : lowering.coverage) {
    const fx::Node& of = report.program.node(node.node);
    const fx::Node& origin = report.program.originOf(of);
    json.beginObject()
        .member("index", of.id.index())
        .member("name", of.name)
        .member("target", of.target);
    json.member("origin", origin.name).textOrNull("class", node.opClass);
    json.member("status", registry::name(node.status));
    json.textOrNull("registry", node.registry).member("refusals", node.refusals);
    json.member("did_you_mean", node.didYouMean).member("ops", node.ops).endObject();
  }
  json.endArray().key("findings");
  writeFindings(json, report.findings, report.user, report.paths);
  json.endObject();
  return json.take();
}

}  // namespace fxs::report
