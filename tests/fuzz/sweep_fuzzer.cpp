// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of results: an error names its file and line; lines that are read are read as the same when
// they are written, and every form of a report can be made of them.
#include "base/byte_source.h"
#include "fuzz_input.h"
#include "report/sweep.h"
#include "sweep/results.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sweep::ResultsReader reader(memorySource(std::string(fuzz::textOf(data, size))), "fuzz.jsonl",
                              sweep::Torn::Refuse);
  sweep::Merger merger;
  for (;;) {
    const auto read = reader.next({});
    if (!read) {
      fuzz::require(read.error().message.starts_with("fuzz.jsonl:"),
                    "an error names its file and line");
      break;
    }
    if (!*read) break;
    const std::string written = sweep::lineText((*read)->line);
    fuzz::require(written.find('\n') == written.size() - 1, "a line is one line");
    const auto again = sweep::lineFrom(written, "again", {});
    fuzz::require(again && sweep::sameOutcome(*again, (*read)->line),
                  "what is written is read as the same");
    if (!merger.add(*again, "fuzz.jsonl", (*read)->number)) break;
  }
  sweep::Summary summary = sweep::summaryOf(merger.take());
  summary.drift = sweep::driftOf(summary.merged, summary.merged);
  fuzz::require(summary.drift->lost.empty() && summary.drift->gained.empty(),
                "nothing drifts from itself");
  const report::SweepReport report{summary, true};
  for (const auto form : {report::sweepText, report::sweepMarkdown, report::sweepJson})
    fuzz::require(!form(report).empty(), "a form has text");
  fuzz::require(report::sweepHtml(report).find("<script") == std::string::npos,
                "a page has no script");
  return 0;
}
