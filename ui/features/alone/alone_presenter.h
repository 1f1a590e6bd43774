// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Single-node lowering of the selected node to every output type, and the result inlined into a
// caller under fresh SSA names. Runs as a job, only after it was requested.
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "session/text_sources.h"

namespace fxs::ui {

struct AloneLowering {
  fx::NodeId node;         ///< of the user's program
  fx::ProgramPtr program;  ///< the minimal program
  struct Target {
    lower::OutputType type{};
    lower::StageStatus status = lower::StageStatus::Skipped;
    std::string text;     ///< one module; if lowering failed, the IR at the failure
    std::string inlined;  ///< one module with a caller; "" if not inlined
    QString note;         ///< why it failed or was not inlined; "" on success
  };
  std::vector<Target> targets;
};
using AloneLoweringPtr = std::shared_ptr<const AloneLowering>;
/// Lowers one node of a snapshot's program by itself: sessionAlone(), or a test double.
using AloneRunner = std::function<Result<AloneLoweringPtr>(const session::SnapshotPtr&, fx::NodeId,
                                                           const RunContext&)>;
AloneRunner sessionAlone(session::Environment environment);

class AlonePresenter final : public QObject {
  Q_OBJECT
 public:
  explicit AlonePresenter(Services& services);

  /// Sets the node to lower; an invalid id for none.
  void show(fx::NodeId node);
  fx::NodeId node() const { return node_; }
  /// While true, every node passed to show() is lowered; false cancels.
  void setWanted(bool wanted);
  bool wanted() const { return wanted_; }
  bool running() const { return task_.running(); }
  /// Why lowering() is null: not a call, an error, cancelled; "" otherwise.
  const QString& message() const { return task_.state().message; }
  /// The lowering of node(); null while it runs, when it failed, or when none was requested.
  const AloneLoweringPtr& lowering() const { return lowering_; }
  /// The result for chosen(); null if there is none, or if the minimal program is chosen.
  const AloneLowering::Target* target() const;

  /// Chooses what to show: an output type, or nullopt for the minimal program. Until the first call
  /// it is the session's target.
  void choose(std::optional<lower::OutputType> type);
  std::optional<lower::OutputType> chosen() const { return follows_ ? session_.target() : chosen_; }
  void setInlined(bool inlined);
  bool inlined() const { return inlined_; }

 Q_SIGNALS:
  void changed();

 private:
  OtherText text() const;
  void start();
  void drop(const QString& reason = {});
  SessionPresenter& session_;
  AloneRunner runner_;
  fx::NodeId node_;
  AloneLoweringPtr lowering_;
  std::optional<lower::OutputType> chosen_;
  bool follows_ = true;  // choose() was not called yet
  bool wanted_ = false, inlined_ = false;
  Task<Result<AloneLoweringPtr>> task_;
};

}  // namespace fxs::ui
