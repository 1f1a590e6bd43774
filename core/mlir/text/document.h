#pragma once
// One printed MLIR text, read once: its structure, and the places that its locations lead to. What a person sees of it is in
// shown_text.h; which node an operation without a location belongs to is core/trace's question.
#include <string>
#include <string_view>
#include <vector>

#include "mlir/text/location_table.h"
#include "mlir/text/module.h"

namespace fxs::mlir {

class Document {
 public:
  /// `text` must outlive it. `files`: those besides `fx` that its locations may lead to, see LocationTable.
  explicit Document(std::string_view text, const std::vector<std::string>& files = {}) : module(text), locations(module, files) {}
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  const Module module;
  const LocationTable locations;

  /// The nodes that the operation's own location names, each once; empty when it has none or leads to none.
  std::vector<fx::NodeId> nodesOf(OpId id) const { return locations.nodes(module.op(id).location.of(module.text)); }
  /// The operation's first line, as printed.
  std::string_view lineOf(OpId id) const;
};

/// The operation that a `torch.operator` line represents ("torch.aten.diff"), or "".
std::string_view operatorNameOf(std::string_view line);
/// The name of the operation that a line begins, or "". For lines by themselves, such as those of a log: a Document knows its own.
std::string_view opNameOf(std::string_view line);

}  // namespace fxs::mlir
