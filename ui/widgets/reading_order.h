// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Widgets in the order in which one reads them, from where they are: Tab follows it in every
// arrangement, and in what was built later.
#include <QWidget>
#include <vector>

namespace fxs::ui {

/// Siblings: one above another comes first; of two side by side, the left one.
std::vector<QWidget*> inReadingOrder(std::vector<QWidget*> widgets);
/// What Tab reaches in `within`, in reading order: visible and enabled.
std::vector<QWidget*> tabOrder(const QWidget* within);

}  // namespace fxs::ui
