#pragma once
// How a stage's state looks beside its icon, iconOf().
#include "features/stages/stages_model.h"
#include "theme/theme.h"

namespace fxs::ui {

inline Role roleOf(StageMark mark) {
  switch (mark) {
    case StageMark::Failed:
    case StageMark::Crashed:
    case StageMark::Timeout: return Role::Error;
    case StageMark::Running: return Role::Accent;
    case StageMark::Ok: return Role::Success;
    default: return Role::Skipped;
  }
}

}  // namespace fxs::ui
