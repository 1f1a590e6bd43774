#pragma once
// What the inspector says about one node: its arguments by schema name with defaults marked, users, the user's Python line,
// module, metadata before and after normalization, and what it becomes at each stage.
#include <QObject>
#include <QString>
#include <vector>

#include "features/problems/problems_presenter.h"
#include "features/stages/stage_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {

struct ArgumentRow {
  QString name;
  QString value;
  QString type;                   ///< of the node it refers to, "f32[1, 4, 16, 8]"; else ""
  std::vector<fx::NodeId> nodes;  ///< it refers to
  bool isDefault = false;         ///< not in the file: the schema's default
};
struct MetadataRow {
  QString key, before, after, rule, reason;
  bool changed = false;
};
struct BecomesRow {
  ShownText stage;
  QString title;
  std::size_t ops = 0;
  bool known = false;  ///< the stage has a text
};
struct NodeUse {
  fx::NodeId node;
  QString name, target;
};
struct PythonLine {
  QString file, function, code;
  int line = 0;
  bool fileExists = false;
  QStringList around;   ///< lines of the file about it, when it exists
  int firstAround = 0;  ///< number of the first of them
};

struct NodeState {
  fx::NodeId node;
  QString name, target, op, result;  ///< "scaled_dot_product_attention_3", "aten.…default", "call_function", "f32[1, 16, 96]"
  QString schema;                    ///< its whole schema, when PyTorch has it
  Standing standing = Standing::Neutral;
  QStringList messages;  ///< of what is wrong at it, worst first
  std::vector<ArgumentRow> arguments;
  std::vector<NodeUse> users;
  std::optional<PythonLine> python;
  QString module, moduleType;  ///< "transformer.h.3.attn", "GPT2Attention"
  QString boundTo;             ///< what a placeholder stands for: "parameter wte.weight, 2.4 MB"
  std::vector<MetadataRow> metadata;
};

class NodePresenter final : public QObject {
  Q_OBJECT
 public:
  NodePresenter(SessionPresenter& session, StagePresenter& stages, ProblemsPresenter& problems, QObject* parent = nullptr);

  void show(fx::NodeId node);
  /// Nothing when no node is shown.
  const std::optional<NodeState>& state() const { return state_; }
  std::vector<BecomesRow> becomes() const;
  /// A summary for an issue or a chat.
  QString markdown() const;

 Q_SIGNALS:
  void changed();
  void becomesChanged();

 private:
  void refresh();
  QStringList messagesAt(fx::NodeId) const;
  void programChanged();
  SessionPresenter& session_;
  StagePresenter& stages_;
  ProblemsPresenter& problems_;
  fx::NodeId node_;
  std::vector<std::vector<fx::NodeId>> users_;
  std::optional<NodeState> state_;
};

/// State of one node; `users` are its users. Pure: reads nothing but the program (and the Python file, when it exists).
NodeState nodeState(const fx::Program&, const normalize::NormalizedProgram*, fx::NodeId, const std::vector<fx::NodeId>& users);

}  // namespace fxs::ui
