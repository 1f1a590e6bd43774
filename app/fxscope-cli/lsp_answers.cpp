// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lsp_answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/number_from.h"
#include "base/safe_text.h"
#include "base/take_until.h"

namespace fxs::cli {
namespace {

constexpr std::size_t kMostLibraryLines = 8;
constexpr std::uint64_t kMaxAnswerBytes = std::uint64_t{256} << 20;

std::string printableMember(const Json& object, std::string_view key) {
  return printable(object.textOrEmpty(key));
}

Result<std::vector<std::string>> textsIn(const Json& object, std::string_view key) {
  std::vector<std::string> out;
  FXS_TRY(const Json all, object.arrayAt(key));
  for (const Json each : all) {
    FXS_TRY(const std::string_view text, each.asString());
    out.push_back(printable(text));
  }
  return out;
}

/// Of the members file, line and code; in a file that an editor may not show if `fileOf` says so.
Result<std::pair<LspLine, bool>> lineFrom(const Json& json, const LspFileOf& fileOf) {
  FXS_TRY(const std::string_view file, json.stringAt("file"));
  FXS_TRY(const std::int64_t line, json.intAt("line"));
  LspLine out;
  const auto shown = fileOf(std::string(file));
  out.file = shown.value_or(std::string(file));
  out.line = static_cast<std::uint32_t>(std::clamp<std::int64_t>(line, 1, INT32_MAX) - 1);
  out.code = json.textOrEmpty("code");
  return std::pair(std::move(out), shown.has_value());
}

void addOnce(std::vector<LspLine>& all, const LspLine& line) {
  if (all.size() < kMostLibraryLines && std::find(all.begin(), all.end(), line) == all.end())
    all.push_back(line);
}

void addPlace(LspFinding& finding, const LspLine& line, const std::string& node) {
  auto place = std::find_if(finding.places.begin(), finding.places.end(),
                            [&](const LspFinding::Place& each) { return each.line == line; });
  if (place == finding.places.end())
    place = finding.places.insert(finding.places.end(), LspFinding::Place{line, {}});
  place->nodes.push_back(node);
}

/// Where a node of a finding is: as its lowering has it, else as the finding itself says.
Result<> addNode(LspFinding& finding, const LspNode* node, const std::string& name,
                 const std::optional<Json>& source, const LspFileOf& fileOf) {
  if (node != nullptr && node->line) {
    addPlace(finding, *node->line, name);
    for (const LspLine& line : node->library) addOnce(finding.library, line);
    return {};
  }
  if (!source || !source->isObject()) return {};
  FXS_TRY(const auto line, lineFrom(*source, fileOf));
  if (line.second) addPlace(finding, line.first, name);
  else addOnce(finding.library, line.first);
  return {};
}

/// Only those that were shown to make the whole program lower.
Result<std::vector<LspFix>> fixesOf(const Json& finding) {
  std::vector<LspFix> out;
  FXS_TRY(const Json experiments, finding.arrayAt("experiments"));
  const std::string best = finding.textOrEmpty("best");
  for (const Json each : experiments) {
    const std::string verified = each.textOrEmpty("verified");
    if (verified != "whole-lowers" && verified != "whole-computes") continue;
    LspFix fix;
    fix.id = each.textOrEmpty("id");
    fix.to = finding.textOrEmpty("to");
    fix.change = printableMember(each, "change");
    fix.verified = printableMember(each, "verified_message");
    fix.cost = printableMember(each, "cost");
    fix.python = printableLines(each.textOrEmpty("python"));
    fix.snippet = printableLines(each.textOrEmpty("snippet"));
    fix.language = printableMember(each, "language");
    fix.isBest = !best.empty() && fix.id == best;
    out.push_back(std::move(fix));
  }
  return out;
}

/// "aten.diff.default to tosa: no pattern of TOSA lowers it".
std::string messageOf(const Json& finding, const std::string& to) {
  std::string operation = printableMember(finding, "target");
  if (operation.empty()) operation = printableMember(finding, "op");
  std::string message = printableMember(finding, "message");
  if (operation.empty()) return fmt::format("to {}: {}", to, message);
  if (message.starts_with(operation + ": ")) message.erase(0, operation.size() + 2);
  return fmt::format("{} to {}: {}", operation, to, message);
}

LspSeverity severityFrom(std::string_view name) {
  if (name == "error") return LspSeverity::Error;
  return name == "warning" ? LspSeverity::Warning : LspSeverity::Information;
}

Result<LspFinding> findingFrom(const Json& json, const std::string& to) {
  LspFinding out;
  out.severity = severityFrom(json.textOrEmpty("severity"));
  FXS_TRY(const std::string_view kind, json.stringAt("kind"));
  out.kind = printable(kind);
  out.message = messageOf(json, to);
  return out;
}

/// A finding as those of `lower`, about one node, which it names.
Result<LspFinding> loweringFindingFrom(const Json& json, const std::string& to,
                                       const std::map<std::string, const LspNode*>& byName,
                                       const LspFileOf& fileOf) {
  FXS_TRY(LspFinding out, findingFrom(json, to));
  const std::string name = json.textOrEmpty("node");
  const auto node = byName.find(printable(name));
  FXS_CHECK(addNode(out, node == byName.end() ? nullptr : node->second, printable(name),
                    json.find("source"), fileOf));
  return out;
}

Result<LspNode> nodeFrom(const Json& json, const LspFileOf& fileOf) {
  LspNode out;
  FXS_TRY(const std::string_view name, json.stringAt("name"));
  out.name = printable(name);
  out.target = printableMember(json, "target");
  out.module = printableMember(json, "module");
  FXS_TRY(const Json lines, json.arrayAt("lines"));
  for (const Json each : lines) {
    FXS_TRY(auto line, lineFrom(each, fileOf));
    if (!line.second) {
      addOnce(out.library, line.first);
      continue;
    }
    out.line = std::move(line.first);
    break;
  }
  FXS_TRY(out.became, textsIn(json, "became"));
  return out;
}

std::map<std::string, const LspNode*> nodesByName(const LspLowered& lowered) {
  std::map<std::string, const LspNode*> out;
  for (const auto& [index, node] : lowered.nodes) out.emplace(node.name, &node);
  return out;
}

Result<LspFinding> blockedFrom(const Json& json, const LspLowered* lowered,
                               const LspFileOf& fileOf) {
  FXS_TRY(LspFinding out, findingFrom(json, json.textOrEmpty("to")));
  if (out.severity != LspSeverity::Error) out.message += "; the whole program lowers";
  FXS_TRY(out.fixes, fixesOf(json));
  for (const LspFix& fix : out.fixes)
    if (fix.isBest) out.message += fmt::format("\nFix ({}): {}", fix.verified, fix.change);
  FXS_TRY(const Json nodes, json.arrayAt("nodes"));
  for (const Json each : nodes) {
    FXS_TRY(const std::int64_t index, each.intAt("index"));
    const LspNode* node = nullptr;
    if (lowered != nullptr)
      if (const auto found = lowered->nodes.find(index); found != lowered->nodes.end())
        node = &found->second;
    FXS_CHECK(addNode(out, node, printableMember(each, "name"), each.find("source"), fileOf));
  }
  return out;
}

}  // namespace

Result<LspLowered> lspLoweredFrom(std::string_view text, const LspFileOf& fileOf) {
  FXS_TRY(const auto document, JsonDocument::parse(text, "lower", {kMaxAnswerBytes}));
  const Json root = document->root();
  LspLowered out;
  FXS_TRY(const std::string_view to, root.stringAt("target"));
  out.to = printable(to);
  out.stage = printableMember(root, "stage");
  FXS_TRY(const Json failed, root.at("failed"));
  FXS_TRY(out.failed, failed.asBool());
  FXS_TRY(const Json nodes, root.arrayAt("nodes"));
  for (const Json each : nodes) {
    FXS_TRY(const std::int64_t index, each.intAt("index"));
    FXS_TRY(out.nodes[index], nodeFrom(each, fileOf));
  }
  const auto byName = nodesByName(out);
  FXS_TRY(const Json findings, root.arrayAt("findings"));
  for (const Json each : findings) {
    FXS_TRY(LspFinding finding, loweringFindingFrom(each, out.to, byName, fileOf));
    out.findings.push_back(std::move(finding));
  }
  return out;
}

Result<LspDiagnosis> lspDiagnosisFrom(std::string_view text, const LspLowered* lowered,
                                      const LspFileOf& fileOf) {
  FXS_TRY(const auto document, JsonDocument::parse(text, "diagnose", {kMaxAnswerBytes}));
  const Json root = document->root();
  LspDiagnosis out;
  FXS_TRY(const Json complete, root.at("complete"));
  FXS_TRY(out.isComplete, complete.asBool());
  FXS_TRY(const Json findings, root.arrayAt("findings"));
  for (const Json each : findings) {
    FXS_TRY(LspFinding finding, blockedFrom(each, lowered, fileOf));
    out.findings.push_back(std::move(finding));
  }
  std::map<std::string, const LspNode*> byName;
  if (lowered != nullptr) byName = nodesByName(*lowered);
  FXS_TRY(const Json targets, root.arrayAt("targets"));
  for (const Json target : targets) {
    FXS_TRY(const Json warnings, target.arrayAt("warnings"));
    for (const Json each : warnings) {
      FXS_TRY(LspFinding finding,
              loweringFindingFrom(each, target.textOrEmpty("to"), byName, fileOf));
      out.findings.push_back(std::move(finding));
    }
  }
  return out;
}

std::optional<LspRefusal> lspRefusalFrom(std::string_view err, std::string_view label) {
  const std::string mark = fmt::format("fxscope-cli: {}:", label);
  const std::size_t at = err.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  err.remove_prefix(at + mark.size());
  const auto line = numberFrom<std::uint32_t>(takeUntil(':', err));
  const auto column = numberFrom<std::uint32_t>(takeUntil(':', err));
  if (!line || *line == 0 || !column) return std::nullopt;
  if (err.starts_with(' ')) err.remove_prefix(1);
  LspRefusal out;
  out.line.line = *line - 1;
  out.line.column = *column == 0 ? 0 : *column - 1;
  out.message = printable(takeUntil('\n', err));
  return out;
}

}  // namespace fxs::cli
