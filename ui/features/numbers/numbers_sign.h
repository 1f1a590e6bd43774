#pragma once
// Icon and colour of a verdict. `compared`: false for what says nothing about the program.
#include "tensor/judge.h"
#include "theme/theme.h"

namespace fxs::ui {

inline QString verdictIcon(tensor::Verdict verdict, bool compared = true) {
  if (!compared) return "skipped";
  return verdict == tensor::Verdict::Same ? "done" : verdict == tensor::Verdict::Suspicious ? "warning" : "error";
}
inline Role verdictRole(tensor::Verdict verdict, bool compared = true) {
  if (!compared) return Role::TextMuted;
  return verdict == tensor::Verdict::Same ? Role::Success : verdict == tensor::Verdict::Suspicious ? Role::Warning : Role::Error;
}

}  // namespace fxs::ui
