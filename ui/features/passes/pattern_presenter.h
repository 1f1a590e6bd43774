// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The rewrite patterns that the engine tries on the selected node. Computed on request only,
// because it needs extra engine runs.
#include <QObject>
#include <QString>
#include <QStringList>
#include <vector>

#include "lower/pattern_of_op.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"

namespace fxs::node_lab {
struct NodePatterns;
}

namespace fxs::ui {

using NodePatternsPtr = std::shared_ptr<const node_lab::NodePatterns>;

struct PatternRow {
  QString stage, pass, pattern;
  QString op;      ///< the operation that it was tried on
  QString effect;  ///< "took effect", "refused" .., with the reason
  QString became;  ///< "linalg.generic, tensor.empty"; "" if unknown or nothing
  bool took = false;
};

class PatternPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit PatternPresenter(Services& services);

  /// Sets the node, and drops the results of another.
  void show(fx::NodeId node);
  void ask();
  /// The node's rewrites as a trace; null if unknown, or if the patterns cannot be applied one at a
  /// time.
  const trace::TracePtr& rewrites() const { return rewrites_; }
  bool asking() const { return asking_.running(); }
  bool asked() const { return asked_; }
  const std::vector<PatternRow>& rows() const { return rows_; }
  /// The pattern that made an operation of a node in a pass of the program's trace, see
  /// lower::patternOfOp(); "" if it is not known, or another node was asked for.
  QString patternOf(fx::NodeId node, const lower::PassTrace& passes, int pass,
                    std::string_view opName, const std::vector<std::string>& sources) const;
  /// The rewrites in a pass of the program's trace, as indices of passes of rewrites().
  lower::StepsOfPass rewritesOf(const lower::PassTrace& passes, int pass) const;
  /// Names of the patterns that took effect in a pass, given by name; empty if none did or none are
  /// known.
  QStringList effective(const QString& stage, const QString& pass) const;
  /// How the result was obtained and how reliable it is; or the error.
  const QString& message() const { return message_; }
  /// Failures of the engine at the node, with the patterns tried there, one line each.
  const QStringList& stops() const { return stops_; }

 Q_SIGNALS:
  void changed();

 private:
  void forget();
  void take(const NodePatternsPtr& found);
  session::Environment environment_;
  SessionPresenter& session_;
  fx::NodeId node_;
  bool asked_ = false;
  std::vector<PatternRow> rows_;
  QString message_;
  QStringList stops_;
  NodePatternsPtr found_;
  trace::TracePtr rewrites_;
  Task<Result<NodePatternsPtr>> asking_;
};

}  // namespace fxs::ui
