// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Findings as text and JSON, with node, Python line and module.
#include <string>
#include <vector>

#include "base/json.h"
#include "fx/finding.h"
#include "report/document.h"
#include "report/source_location.h"

namespace fxs::report {

/// A JSON array.
void writeFindings(JsonWriter&, const std::vector<fx::Finding>&, const fx::Program&, const Paths&);

/// Findings grouped by cause: what is wrong, then the nodes with their module and Python line.
List findingsList(const std::vector<fx::Finding>&, const fx::Program&);
/// The same as text; "" if there are none.
std::string findingsText(const std::vector<fx::Finding>&, const fx::Program&);
/// How many items of the list have a severity.
std::size_t countCauses(const std::vector<fx::Finding>&, fx::Severity);

}  // namespace fxs::report
