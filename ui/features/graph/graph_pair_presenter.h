// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A second graph beside the first: for another output type, another engine, another way of
// lowering, or the other handle. What differs between two lowerings to the same output type is
// marked in both, and modules are expanded in both.
#include <QObject>

#include "features/graph/op_graph_presenter.h"

namespace fxs::ui {

class GraphPairPresenter final : public QObject {
  Q_OBJECT
 public:
  /// `program`: the graph that each shows while no text is chosen.
  GraphPairPresenter(GraphPresenter& program, OpGraphPresenter& first, OpGraphPresenter& second,
                     Services& services);

  bool shown() const { return shown_; }
  /// The second graph begins with the counterpart of what the first shows, unless it was shown
  /// before.
  void setShown(bool shown);
  /// The difference is being computed.
  bool busy() const { return comparing_.running(); }

 Q_SIGNALS:
  void shownChanged();

 private:
  std::optional<ShownText> counterpart() const;
  void compare();
  void expandOther(const GraphPresenter& graph);
  void forget();

  GraphPresenter& program_;
  OpGraphPresenter &first_, &second_;
  StagePresenter& stages_;
  bool shown_ = false;
  std::optional<ShownText> closed_;         ///< what the second graph showed when it was closed
  std::shared_ptr<const StageText> a_, b_;  ///< that are, or are being, compared
  Task<std::shared_ptr<const DiffView>> comparing_;
};

}  // namespace fxs::ui
