#pragma once
// Printed MLIR and the FX nodes behind it. `show` is the text without its locations, as a person wants to read it; `lines`
// says for each line of it which node its operation came from. Tolerant: a text it does not understand stays as it is,
// with no links. Linear in the text.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fx/argument.h"

namespace fxs::mlir {

/// How the node of an operation is known, surest first: by its location; from the operation around it; through those that use it;
/// by the line of Python that both name, which several nodes may share. See core/trace.
enum class Link : std::uint8_t { None, Exact, Parent, Users, SourceLine };

struct LineOrigin {
  Link link = Link::None;
  std::vector<fx::NodeId> nodes;  ///< usually one; several for fused locations
};

struct LocatedText {
  std::string show;
  std::vector<LineOrigin> lines;  ///< by 0-based line of `show`
  std::size_t ops = 0;            ///< operations counted (module and functions included)
  /// Lines of a node, ascending; empty when there are none.
  const std::vector<std::uint32_t>& linesOf(fx::NodeId) const;
  std::vector<std::vector<std::uint32_t>> linesByNode;  ///< by NodeId, as far as the largest seen
  /// Makes `linesByNode` from `lines`.
  void indexLines();
};

/// `text` as printed with --mlir-print-debuginfo (aliases `#loc12 = ..`, or inline with local scope). Understands
/// loc("name"("fx":N:0)), callsite, fused and nested forms. `dialect_resources` are elided to their sizes in `show`.
LocatedText locate(std::string_view text);

}  // namespace fxs::mlir
