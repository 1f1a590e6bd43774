// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Search: ranking of names for the command palette, and full-text search of the program and its
// stages.
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "features/stages/stage_presenter.h"
#include "query/query.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// 0 for no match, else higher is better. Letters of `typed` must occur in `name` in order; runs,
/// word starts and early matches rank higher.
int rank(const QString& typed, const QString& name);

struct Hit {
  QString kind;           ///< "node", "module path", or a stage's title
  QString title, detail;  ///< the matching name or line, and where it is
  fx::NodeId node;
  std::optional<ShownText> stage;  ///< set for a line of a stage
  std::uint32_t line = 0;          ///< 0-based
};

struct SearchResult {
  std::vector<Hit> hits;
  std::size_t nodes = 0;  ///< of the program that the query finds, also those beyond `hits`
};

class SearchPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit SearchPresenter(Services& services);
  /// Searches nodes by a query (query/query.h) and, if it has no keys, the text of every stage, in
  /// a job; emits found() at the end.
  void search(const QString& typed);
  const std::vector<Hit>& hits() const { return result_.hits; }
  /// "31 hits", "more than 500 hits".
  QString summary() const { return summary_; }
  /// What was searched for, and how many nodes of the program it finds, also those beyond hits().
  const query::Query& query() const { return query_; }
  std::size_t nodeCount() const { return result_.nodes; }

 Q_SIGNALS:
  void found();

 private:
  void showNothing(const QString& reason);

  SessionPresenter& session_;
  StagePresenter& stages_;
  SearchResult result_;
  QString summary_;
  query::Query query_;
  Task<SearchResult> searching_;
};

}  // namespace fxs::ui
