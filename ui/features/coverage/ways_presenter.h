#pragma once
// Two other ways of lowering the open program than torch-mlir's pipelines: straight through op registries, and node by node. Each
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

inline constexpr std::array kWays{Way::Registries, Way::Nodes};

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

struct WayLowering {
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
using WayLoweringPtr = std::shared_ptr<const WayLowering>;
/// Lowers the program of a snapshot in a way: the session's own, or a test's.
using WayRunner = std::function<Result<WayLoweringPtr>(Way, const session::SnapshotPtr&, const RunContext&)>;
/// `registries`: files of the user's own registries, read anew for each lowering, so that an edited one needs no restart.
WayRunner sessionWays(session::Environment environment, std::vector<std::string> registries = {});

struct WayState : WorkState {
  WayLoweringPtr lowering;
  std::chrono::duration<double> seconds{0};
};

class WaysPresenter final : public QObject {
  Q_OBJECT
 public:
  WaysPresenter(SessionPresenter& session, JobQueue& jobs, WayRunner runner, QObject* parent = nullptr);

  static QString title(Way way) { return way == Way::Registries ? "Registries (direct)" : "Node by node"; }
  const WayState& state(Way way) const { return states_[static_cast<std::size_t>(way)]; }
  /// Somebody looks at it: it is made now, and made again when the program is lowered anew, until nobody looks any more.
  void setWanted(Way way, bool wanted);
  bool wanted(Way way) const { return wanted_[static_cast<std::size_t>(way)]; }
  void cancel();
  bool running() const;

 Q_SIGNALS:
  void changed(fxs::ui::Way way);

 private:
  void drop();
  void runWanted();
  void start(Way way);
  void set(Way way, WayState state);
  static std::string job(Way way) { return "way:" + name(way).toStdString(); }

  SessionPresenter& session_;
  JobQueue& jobs_;
  WayRunner runner_;
  std::array<WayState, 2> states_;
  std::array<bool, 2> wanted_{};
  std::array<bool, 2> stopped_{};  ///< by the user: not made again by itself
};

}  // namespace fxs::ui
