// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SARIF 2.1.0 (OASIS Standard, errata 01). One result per blocked operation: its locations are the
// distinct Python lines of its nodes, all of which a change must reach (3.27.12), with nodes and
// modules as logical locations. A change to a file is not known to the character, so that no result
// has `fixes`; verified fixes are in the message and the properties.
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/sha256.h"
#include "report/diagnose.h"
#include "report/diagnose_words.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Kind;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr const char* kRoot = "PROJECT";  ///< the uriBaseId of DiagnoseReport::directory

std::string percentEncoded(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string out;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) out += c;
    else out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

/// Escapes brackets, because viewers turn `[text](target)` in a message into a link (3.11.6).
std::string withoutLinks(std::string_view message) {
  if (message.find("](") == std::string_view::npos) return std::string(message);
  std::string out;
  for (const char c : message) {
    if (c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

/// A location of a result: the nodes with the same file and line.
struct Spot {
  std::string file;  ///< "": no Python line is known
  int line = 0;
  std::string code;
  std::vector<fx::NodeId> nodes;
};

std::vector<Spot> spotsOf(const fx::Program& program, const std::vector<fx::NodeId>& nodes) {
  std::vector<Spot> out;
  for (const fx::NodeId id : nodes) {
    const SourceLocation location = sourceLocationOf(program, id);
    Spot spot;
    if (location.line) spot = {location.line->file, location.line->line, location.line->code, {}};
    const auto same = std::find_if(out.begin(), out.end(), [&](const Spot& s) {
      return s.file == spot.file && s.line == spot.line;
    });
    if (same == out.end()) {
      spot.nodes = {id};
      out.push_back(std::move(spot));
    } else {
      same->nodes.push_back(id);
    }
  }
  if (out.empty()) out.emplace_back();
  return out;
}

/// Warnings of one message and operation, and their nodes.
std::vector<std::pair<fx::Finding, std::vector<fx::NodeId>>> warningsByCause(
    const diagnose::Diagnosis& diagnosis) {
  std::vector<std::pair<fx::Finding, std::vector<fx::NodeId>>> out;
  for (const fx::Finding& warning : warningsOf(diagnosis)) {
    auto same = std::find_if(out.begin(), out.end(), [&](const auto& known) {
      return known.first.message == warning.message && known.first.target == warning.target &&
             known.first.stage == warning.stage;
    });
    if (same == out.end()) same = out.insert(out.end(), {warning, {}});
    if (warning.node.valid()) same->second.push_back(warning.node);
  }
  return out;
}

class SarifWriter {
 public:
  explicit SarifWriter(const DiagnoseReport& report) : report_(report), root_(report.directory) {
    if (!root_.empty() && !root_.ends_with('/')) root_ += '/';
  }

  std::string write() {
    json_.beginObject()
        .member("version", "2.1.0")
        .member("$schema", kSchema)
        .key("runs")
        .beginArray()
        .beginObject();
    tool();
    invocation();
    if (!root_.empty()) {
      json_.key("originalUriBaseIds").beginObject().key(kRoot).beginObject();
      // Without a URI, the reader resolves it (3.14.14).
      if (report_.paths.full) json_.member("uri", "file://" + percentEncoded(root_));
      else text("description", "the folder in which fxscope was run");
      json_.endObject().endObject();
    }
    json_.key("artifacts").beginArray().beginObject().key("location");
    artifactLocation("");
    json_.key("roles").beginArray().value("analysisTarget").endArray().endObject().endArray();
    json_.key("results").beginArray();
    for (const Blocked& entry : report_.diagnosis.blocked) result(entry);
    for (const auto& [first, nodes] : warningsByCause(report_.diagnosis)) warning(first, nodes);
    json_.endArray().key("properties").beginObject().key("targets").beginArray();
    for (const diagnose::TargetDiagnosis& target : report_.diagnosis.targets) {
      json_.beginObject().member("to", lower::name(target.target));
      json_.memberOrNull(
          "lowers", target.lowers || target.isKnown ? std::optional(target.lowers) : std::nullopt);
      json_.member("operations", blockedOperations(report_.diagnosis, target.target))
          .member("nodes", blockedNodes(report_.diagnosis, target.target))
          .endObject();
    }
    json_.endArray().member("complete", report_.diagnosis.complete).endObject();
    json_.endObject().endArray().endObject();
    return json_.take();
  }

 private:
  void text(std::string_view key, std::string_view message) {
    json_.key(key).beginObject().member("text", message).endObject();
  }

  void tool() {
    const lower::Engine& engine = report_.diagnosis.engine;
    json_.key("tool")
        .beginObject()
        .key("driver")
        .beginObject()
        .member("name", "fxscope")
        .key("rules")
        .beginArray();
    for (int kind = 0; kind < diagnose::kKindCount; ++kind) {
      json_.beginObject().member("id", diagnose::name(static_cast<Kind>(kind)));
      text("shortDescription", diagnose::title(static_cast<Kind>(kind)));
      json_.key("defaultConfiguration")
          .beginObject()
          .member("level", "error")
          .endObject()
          .endObject();
    }
    json_.endArray()
        .endObject()
        .key("extensions")
        .beginArray()
        .beginObject()
        .member("name", "engine");
    if (!engine.version.empty()) json_.member("version", engine.version);
    json_.key("properties")
        .beginObject()
        .member("path", report_.paths.of(engine.path))
        .member("sha256", engine.sha256)
        .endObject()
        .endObject();
    json_.endArray().endObject();
  }

  void invocation() {
    json_.key("invocations")
        .beginArray()
        .beginObject()
        .member("executionSuccessful", true)
        .key("toolExecutionNotifications")
        .beginArray();
    if (!report_.diagnosis.complete)
      notification("warning",
                   "cancelled or out of time: these results are valid, but there may be more");
    for (const std::string& note : report_.diagnosis.notes) notification("note", note);
    json_.endArray().endObject().endArray();
  }

  void notification(std::string_view level, std::string_view message) {
    json_.beginObject().member("level", level);
    text("message", withoutLinks(message));
    json_.endObject();
  }

  /// The location of a Python file, or for "" of the program.
  void artifactLocation(const std::string& file) {
    json_.beginObject();
    if (file.empty()) {
      const bool absolute = report_.input.starts_with('/');
      json_.member("uri", (absolute ? "file://" : "") + percentEncoded(report_.input))
          .member("index", 0);
    } else if (!root_.empty() && file.starts_with(root_)) {
      json_.member("uri", percentEncoded(std::string_view(file).substr(root_.size())))
          .member("uriBaseId", kRoot);
    } else {
      const std::string shown = report_.paths.of(file);
      json_.member("uri", (shown.starts_with('/') ? "file://" : "") + percentEncoded(shown));
    }
    json_.endObject();
  }

  void location(const Spot& spot) {
    json_.beginObject().key("physicalLocation").beginObject().key("artifactLocation");
    artifactLocation(spot.file);
    if (spot.line > 0) {
      json_.key("region").beginObject().member("startLine", spot.line);
      if (!spot.code.empty()) text("snippet", spot.code);
      json_.endObject();
    }
    json_.endObject();
    if (!spot.nodes.empty()) {
      json_.key("logicalLocations").beginArray();
      std::vector<std::string> modules;
      for (const fx::NodeId id : spot.nodes) {
        const std::string& name = report_.program.node(id).name;
        const std::string module = sourceLocationOf(report_.program, id).module;
        json_.beginObject()
            .member("name", name)
            .member("fullyQualifiedName", module.empty() ? name : module + "/" + name);
        json_.member("kind", "fx-node").endObject();
        if (!module.empty() && std::find(modules.begin(), modules.end(), module) == modules.end())
          modules.push_back(module);
      }
      for (const std::string& module : modules)
        json_.beginObject()
            .member("fullyQualifiedName", module)
            .member("kind", "module")
            .endObject();
      json_.endArray();
    }
    json_.endObject();
  }

  std::string messageOf(const Blocked& entry) const {
    std::string out = fmt::format("{} to {}: {}. {}", operationOf(entry), lower::name(entry.target),
                                  diagnose::title(entry.kind), entry.message);
    if (const diagnose::Experiment* best = bestOf(entry))
      out += fmt::format(". Fix ({}): {}", verdictOf(*best), best->change);
    if (blocksForSizes(report_.diagnosis, entry))
      out += ". " + titleOf(report_.diagnosis.sizeSources[entry.sizes->source]);
    else if (const std::string sizes = dependenceText(report_.diagnosis, entry); !sizes.empty())
      out += ". It " + sizes;
    return out;
  }

  /// Identifies a blocked operation across runs, independent of its line.
  static std::string fingerprintOf(const Blocked& entry) {
    std::string text;
    for (const std::string_view part :
         {lower::name(entry.target), diagnose::name(entry.kind), std::string_view(entry.fxTarget),
          std::string_view(entry.op), std::string_view(entry.types), std::string_view(entry.stage)})
      text += std::string(part) + '\n';
    return sha256(text);
  }

  void result(const Blocked& entry) {
    json_.beginObject()
        .member("ruleId", diagnose::name(entry.kind))
        .member("ruleIndex", static_cast<std::int64_t>(entry.kind));
    json_.member("level", stops(entry) ? "error" : "warning");
    text("message", withoutLinks(messageOf(entry)));
    json_.key("locations").beginArray();
    for (const Spot& spot : spotsOf(report_.program, entry.nodes)) location(spot);
    json_.endArray();
    if (!entry.nodes.empty()) json_.member("occurrenceCount", entry.nodes.size());
    json_.key("partialFingerprints")
        .beginObject()
        .member("blockedOperation/v1", fingerprintOf(entry))
        .endObject();
    json_.key("properties").beginObject().member("to", lower::name(entry.target));
    json_.textOrNull("target", entry.fxTarget).textOrNull("op", entry.op);
    json_.textOrNull("types", entry.types).textOrNull("stage", entry.stage);
    json_.textOrNull("pass", entry.pass).textOrNull("engine_message", entry.engineMessage);
    json_.member("count", entry.nodes.size()).memberOrNull("tried", entry.tried);
    json_.member("agreement", diagnose::name(entry.agreement)).key("experiments").beginArray();
    for (const diagnose::Experiment& experiment : entry.experiments)
      json_.beginObject()
          .member("id", experiment.id)
          .member("change", experiment.change)
          .member("mark", markOf(experiment))
          .member("verified", diagnose::name(diagnose::verifiedBy(experiment)))
          .endObject();
    json_.endArray().endObject().endObject();
  }

  /// About the texts of a program that lowers.
  void warning(const fx::Finding& first, const std::vector<fx::NodeId>& nodes) {
    const auto kind = Kind::Contract;
    json_.beginObject()
        .member("ruleId", diagnose::name(kind))
        .member("ruleIndex", static_cast<std::int64_t>(kind));
    json_.member("level", "warning");
    text("message", withoutLinks(first.message));
    json_.key("locations").beginArray();
    for (const Spot& spot : spotsOf(report_.program, nodes)) location(spot);
    json_.endArray();
    if (!nodes.empty()) json_.member("occurrenceCount", nodes.size());
    json_.key("partialFingerprints")
        .beginObject()
        .member("warning/v1",
                sha256(first.stage + '\n' + first.op + '\n' + first.target + '\n' + first.message))
        .endObject();
    json_.key("properties").beginObject().textOrNull("target", first.target);
    json_.textOrNull("op", first.op).textOrNull("stage", first.stage).endObject().endObject();
  }

  const DiagnoseReport& report_;
  std::string root_;  ///< with its last slash
  JsonWriter json_;
};

}  // namespace

std::string diagnoseSarif(const DiagnoseReport& report) { return SarifWriter(report).write(); }

}  // namespace fxs::report
