// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli split`: text, JSON (resources/schemas/split.schema.json), which is
// also the index.json of the folder, and the other files beside the programs.
#include <string>
#include <utility>
#include <vector>

#include "base/terminal_text.h"
#include "split/result.h"

namespace fxs::report {

struct SplitReport {
  std::string input;  ///< path of the input, as given by the user
  const split::SplitResult& result;
};
/// A row for each program, then what was not written, then a summary.
std::string splitText(const SplitReport&);
std::string splitJson(const SplitReport&);
std::string splitSchema();
/// Name and text of index.json, of the README and of the test that pytest runs.
std::vector<std::pair<std::string, std::string>> splitFiles(const SplitReport&);

}  // namespace fxs::report
