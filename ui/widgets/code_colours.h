// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The colours of MLIR text.
#include <cstddef>

#include "mlir/text/lexer.h"
#include "theme/theme.h"

namespace fxs::ui {

/// Bytes at the beginning of a line that get them.
inline constexpr std::size_t kMaxLexed = 20'000;

Role roleOf(mlir::TokenKind kind);

}  // namespace fxs::ui
