// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/controls.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>
#include <algorithm>

#include "text/words.h"

namespace fxs::ui {

IconButton::IconButton(Appearance& appearance, const QString& icon, const QString& name,
                       QWidget* parent)
    : QToolButton(parent), appearance_(appearance), icon_(icon) {
  setToolTip(name);
  setAccessibleName(name);
  setAutoRaise(true);
  setFocusPolicy(Qt::TabFocus);
  redraw();
  connect(&appearance, &Appearance::changed, this, &IconButton::redraw);
}

void IconButton::redraw() {
  setIconSize(appearance_.iconSize());
  setIcon(appearance_.icon(icon_));
}

QLabel* makeLabel(const Appearance& appearance, const QString& text, TextSize size,
                  const QString& ink, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setFont(appearance.sans(size, size == TextSize::Title || size == TextSize::Display
                                           ? QFont::DemiBold
                                           : QFont::Normal));
  label->setTextFormat(Qt::PlainText);
  if (!ink.isEmpty()) label->setProperty("ink", ink);
  return label;
}

QLabel* makeHeading(const Appearance& appearance, const QString& text, QWidget* parent) {
  QLabel* label = makeLabel(appearance, text, TextSize::Body, {}, parent);
  label->setFont(appearance.sans(TextSize::Body, QFont::DemiBold));
  return label;
}

QToolButton* makeBoxed(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setProperty("boxed", true);
  button->setText(text);
  button->setToolTip(tip);
  return button;
}

QLineEdit* makeFilter(const QString& title, QWidget* parent) {
  auto* filter = new QLineEdit(parent);
  filter->setPlaceholderText(title);
  filter->setAccessibleName(title);
  filter->setToolTip(title);
  filter->setClearButtonEnabled(true);
  return filter;
}

QProgressBar* makeProgress(const QString& name, QWidget* parent, bool keepsItsPlace) {
  auto* bar = new QProgressBar(parent);
  bar->setTextVisible(false);
  bar->setAccessibleName(name);
  QSizePolicy keepsPlace = bar->sizePolicy();
  keepsPlace.setRetainSizeWhenHidden(keepsItsPlace);
  bar->setSizePolicy(keepsPlace);
  return bar;
}

void showProgress(QProgressBar& bar, bool shown, double fraction) {
  bar.setVisible(shown);
  bar.setRange(0, fraction < 0 ? 0 : 1000);
  if (fraction >= 0) bar.setValue(static_cast<int>(fraction * 1000));
}

void setInk(QWidget* widget, const QString& ink) {
  if (widget->property("ink").toString() == ink) return;
  widget->setProperty("ink", ink);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

QPixmap pixmap(const Appearance& appearance, const QString& icon, Role role, int side,
               const QWidget* on) {
  return appearance.icon(icon, role)
      .pixmap(QSize(appearance.scaled(side), appearance.scaled(side)), on->devicePixelRatioF());
}

FittedButton::FittedButton(QStringList texts, const QString& accessibleName, QWidget* parent)
    : QToolButton(parent), texts_(std::move(texts)) {
  setProperty("boxed", true);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setText(texts_.front());
  setToolTip(texts_.front().simplified());
  setAccessibleName(accessibleName);
}

QSize FittedButton::sizeFor(const QString& caption) const {
  const QSize now = QToolButton::sizeHint();
  return {now.width() + fontMetrics().horizontalAdvance(caption) -
              fontMetrics().horizontalAdvance(text()),
          now.height()};
}

void FittedButton::resizeEvent(QResizeEvent* event) {
  QToolButton::resizeEvent(event);
  const auto fits = [this](const QString& caption) { return sizeFor(caption).width() <= width(); };
  const auto found = std::find_if(texts_.cbegin(), texts_.cend() - 1, fits);
  if (*found != text()) setText(*found);
}

FittedComboBox::FittedComboBox(QWidget* parent) : QComboBox(parent) {
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  connect(this, &QComboBox::currentTextChanged, this, [this] { updateGeometry(); });
}

QFontMetrics FittedComboBox::drawnMetrics() const {
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);  // as in the style sheet
  return QFontMetrics(bold);
}

int FittedComboBox::frameWidth() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  option.rect.setWidth(100 * kGrid);
  return option.rect.width() -
         style()
             ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this)
             .width() +
         2;
}

