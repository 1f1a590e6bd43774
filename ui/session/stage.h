// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A stage, or another text beside the stages, as lists and panes show it: how it ended, and why.
#include <QString>
#include <chrono>
#include <optional>

#include "lower/lower.h"
#include "session/shown_text.h"

namespace fxs::ui {

enum class StageMark : std::uint8_t {
  Waiting,
  Running,
  Ok,
  Failed,
  Crashed,
  Timeout,
  Unknown,
  Skipped
};

StageMark markOf(lower::StageStatus);
/// No later stage runs.
inline bool stopped(StageMark mark) {
  return mark == StageMark::Failed || mark == StageMark::Crashed || mark == StageMark::Timeout ||
         mark == StageMark::Unknown;
}
/// "done", "FAILED", "crashed", "time limit", "not run", "running", "waiting".
QString statusText(StageMark);
/// The icon of a mark; each has its own shape.
QString iconOf(StageMark);

struct Stage {
  ShownText id;
  QString title;  ///< "FX graph", "Torch backend IR"
  StageMark mark = StageMark::Waiting;
  std::optional<std::chrono::duration<double>> seconds;
  QString note;                ///< one line: why it failed or was not run; "" for none
  QString detail;              ///< command line, failing pass, the engine's output
  bool isFailureText = false;  ///< the text is the IR at the failure
};

}  // namespace fxs::ui
