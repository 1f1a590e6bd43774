// fxscope-cli sweep report: what a sweep says in all, and what changed since an earlier one.
#include <algorithm>

#include "command.h"
#include "report/sweep.h"

namespace fxs::cli {
namespace {

using SweepForm = std::string (*)(const report::SweepReport&);

Result<SweepForm> sweepFormFrom(const std::string& wanted) {
  if (wanted == "text") return report::sweepText;
  if (wanted == "markdown") return report::sweepMarkdown;
  if (wanted == "json") return report::sweepJson;
  if (wanted == "html") return report::sweepHtml;
  return fail(ErrorCode::Usage, "option '--format': '" + wanted + "' is not one of text, markdown, json, html");
}

Result<sweep::Merged> merged(const std::vector<std::string>& files, World& world) {
  sweep::Merger merger;
  for (const std::string& file : files) FXS_CHECK(merger.add(file, world.context));
  return merger.take();
}

int runSweepReport(const Arguments& arguments, World& world) {
  const auto form = sweepFormFrom(arguments.has("--json") ? "json" : arguments.get("--format").value_or("text"));
  if (!form) return reportError(form.error(), world);
  auto now = merged(arguments.whole("RESULTS"), world);
  if (!now) return reportError(now.error(), world);
  sweep::Summary summary = sweep::summaryOf(*std::move(now));
  if (const auto earlier = arguments.all("--against"); !earlier.empty()) {
    const auto before = merged(earlier, world);
    if (!before) return reportError(before.error(), world);
    summary.drift = sweep::driftOf(summary.merged, *before);
  }
  const report::SweepReport answer{summary, arguments.has("--timings")};
  if (const auto written = writeAnswer(arguments, (*form)(answer), world); !written) return reportError(written.error(), world);
  return summary.drift && !summary.drift->lost.empty() ? kFindings : kDone;
}

}  // namespace

void registerSweepReport(Commands& commands);
void registerSweepReport(Commands& commands) {
  commands.add({"sweep report",
                "merge the results of a sweep into tables, and compare them with an earlier sweep",
                {{"RESULTS", "a file that 'sweep' wrote; those of shards are merged", true, true}},
                {{"--against", "BEFORE.jsonl,..", "results of an earlier sweep; exits 1 if a program lowered then and does not now", true},
                 {"--format", "FORM", "text (default), markdown, json or html"},
                 {"--json", "", "same as --format json (resources/schemas/sweep_report.schema.json)"},
                 {"-o", "OUT", "write the report to OUT"}},
                runSweepReport});
}

}  // namespace fxs::cli
