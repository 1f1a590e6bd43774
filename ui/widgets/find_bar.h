#pragma once
// Find in one text pane: plain or regular expression, with a count, next and previous; searching is a job.
#include <QLineEdit>
#include <QWidget>

#include "session/job_queue.h"
#include "text/code_text.h"
#include "widgets/controls.h"

namespace fxs::ui {

class CodeView;

class FindBar final : public QWidget {
  Q_OBJECT
 public:
  FindBar(Appearance& appearance, JobQueue& jobs, CodeView& view, QWidget* parent = nullptr);

  /// Shows the bar with what is selected in the view, or what was looked for last.
  void start();
  void close();
  void next();
  void previous();
  /// The text behind the view is another one: search it again.
  void textChanged();
  QString countText() const { return count_->text(); }
  QLineEdit* edit() const { return edit_; }

 Q_SIGNALS:
  void searched();

 protected:
  void keyPressEvent(QKeyEvent*) override;

 private:
  void search();
  void show(int index);
  JobQueue& jobs_;
  CodeView& view_;
  std::string key_;
  QLineEdit* edit_;
  IconButton* regex_;
  QToolButton* matchCase_;
  QLabel* count_;
  Found found_;
  int current_ = -1;
};

}  // namespace fxs::ui
