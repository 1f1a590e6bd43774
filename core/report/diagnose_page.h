// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the HTML page of a diagnosis has besides the document, which is appended to it. Elements
// that show nodes list their indices in data-n, by which the page's script finds them.
#include <fmt/format.h>

#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/diagnose.h"
#include "report/diagnose_causes.h"

namespace fxs::report {

struct DiagnosePage {
  const DiagnoseReport& report;
  std::vector<Cause> causes;     ///< a card each, numbered from 1
  std::set<fx::NodeId> blocked;  ///< nodes of all findings
  std::string out;

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  }
};

/// Maximum characters of one line of a page.
inline constexpr std::size_t kPageColumns = 300;

void writeStages(DiagnosePage&);

}  // namespace fxs::report