QSize FittedComboBox::sizeHint() const {
  return {drawnMetrics().horizontalAdvance(currentText()) + frameWidth(),
          QComboBox::sizeHint().height()};
}

QSize FittedComboBox::minimumSizeHint() const {
  const int characters = std::max(3, minimumContentsLength()) * drawnMetrics().averageCharWidth();
  return {std::min(characters + frameWidth(), sizeHint().width()),
          QComboBox::minimumSizeHint().height()};
}

QString FittedComboBox::shortened() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const QRect field =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
  return drawnMetrics().elidedText(currentText(), Qt::ElideRight, field.width());
}

bool FittedComboBox::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && shortened() != currentText()) {
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), currentText(), this);
    return true;
  }
  return QComboBox::event(event);
}

void FittedComboBox::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  painter.setPen(palette().color(QPalette::Text));
  QStyleOptionComboBox option;
  initStyleOption(&option);
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  option.currentText = shortened();
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

ElidedLabel::ElidedLabel(QWidget* parent, Qt::TextElideMode mode) : QLabel(parent), mode_(mode) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString& text) {
  full_ = text;
  setText(text);
  setToolTip(text);
  setAccessibleName(text);
  updateGeometry();
}

ElidedLabel* makeElided(const QString& text, const QFont& font, const QString& ink, QWidget* parent,
                        Qt::TextElideMode mode) {
  auto* label = new ElidedLabel(parent, mode);
  label->setFont(font);
  if (!ink.isEmpty()) label->setProperty("ink", ink);
  label->setFullText(text);
  return label;
}

LinkButton::LinkButton(const QFont& font, const QString& shown, const QString& accessibleName,
                       QWidget* parent)
    : QPushButton(parent), full_(shown) {
  setProperty("link", true);
  setFont(font);
  setToolTip(shown);
  setAccessibleName(accessibleName);
  setAutoDefault(true);  // Return presses it, too
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  fitText();
}

QSize LinkButton::sizeFor(int textWidth) const {
  constexpr int kAround = 6;  // padding and border, as in the style sheet
  return {textWidth + kAround, fontMetrics().height() + 2};
}

QSize LinkButton::sizeHint() const { return sizeFor(fontMetrics().horizontalAdvance(full_)); }
QSize LinkButton::minimumSizeHint() const {
  return sizeFor(std::min(3 * kGrid, fontMetrics().horizontalAdvance(full_)));
}

void LinkButton::fitText() {
  const int available = width() - sizeFor(0).width();
  // There is no width before the first layout.
  const QString shown = withoutMnemonic(
      available > 0 ? fontMetrics().elidedText(full_, Qt::ElideRight, available) : full_);
  if (shown != text()) setText(shown);
}

void LinkButton::resizeEvent(QResizeEvent* event) {
  QPushButton::resizeEvent(event);
  fitText();
}

QSize ElidedLabel::sizeHint() const {
  const QMargins margins = contentsMargins();
  return {fontMetrics().horizontalAdvance(full_) + 2 + margins.left() + margins.right(),
          QLabel::sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  const QRect inner = contentsRect();  // what QLabel updates if the text changes
  if (inner.width() < std::min(5 * kGrid, fontMetrics().horizontalAdvance(full_)))
    return;  // a letter says nothing
  QPainter painter(this);
  style()->drawItemText(&painter, inner, static_cast<int>(alignment()), palette(), isEnabled(),
                        fontMetrics().elidedText(full_, mode_, inner.width()), foregroundRole());
}

}  // namespace fxs::ui
