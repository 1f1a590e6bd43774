// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli diagnose`: what blocks a program, why, and verified fixes. All formats
// contain the same numbers: text for a terminal, JSON (resources/schemas/diagnose.schema.json),
// SARIF 2.1.0 with the user's Python lines as locations, Markdown to paste into an issue, and a
// self-contained HTML file.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/terminal_text.h"
#include "compare/comparison.h"
#include "diagnose/diagnosis.h"
#include "diagnose/next_step.h"
#include "fx/program.h"
#include "layout/graph_layout.h"
#include "report/layers.h"
#include "report/source_location.h"

namespace fxs::report {

/// A laid-out graph of the user's program.
struct DiagnosePicture {
  layout::GroupTree tree;
  layout::GraphView view;
  layout::GraphLayout layout;
};

struct DiagnoseReport {
  std::string input;  ///< path of the input, as given by the user
  const diagnose::Diagnosis& diagnosis;
  const fx::Program& program;  ///< the user's
  /// SARIF paths of Python files are relative to this absolute directory; "" for none.
  std::string directory = {};
  const DiagnosePicture* picture = nullptr;  ///< for HTML; null: the nodes are listed, not drawn
  std::vector<std::shared_ptr<const lower::Lowering>> lowerings =
      {};  ///< for HTML: the stages' texts
  Paths paths = {};
  std::shared_ptr<const compare::Comparison> comparison =
      {};                    ///< for HTML: what the program computes; null: not run
  std::string version = {};  ///< of fxscope; "" if not known
  std::optional<diagnose::NextStep> next = {};  ///< with the user's options; for JSON
  std::vector<ShownLayer> layers = {};          ///< on `program`; for HTML, Markdown and text
  std::optional<std::size_t> layerRows =
      {};  ///< of their table; else as many as the form has room for
};

std::string diagnoseText(const DiagnoseReport&, const TextLayout& = {});
std::string diagnoseJson(const DiagnoseReport&);
std::string diagnoseSchema();
std::string diagnoseSarif(const DiagnoseReport&);
std::string diagnoseMarkdown(const DiagnoseReport&);
std::string diagnoseHtml(const DiagnoseReport&);
/// Of the text: the verdicts, with changes by their names, and the notes.
std::string diagnoseConclusions(const DiagnoseReport&);
/// One blocked operation, to stand below a heading of the third level.
std::string blockedMarkdown(const DiagnoseReport&, const diagnose::Blocked&);

}  // namespace fxs::report
