// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Structural diff of two modules: operations added, removed, changed, moved. Ignores names of SSA
// values, locations, and names of aliases. Near linear.
//
// An operation is changed if its own text (attributes, types, signatures of regions) differs apart
// from names, or if an operand has another producer, and the old and the new producer exist on both
// sides. An operand whose producer was added or removed does not make its users changed; so a
// removed cast counts as one removed operation.
//
// An operation is moved if it is in another block or parent operation, or if it does not belong to
// the longest sequence of operations that kept their order.
#include <cstdint>
#include <string_view>
#include <vector>

#include "mlir/compare/op_keys.h"
#include "mlir/text/module.h"

namespace fxs::mlir {

enum class OpChange : std::uint8_t { Same, Changed, Moved, MovedAndChanged, Added, Removed };
std::string_view name(
    OpChange);  ///< "same", "changed", "moved", "moved and changed", "added", "removed"

/// One operation of either side. `a` is invalid when added, `b` when removed.
struct OpPair {
  OpId a, b;
  OpChange change = OpChange::Same;
  bool otherText = false;      ///< its own text changed
  bool otherOperands = false;  ///< its operands' producers or its successors changed
};

/// The ranges of an operation's own text that differ.
struct WordMarks {
  std::vector<TextRange> a, b;
};

struct Diff {
  /// Every operation of both sides once, in order of `b`; removed ones follow their predecessor in
  /// `a`.
  std::vector<OpPair> pairs;
  std::vector<std::uint32_t> pairOfA, pairOfB;  ///< by OpId: index of `pairs`
  std::size_t added = 0, removed = 0, changed = 0,
              moved = 0;            ///< an operation that is moved and changed counts in both
  std::size_t hiddenConstants = 0;  ///< see withoutConstants()
  bool empty() const { return added + removed + changed + moved == 0; }
};
/// Keys of operations by OpId, equal for those that are alike; see OpKeys::alike.
struct AlikeKeys {
  Keys a, b;
};
Diff diff(const Module& a, const Module& b, AlikeKeys = {});
/// The words that differ in a changed pair, as ranges of each side's text, without SSA names and
/// locations.
WordMarks wordMarks(const Module& a, const Module& b, const OpPair&);

}  // namespace fxs::mlir
