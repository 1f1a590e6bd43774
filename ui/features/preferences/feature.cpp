// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preferences: what is kept between runs, in a dialog.
#include "window/feature.h"

#include <QFontDatabase>
#include <QMainWindow>
#include <map>
#include <memory>

#include "features/preferences/preferences_dialog.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

std::vector<Preference> withFonts(std::vector<Preference> all) {
  for (Preference& each : all) {
    if (each.key != kMonoFont) continue;
    for (const QString& family : QFontDatabase::families())
      if (QFontDatabase::isFixedPitch(family) && !QFontDatabase::isPrivateFamily(family))
        each.choices.emplace_back(shown(family), family);
  }
  return all;
}

/// Made when it is first wanted.
PreferencesDialog* dialogOf(Host& host) {
  auto* dialog = host.mainWindow().findChild<PreferencesDialog*>();
  if (dialog) return dialog;
  dialog = new PreferencesDialog(host.appearance(),
                                 withFonts(preferences(host.services().environment.outputTypes)),
                                 &host.mainWindow());
  QObject::connect(
      dialog, &PreferencesDialog::chosen, dialog,
      [&host](const QString& key, const QVariant& value) { host.setSetting(key, value); });
  return dialog;
}

void addPreferences(Host& host) {
  // Those that app/fxscope reads; what others have, they add themselves.
  for (const Preference& each : preferences(host.services().environment.outputTypes))
    if (each.isAtStart) host.addSetting({each.key, {}, [](const QVariant&) {}});
  auto& session = host.services().get<SessionPresenter>();
  const auto set = std::make_shared<std::map<QString, QVariant>>();
  for (const Preference& each : loweringPreferences())
    host.addSetting({each.key, [set, key = each.key] { return (*set)[key]; },
                     [set, &session, key = each.key](const QVariant& value) {
                       (*set)[key] = value;
                       session.setChoices(
                           choicesFrom([&set](const QString& asked) { return (*set)[asked]; }));
                     }});
  host.actions().add({"preferences", {"Edit", 900}, "Preferences …", "Ctrl+,", {}, [&host] {
                        dialogOf(host)->start(
                            [&host](const QString& key) { return host.setting(key); });
                      }});
}

}  // namespace

void registerPreferences(Features& features) { features.parts.push_back(addPreferences); }

}  // namespace fxs::ui
