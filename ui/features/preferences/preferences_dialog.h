// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The dialog Preferences: pages of rows; each change is a setting at once.
#include <QDialog>
#include <QListWidget>
#include <QStackedWidget>
#include <functional>

#include "features/preferences/preferences_state.h"
#include "widgets/controls.h"

namespace fxs::ui {

class PreferencesDialog final : public QDialog {
  Q_OBJECT
 public:
  PreferencesDialog(Appearance& appearance, std::vector<Preference> all, QWidget* parent);

  /// `valueOf`: of a setting by its key; invalid for the standard.
  void start(const std::function<QVariant(const QString&)>& valueOf);
  /// The control of a setting.
  QWidget* control(const QString& key) const { return findChild<QWidget*>(nameOf(key)); }
  QListWidget* pages() const { return pages_; }
  QPushButton* restoreButton() const { return restore_; }

 Q_SIGNALS:
  void chosen(const QString& key, const QVariant& value);

 private:
  static QString nameOf(const QString& key) { return "preference-" + key; }
  QWidget* makePage(const QString& page);
  QWidget* makeControl(const Preference& preference, QWidget* parent);
  QWidget* makeLine(const Preference& preference, QWidget* parent);
  void choosePath(const Preference& preference, QLineEdit* line);
  void set(const Preference& preference, const QVariant& value);
  void restoreAll();

  Appearance& appearance_;
  std::vector<Preference> all_;
  QListWidget* pages_;
  QStackedWidget* stack_;
  QPushButton* restore_;
};

}  // namespace fxs::ui
