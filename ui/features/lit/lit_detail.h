// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a RUN line did: its CHECK lines beside its output, and what the program that failed says.
// Choosing a CHECK line shows the line of the output that it matched, and the other way round.
#include <QSplitter>
#include <QTreeView>

#include "features/lit/checks_model.h"
#include "widgets/code_view.h"
#include "widgets/controls.h"

namespace fxs::ui {

class LitDetail final : public QSplitter {
  Q_OBJECT
 public:
  LitDetail(Appearance& appearance, QWidget* parent);
  void show(const LitResult& result);
  QTreeView* checks() const { return checks_; }
  const ChecksModel& model() const { return model_; }
  CodeView* output() const { return output_; }
  /// LitResult::message; hidden if there is none.
  CodeView* message() const { return message_; }

 private:
  void choose(int row);
  void showMatch(int row);
  ChecksModel model_;
  QTreeView* checks_;
  ElidedLabel* title_;
  CodeView* output_;
  CodeView* message_;
  std::vector<int> matchOf_;  ///< by row: its index among the marks of the output; -1 for none
};

}  // namespace fxs::ui
