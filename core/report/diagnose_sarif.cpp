// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A diagnosis as SARIF. One result per blocked operation: its locations are the
// distinct Python lines of its nodes, all of which a change must reach (3.27.12), with nodes and
// modules as logical locations. A change to a file is not known to the character, so that no result
// has `fixes`; verified fixes are in the message and the properties.
#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.h"
#include "report/diagnose.h"
#include "report/diagnose_words.h"
#include "report/sarif.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Kind;

/// A location of a result: the nodes with the same file and line.
struct Spot {
  std::string file;  ///< "": no Python line is known
  int line = 0;
  std::string code;
  bool inProject = false;
  std::vector<fx::NodeId> nodes;
};

constexpr std::size_t kRelated = 8;  ///< lines of libraries with a result

/// The lines of nodes: where it can be, those of the user's project, which a code host shows, with
/// those of the libraries that they call as `related`.
struct Spots {
  std::vector<Spot> lines;
  std::vector<Spot> related;
};

Spot& spotIn(std::vector<Spot>& all, const fx::StackFrame* frame) {
  const Spot spot = frame ? Spot{frame->file, frame->line, frame->code, false, {}} : Spot();
  const auto same = std::find_if(all.begin(), all.end(), [&](const Spot& s) {
    return s.file == spot.file && s.line == spot.line;
  });
  return same != all.end() ? *same : all.emplace_back(spot);
}

