// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The log page: what was opened and run, line by line.
#include <QWidget>

#include "session/log_presenter.h"
#include "widgets/code_view.h"

namespace fxs::ui {

class LogPage final : public QWidget {
  Q_OBJECT
 public:
  LogPage(Appearance& appearance, LogPresenter& log, QWidget* parent = nullptr);
  CodeView* view() const { return view_; }

 private:
  void refresh();
  LogPresenter& log_;
  CodeView* view_;
  bool stale_ = false;
};

}  // namespace fxs::ui
