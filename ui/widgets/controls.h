#pragma once
// Small controls that every pane uses, made to look alike.
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QToolButton>

#include "theme/appearance.h"

namespace fxs::ui {

/// An icon button that follows the theme; `name` is its tool tip and accessible name.
class IconButton final : public QToolButton {
  Q_OBJECT
 public:
  IconButton(Appearance& appearance, const QString& icon, const QString& name, QWidget* parent = nullptr);

 private:
  void redraw();
  Appearance& appearance_;
  QString icon_;
};

/// A label in a text size and an ink ("", "muted", "error", "warning", "accent", "success"); selectable text on request.
QLabel* makeLabel(const Appearance& appearance, const QString& text, TextSize size = TextSize::Body, const QString& ink = {},
                  QWidget* parent = nullptr);
void setInk(QWidget* widget, const QString& ink);
/// A title over a few lines.
QLabel* makeHeading(const Appearance& appearance, const QString& text, QWidget* parent);
/// A line of text that is a link; Qt's linkActivated tells. `name`: what it does, for who cannot see it.
QLabel* makeLink(const Appearance& appearance, const QString& text, const QString& name, QWidget* parent, bool bold = false);
QToolButton* makeBoxed(const QString& text, const QString& tip, QWidget* parent);
/// `what`: "Filter passes".
QLineEdit* makeFilter(const QString& what, QWidget* parent);
/// `keepsItsPlace`: while it is hidden.
QProgressBar* makeProgress(const QString& name, QWidget* parent, bool keepsItsPlace = false);
/// `fraction`: 0..1, negative where it is not known.
void showProgress(QProgressBar& bar, bool shown, double fraction);
/// Spacing in half grid steps, no margins.
template <class Box>
Box* makeBox(int spacing = kGrid / 2, int margin = 0) {
  auto* box = new Box;
  box->setSpacing(spacing);
  box->setContentsMargins(margin, margin, margin, margin);
  return box;
}
/// An icon as a pixmap for a label, at the label's device pixel ratio.
QPixmap pixmap(const Appearance& appearance, const QString& icon, Role role, int side, const QWidget* on);

/// A combo box as wide as what it shows, not as its longest entry; where there is less room, what it shows is shortened and is its
/// tool tip.
class FittedComboBox final : public QComboBox {
  Q_OBJECT
 public:
  explicit FittedComboBox(QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {6 * kGrid, QComboBox::minimumSizeHint().height()}; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QFontMetrics drawnMetrics() const;
  QString shortened() const;
};

/// A label that shortens its text in the middle to the width there is; the whole text is its tool tip.
class ElidedLabel final : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideMiddle);
  void setFullText(const QString& text);
  void setElideMode(Qt::TextElideMode mode) { mode_ = mode; }
  QString fullText() const { return full_; }
  QSize minimumSizeHint() const override { return {24, QLabel::minimumSizeHint().height()}; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QString full_;
  Qt::TextElideMode mode_;
};

ElidedLabel* makeElided(const QString& text, const QFont& font, const QString& ink, QWidget* parent, Qt::TextElideMode = Qt::ElideMiddle);

/// A label that is one link, shortened at its right end to the width there is; the whole text is its tool tip.
class ElidedLink final : public QLabel {
  Q_OBJECT
 public:
  ElidedLink(const Appearance& appearance, const QFont& font, const QString& shown, const QString& accessibleName,
             QWidget* parent = nullptr);
  QString fullText() const { return full_; }
  QSize minimumSizeHint() const override { return {24, QLabel::minimumSizeHint().height()}; }

 protected:
  void resizeEvent(QResizeEvent*) override;

 private:
  void fitText();
  QString full_, color_;
};

}  // namespace fxs::ui
