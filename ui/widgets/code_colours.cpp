// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/code_colours.h"

namespace fxs::ui {

Role roleOf(mlir::TokenKind kind) {
  switch (kind) {
    case mlir::TokenKind::Value: return Role::CodeValue;
    case mlir::TokenKind::Block: return Role::CodeBlock;
    case mlir::TokenKind::Symbol: return Role::CodeSymbol;
    case mlir::TokenKind::Type: return Role::CodeType;
    case mlir::TokenKind::Attribute: return Role::CodeAttribute;
    case mlir::TokenKind::Operation: return Role::CodeOperation;
    case mlir::TokenKind::Keyword: return Role::CodeKeyword;
    case mlir::TokenKind::Number: return Role::CodeNumber;
    case mlir::TokenKind::String: return Role::CodeString;
    case mlir::TokenKind::Comment:
    case mlir::TokenKind::Location: return Role::CodeComment;
    case mlir::TokenKind::Punctuation: return Role::CodePunctuation;
  }
  return Role::CodeText;
}

}  // namespace fxs::ui
