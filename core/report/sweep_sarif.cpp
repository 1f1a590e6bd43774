// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep as SARIF: code hosts show each operator that blocks a program at its lines of Python.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "base/sha256.h"
#include "diagnose/diagnosis.h"
#include "report/sarif.h"
#include "report/sweep.h"

namespace fxs::report {
namespace {

using sweep::Status;

/// After the rules of blocked operations, one for each status that is not ok.
std::vector<SarifRule> rulesOfSweep() {
  std::vector<SarifRule> out = sarifRules();
  for (std::size_t i = 0; i < sweep::kStatuses; ++i) {
    const std::string id(sweep::name(static_cast<Status>(i)));
    constexpr const char* kWay =
        "{0}fxscope-cli diagnose PROGRAM --to TYPE{0} says what stops the program.";
    out.push_back({"program-" + id, fmt::format("The program's status is {}", id),
                   fmt::format(kWay, "'"), fmt::format(kWay, "`")});
  }
  return out;
}

class SweepInSarif {
 public:
  explicit SweepInSarif(const SweepReport& report) : report_(report), folder_(report.folder) {
    if (!folder_.empty() && !folder_.ends_with('/')) folder_ += '/';
  }

  SarifLog log() {
    const sweep::Merged& merged = report_.summary.merged;
    out_.version = merged.fxscope.size() == 1 ? *merged.fxscope.begin() : std::string();
    for (const auto& [version, checksum] : merged.engines)
      out_.engines.push_back({version, "", checksum});
    out_.rules = rulesOfSweep();
    for (const auto& [program, lines] : merged.programs) {
      const std::size_t artifact = out_.artifacts.size();
      out_.artifacts.push_back(sarifUri(folder_ + program));
      for (const auto& [type, line] : lines)
        if (line.status != Status::Ok) add(line, artifact);
    }
    return std::move(out_);
  }

 private:
  void add(const sweep::Line& line, std::size_t artifact) {
    if (line.blockers.empty()) addProgram(line, artifact);
    for (const sweep::Blocker& blocker : line.blockers) addBlocker(line, blocker, artifact);
  }

  SarifPlace programAt(std::size_t artifact) const {
    SarifPlace out;
    out.uri = out_.artifacts[artifact];
    out.base = kSourceRoot;
    out.artifact = artifact;
    return out;
  }

  /// Of which no operator is known.
  void addProgram(const sweep::Line& line, std::size_t artifact) {
    SarifResult& out = out_.results.emplace_back();
    const bool isUnknown = line.status == Status::Timeout || line.status == Status::Abandoned;
    out.rule = diagnose::kKindCount + static_cast<std::size_t>(line.status);
    out.level = isUnknown ? SarifLevel::Note : SarifLevel::Error;
    out.message = fmt::format("{} to {}: {}{}", line.program, line.to,
                              isUnknown ? "not known: " : "", reasonOf(line));
    out.places = {programAt(artifact)};
    out.fingerprint = {"program/v1", fingerprintOf({line.program, line.to})};
    addProperties(out, line);
  }

  void addBlocker(const sweep::Line& line, const sweep::Blocker& blocker, std::size_t artifact) {
    SarifResult& out = out_.results.emplace_back();
    const auto rule = std::find_if(out_.rules.begin(), out_.rules.end(),
                                   [&](const SarifRule& each) { return each.id == blocker.kind; });
    // A class of a later version: then it is a program that does not lower.
    out.rule = rule == out_.rules.end()
                   ? diagnose::kKindCount + static_cast<std::size_t>(line.status)
                   : static_cast<std::size_t>(rule - out_.rules.begin());
    out.message = fmt::format(
        "{} to {}: {} ({}): {}{}", line.program, line.to, blocker.fxTarget,
        counted(blocker.nodes, "node"), out_.rules[out.rule].title,
        blocker.fix ? fmt::format(". Fix ({}): {}", blocker.fix->verified, blocker.fix->change)
                    : "");
    for (const sweep::SourceLine& each : blocker.lines) {
      SarifPlace& place = out.places.emplace_back();
      place.uri = sarifUri(each.file);
      place.base = kSourceRoot;
      place.line = each.line;
    }
    if (out.places.empty()) out.places = {programAt(artifact)};
    else out.related = {programAt(artifact)};
    for (SarifPlace& place : out.related) place.message = "the program";
    out.occurrences = blocker.nodes;
    out.fingerprint = {"blocker/v1",
                       fingerprintOf({line.program, line.to, blocker.kind, blocker.fxTarget})};
    addProperties(out, line);
  }

  static void addProperties(SarifResult& out, const sweep::Line& line) {
    out.properties = [&line](JsonWriter& json) {
      json.member("program", line.program).member("to", line.to);
      json.member("status", sweep::name(line.status)).textOrNull("stage", line.stage);
      json.memberOrNull("complete", line.complete).memberOrNull("fixed_lowers", line.fixedLowers);
    };
  }

  /// Identifies a result across sweeps, whatever its lines are.
  static std::string fingerprintOf(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += std::string(part) + '\n';
    return sha256(text);
  }

  const SweepReport& report_;
  std::string folder_;  ///< with its last slash
  SarifLog out_;
};

}  // namespace

std::string sweepSarif(const SweepReport& report) { return sarifText(SweepInSarif(report).log()); }

}  // namespace fxs::report
