// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a person can read in a part of the window now: labels, buttons, rows, lines and boxes that
// are in view, each as far as it fits.
#include <QStringList>
#include <QWidget>

namespace fxs::ui {

QStringList visibleTexts(const QWidget& root);
/// Whether one of them has these words; a break of a line counts as nothing.
bool shows(const QWidget& root, const QString& words);

}  // namespace fxs::ui
