#pragma once
// Findings as text and JSON, with node, Python line and module.
#include <string>
#include <vector>

#include "base/json.h"
#include "fx/finding.h"
#include "report/source_location.h"

namespace fxs::report {

/// One JSON object: {severity, node, target, op, stage, pass, kind, message, source{file,line,code}, module, count, tried[],
/// experiments[]}; what does not apply is null.
void writeFinding(JsonWriter&, const fx::Finding&, const fx::Program&, const Paths&);
void writeFindings(JsonWriter&, const std::vector<fx::Finding>&, const fx::Program&, const Paths&);

/// Findings with one cause together: what is wrong, then the nodes with their module and Python line. "" when there are none.
std::string findingsText(const std::vector<fx::Finding>&, const fx::Program&);

}  // namespace fxs::report
