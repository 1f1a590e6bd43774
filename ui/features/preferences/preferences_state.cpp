// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/preferences/preferences_state.h"

#include <QStringList>
#include <algorithm>
#include <map>

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
           exact(kParameters),
           "&Parameters of output types",
           "NAME=VALUE, such as cuda-target=sm_89, with semicolons between them.",
           Kind::Line,
           QString(),
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

const char* const kOptionsPage = "Options";

std::vector<Preference> importOptions() {
  return {{kOptionsPage,
           "importMode",
           "&Import mode",
           "Lowering: weights are handles, and mutation becomes results. Frozen and program: as "
           "import_frozen_program and import_program.",
           Kind::Choice,
           "lowering",
           {{"Lowering", "lowering"}, {"Frozen", "frozen"}, {"Program", "program"}}},
          {kOptionsPage, "functionName", "Name of the &function", "", Kind::Line, "main"},
          {kOptionsPage, "embedWeights", "Pass the data of &weights to the engine", "",
           Kind::Switch, false},
          {kOptionsPage, "symbolicShapes", "Import &symbolic shape expressions",
           "No output type supports them.", Kind::Switch, false},
          {kOptionsPage, "decompose", "&Decompose also",
           "Operators such as aten.gelu or aten.gelu.default, with commas between them.",
           Kind::Line, QString()}};
}

std::vector<Preference> engineOptions() {
  Preference timeout{kOptionsPage, "timeLimit", "&Time limit of a stage", "", Kind::Choice, 120};
  for (const auto& [title, seconds] :
       {std::pair{"30 s", 30}, {"2 min", 120}, {"10 min", 600}, {"1 h", 3600}, {"None", 0}})
    timeout.choices.emplace_back(title, seconds);
  Preference memory{kOptionsPage, "memoryLimit", "&Memory limit of the engine",
                    "",           Kind::Choice,  8};
  for (const int gibibytes : {2, 4, 8, 16, 32, 64})
    memory.choices.emplace_back(QString("%1 GiB").arg(gibibytes), gibibytes);
  return {{kOptionsPage, "backendLegalOps", "Operations that stay &legal",
           "That the torch stage must not decompose, such as aten.softmax.int, with commas between "
           "them.",
           Kind::Line, QString()},
          {kOptionsPage, "extraLibrary", "E&xtra library",
           "MLIR file that declares operations legal in the torch stage.", Kind::File, QString()},
          {kOptionsPage, "nonFinites", "Backends may emit &non-finite constants", "", Kind::Switch,
           true},
          timeout,
          memory};
}

std::set<std::string> namesIn(const QVariant& line) {
  std::set<std::string> out;
  for (const QString& each : line.toString().split(','))
    if (!each.trimmed().isEmpty()) out.insert(each.trimmed().toStdString());
  return out;
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
      {page,
       exact(kMonoFont),
       "&Font of texts",
       "",
       Kind::Choice,
       QString(),
       {{"Standard", QString()}},
       true},
      {page, "wrap", "&Wrap long lines of texts", "", Kind::Switch, false},
      {page, "hideConstants", "&Hide differences of constants", "", Kind::Switch, false},
      {page, "hideRenumbering", "Hide other &names of the same values", "", Kind::Switch, false}};
}

}  // namespace

std::vector<Preference> preferences(const lower::OutputTypes& types) {
  std::vector<Preference> all = programs();
  for (std::vector<Preference> page : {lowering(types), loweringPreferences(), looks()})
    all.insert(all.end(), page.begin(), page.end());
  for (Preference& each : all)
    if (each.isAtStart)
      each.message += (each.message.isEmpty() ? "" : " ") + QString("Used from the next start on.");
  return all;
}

std::vector<Preference> loweringPreferences() {
  std::vector<Preference> all = importOptions();
  for (const Preference& each : engineOptions()) all.push_back(each);
  for (Preference& each : all)
    each.message += (each.message.isEmpty() ? "" : " ") + QString("Used by the next run (F5).");
  return all;
}

LoweringChoices choicesFrom(const std::function<QVariant(const QString& key)>& value) {
  // A value that is none of the choices, from a file that was edited, is the standard one.
  std::map<QString, QVariant> now;
  for (const Preference& each : loweringPreferences()) {
    const QVariant set = value(each.key);
    const bool isKnown =
        each.kind != Kind::Choice ||
        std::any_of(each.choices.begin(), each.choices.end(),
                    [&](const auto& choice) { return choice.second.toString() == set.toString(); });
    now[each.key] = set.isValid() && isKnown ? set : each.standard;
  }
  LoweringChoices out;
  const QString mode = now["importMode"].toString();
  if (mode == "frozen") out.import.mode = import::Mode::Frozen;
  if (mode == "program") out.import.mode = import::Mode::Program;
  const QString name = now["functionName"].toString().trimmed();
  if (!name.isEmpty()) out.import.functionName = name.toStdString();
  out.import.embedWeights = now["embedWeights"].toBool();
  out.import.symbolicShapes = now["symbolicShapes"].toBool();
  out.decompose = namesIn(now["decompose"]);
  out.backendLegalOps = namesIn(now["backendLegalOps"]);
  out.extraLibrary = now["extraLibrary"].toString().toStdString();
  out.allowNonFinites = now["nonFinites"].toBool();
  out.limits.timeout = std::chrono::seconds(now["timeLimit"].toInt());
  out.limits.memory = static_cast<std::uint64_t>(now["memoryLimit"].toInt()) << 30;
  return out;
}

QString joinedPaths(const QStringList& paths) { return paths.join("; "); }

QStringList splitPaths(const QString& line) {
  QStringList paths;
  for (const QString& each : line.split(';'))
    if (!each.trimmed().isEmpty()) paths << each.trimmed();
  return paths;
}

}  // namespace fxs::ui
