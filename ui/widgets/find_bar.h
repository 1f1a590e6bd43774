// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Find in one text pane: plain text or regular expression, with match count, next and previous.
// Searches in a job.
#include <QLineEdit>
#include <QWidget>
#include <functional>
#include <vector>

#include "session/task.h"
#include "text/code_text.h"
#include "widgets/controls.h"

namespace fxs::ui {

class CodeView;

/// What a bar finds in.
struct FindTarget {
  QWidget* widget;  ///< has the focus once the bar is closed
  std::function<QString()> selectedText;
  std::function<CodeTextPtr()> code;
  std::function<std::uint32_t()> cursorLine;  ///< 0-based
  std::function<void(std::vector<FindMatch>)> setMatches;
  std::function<void(int)> setCurrentMatch;  ///< an index of the matches
};

class FindBar final : public QWidget {
  Q_OBJECT
 public:
  FindBar(Appearance& appearance, Services& services, FindTarget target, QWidget* parent = nullptr);
  FindBar(Appearance& appearance, Services& services, CodeView& view, QWidget* parent = nullptr);

  /// Shows the bar with the selected text, or the previous search text.
  void start();
  void dismiss();
  void next();
  void previous();
  /// Call after the text of the view changed: searches again.
  void textChanged();
  /// The same, without going to a match: the text is being typed in.
  void textEdited();
  QString countText() const { return count_->text(); }
  QLineEdit* edit() const { return edit_; }

 Q_SIGNALS:
  void searched();

 protected:
  void keyPressEvent(QKeyEvent*) override;

 private:
  enum class Then { Goes, Stays };
  void search(Then then);
  void show(int index, Then then = Then::Goes);
  void step(int by);
  FindTarget target_;
  QLineEdit* edit_;
  IconButton* regex_;
  QToolButton* matchCase_;
  QLabel* count_;
  Found found_;
  int current_ = -1;
  int steps_ = 0;  ///< asked for while the matches are searched
  Task<Found> searching_;
};

}  // namespace fxs::ui
