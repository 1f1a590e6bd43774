#pragma once
// The stages of the open program and which of them each text pane shows. A stage always says how it stands: ended, failed,
// going on, or why it was not run; its text is prepared by a job. A pane may show alternatives as well (by registries,
// node by node, the selected node alone), the module after any pass, or what a handle of the pass list holds.
#include <QObject>
#include <QString>
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "features/alone/alone_presenter.h"
#include "features/coverage/alternatives_presenter.h"
#include "features/passes/pass_presenter.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "text/code_text.h"

namespace fxs::ui {

enum class StageMark : std::uint8_t { Waiting, Running, Ok, Failed, Crashed, Timeout, Skipped };

StageMark markOf(lower::StageStatus);
/// Nothing comes after it.
inline bool stopped(StageMark mark) { return mark == StageMark::Failed || mark == StageMark::Crashed || mark == StageMark::Timeout; }

struct Stage {
  ShownText id;
  QString title;  ///< "FX graph", "Torch backend IR"
  StageMark mark = StageMark::Waiting;
  std::optional<std::chrono::duration<double>> seconds;
  QString note;                ///< one line: what stopped it, why it was not run; "" when there is nothing to say
  QString detail;              ///< command line, failing pass, the engine's own words
  bool isFailureText = false;  ///< the text is the IR where the stage stopped
};

class StagePresenter final : public QObject {
  Q_OBJECT
 public:
  StagePresenter(SessionPresenter& session, JobQueue& jobs, PassPresenter& passes, AlternativesPresenter& alternatives,
                 AlonePresenter& alone, QObject* parent = nullptr);

  /// FX, FX rewritten, then those of the target, in order.
  const std::vector<Stage>& stages() const { return stages_; }
  /// What stands beside the stages: AlternativesPresenter's two, and the node by itself.
  const std::vector<Stage>& others() const { return others_; }
  /// Of a stage, of one of the others, or of a snapshot.
  const Stage* stage(const ShownText& id) const;
  /// Null while it is prepared, or when the stage has none.
  std::shared_ptr<const StageText> textOf(const ShownText& id) const;
  /// A text is still being prepared.
  bool preparing() const;
  /// What a file of this stage holds: MLIR with its locations, or the FX dump; "" when the stage has none.
  std::string fileText(const ShownText& id) const;
  /// Lines of any of the nodes in a stage, ascending.
  std::vector<std::uint32_t> linesOf(const ShownText& id, const std::vector<fx::NodeId>& nodes) const;
  /// Of these lines of a stage the one to look at first: the operation that its node stands for, else one that is the node's own, before
  /// constants and lists, which may stand far away, before what is attributed to it. `lines` must not be empty.
  std::uint32_t mainLine(const ShownText& id, const std::vector<std::uint32_t>& lines) const;
  /// Whether a pane scrolls to what is selected by itself: of two that show a difference one does, and the other scrolls along.
  bool leads(const ShownText& pane, const Selection& selected) const;
  /// Nodes behind a line; empty when the line has none.
  std::vector<fx::NodeId> nodesAt(const ShownText& id, std::uint32_t line) const;
  /// Of the user's program; "" when there is none such.
  QString nameOf(fx::NodeId) const;
  trace::Link linkAt(const ShownText& id, std::uint32_t line) const;

  /// Steps before the engine, with their times: read, normalize, rewrite, import.
  std::vector<Stage> steps() const;
  /// Those steps, then the stages of the engine: all that takes time.
  std::vector<Stage> stepsAndStages() const;
  bool hasProgram() const { return session_.hasProgram(); }

  static inline const ShownTexts kStandardPanes{"fx", "raw", LastStage{}};
  /// Shows the handles in the last two panes, and keeps what stood there; or gives it back.
  void showHandles();
  void showStages();
  /// What to remember of the panes: without handles and snapshots, which end with the trace.
  ShownTexts lastingPanes() const;
  bool showsHandles() const { return shows(Handle::From) || shows(Handle::To); }
  PassPresenter& passes() const { return passes_; }
  /// What each pane shows, left to right.
  const ShownTexts& panes() const { return panes_; }
  bool shows(const ShownText& text) const { return std::find(panes_.begin(), panes_.end(), text) != panes_.end(); }
  /// The stage or snapshot that stands for the last stage, or for a handle that holds one.
  ShownText resolved(const ShownText& pane) const;
  void setPanes(const ShownTexts& panes);
  void setPane(int index, const ShownText& shown);
  void addPane();
  void removePane(int index);
  static constexpr std::size_t kMinPanes = 1, kMaxPanes = 4;

 Q_SIGNALS:
  void stagesChanged();
  void textChanged(const fxs::ui::ShownText& id);
  void panesChanged();

 private:
  void refresh();
  void prepare(const ShownText& id, const void* source, std::function<std::shared_ptr<const StageText>()> make);
  struct Text {
    const void* source = nullptr;  ///< the value it is made of
    std::shared_ptr<const StageText> text;
  };
  void refreshSnapshots();
  using Wanted = std::map<ShownText, std::pair<const void*, std::function<std::shared_ptr<const StageText>()>>>;
  void refreshAlternatives(Wanted& wanted);
  void refreshAlone(Wanted& wanted);
  /// What nobody looks at is not made.
  void tellWhatIsShown();
  SessionPresenter& session_;
  JobQueue& jobs_;
  PassPresenter& passes_;
  AlternativesPresenter& alternatives_;
  AlonePresenter& alone_;
  std::vector<Stage> stages_;
  std::vector<Stage> others_;
  std::vector<Stage> snapshots_;  ///< of the trace
  ShownTexts panesBefore_;        ///< while handles are shown: what stood in their place
  std::map<ShownText, Text> texts_;
  ShownTexts panes_ = kStandardPanes;
};

}  // namespace fxs::ui
