// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The panes of texts, for features that show a text in them.
#include <cstdint>

#include "session/shown_text.h"

class QWidget;

namespace fxs::ui {

class TextPanes {
 public:
  /// Whether there is such a text.
  virtual bool has(const ShownText& id) const = 0;
  virtual bool shows(const ShownText& id) const = 0;
  /// Focuses the pane that shows it, else shows it in the current pane.
  virtual void showStage(const ShownText& id) = 0;
  /// As showStage(), but keeps the pane that it is compared with.
  virtual void showBeside(const ShownText& id) = 0;
  /// The module before and after a pass, or what was shown before that.
  virtual void showHandles() = 0;
  virtual void showStages() = 0;
  /// As showStage(), and scrolls to a line, 0-based.
  virtual void showLine(const ShownText& id, std::uint32_t line) = 0;
  /// Shows a widget, which the pane owns, in place of a text that is shown; null: the text again.
  virtual void replaceText(const ShownText& id, QWidget* widget) = 0;
  /// What the pane that was used last shows, and what is selected in it.
  virtual ShownText current() const = 0;
  virtual QString selectedText() const = 0;

 protected:
  ~TextPanes() = default;
};

}  // namespace fxs::ui
