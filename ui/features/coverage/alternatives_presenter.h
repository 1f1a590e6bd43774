#pragma once
// Two alternatives to torch-mlir's pipelines for the open program: straight through op registries, and node by node. Each
// runs as a job when somebody looks at it, again when what it was made of has changed, and says how it stands meanwhile.
#include <QObject>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "session/session_presenter.h"
#include "session/shown_text.h"

namespace fxs::ui {

inline constexpr std::array kAlternatives{Alternative::Registries, Alternative::Nodes};

/// What became of one node of the program that was lowered.
struct CoverageRow {
  enum class Status : std::uint8_t { Lowered, NotLowered, Structural };
  fx::NodeId node;  ///< of the user's program
  QString name;     ///< of the node that was lowered: in a rewritten program it may be another than the user's
  QString target;   ///< "aten.add.Tensor"
  QString opClass;  ///< "AddOp"; "" when there is none
  Status status = Status::Structural;
  QString standing;  ///< "lowered", "no op class", "no lowering", "refused", "not needed"
  QString by;        ///< the registry that lowered it; "" for none
  QString why;       ///< of one that is not lowered: the reason, and the way out
  std::size_t ops = 0;
};

struct AlternativeLowering {
  std::string text;               ///< one MLIR module with locations; "" when there is none
  bool complete = false;          ///< everything is lowered, and the engine verified it
  QString note;                   ///< one line: what stands in the way; "" when nothing does
  QString detail;                 ///< which registries, which decompositions, the engine's words
  std::vector<CoverageRow> rows;  ///< in the order of the program
  QStringList sums;               ///< "tosa lowers 120 nodes"; one line each
  /// Rows that are not lowered.
  std::size_t missing() const {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const CoverageRow& row) { return row.status == CoverageRow::Status::NotLowered; }));
  }
};
using AlternativeLoweringPtr = std::shared_ptr<const AlternativeLowering>;
/// Lowers the program of a snapshot by an alternative: the session's own, or a test's.
using AlternativeRunner = std::function<Result<AlternativeLoweringPtr>(Alternative, const session::SnapshotPtr&, const RunContext&)>;
/// `registries`: files of the user's own registries, read anew for each lowering, so that an edited one needs no restart.
AlternativeRunner sessionAlternatives(session::Environment environment, std::vector<std::string> registries = {});

struct AlternativeState : WorkState {
  AlternativeLoweringPtr lowering;
  std::chrono::duration<double> seconds{0};
};

class AlternativesPresenter final : public QObject {
  Q_OBJECT
 public:
  AlternativesPresenter(SessionPresenter& session, JobQueue& jobs, AlternativeRunner runner, QObject* parent = nullptr);

  static QString title(Alternative alternative) { return alternative == Alternative::Registries ? "Registries (direct)" : "Node by node"; }
  const AlternativeState& state(Alternative alternative) const { return states_[static_cast<std::size_t>(alternative)]; }
  /// Somebody looks at it: it is made now, and made again when the program is lowered anew, until nobody looks any more.
  void setWanted(Alternative alternative, bool wanted);
  bool wanted(Alternative alternative) const { return wanted_[static_cast<std::size_t>(alternative)]; }
  void cancel();
  bool running() const;

 Q_SIGNALS:
  void changed(fxs::ui::Alternative alternative);

 private:
  void drop();
  void runWanted();
  void start(Alternative alternative);
  void set(Alternative alternative, AlternativeState state);
  static std::string job(Alternative alternative) { return "alternative:" + name(alternative).toStdString(); }

  SessionPresenter& session_;
  JobQueue& jobs_;
  AlternativeRunner runner_;
  std::array<AlternativeState, 2> states_;
  std::array<bool, 2> wanted_{};
  std::array<bool, 2> stopped_{};  ///< by the user: not made again by itself
};

}  // namespace fxs::ui
