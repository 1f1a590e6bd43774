// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Icon and colour of a verdict. `compared`: false for what says nothing about the program.
#include "tensor/judge.h"
#include "theme/theme.h"

namespace fxs::ui {

inline QString verdictIcon(tensor::Verdict verdict, bool compared = true) {
  if (!compared) return "skipped";
  if (verdict == tensor::Verdict::Same) return "done";
  return verdict == tensor::Verdict::Suspicious ? "warning" : "error";
}
inline Role verdictRole(tensor::Verdict verdict, bool compared = true) {
  if (!compared) return Role::TextMuted;
  if (verdict == tensor::Verdict::Same) return Role::Success;
  return verdict == tensor::Verdict::Suspicious ? Role::Warning : Role::Error;
}

}  // namespace fxs::ui
