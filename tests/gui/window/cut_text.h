// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Texts that do not fit and have no tool tip that says all of them.
#include <QAbstractItemView>
#include <QHeaderView>
#include <QStringList>

namespace fxs::ui {

/// "QLabel in problems in results: cut: Verified fixes"
QString described(const QWidget* widget, const QString& name);
/// The text of a label, button or field that does not fit; "" if all does, or the tool tip says it.
QString cutText(const QWidget* widget);
QStringList cutTitles(const QHeaderView* header);
/// Cells that are cut and have no tool tip: SignDelegate shows one of its own.
QStringList cutCells(const QAbstractItemView* view);

}  // namespace fxs::ui
