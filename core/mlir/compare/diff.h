#pragma once
// What really differs between two modules: operations added, removed, changed, moved. Blind to the names of SSA values, to
// locations, and to aliases and their numbers. Near linear.
//
// An operation is changed when its own text differs once names are taken out (attributes, types, a region's signature), or
// when an operand comes from another place although what it came from and what it comes from are there on both sides. An
// operand whose producer was removed or added does not make its users changed: the producer's own line says it. So a cast that
// goes away is one operation removed, and no user of it changed.
// An operation is moved when its order among its neighbours differs from that of most of them (the longest part that
// kept its order stays), or in another block or operation.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

enum class OpChange : std::uint8_t { Same, Changed, Moved, MovedAndChanged, Added, Removed };
std::string_view name(OpChange);  ///< "same", "changed", "moved", "moved and changed", "added", "removed"

/// One operation of either side. `a` is invalid when added, `b` when removed.
struct OpPair {
  OpId a, b;
  OpChange change = OpChange::Same;
  bool otherText = false;      ///< changed in its own text
  bool otherOperands = false;  ///< changed in where its operands come from, or in its successors
};

/// Stretches of an operation's own text that differ.
struct WordMarks {
  std::vector<TextRange> a, b;
};

struct Diff {
  /// Every operation of both sides once, in order of `b`; removed ones follow their predecessor in `a`.
  std::vector<OpPair> pairs;
  std::vector<std::uint32_t> pairOfA, pairOfB;                 ///< by OpId: index of `pairs`
  std::size_t added = 0, removed = 0, changed = 0, moved = 0;  ///< an operation moved and changed counts in both
  bool empty() const { return added + removed + changed + moved == 0; }
};
Diff diff(const Module& a, const Module& b);
/// The words that differ inside a changed pair, as ranges of each side's text; SSA names and locations are never marked.
WordMarks wordMarks(const Module& a, const Module& b, const OpPair&);

/// The module in a form that two modules share exactly when they differ in names, locations and aliases only: one operation a
/// line, values numbered in order, aliases expanded, locations left out.
std::string canonicalText(const Module&);
/// `a` with `diff` applied: the canonical text of `b`, made from the operations of `a` that stay, with their operands where these
/// stay too, and the new text of the others.
std::string applied(const Module& a, const Module& b, const Diff&);

}  // namespace fxs::mlir
