#pragma once
// What is wrong with the program, from every step so far: the list, and how each node stands.
#include <QObject>
#include <QString>
#include <vector>

#include "fx/finding.h"
#include "presenters/session_presenter.h"

namespace fxs::ui {

/// The worst that was found at a node.
enum class Standing : std::uint8_t { Neutral, Suspicious, Blocked };

class ProblemsPresenter final : public QObject {
  Q_OBJECT
 public:
  ProblemsPresenter(SessionPresenter& session, QObject* parent = nullptr);

  const std::vector<fx::Finding>& findings() const { return findings_; }
  std::size_t errors() const { return errors_; }
  /// By NodeId, of the whole program.
  const std::vector<Standing>& standings() const { return standings_; }
  Standing standing(fx::NodeId) const;
  /// First message at a node; "" for none.
  QString reason(fx::NodeId) const;
  /// Findings at a node, by index.
  std::vector<int> at(fx::NodeId) const;
  /// Why the list is empty, with what was checked; "" when it is not.
  QString emptyText() const;
  /// The finding after `problem` (-1: the first), around the end; -1 when there is none.
  int next(int problem) const;

 signals:
  void changed();
  void emptyTextChanged();

 private:
  void refresh();
  SessionPresenter& session_;
  std::vector<fx::Finding> findings_;
  std::vector<Standing> standings_;
  std::size_t errors_ = 0;
};

}  // namespace fxs::ui
