// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/preferences/preferences_state.h"

#include <QStringList>

#include "text/words.h"

namespace fxs::ui {
namespace {

using Kind = PreferenceKind;

std::vector<Preference> programs() {
  const QString page = "Programs";
  return {{page,
           "engine",
           "&Engine",
           "The path of a torch-mlir-opt, or a name that 'fxscope-cli engine list' shows. Empty: "
           "$FXSCOPE_ENGINE, else the one that is installed.",
           Kind::File,
           QString(),
           {},
           true},
          {page,
           "executors",
           "E&xecutors",
           "Folder with IREE's programs, which are checked before they run. Empty: where "
           "'fxscope-cli engine fetch --numbers' installs them.",
           Kind::Folder,
           QString(),
           {},
           true},
          {page,
           "python",
           "&Python",
           "Interpreter with PyTorch, for files where you allow it; auto: python3. Empty: none.",
           Kind::File,
           QString(),
           {},
           true},
          {page, "editor", "E&ditor",
           "Command that opens a line of Python, such as code -g {file}:{line}. Empty: the first "
           "known editor that is installed.",
           Kind::Line, QString()},
          {page,
           "reopenPrograms",
           "&Reopen what was open last",
           "The files that were open, when fxscope is started without one.",
           Kind::Switch,
           true,
           {},
           true}};
}

std::vector<Preference> lowering(const lower::OutputTypes& types) {
  const QString page = "Lowering";
  Preference target{page,
                    "target",
                    "&Output type",
                    "The output type to start with.",
                    Kind::Choice,
                    exact(lower::kDefaultOutputType),
                    {},
                    true};
  for (const lower::OutputType& type : types.all())
    target.choices.emplace_back(text(lower::name(type)), exact(lower::name(type)));
  return {target,
          {page,
           "outputTypes",
           "Output types of &your own",
           "Files in the form of resources/output_types.json.",
           Kind::Files,
           QStringList(),
           {},
           true},
          {page,
           "registries",
           "&Registries of your own",
           "Files (.fxreg) that are consulted before the other registries.",
           Kind::Files,
           QStringList(),
           {},
           true}};
}

std::vector<Preference> looks() {
  const QString page = "Appearance";
  Preference scale{page, "textScale", "Te&xt size", "", Kind::Choice, 0.0, {}, true};
  scale.choices.emplace_back("As the system", 0.0);
  for (const int percent : {100, 125, 150, 175, 200, 250, 300})
    scale.choices.emplace_back(QString("%1 %").arg(percent), percent / 100.0);
  return {
      {page,
       "theme",
       "&Theme",
       "",
       Kind::Choice,
       "system",
       {{"As the system", "system"}, {"Light", "light"}, {"Dark", "dark"}}},
      scale,
      {page, "wrap", "&Wrap long lines of texts", "", Kind::Switch, false},
      {page, "hideConstants", "&Hide differences of constants", "", Kind::Switch, false},
      {page, "hideRenumbering", "Hide other &names of the same values", "", Kind::Switch, false}};
}

}  // namespace

std::vector<Preference> preferences(const lower::OutputTypes& types) {
  std::vector<Preference> all = programs();
  for (std::vector<Preference> page : {lowering(types), looks()})
    all.insert(all.end(), page.begin(), page.end());
  for (Preference& each : all)
    if (each.isAtStart)
      each.message += (each.message.isEmpty() ? "" : " ") + QString("Used from the next start on.");
  return all;
}

QString joinedPaths(const QStringList& paths) { return paths.join("; "); }

QStringList splitPaths(const QString& line) {
  QStringList paths;
  for (const QString& each : line.split(';'))
    if (!each.trimmed().isEmpty()) paths << each.trimmed();
  return paths;
}

}  // namespace fxs::ui
