// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Icons from SVGs that use `currentColor`, rendered in one colour at the requested size.
#include <QColor>
#include <QIcon>
#include <QString>

namespace fxs::ui {

/// Of resources/icons/<name>.svg; disabled icons are drawn at 40 % opacity.
QIcon svgIcon(const QString& name, const QColor& color);

}  // namespace fxs::ui
