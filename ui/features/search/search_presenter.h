#pragma once
// Finding things by name: how well a name answers what was typed, and everything in the program that holds a text.
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "features/stages/stage_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// 0: no; else higher is better. The letters of `typed` stand in `name` in order; a run, the start of a word and an early place count more.
int rank(const QString& typed, const QString& name);

struct Hit {
  QString kind;           ///< "node", "module path", or a stage's title
  QString title, detail;  ///< what it is; the line
  fx::NodeId node;
  std::optional<ShownText> stage;  ///< of a line
  std::uint32_t line = 0;
};

class SearchPresenter final : public QObject {
  Q_OBJECT
 public:
  SearchPresenter(SessionPresenter& session, StagePresenter& stages, JobQueue& jobs, QObject* parent = nullptr);
  /// Nodes (name, target, module, Python line) and the lines of every stage that has a text. Ends with found().
  void search(const QString& typed);
  const std::vector<Hit>& hits() const { return hits_; }
  /// "31 hits", "more than 500 hits".
  QString summary() const { return summary_; }

 Q_SIGNALS:
  void found();

 private:
  SessionPresenter& session_;
  StagePresenter& stages_;
  JobQueue& jobs_;
  std::vector<Hit> hits_;
  QString summary_;
};

}  // namespace fxs::ui
