#pragma once
// The rewrite patterns that the engine tried on the selected node: asked for on demand, for it takes engine runs of its own.
#include <QObject>
#include <QString>
#include <QStringList>
#include <vector>

#include "session/session_presenter.h"

namespace fxs::ui {

struct PatternRow {
  QString stage, pass, pattern;
  QString op;      ///< it was tried on
  QString effect;  ///< "took effect", "refused" .., with what the verdict rests on
  QString became;  ///< "linalg.generic, tensor.empty"; "" when not known or nothing
  bool took = false;
};

class PatternPresenter final : public QObject {
  Q_OBJECT
 public:
  PatternPresenter(session::Environment environment, SessionPresenter& session, JobQueue& jobs, QObject* parent = nullptr);

  /// Forgets what was asked about another node.
  void show(fx::NodeId node);
  void ask();
  /// Its rewrites, one by one; null when they are not known or cannot be stepped through.
  const trace::TracePtr& rewrites() const { return rewrites_; }
  bool asking() const { return asking_; }
  bool asked() const { return asked_; }
  const std::vector<PatternRow>& rows() const { return rows_; }
  /// Patterns that took effect in a pass, by its name; empty when none is known to have.
  QStringList effective(const QString& stage, const QString& pass) const;
  /// What was run and how sure it is; or why there is no answer.
  const QString& how() const { return how_; }
  /// Where the engine stopped at the node and what it tried there, one line each.
  const QStringList& stops() const { return stops_; }

 Q_SIGNALS:
  void changed();

 private:
  void forget();
  session::Environment environment_;
  SessionPresenter& session_;
  JobQueue& jobs_;
  fx::NodeId node_;
  bool asking_ = false, asked_ = false;
  std::vector<PatternRow> rows_;
  QString how_;
  QStringList stops_;
  trace::TracePtr rewrites_;
};

}  // namespace fxs::ui
