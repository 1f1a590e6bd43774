// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A parsed MLIR text: its structure and its resolved locations. For display, see shown_text.h; for
// the nodes of operations without a location, see core/trace.
#include <string>
#include <string_view>
#include <vector>

#include "mlir/text/location_table.h"
#include "mlir/text/module.h"

namespace fxs::mlir {

class Document {
 public:
  /// `text` must outlive it. For `files`, see LocationTable.
  explicit Document(std::string_view text, const std::vector<std::string>& files = {},
                    TextForm form = TextForm::Mlir)
      : module(text, form), locations(module, files) {}
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  const Module module;
  const LocationTable locations;

  /// The nodes in the operation's own location, each once; empty if there are none.
  std::vector<fx::NodeId> nodesOf(OpId id) const {
    return locations.nodes(module.op(id).location.of(module.text));
  }
  /// The operation's first line, as printed.
  std::string_view lineOf(OpId id) const;
};

/// The operation that a `torch.operator` line represents ("torch.aten.diff"), or "".
std::string_view operatorNameOf(std::string_view line);
/// The name of the operation that starts on a line, or "". For single lines, such as those of a
/// log.
std::string_view opNameOf(std::string_view line);

}  // namespace fxs::mlir
