// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the inspector shows for one node: arguments by schema name, users, the Python line, module,
// and metadata before and after normalization.
#include <QObject>
#include <QString>
#include <vector>

#include "session/node_markdown.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {

struct ArgumentRow {
  QString name;
  QString value;
  QString type;  ///< of the node it refers to, "f32[1, 4, 16, 8]"; "" for a constant
  std::vector<fx::NodeId> nodes;  ///< nodes that it refers to
  bool isDefault = false;         ///< not in the file: taken from the schema
};
struct MetadataRow {
  QString key, before, after, rule, reason;
  bool changed = false;
};
struct NodeUse {
  fx::NodeId node;
  QString name, target;
};
struct PythonLine {
  QString file, function, code;
  int line = 0;  ///< 1-based
  bool fileExists = false;
  QStringList around;   ///< lines of the file around it, if the file exists
  int firstAround = 0;  ///< 1-based number of the first of them
};

struct NodeState {
  fx::NodeId node;
  QString name, target, op, result;  ///< "scaled_dot_product_attention_3", "aten.…default",
                                     ///< "call_function", "f32[1, 16, 96]"
  QString schema;                    ///< the operator's schema; "" if unknown
  std::vector<ArgumentRow> arguments;
  std::vector<NodeUse> users;
  std::optional<PythonLine> python;
  QString module, moduleType;  ///< "transformer.h.3.attn", "GPT2Attention"
  QString boundTo;             ///< what a placeholder is bound to: "parameter wte.weight, 2.4 MB"
  std::vector<MetadataRow> metadata;
};

class NodePresenter final : public QObject {
  Q_OBJECT
 public:
  explicit NodePresenter(Services& services);

  void show(fx::NodeId node);
  /// nullopt when no node is shown.
  const std::optional<NodeState>& state() const { return state_; }
  /// False while another program was opened, and state() is still of the one before.
  bool isCurrent() const { return program_ == session_.program(); }
  /// A Markdown summary to paste into an issue; "" when no node is shown.
  QString markdown() const { return state_ ? markdown_.of(node_) : QString(); }

 Q_SIGNALS:
  void changed();

 private:
  void refresh();
  void programChanged();
  SessionPresenter& session_;
  NodeMarkdown& markdown_;
  fx::ProgramPtr program_;  ///< of state()
  fx::NodeId node_;
  std::vector<std::vector<fx::NodeId>> users_;
  std::optional<NodeState> state_;
};

/// The state of one node. The normalized program may be null. Reads the Python source file, if it
/// exists, to quote lines from it.
NodeState nodeState(const fx::Program&, const normalize::NormalizedProgram*, fx::NodeId,
                    const std::vector<fx::NodeId>& users);

}  // namespace fxs::ui
