#pragma once
// How far work that goes on beside the window is, and how it ended.
#include <QString>

#include "base/run_context.h"
#include "text/words.h"

namespace fxs::ui {

struct WorkState {
  bool running = false;
  QString what = {};       ///< "lowering to tosa", in the user's words
  double fraction = -1;    ///< 0..1, negative: unknown
  bool cancelled = false;  ///< the last was stopped by the user
  QString why = {};        ///< why there is no result, or no whole one; "" otherwise

  void report(const Progress& now) {
    what = text(now.what);
    fraction = now.fraction;
  }
  void ended(const Error& error) {
    cancelled = error.code == ErrorCode::Cancelled;
    if (!cancelled) why = lines(toString(error));
  }
};

}  // namespace fxs::ui
