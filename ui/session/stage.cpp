// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/stage.h"

namespace fxs::ui {

StageMark markOf(lower::StageStatus status) {
  switch (status) {
    case lower::StageStatus::Ok: return StageMark::Ok;
    case lower::StageStatus::Failed: return StageMark::Failed;
    case lower::StageStatus::Crashed: return StageMark::Crashed;
    case lower::StageStatus::Timeout: return StageMark::Timeout;
    case lower::StageStatus::Unknown: return StageMark::Unknown;
    case lower::StageStatus::Skipped: return StageMark::Skipped;
  }
  return StageMark::Waiting;
}

QString statusText(StageMark mark) {
  switch (mark) {
    case StageMark::Waiting: return "waiting";
    case StageMark::Running: return "running";
    case StageMark::Ok: return "done";
    case StageMark::Failed: return "FAILED";
    case StageMark::Crashed: return "CRASHED";
    case StageMark::Timeout: return "TIMEOUT";
    case StageMark::Unknown: return "not known";
    case StageMark::Skipped: return "not run";
  }
  return {};
}

QString iconOf(StageMark mark) {
  switch (mark) {
    case StageMark::Waiting: return "skipped";
    case StageMark::Running: return "running";
    case StageMark::Ok: return "done";
    case StageMark::Failed: return "error";
    case StageMark::Crashed: return "crash";
    case StageMark::Timeout: return "timeout";
    case StageMark::Unknown: return "error";
    case StageMark::Skipped: return "skipped";
  }
  return {};
}

}  // namespace fxs::ui
