// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Progress and outcome of a Task.
#include <QString>

#include "base/run_context.h"
#include "text/words.h"

namespace fxs::ui {

struct WorkState {
  bool running = false;
  QString step = {};       ///< current step: "lowering to tosa"
  double fraction = -1;    ///< 0..1; negative if unknown
  bool cancelled = false;  ///< the user cancelled it; it may have a result all the same
  QString message = {};    ///< why there is no result, or only part of one; "" otherwise

  void report(const Progress& now) {
    step = text(now.step);
    fraction = now.fraction;
  }
  void ended(const Error& error) {
    cancelled = error.code == ErrorCode::Cancelled;
    if (!cancelled) message = lines(toString(error));
  }
};

}  // namespace fxs::ui
