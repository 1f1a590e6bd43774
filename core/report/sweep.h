// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The report on a sweep: totals by output type, the operators that block, what changed since an
// earlier sweep, and every program. Text, Markdown, JSON
// (resources/schemas/sweep_report.schema.json), SARIF 2.1.0, JUnit's XML, and one HTML file. The
// same lines give the same bytes: times and memory are left out unless asked for.
#include <string>
#include <vector>

#include "report/document.h"
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
  std::string folder = {};  ///< SARIF: that of the programs, relative to the root of the repository
};

std::string sweepText(const SweepReport&);
std::string sweepMarkdown(const SweepReport&);
std::string sweepJson(const SweepReport&);
std::string sweepSchema();
std::string sweepHtml(const SweepReport&);
/// A result for each operator that blocks a program, at the lines of Python that the sweep knows,
/// else at the program; and one for each program of which no operator is known.
std::string sweepSarif(const SweepReport&);
/// A test suite for each output type, with a case for each program. With a comparison, only what
/// was lost fails; what did not lower before either is skipped.
std::string sweepJunit(const SweepReport&);

/// Text, Markdown and HTML are its renderings. Without the tables that would be empty.
Document sweepDocument(const SweepReport&);
/// Why a program does not lower, or is not known to: its operators, else the message.
std::string reasonOf(const sweep::Line&);

}  // namespace fxs::report
