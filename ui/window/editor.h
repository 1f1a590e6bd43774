#pragma once
// Opens a source file at a line in the user's own editor.
#include <QString>

namespace fxs::ui {

/// `command` as "code -g {file}:{line}"; "" takes the first known editor that is installed, else what the desktop opens .py with.
/// The file's absolute path is what the editor gets, without a shell. False when nothing could be started, or `file` is none.
bool openInEditor(const QString& file, int line, const QString& command);

}  // namespace fxs::ui
