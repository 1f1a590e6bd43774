// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The colours of shades (session/colourings.h), as legends and tables show them.
#include <QPixmap>

#include "session/colourings.h"
#include "theme/appearance.h"

namespace fxs::ui {

/// Fill of a box of this shade.
Role roleOf(Shade shade);
/// What a box of this shade looks like: its fill, and its border. `ratio`: device pixels per pixel.
QPixmap swatch(const Appearance& appearance, Shade shade, qreal ratio);

}  // namespace fxs::ui
