// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The colour of a stage's icon; the icon itself is iconOf().
#include "session/stage.h"
#include "theme/theme.h"

namespace fxs::ui {

inline Role roleOf(StageMark mark) {
  if (stopped(mark)) return Role::Error;
  if (mark == StageMark::Running) return Role::Accent;
  return mark == StageMark::Ok ? Role::Success : Role::Skipped;
}

}  // namespace fxs::ui