Spots spotsOf(const fx::Program& program, const std::vector<fx::NodeId>& nodes,
              const std::string& root) {
  Spots out;
  for (const fx::NodeId id : nodes) {
    const std::vector<fx::StackFrame> stack =
        id.valid() ? fx::stackOf(program, program.node(id)) : std::vector<fx::StackFrame>();
    const fx::StackFrame* user = fx::userFrame(stack);
    const fx::StackFrame* project = fx::projectFrame(stack, root);
    Spot& spot = spotIn(out.lines, project != nullptr ? project : user);
    spot.inProject = project != nullptr;
    spot.nodes.push_back(id);
    if (project != nullptr && user != project && out.related.size() < kRelated)
      spotIn(out.related, user);
  }
  if (out.lines.empty()) out.lines.emplace_back();
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

class DiagnosisInSarif {
 public:
  explicit DiagnosisInSarif(const DiagnoseReport& report)
      : report_(report), root_(report.directory) {}

  SarifLog log() {
    const diagnose::Diagnosis& diagnosis = report_.diagnosis;
    const lower::Engine& engine = diagnosis.engine;
    SarifLog out;
    out.version = report_.version;
    out.engines = {{engine.version, report_.paths.of(engine.path), engine.sha256}};
    out.rules = sarifRules();
    if (!diagnosis.complete)
      out.notifications.emplace_back(
          SarifLevel::Warning,
          "cancelled or out of time: these results are valid, but there may be more");
    for (const std::string& note : diagnosis.notes)
      out.notifications.emplace_back(SarifLevel::Note, note);
    if (report_.paths.full && !root_.empty()) out.root = root_.ends_with('/') ? root_ : root_ + '/';
    out.artifacts = {sarifUri(report_.input)};
    for (const Blocked& entry : diagnosis.blocked) out.results.push_back(result(entry));
    for (const auto& [first, nodes] : warningsByCause(diagnosis))
      out.results.push_back(warning(first, nodes));
    out.properties = [&diagnosis](JsonWriter& json) {
      json.key("targets").beginArray();
      for (const diagnose::TargetDiagnosis& target : diagnosis.targets) {
        json.beginObject().member("to", lower::name(target.target));
        json.memberOrNull("lowers", target.lowers || target.isKnown ? std::optional(target.lowers)
                                                                    : std::nullopt);
        json.member("operations", blockedOperations(diagnosis, target.target))
            .member("nodes", blockedNodes(diagnosis, target.target))
            .endObject();
      }
      json.endArray().member("complete", diagnosis.complete);
    };
    return out;
  }

 private:
  SarifPlace placeOf(const Spot& spot) const {
    SarifPlace out;
    if (spot.file.empty()) {
      out.uri = sarifUri(report_.input);
      out.artifact = 0;
    } else if (const auto file = fx::projectFile(spot.file, root_)) {
      out.uri = sarifUri(*file);
      out.base = kSourceRoot;
    } else {
      out.uri = sarifUri(report_.paths.of(spot.file));
    }
    out.line = spot.line;
    out.code = spot.code;
    std::vector<std::string> modules;
    for (const fx::NodeId id : spot.nodes) {
      const std::string& name = report_.program.node(id).name;
      const std::string module = sourceLocationOf(report_.program, id).module;
      out.logical.push_back({name, module.empty() ? name : module + "/" + name, "fx-node"});
      if (!module.empty() && std::find(modules.begin(), modules.end(), module) == modules.end())
        modules.push_back(module);
    }
    for (const std::string& module : modules) out.logical.push_back({"", module, "module"});
    return out;
  }

  /// A library's line is a location only where no line of the project is known; a code host then
  /// shows the program.
  void setPlaces(SarifResult& out, const std::vector<fx::NodeId>& nodes) const {
    const Spots spots = spotsOf(report_.program, nodes, root_);
    const auto isShown = [this](const Spot& spot) { return root_.empty() || spot.inProject; };
    const bool any = std::any_of(spots.lines.begin(), spots.lines.end(), isShown);
    std::vector<Spot> related = spots.related;
    for (const Spot& spot : spots.lines) {
      if (isShown(spot)) out.places.push_back(placeOf(spot));
      else if (!spot.file.empty()) related.push_back(spot);
    }
    if (!any) {
      Spot program;
      program.nodes = nodes;
      out.places.push_back(placeOf(program));
    }
    for (const Spot& spot : related) {
      SarifPlace& place = out.related.emplace_back(placeOf(spot));
      place.message = "in a library";
    }
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

  SarifResult result(const Blocked& entry) const {
    SarifResult out;
    out.rule = static_cast<std::size_t>(entry.kind);
    out.level = stops(entry) ? SarifLevel::Error : SarifLevel::Warning;
    out.message = messageOf(entry);
    setPlaces(out, entry.nodes);
    out.occurrences = entry.nodes.size();
    out.fingerprint = {"blockedOperation/v1", fingerprintOf(entry)};
    out.properties = [&entry](JsonWriter& json) {
      json.member("to", lower::name(entry.target));
      json.textOrNull("target", entry.fxTarget).textOrNull("op", entry.op);
      json.textOrNull("types", entry.types).textOrNull("stage", entry.stage);
      json.textOrNull("pass", entry.pass).textOrNull("engine_message", entry.engineMessage);
      json.member("count", entry.nodes.size()).memberOrNull("tried", entry.tried);
      json.member("agreement", diagnose::name(entry.agreement)).key("experiments").beginArray();
      for (const diagnose::Experiment& experiment : entry.experiments)
        json.beginObject()
            .member("id", experiment.id)
            .member("change", experiment.change)
            .member("mark", markOf(experiment))
            .member("verified", diagnose::name(diagnose::verifiedBy(experiment)))
            .endObject();
      json.endArray();
    };
    return out;
  }

  /// About the texts of a program that lowers.
  SarifResult warning(const fx::Finding& first, const std::vector<fx::NodeId>& nodes) const {
    SarifResult out;
    out.rule = static_cast<std::size_t>(Kind::Contract);
    out.level = SarifLevel::Warning;
    out.message = first.message;
    setPlaces(out, nodes);
    out.occurrences = nodes.size();
    out.fingerprint = {"warning/v1", sha256(first.stage + '\n' + first.op + '\n' + first.target +
                                            '\n' + first.message)};
    out.properties = [first](JsonWriter& json) {
      json.textOrNull("target", first.target).textOrNull("op", first.op);
      json.textOrNull("stage", first.stage);
    };
    return out;
  }

  const DiagnoseReport& report_;
  std::string root_;
};

}  // namespace

std::vector<SarifRule> sarifRules() {
  std::vector<SarifRule> out;
  for (int kind = 0; kind < diagnose::kKindCount; ++kind) {
    const std::string id(diagnose::name(static_cast<Kind>(kind)));
    constexpr std::string_view kWays =
        "Changes that were verified are in the message; {0}fxscope-cli fix PROGRAM --to TYPE{0} "
        "applies them, and {0}fxscope-cli explain {1}{0} says what the class means.";
    out.push_back({id, std::string(diagnose::title(static_cast<Kind>(kind))),
                   fmt::format(kWays, "'", id), fmt::format(kWays, "`", id)});
  }
  return out;
}

std::string diagnoseSarif(const DiagnoseReport& report) {
  return sarifText(DiagnosisInSarif(report).log());
}

}  // namespace fxs::report
