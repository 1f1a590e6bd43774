// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A diagnosis as a document: what each output type comes to, a section for each cause, warnings and
// notes.
#include <vector>

#include "report/diagnose.h"
#include "report/diagnose_causes.h"
#include "report/document.h"

namespace fxs::report {

/// Its three parts, one after the other; a page has them in different places.
struct DiagnoseParts {
  Document opening;
  Blocks findings;  ///< numbered from 1; the ids are "finding-1" ..
  Blocks closing;
};
DiagnoseParts diagnoseParts(const DiagnoseReport&, const std::vector<Cause>&);

/// A node by its name, which selects it, "" if it is none of the program; and at most kListedNodes
/// of several.
Span nodeSpan(const fx::Program&, fx::NodeId);
Inline nodeSpans(const fx::Program&, const std::vector<fx::NodeId>&);
inline constexpr std::size_t kListedNodes = 200;

// What only the page has, if the report has it: what the lowered program computes, and operators by
// output type.
Blocks comparisonBlocks(const DiagnoseReport&);
Blocks supportBlocks(const DiagnoseReport&);
/// The layers of the report; `mostRows` unless it says how many.
Blocks layerBlocks(const DiagnoseReport&, std::size_t mostRows);

}  // namespace fxs::report
