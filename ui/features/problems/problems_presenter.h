#pragma once
// What is wrong with the program, from every step and from its diagnosis: the list by operation, and how each node stands.
#include <QObject>
#include <QString>
#include <vector>

#include "features/problems/diagnosis_presenter.h"
#include "features/problems/problem_state.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// The worst that was found at a node.
enum class Standing : std::uint8_t { Neutral, Suspicious, Blocked };

class ProblemsPresenter final : public QObject {
  Q_OBJECT
 public:
  ProblemsPresenter(SessionPresenter& session, DiagnosisPresenter& diagnosis, QObject* parent = nullptr);

  const std::vector<fx::Finding>& findings() const { return findings_; }
  const std::vector<Problem>& problems() const { return problems_; }
  /// By Problem::operation; null for none such.
  const Problem* problem(const QString& operation) const;
  /// Operations that stop the program, each once.
  std::size_t errors() const { return errors_; }
  /// By NodeId, of the whole program.
  const std::vector<Standing>& standings() const { return standings_; }
  Standing standing(fx::NodeId) const;
  /// First message at each node, by NodeId; "" for none.
  const std::vector<QString>& reasons() const { return reasons_; }
  /// What is wrong at a node, worst first; valid until the next change.
  std::vector<const ProblemPart*> at(fx::NodeId) const;
  /// Index of the first problem that has a node; -1 for none.
  int indexAt(fx::NodeId) const;
  int indexOf(const QString& operation) const;
  const DiagnosisPtr& diagnosis() const { return diagnosis_.diagnosis(); }
  /// Why the list is empty, with what was checked; "" when it is not.
  QString emptyText() const;
  /// One line over the list: what blocks the program, and what is being tried.
  QString summary() const;
  /// What is known of the program as a whole, one sentence each.
  QStringList conclusions() const;
  /// The whole diagnosis for an issue; "" when there is none.
  QString markdown() const;

 Q_SIGNALS:
  void changed();
  /// emptyText() or summary().
  void textChanged();

 private:
  void refresh();
  void mark(const ProblemPart& part);
  SessionPresenter& session_;
  DiagnosisPresenter& diagnosis_;
  std::vector<fx::Finding> findings_;
  std::vector<Problem> problems_;
  std::vector<Standing> standings_;
  std::vector<QString> reasons_;
  std::size_t errors_ = 0;
};

}  // namespace fxs::ui
