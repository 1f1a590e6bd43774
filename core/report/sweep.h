// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The report on a sweep: totals by output type, the operators that block, what changed since an
// earlier sweep, and every program. Text, Markdown, JSON
// (resources/schemas/sweep_report.schema.json), and one HTML file. The same lines give the same
// bytes: times and memory are left out unless asked for.
#include <cstdint>
#include <string>
#include <vector>

#include "sweep/by_engine.h"
#include "sweep/summary.h"

namespace fxs::report {

/// Engines side by side, with the names under which they are known.
struct SweepEngines {
  sweep::EngineDrift drift;
  std::vector<std::string> names;  ///< by engine: "2026.8.1, 2026.9.1"; the beginning of the
                                   ///< checksum for one that is not known
};

struct SweepReport {
  const sweep::Summary& summary;  ///< of the last engine, if there are several
  bool timings = false;
  const SweepEngines* engines = nullptr;  ///< null: not reported by engine
};

std::string sweepText(const SweepReport&);
std::string sweepMarkdown(const SweepReport&);
std::string sweepJson(const SweepReport&);
std::string sweepSchema();
std::string sweepHtml(const SweepReport&);

// What text, Markdown and HTML have in common. Cells are unescaped.
enum class Tone : std::uint8_t { Plain, Name, Good, Bad, Muted };
struct SweepCell {
  std::string text;
  Tone tone = Tone::Plain;
  bool number = false;  ///< aligned to the right
};
struct SweepTable {
  std::string title;
  std::string note = {};  ///< one sentence; "" for none
  std::vector<std::string> head;
  std::vector<std::vector<SweepCell>> rows;
  bool isDrift = false;
};
/// "12 programs", versions of fxscope and engines, options: a line each.
std::vector<std::string> sweepHead(const SweepReport&);
/// Without those that would be empty.
std::vector<SweepTable> sweepTables(const SweepReport&);

}  // namespace fxs::report
