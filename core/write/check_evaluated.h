// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Checks a program against the grammars of fx/evaluated_text.h before it is written, because
// PyTorch evaluates these strings when it loads the file.
#include "base/result.h"
#include "fx/program.h"

namespace fxs::write {

/// Unsupported if a name, target, symbolic size or device violates its grammar; the message has the
/// node or weight and the text. Guards and argument names of forward() are not checked: the writer
/// drops invalid ones.
Result<> checkEvaluated(const fx::Program&);

}  // namespace fxs::write
