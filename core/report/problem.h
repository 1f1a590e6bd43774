// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli report`: a problem as Markdown to paste into an issue, with the files
// that belong to it, and as JSON (resources/schemas/report.schema.json).
#include <string>
#include <utility>
#include <vector>

#include "upstream/problem.h"

namespace fxs::report {

/// Without its title, which is a field of its own; under the headings that the tool's project asks
/// for. At most 60 lines, unless the script or the message alone is longer.
std::string problemMarkdown(const upstream::Problem&);
/// The files, by name: issue.md, repro.py, minimal.mlir, test.mlir and e2e_test.py, of which some
/// may be missing.
std::vector<std::pair<std::string, std::string>> problemFiles(const upstream::Problem&);
std::string problemJson(const upstream::Problem&);
std::string problemSchema();

}  // namespace fxs::report
