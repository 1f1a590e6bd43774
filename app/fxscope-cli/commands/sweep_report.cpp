// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli sweep report: what a sweep says in all, and what changed since an earlier one.
#include <algorithm>

#include "base/joined.h"
#include "command.h"
#include "lower/known_engines.h"
#include "report/sweep.h"

namespace fxs::cli {
namespace {

using SweepForm = std::string (*)(const report::SweepReport&);

struct SweepFormat {
  std::string name;
  SweepForm form;
};
const std::vector<SweepFormat>& sweepFormats() {
  static const std::vector<SweepFormat> all{
      {"text", report::sweepText},   {"markdown", report::sweepMarkdown},
      {"json", report::sweepJson},   {"html", report::sweepHtml},
      {"sarif", report::sweepSarif}, {"junit", report::sweepJunit}};
  return all;
}
std::vector<std::string> sweepFormatNames() {
  std::vector<std::string> out;
  for (const SweepFormat& each : sweepFormats()) out.push_back(each.name);
  return out;
}

Result<SweepForm> sweepFormFrom(const std::string& wanted) {
  for (const SweepFormat& each : sweepFormats())
    if (each.name == wanted) return each.form;
  return fail(ErrorCode::Usage,
              "option '--format': '" + wanted + "' is not one of " + joined(sweepFormatNames()));
}

Result<sweep::Merged> merged(const std::vector<std::string>& files, Console& console) {
  sweep::Merger merger;
  for (const std::string& file : files) FXS_CHECK(merger.add(file, console.context));
  return merger.take();
}

/// The names of the known engines with a checksum; its beginning if there is none.
std::string namesOf(const std::vector<lower::KnownEngine>& known, const std::string& sha256) {
  constexpr std::size_t kShown = 12;
  std::vector<std::string> names;
  for (const lower::KnownEngine& engine : known)
    if (engine.sha256 == sha256) names.push_back(engine.name);
  return names.empty() ? sha256.substr(0, kShown) : joined(names);
}

int endOf(bool isLost, bool isUnknown) {
  if (isLost) return kFindings;
  return isUnknown ? kEngine : kDone;
}

int runByEngine(SweepForm form, const Arguments& arguments, Console& console) {
  if (arguments.has("--against"))
    return reportError(
        {ErrorCode::Usage,
         "option '--against' compares two sweeps; with --by-engine, list all files of results",
         {}},
        console);
  sweep::EngineMerger merger;
  for (const std::string& file : arguments.raw("RESULTS"))
    if (const auto added = merger.add(file, console.context); !added)
      return reportError(added.error(), console);
  auto all = merger.take();
  if (all.empty())
    return reportError(
        {ErrorCode::InvalidInput, "sweep report: the files have no line, and so no engine", {}},
        console);
  const auto known = lower::knownEngines(console.environment.enginesFolder);
  if (!known) return reportError(known.error(), console);
  report::SweepEngines engines{sweep::engineDriftOf(all), {}};
  for (const sweep::EngineLines& each : all) engines.names.push_back(namesOf(*known, each.sha256));
  const sweep::Summary last = sweep::summaryOf(std::move(all.back().merged));
  const report::SweepReport answer{last, arguments.has("--timings"), &engines,
                                   arguments.get("--folder").value_or("")};
  if (const auto written = writeAnswer(arguments, form(answer), console); !written)
    return reportError(written.error(), console);
  const auto& columns = engines.drift.engines;
  const auto any = [&](std::size_t sweep::EngineColumn::* count) {
    return std::any_of(columns.begin(), columns.end(),
                       [&](const sweep::EngineColumn& each) { return each.*count > 0; });
  };
  return endOf(any(&sweep::EngineColumn::lost), any(&sweep::EngineColumn::unknown));
}

int runSweepReport(const Arguments& arguments, Console& console) {
  const auto form =
      sweepFormFrom(arguments.has("--json") ? "json" : arguments.get("--format").value_or("text"));
  if (!form) return reportError(form.error(), console);
  if (arguments.has("--by-engine")) return runByEngine(*form, arguments, console);
  auto now = merged(arguments.raw("RESULTS"), console);
  if (!now) return reportError(now.error(), console);
  sweep::Summary summary = sweep::summaryOf(*std::move(now));
  if (const auto earlier = arguments.all("--against"); !earlier.empty()) {
    const auto before = merged(earlier, console);
    if (!before) return reportError(before.error(), console);
    summary.drift = sweep::driftOf(summary.merged, *before);
  }
  const report::SweepReport answer{summary, arguments.has("--timings"), nullptr,
                                   arguments.get("--folder").value_or("")};
  if (const auto written = writeAnswer(arguments, (*form)(answer), console); !written)
    return reportError(written.error(), console);
  return summary.drift ? endOf(!summary.drift->lost.empty(), !summary.drift->unknown.empty())
                       : kDone;
}

}  // namespace

void registerSweepReport(Commands& commands);
void registerSweepReport(Commands& commands) {
  commands.add(
      {"sweep report",
       "merge the results of a sweep into tables, and compare them with an earlier sweep",
       {{"RESULTS", "a file that 'sweep' wrote; those of shards are merged", true, true}},
       {{"--against", "BEFORE.jsonl,..",
         "results of an earlier sweep; exits 1 if a program lowered then and does not now, "
         "else 4 if that is not known of one",
         true},
        {"--by-engine", "",
         "set sweeps with different engines side by side, in the order of their files; exits 1 if "
         "a program lowered with an engine and "
         "does not with the next, else 4 if that is not known of one"},
        {"--format", "FORM", "text (default), markdown, json, html, sarif or junit", false,
         sweepFormatNames()},
        {"--folder", "DIR",
         "for sarif: the folder that was swept, relative to the root of the repository (default: "
         "the root)"},
        {"--json", "", "same as --format json (resources/schemas/sweep_report.schema.json)"},
        {"-o", "OUT", "write the report to OUT"}},
       runSweepReport,
       Group::Why});
}

}  // namespace fxs::cli
