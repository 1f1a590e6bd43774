// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The operations of a stage or of a pass as a graph, and which nodes of the user's program each
// comes from. Which text it is follows what the user chose: a stage, or handle B, so that stepping
// through passes redraws it. Operations that stay keep their place.
#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "features/graph/graph_presenter.h"
#include "features/stages/stage_presenter.h"
#include "trace/graph_series.h"

namespace fxs::ui {

class OpGraphPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit OpGraphPresenter(Services& services);

  /// Shows the operations of a text; std::nullopt shows the program's own graph instead.
  void choose(std::optional<ShownText> text);
  /// Shows the program if operations are shown, else those of the text; of handle B while passes
  /// are compared, and of the last stage if the text is not MLIR.
  void toggle(const ShownText& text);
  const std::optional<ShownText>& chosen() const { return chosen_; }
  /// The texts that have a graph, or would have one if they were wanted, with their titles.
  std::vector<std::pair<ShownText, QString>> choices() const;
  bool busy() const {
    return chosen_ && (making_.running() || linking_.running() || graph_.busy());
  }

  GraphPresenter& graph() { return graph_; }
  /// Why the chosen text has no graph now; "" if it has one.
  const QString& message() const { return message_; }
  /// What operations() were made from; null before the first.
  const std::shared_ptr<const StageText>& text() const { return opsText_; }
  /// The nodes of graph() that come from any of the user's nodes; operations before what is folded
  /// into them.
  std::vector<fx::NodeId> shownFor(const std::vector<fx::NodeId>& nodes) const;
  /// Of graph(): which operations and nodes of the user's program each node shows.
  const trace::OpGraph& operations() const { return ops_; }
  /// The user's nodes that a node of graph() comes from.
  std::vector<fx::NodeId> usersNodes(fx::NodeId shown) const;
  /// By node of graph(): how its operations differ from the other side's module; empty if what is
  /// shown is not a side of a difference, which is that of the handles, or the one that was set.
  std::vector<mlir::OpChange> changes() const;
  void setDifference(std::shared_ptr<const DiffView> difference);
  /// The 0-based line of the text on which the operation begins.
  std::optional<std::uint32_t> lineOf(fx::NodeId shown) const;

 Q_SIGNALS:
  void choicesChanged();
  /// chosen() changed.
  void chosenChanged();

  void changesChanged();
  void messageChanged(const QString& message);
  /// operations() and text() changed.
  void operationsChanged();

 private:
  void refresh();
  /// Starts to link the modules of the trace if one is chosen, once.
  void link();
  void draw();
  void setMessage(const QString& message);

  StagePresenter& stages_;
  SessionPresenter& session_;
  GraphPresenter graph_;
  std::optional<ShownText> chosen_;
  std::shared_ptr<const StageText> text_;  ///< whose operations are, or are being, made
  trace::OpGraph ops_;
  std::shared_ptr<const StageText> opsText_;  ///< of `ops_`
  QString message_;
  std::shared_ptr<const DiffView> difference_;
  trace::TracePtr linked_;  ///< whose modules are, or are being, linked
  std::vector<trace::GraphSeries> series_;
  Task<trace::OpGraph> making_;
  Task<Result<std::vector<trace::GraphSeries>>> linking_;
};

}  // namespace fxs::ui
