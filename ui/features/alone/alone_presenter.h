#pragma once
// The selected node as a program of its own: what each output type makes of it without the rest, and the same inlined into a
// function that calls it, under fresh names. Made by a job for the node that is looked at, once somebody asked.
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "session/session_presenter.h"

namespace fxs::ui {

struct AloneLowering {
  fx::NodeId node;         ///< of the user's program
  fx::ProgramPtr program;  ///< the minimal program
  struct Target {
    lower::OutputType type{};
    lower::StageStatus status = lower::StageStatus::Skipped;
    std::string text;     ///< one module; the IR where it stopped when it did
    std::string inlined;  ///< one module with a caller; "" when there is none
    QString note;         ///< what stopped it; "" when nothing did
  };
  std::vector<Target> targets;
};
using AloneLoweringPtr = std::shared_ptr<const AloneLowering>;
/// Lowers one node of a snapshot's program by itself: the session's own, or a test's.
using AloneRunner = std::function<Result<AloneLoweringPtr>(const session::SnapshotPtr&, fx::NodeId, const RunContext&)>;
AloneRunner sessionAlone(session::Environment environment);

class AlonePresenter final : public QObject {
  Q_OBJECT
 public:
  AlonePresenter(SessionPresenter& session, JobQueue& jobs, AloneRunner runner, QObject* parent = nullptr);

  /// The node looked at; invalid for none.
  void show(fx::NodeId node);
  fx::NodeId node() const { return node_; }
  /// From here on each node that is looked at is lowered by itself; false: no more.
  void setWanted(bool wanted);
  bool wanted() const { return wanted_; }
  bool running() const { return running_; }
  /// Why there is nothing to show: not asked, no call, refused; "" when there is, or will be.
  const QString& why() const { return why_; }
  /// Of the node looked at; null while it is made, or when it cannot be.
  const AloneLoweringPtr& lowering() const { return lowering_; }
  /// Of the chosen output type; null for none, or when the program itself is chosen.
  const AloneLowering::Target* target() const;

  /// Nothing: the minimal program. Until one is chosen it is the output type that the whole program is lowered to.
  void choose(std::optional<lower::OutputType> type);
  std::optional<lower::OutputType> chosen() const { return follows_ ? session_.target() : chosen_; }
  void setInlined(bool inlined);
  bool inlined() const { return inlined_; }
  void cancel();

 Q_SIGNALS:
  void changed();

 private:
  void start();
  void drop(const QString& why);
  SessionPresenter& session_;
  JobQueue& jobs_;
  AloneRunner runner_;
  fx::NodeId node_;
  AloneLoweringPtr lowering_;
  QString why_;
  std::optional<lower::OutputType> chosen_;
  bool follows_ = true;  // nothing was chosen yet
  bool wanted_ = false, running_ = false, inlined_ = false;
};

}  // namespace fxs::ui
