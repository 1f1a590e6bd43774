// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "features/stages/stage_strip.h"
#include "window/feature.h"

namespace fxs::ui {

/// Adds what is done with the text that was used last: choosing, saving, searching, folding and
/// sizing it, and going to a line or a value of it.
void addTextActions(Host& host, StageStrip* strip);

}  // namespace fxs::ui
