// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The list of passes of a stage while it is being changed: passes are inserted, removed, moved,
// left out, or get other options. The passes that the stage's tool has are asked of it.
#include <QObject>
#include <QStringList>
#include <functional>
#include <string>
#include <vector>

#include "lower/pipeline_text.h"
#include "lower/tool_passes.h"
#include "session/session_presenter.h"

namespace fxs::ui {

struct PassesOfStage {
  std::string stage, title;
  std::vector<lower::PipelinePass> passes;  ///< as the tool flattens the stage's pipeline
  std::vector<lower::ToolPass> known;       ///< that the tool has, by name
};
/// Asks the stage's tool: sessionPasses(), or a test double. Unsupported if it runs no passes.
using PassLister = std::function<Result<PassesOfStage>(
    const session::SnapshotPtr&, const std::string& stage, const RunContext&)>;
PassLister sessionPasses(session::Environment environment);

class PassListPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit PassListPresenter(Services& services);

  struct Row {
    lower::PipelinePass pass;
    bool runs = true;
    int was = -1;  ///< index in the stage's own list; -1 if it was inserted
  };

  /// Lists the passes of a stage of a lowering, which is that of a variant, or -1.
  void load(int variant, const session::SnapshotPtr& lowering, const std::string& stage);
  int variant() const { return variant_; }
  const WorkState& state() const { return loading_.state(); }
  const PassesOfStage& stage() const { return stage_; }
  const std::vector<Row>& rows() const { return rows_; }

  /// Inserts what was typed, such as `cse` or `func.func(canonicalize{max-iterations=1})`, before a
  /// row; without anchors, a pass gets those that it has elsewhere in the list. Why not; "" if it
  /// did.
  QString insert(int at, const QString& typed);
  void remove(int at);
  /// Moves a row by one; returns where it is then.
  int move(int at, int by);
  void setRuns(int at, bool runs);
  /// "max-iterations=1"; why not, "" if it did.
  QString setOptions(int at, const QString& options);

  /// `builtin.module(..)`
  std::string pipeline() const;
  /// "without cse; with canonicalize; other options of inline; another order"; "" if it is the
  /// same.
  QString change() const;
  /// Of all passes that the tool has.
  QStringList names() const;
  /// What a pass does, and its options; "" if the tool has no such pass.
  QString documentation(const std::string& pass) const;
  /// The file of an output type that lowers by this list. `after`: the output type of its input.
  Result<std::string> outputTypeFile(const QString& id, const std::string& after) const;

 Q_SIGNALS:
  void changed();

 private:
  bool has(int at) const { return at >= 0 && at < static_cast<int>(rows_.size()); }
  PassLister lister_;
  int variant_ = -1;
  PassesOfStage stage_;
  std::vector<Row> rows_;
  Task<Result<PassesOfStage>> loading_;
};

}  // namespace fxs::ui
