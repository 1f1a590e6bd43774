// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Opens a source file in the user's editor.
#include <QString>

namespace fxs::ui {

/// Opens `file` at a 1-based line. `command`: such as "code -g {file}:{line}"; "" for the first
/// known editor that is installed, else the desktop's application for .py files. The editor is
/// started without a shell, with the absolute path. False if `file` is not a regular file or no
/// editor could be started.
bool openInEditor(const QString& file, int line, const QString& command);

}  // namespace fxs::ui
