// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Makes labels and tool tips plain text. By default Qt guesses (Qt::AutoText): it takes a name such
// as <img src="file:///dev/zero"> for rich text and reads the file, so that hovering a node would
// hang the window. Rich text requires Qt::RichText.
#include <QObject>

namespace fxs::ui {

/// Installed on the application: sets Qt::PlainText on every label, including tool tips, that has
/// Qt::AutoText.
class PlainLabels final : public QObject {
 public:
  explicit PlainLabels(QObject* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace fxs::ui
