// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli inspect --summary`, a program in numbers: as text and as JSON
// (resources/schemas/summary.schema.json); and the lines of it that the window shows, too.
#include <string>
#include <vector>

#include "base/terminal_text.h"
#include "summary/summary.h"

namespace fxs::report {

struct SummaryReport {
  std::string input;   ///< path of the input, as given by the user
  std::string format;  ///< of the capture
  summary::Summary summary;
  std::vector<summary::Became> became = {};  ///< of what was lowered
};

struct SummaryFact {
  std::string label;  ///< "Parameters"
  std::vector<std::string> lines;
};
/// Without tables of operators and modules; no fact is without lines.
std::vector<SummaryFact> summaryFacts(const SummaryReport&);
/// "8.2 G", "8.2 G +" if some are not known, "not known" if none is known, "" without calls that
/// are counted.
std::string flopsText(const std::optional<summary::FlopTotal>&);
/// Of the FLOPs that are known: "12.5 %"; "" without any.
std::string shareText(const std::optional<summary::FlopTotal>& part, const summary::Summary& all);

std::string summaryText(const SummaryReport&, const TextLayout& = {});
std::string summaryJson(const SummaryReport&);
std::string summarySchema();

}  // namespace fxs::report
