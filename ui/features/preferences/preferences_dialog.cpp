// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/preferences/preferences_dialog.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QScreen>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/wrapped_label.h"

namespace fxs::ui {
namespace {

constexpr int kPreferencesWidth = 90 * kGrid, kPreferencesHeight = 60 * kGrid,
              kPagesWidth = 16 * kGrid, kScreenMargin = 10 * kGrid;

QVariant valueOf(const Preference& preference, const QString& line) {
  if (preference.kind == PreferenceKind::Files) return splitPaths(line);
  return line.trimmed();
}

}  // namespace

PreferencesDialog::PreferencesDialog(Appearance& appearance, std::vector<Preference> all,
                                     QWidget* parent)
    : QDialog(parent), appearance_(appearance), all_(std::move(all)) {
  setWindowTitle("Preferences");
  auto* column = makeBox<QVBoxLayout>(kGrid, 2 * kGrid);
  auto* row = makeBox<QHBoxLayout>(2 * kGrid);
  pages_ = new QListWidget(this);
  pages_->setAccessibleName("Pages of the preferences");
  pages_->setFixedWidth(appearance.scaled(kPagesWidth));
  stack_ = new QStackedWidget(this);
  for (const Preference& each : all_)
    if (pages_->findItems(each.page, Qt::MatchExactly).isEmpty()) {
      pages_->addItem(each.page);
      stack_->addWidget(makePage(each.page));
    }
  row->addWidget(pages_);
  row->addWidget(stack_, 1);
  column->addLayout(row, 1);
  auto* buttons = makeBox<QHBoxLayout>(kGrid);
  restore_ = new QPushButton("Restore de&faults", this);
  restore_->setAutoDefault(false);
  auto* close = new QPushButton("C&lose", this);
  close->setDefault(true);
  buttons->addWidget(restore_);
  buttons->addStretch(1);
  buttons->addWidget(close);
  column->addLayout(buttons);
  setLayout(column);
  pages_->setCurrentRow(0);
  connect(pages_, &QListWidget::currentRowChanged, stack_, &QStackedWidget::setCurrentIndex);
  connect(restore_, &QPushButton::clicked, this, &PreferencesDialog::restoreAll);
  connect(close, &QPushButton::clicked, this, &QDialog::accept);
}

void PreferencesDialog::start(const std::function<QVariant(const QString&)>& valueOf) {
  for (const Preference& each : all_) {
    const QVariant now = valueOf(each.key);
    set(each, now.isValid() ? now : each.standard);
  }
  const QSize wanted(appearance_.scaled(kPreferencesWidth), appearance_.scaled(kPreferencesHeight));
  const QSize margin(kScreenMargin, kScreenMargin);
  resize(wanted.boundedTo(screen()->availableSize() - margin));
  show();
  activateWindow();
}

/// The rows scroll, so that none is cut where the text is large.
QWidget* PreferencesDialog::makePage(const QString& page) {
  auto* scroll = new QScrollArea(stack_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  auto* body = new QWidget(scroll);
  auto* column = makeBox<QVBoxLayout>(kGrid / 2, kGrid / 2);
  for (const Preference& each : all_) {
    if (each.page != page) continue;
    QWidget* control = makeControl(each, body);
    if (each.kind != PreferenceKind::Switch) {
      QLabel* label = makeLabel(appearance_, each.title, TextSize::Body, {}, body);
      label->setBuddy(control->focusProxy() ? control->focusProxy() : control);
      column->addWidget(label);
    }
    column->addWidget(control);
    if (!each.message.isEmpty())
      column->addWidget(
          new WrappedLabel(appearance_, each.message, TextSize::Small, "muted", body));
    column->addSpacing(kGrid);
  }
  column->addStretch(1);
  body->setLayout(column);
  scroll->setWidget(body);
  return scroll;
}

QWidget* PreferencesDialog::makeControl(const Preference& preference, QWidget* parent) {
  if (preference.kind == PreferenceKind::Switch) {
    auto* box = new QCheckBox(preference.title, parent);
    box->setObjectName(nameOf(preference.key));
    connect(box, &QCheckBox::toggled, this,
            [this, key = preference.key](bool on) { Q_EMIT chosen(key, on); });
    return box;
  }
  if (preference.kind != PreferenceKind::Choice) return makeLine(preference, parent);
  auto* box = new FittedComboBox(parent);
  box->setObjectName(nameOf(preference.key));
  box->setAccessibleName(QString(preference.title).remove('&'));
  box->setMinimumContentsLength(12);
  for (const auto& [title, value] : preference.choices) box->addItem(title, value);
  connect(box, &QComboBox::activated, this, [this, box, key = preference.key](int index) {
    Q_EMIT chosen(key, box->itemData(index));
  });
  return box;
}

QWidget* PreferencesDialog::makeLine(const Preference& preference, QWidget* parent) {
  auto* both = new QWidget(parent);
  auto* row = makeBox<QHBoxLayout>(kGrid);
  auto* line = new QLineEdit(both);
  line->setObjectName(nameOf(preference.key));
  line->setAccessibleName(QString(preference.title).remove('&'));
  row->addWidget(line, 1);
  connect(line, &QLineEdit::editingFinished, this, [this, line, preference] {
    if (line->isModified()) Q_EMIT chosen(preference.key, valueOf(preference, line->text()));
    line->setModified(false);
  });
  if (preference.kind != PreferenceKind::Line) {
    auto* choose = new QPushButton("Choose …", both);
    choose->setAccessibleName("Choose: " + line->accessibleName());
    choose->setAutoDefault(false);
    row->addWidget(choose);
    connect(choose, &QPushButton::clicked, this,
            [this, line, preference] { choosePath(preference, line); });
  }
  both->setLayout(row);
  both->setFocusProxy(line);
  return both;
}

void PreferencesDialog::choosePath(const Preference& preference, QLineEdit* line) {
  const QString title = QString(preference.title).remove('&');
  QStringList paths;
  if (preference.kind == PreferenceKind::Folder)
    paths << QFileDialog::getExistingDirectory(this, title, line->text());
  else if (preference.kind == PreferenceKind::Files)
    paths = splitPaths(line->text()) + QFileDialog::getOpenFileNames(this, title);
  else paths << QFileDialog::getOpenFileName(this, title, line->text());
  paths.removeAll(QString());
  if (paths.isEmpty()) return;
  line->setText(joinedPaths(paths));
  Q_EMIT chosen(preference.key, valueOf(preference, line->text()));
}

void PreferencesDialog::set(const Preference& preference, const QVariant& value) {
  QWidget* field = control(preference.key);
  const QSignalBlocker quiet(field);
  if (auto* box = qobject_cast<QCheckBox*>(field)) box->setChecked(value.toBool());
  if (auto* line = qobject_cast<QLineEdit*>(field))
    line->setText(preference.kind == PreferenceKind::Files ? joinedPaths(value.toStringList())
                                                           : value.toString());
  if (auto* box = qobject_cast<QComboBox*>(field)) {
    // A file of settings has numbers as text.
    const auto at = std::find_if(
        preference.choices.begin(), preference.choices.end(),
        [&](const auto& choice) { return choice.second.toString() == value.toString(); });
    box->setCurrentIndex(
        at == preference.choices.end() ? -1 : static_cast<int>(at - preference.choices.begin()));
  }
}

void PreferencesDialog::restoreAll() {
  for (const Preference& each : all_) {
    set(each, each.standard);
    Q_EMIT chosen(each.key, each.standard);
  }
}

}  // namespace fxs::ui
