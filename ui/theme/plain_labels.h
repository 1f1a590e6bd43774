#pragma once
// What a label or a tool tip says is text, not markup. Qt guesses (Qt::AutoText) and takes a name such as <img src="file:///dev/zero">
// for rich text, and then reads the file: hovering a node would end the window. Whoever wants rich text says so with Qt::RichText.
#include <QObject>

namespace fxs::ui {

/// Watches an application: every label that does not say what its text is becomes plain before it is first laid out, tool tips among
/// them.
class PlainLabels final : public QObject {
 public:
  explicit PlainLabels(QObject* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace fxs::ui
