// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/joined.h"
#include "report/finding.h"
#include "report/json_parts.h"

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

std::string verifiedText(const RegistryReport& report) {
  if (!report.verified) return "not verified: " + report.notVerified;
  if (report.verified->status == lower::StageStatus::Ok)
    return fmt::format("verified by the engine in {:.2f} s", report.verified->seconds.count());
  return "the engine rejects the module: " + std::string(lower::name(report.verified->status));
}

Table groupsTable(const RegistryReport& report) {
  Table out{{{"function"},
             {"from"},
             {"module"},
             {"operations", true},
             {"arguments", true},
             {"results", true}},
            {}};
  for (const registry::Group& group : report.lowering.grouped.groups)
    out.rows.push_back({{group.function, report.user.node(group.first).name, group.module,
                         std::to_string(group.ops), std::to_string(group.arguments.size()),
                         std::to_string(group.results.size())}});
  return out;
}

Table filesTable(const RegistryReport& report) {
  Table out{{{"file"}, {"bytes", true}, {"verified"}}, {}};
  for (const registry::DriverFile& file : report.driver)
    out.rows.push_back({{report.paths.of(file.path), std::to_string(file.bytes),
                         file.isVerified ? "by the engine" : ""}});
  return out;
}

}  // namespace

std::string registryText(const RegistryReport& report, const TextLayout& layout) {
  const registry::DirectLowering& lowering = report.lowering;
  const std::size_t lowered = count(lowering, CoverageStatus::Lowered);
  const std::size_t calls = lowering.coverage.size() - count(lowering, CoverageStatus::Structural);
  Document out{fmt::format("{}{}: {} of {} lowered by {}", report.input,
                           report.file.empty() ? "" : " -> " + report.file, lowered,
                           counted(calls, "node"), joined(lowering.chain, ", then "))};
  if (!report.decomposed.empty())
    out.head.emplace_back("decomposed first: " + joined(report.decomposed));
  for (const registry::PackedArgument& packed : lowering.packing)
    out.head.emplace_back("packed: " + packed.text());
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
  out.blocks = {std::move(registries),
                std::move(classes),
                std::move(nodes),
                groupsTable(report),
                filesTable(report),
                findingsList(report.findings, report.user),
                Paragraph{verifiedText(report)}};
  return renderText(out, layout);
}

namespace {

JsonForm<NodeCoverage> coverageForm(const RegistryReport* report) {
  using C = NodeCoverage;
  const auto node = [report](const C& c) -> auto& { return report->program.node(c.node); };
  const auto origin = [report](const C& c) {
    return report->program.originOf(report->program.node(c.node)).name;
  };
  return JsonForm<C>{{"index", [](const C& c) { return c.node.index(); }}}
      .with(node, JsonForm<fx::Node>{{"name", &fx::Node::name}, {"target", &fx::Node::target}})
      .with({{"origin", origin, "the node of the user's graph that it came from"},
             {"class", &C::opClass, nullIfEmpty},
             {"status", &C::status, JsonNames(CoverageStatus::Structural)},
             {"registry", &C::registry, nullIfEmpty, "that lowered it"},
             {"refusals", &C::refusals},
             {"did_you_mean", &C::didYouMean},
             {"ops", &C::ops}});
}

bool isComplete(const RegistryReport& report) {
  const bool isRejected =
      (report.verified && report.verified->status != lower::StageStatus::Ok) ||
      std::any_of(report.findings.begin(), report.findings.end(),
                  [](const fx::Finding& f) { return f.severity == fx::Severity::Error; });
  return report.lowering.complete && !isRejected;
}

JsonAnswer<RegistryReport> registryAnswer(const RegistryReport* report) {
  using R = RegistryReport;
  using Direct = registry::DirectLowering;
  using Registry = std::pair<std::string, Share>;
  using Class = std::pair<const std::string, ClassShare>;
  using lower::StageResult;
  const NodeContext context =
      report == nullptr ? NodeContext{} : NodeContext{&report->user, &report->paths};
  const JsonForm<StageResult> verified = {
      {"status", &StageResult::status, JsonNames(lower::StageStatus::Skipped)},
      {"seconds", &StageResult::seconds, atLeast(0)}};
  const JsonForm<Registry> share = JsonForm<Registry>{{"name", &Registry::first}}.with(
      &Registry::second, JsonForm<Share>{{"nodes", &Share::nodes},
                                         {"ops", &Share::ops, "operations written for them"}});
  const JsonForm<Class> opClass = JsonForm<Class>{{"name", &Class::first}}.with(
      &Class::second,
      JsonForm<ClassShare>{{"nodes", &ClassShare::nodes, atLeast(1)},
                           {"registries", &ClassShare::registries, "that lowered one of them"}});
  const auto lowering = [](const R& r) -> auto& { return r.lowering; };
  const auto packing = [](const Direct& d) {
    std::vector<std::string> out;
    for (const registry::PackedArgument& packed : d.packing) out.push_back(packed.text());
    return out;
  };
  using registry::Group, registry::GroupValue, registry::DriverFile;
  const auto typesOf = [](const std::vector<GroupValue>& values) {
    std::vector<std::string> out;
    for (const GroupValue& value : values) out.push_back(value.type);
    return out;
  };
  const auto firstNode = [report](const Group& g) { return report->user.node(g.first).name; };
  const JsonForm<Group> group = {
      {"function", &Group::function},
      {"from", firstNode, "the node of its first operation"},
      {"module", &Group::module, nullIfEmpty, "if grouped by module"},
      {"ops", &Group::ops, "operations, without those in regions"},
      {"arguments", [=](const Group& g) { return typesOf(g.arguments); }, "types"},
      {"results", [=](const Group& g) { return typesOf(g.results); }, "types"}};
  const JsonForm<DriverFile> file = {
      {"path", [report](const DriverFile& f) { return report->paths.of(f.path); }},
      {"bytes", &DriverFile::bytes},
      {"verified", &DriverFile::isVerified, "by the engine; data is not"}};
  return {
      "fxscope-registry/1", "fxscope-cli registry --json",
      JsonForm<R>{{"input", &R::input, kInputMessage},
                  {"file", &R::file, nullIfEmpty, "where the text was written"}}
          .with(lowering, JsonForm<Direct>{{"chain", &Direct::chain, "registries in lookup order"}})
          .with({{"complete", &isComplete,
                  "every node is lowered, no finding is an error, and the engine does not reject "
                  "the text"},
                 {"decomposed", [](const R& r) { return r.decomposed; },
                  "operators that were taken apart because the chain does not lower them"}})
          .with(lowering,
                JsonForm<Direct>{{"packing", packing, "of packed arguments: what is where"}})
          .with({{"verified", [](const R& r) { return r.verified; }, verified},
                 {"not_verified", [](const R& r) { return r.notVerified; }, nullIfEmpty,
                  "why the module was not verified"}})
          .with(
              lowering,
              JsonForm<Direct>{{"registries", &byRegistry, share, "in the order of the chain"},
                               {"classes", &byClass, opClass, "op classes of the program, by name"},
                               {"nodes", &Direct::coverage, coverageForm(report),
                                "of the program that was lowered, after decompositions"}})
          .with({{"groups", [](const R& r) { return r.lowering.grouped.groups; }, group,
                  "functions that the main function calls, in that order"},
                 {"graph_driver", &R::driver, file, "files of --graph-driver"}})
          .with({{"findings", [](const R& r) { return r.findings; }, findingForm(context)}})};
}

}  // namespace

std::string registryJson(const RegistryReport& report) {
  return registryAnswer(&report).text(report);
}
std::string registrySchema() { return registryAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
