// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What screen readers are told of widgets that draw themselves: their role, and of a text the line
// of the cursor.
#include <QAccessible>
#include <QWidget>

namespace fxs::ui {

/// Of a widget whose class Qt does not know; before its name is set. Takes effect with
/// installAccessibleRoles().
void setAccessibleRole(QWidget* widget, QAccessible::Role role);
/// For the application; calling it again does nothing.
void installAccessibleRoles();

}  // namespace fxs::ui
