// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What can be set in the dialog Preferences: a row each, by the key of its setting. Those of the
// first page are read by app/fxscope at the next start, where an option of the command line comes
// first.
#include <QString>
#include <QVariant>
#include <functional>
#include <utility>
#include <vector>

#include "lower/output_types.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// What a row is edited with: a line, a line with a dialog to choose a file, files or a folder, a
/// list, or a switch. The value of Files is a QStringList.
enum class PreferenceKind : std::uint8_t { Line, File, Files, Folder, Choice, Switch };

struct Preference {
  QString page;
  QString key;  ///< of the Setting
  QString title;
  QString message;  ///< what it does, and when it takes effect unless that is at once
  PreferenceKind kind = PreferenceKind::Line;
  QVariant standard = {};
  std::vector<std::pair<QString, QVariant>> choices = {};  ///< of a Choice: title and value
  bool isAtStart = false;
};

/// The key of the row with values as of --set; see splitPaths().
inline constexpr const char* kParameters = "parameters";
/// The key of the row whose choices the dialog completes by the fonts of the system.
inline constexpr const char* kMonoFont = "monoFont";
std::vector<Preference> preferences(const lower::OutputTypes& types);
/// The rows that choose how a program is lowered.
std::vector<Preference> loweringPreferences();
/// What they say; `value` returns an invalid one for what is not set.
LoweringChoices choicesFrom(const std::function<QVariant(const QString& key)>& value);

/// A list of paths as one line, and back.
QString joinedPaths(const QStringList& paths);
QStringList splitPaths(const QString& line);

}  // namespace fxs::ui
