// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Small controls shared by all panes.
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include "theme/appearance.h"

namespace fxs::ui {

/// An icon button that follows the theme; `name` is its tool tip and accessible name.
class IconButton final : public QToolButton {
  Q_OBJECT
 public:
  IconButton(Appearance& appearance, const QString& icon, const QString& name,
             QWidget* parent = nullptr);

 private:
  void redraw();
  Appearance& appearance_;
  QString icon_;
};

/// A label. `ink`: "", "muted", "error", "warning", "accent" or "success", as in the style sheet.
QLabel* makeLabel(const Appearance& appearance, const QString& text, TextSize size = TextSize::Body,
                  const QString& ink = {}, QWidget* parent = nullptr);
void setInk(QWidget* widget, const QString& ink);
/// A heading above a few lines.
QLabel* makeHeading(const Appearance& appearance, const QString& text, QWidget* parent);
/// A push button with a border.
QToolButton* makeBoxed(const QString& text, const QString& tip, QWidget* parent);
/// A filter field; `title` is its placeholder: "Filter passes".
QLineEdit* makeFilter(const QString& title, QWidget* parent);
inline constexpr int kProgressWidth = 10 * kGrid;  ///< of a bar among the buttons of a page
/// `keepsItsPlace`: keeps its space in the layout while hidden.
QProgressBar* makeProgress(const QString& name, QWidget* parent, bool keepsItsPlace = false);
/// `fraction`: 0..1; negative if unknown.
void showProgress(QProgressBar& bar, bool shown, double fraction);
/// A layout with the given spacing and margin, in pixels.
template <class Box>
Box* makeBox(int spacing = kGrid / 2, int margin = 0) {
  auto* box = new Box;
  box->setSpacing(spacing);
  box->setContentsMargins(margin, margin, margin, margin);
  return box;
}
/// An icon as a pixmap of `side` pixels times the text scale, at the device pixel ratio of `on`.
QPixmap pixmap(const Appearance& appearance, const QString& icon, Role role, int side,
               const QWidget* on);

/// A push button with a border that shows the longest of its texts that fits; `texts`: from long to
/// short, the last of which always fits.
class FittedButton final : public QToolButton {
  Q_OBJECT
 public:
  FittedButton(QStringList texts, const QString& accessibleName, QWidget* parent);
  QSize sizeHint() const override { return sizeFor(texts_.front()); }
  QSize minimumSizeHint() const override { return sizeFor(texts_.back()); }

 protected:
  void resizeEvent(QResizeEvent*) override;

 private:
  QSize sizeFor(const QString& text) const;
  QStringList texts_;
};

/// A combo box as wide as its current entry, not its longest one; elides the entry if space is
/// short, with the full text as tool tip. Of an entry, minimumContentsLength() characters are
/// always shown, or 3.
class FittedComboBox final : public QComboBox {
  Q_OBJECT
 public:
  explicit FittedComboBox(QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QFontMetrics drawnMetrics() const;
  int frameWidth() const;  ///< of what is around the entry
  QString shortened() const;
};

/// A label that elides its text to the available width; the full text is its tool tip.
class ElidedLabel final : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideMiddle);
  void setFullText(const QString& text);
  void setElideMode(Qt::TextElideMode mode) { mode_ = mode; }
  Qt::TextElideMode elideMode() const { return mode_; }
  QString fullText() const { return full_; }
  QSize minimumSizeHint() const override { return {24, QLabel::minimumSizeHint().height()}; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QString full_;
  Qt::TextElideMode mode_;
};

ElidedLabel* makeElided(const QString& text, const QFont& font, const QString& ink, QWidget* parent,
                        Qt::TextElideMode = Qt::ElideMiddle);

/// A button that looks like a link, elided at the right to the available width; the full text is
/// its tool tip.
class LinkButton final : public QPushButton {
  Q_OBJECT
 public:
  /// `accessibleName`: what the link does.
  LinkButton(const QFont& font, const QString& shown, const QString& accessibleName,
             QWidget* parent = nullptr);
  QString fullText() const { return full_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent*) override;

 private:
  QSize sizeFor(int textWidth) const;
  void fitText();
  QString full_;
};

}  // namespace fxs::ui
