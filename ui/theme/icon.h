#pragma once
// An icon as an SVG in `currentColor`, drawn in one colour at the size asked for.
#include <QColor>
#include <QIcon>
#include <QString>

namespace fxs::ui {

/// Of resources/icons/<name>.svg; disabled icons are drawn at 40 % opacity.
QIcon svgIcon(const QString& name, const QColor& color);

}  // namespace fxs::ui
