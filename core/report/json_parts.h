// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Forms that several answers share.
#include "base/json_form.h"
#include "diagnose/diagnosis.h"
#include "fx/finding.h"
#include "report/source_location.h"

namespace fxs::report {

inline constexpr const char* kInputMessage = "the input file, as given";
inline constexpr const char* kOutputTypeMessage =
    "an output type: resources/output_types.json, or a file of --output-types";
JsonRule isOutputType();
JsonRule isSha256();

/// What forms ask for nodes and paths; not for a schema.
struct NodeContext {
  const fx::Program* program = nullptr;  ///< the user's
  const Paths* paths = nullptr;
};
template <class Report>
NodeContext contextOf(const Report* report) {
  return report == nullptr ? NodeContext{} : NodeContext{&report->program, &report->paths};
}

/// A size is a number, or an expression such as 2*s0 + 1.
using JsonSize = std::variant<std::int64_t, std::string>;
std::vector<JsonSize> sizesOf(const std::vector<fx::SymInt>&);

/// Path, version and checksum.
JsonForm<lower::Engine> engineForm(const Paths*);
JsonForm<fx::StackFrame> sourceForm(const Paths*);
/// Members that do not apply are null.
JsonForm<fx::Finding> findingForm(NodeContext);

/// Of "rewritten_beyond_torch_mlir".
JsonForm<diagnose::BeyondTorchMlir> beyondForm();
inline constexpr const char* kBeyondMessage =
    "what was rewritten or imported that torch_mlir.fx.export_and_import does not, and its outcome "
    "without";

}  // namespace fxs::report
