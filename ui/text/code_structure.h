// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Pure functions over MLIR text: foldable parts, definition and uses of a value, and its tool tip.
#include <QString>
#include <optional>
#include <vector>

#include "mlir/text/module.h"
#include "text/code_text.h"
#include "text/folded_lines.h"

namespace fxs::ui {

/// Folds for operations with regions, unfolded; folded, for a block of aliases at the top and for
/// parameters and other constants at the beginning of a body.
std::vector<Fold> foldsOf(const mlir::Module&);
/// Folded: parameters in a row, given for each line whether it is one.
std::vector<Fold> foldsOf(const std::vector<bool>& isParameter);
/// Constants, and what only collects them.
bool isConstant(std::string_view operation);
/// Line and columns of a range; a range of several lines is cut at the end of the first.
FindMatch positionOf(const CodeText&, TextRange);

struct ValueUse {
  FindMatch position;
  mlir::OpId user;
};
struct ValuePositions {
  mlir::ValueId value;
  FindMatch definition;
  std::vector<ValueUse> uses;  ///< in text order
  /// Definition and uses, in text order.
  std::vector<FindMatch> all() const;
};
/// The value at a byte offset; nullopt if there is none.
std::optional<ValuePositions> valueAt(const mlir::Module&, const CodeText&, std::size_t offset);
/// "%5 : tensor<4xf32>\ndefined by torch.aten.relu, line 12\n3 uses"; "" if there is no value at
/// the byte offset.
QString valueTip(const mlir::Module&, const CodeText&, std::size_t offset);
/// An operation in full, without its regions, up to kLongestOp characters, if its line is too long
/// to be seen at once; else "".
QString opTip(const mlir::Module&, mlir::OpId);
inline constexpr qsizetype kLongestOp = 1200;

}  // namespace fxs::ui
