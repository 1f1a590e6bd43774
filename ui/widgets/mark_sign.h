// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The colour of a mark's icon.
#include "session/marks.h"
#include "theme/theme.h"

namespace fxs::ui {

inline Role roleOf(Emphasis emphasis) {
  switch (emphasis) {
    case Emphasis::None: break;
    case Emphasis::Flag:
    case Emphasis::Note: return Role::Accent;
    case Emphasis::Added: return Role::Success;
    case Emphasis::Changed:
    case Emphasis::Warning: return Role::Warning;
    case Emphasis::Removed:
    case Emphasis::Error: return Role::Error;
  }
  return Role::TextMuted;
}

}  // namespace fxs::ui
