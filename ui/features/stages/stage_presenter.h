// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The stages of the open program, with their status, and what each text pane shows: a stage, an
// alternative lowering, the selected node lowered by itself, or the module at a pass or handle.
// Texts are prepared in jobs.
#include <QObject>
#include <QString>
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "features/passes/pass_presenter.h"
#include "session/marks.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "session/stage.h"
#include "session/text_sources.h"

namespace fxs::ui {

class StagePresenter final : public QObject {
  Q_OBJECT
 public:
  explicit StagePresenter(Services& services);

  /// FX, rewritten FX, then the stages of the target, in order.
  const std::vector<Stage>& stages() const { return stages_; }
  /// Texts besides the stages: those of TextSources.
  const std::vector<Stage>& others() const { return others_; }
  /// A stage, one of others(), or a snapshot; null if there is none with this id.
  const Stage* stage(const ShownText& id) const;
  /// Null while it is being prepared, or if there is no text.
  std::shared_ptr<const StageText> textOf(const ShownText& id) const;
  /// Requests one of others(), which run only once somebody wants to see them.
  void want(const ShownText& text);
  /// False while the user has not chosen what the text needs, such as another engine.
  bool canWant(const ShownText& text) const;
  /// The output type that a text is a lowering to; std::nullopt for FX graphs, modules at passes,
  /// and single nodes.
  std::optional<lower::OutputType> typeOf(const ShownText& text) const;
  /// A text is still being prepared.
  bool preparing() const;
  /// The text to save to a file: MLIR with locations, or the FX dump; "" if there is none.
  std::string fileText(const ShownText& id) const;
  /// The ending of that file's name: ".mlir", ".ll", ".txt".
  QString fileEnding(const ShownText& id) const;
  /// The 0-based lines of a stage that belong to any of the nodes, ascending.
  std::vector<std::uint32_t> linesOf(const ShownText& id,
                                     const std::vector<fx::NodeId>& nodes) const;
  /// The line to scroll to, of a non-empty list: preferably the operation named like its node's
  /// target, then any located at the node, then its constants and lists, which may be far away,
  /// then one with an inferred origin.
  std::uint32_t mainLine(const ShownText& id, const std::vector<std::uint32_t>& lines) const;
  /// Whether a pane scrolls to the selection. Of two panes that show a difference, one does and the
  /// other follows it.
  bool leads(const ShownText& pane, const Selection& selected) const;
  /// The nodes that a line originates from; empty if unknown.
  std::vector<fx::NodeId> nodesAt(const ShownText& id, std::uint32_t line) const;
  /// The marks of the nodes of a text's lines, at the first of consecutive lines of a node.
  MarksByLine marksOf(const ShownText& id, const MarksByNode& marks) const;
  /// The name of a node of the user's program; "" if there is none.
  QString nameOf(fx::NodeId) const;
  trace::Link linkAt(const ShownText& id, std::uint32_t line) const;  ///< how nodesAt() is known

  /// The steps before the engine: read, normalize, rewrite, import.
  std::vector<Stage> steps() const;
  /// steps(), then the stages of the engine.
  std::vector<Stage> stepsAndStages() const;
  bool hasProgram() const { return session_.hasProgram(); }

  static inline const ShownTexts kStandardPanes{"fx", "raw", LastStage{}};
  /// Shows the handles in the last two panes; showStages() restores the previous panes.
  void showHandles();
  void showStages();
  /// The panes to save in the settings: without what isTransient().
  ShownTexts lastingPanes() const;
  bool showsHandles() const { return shows(Handle::From) || shows(Handle::To); }
  PassPresenter& passes() const { return passes_; }
  /// What each pane shows, left to right.
  const ShownTexts& panes() const { return panes_; }
  bool shows(const ShownText& text) const {
    return std::find(panes_.begin(), panes_.end(), text) != panes_.end();
  }
  /// Resolves LastStage to the last stage, and a handle that is set to its snapshot; returns
  /// anything else unchanged.
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
  void prepare(const ShownText& id, const void* source,
               std::function<std::shared_ptr<const StageText>()> make);
  struct Text {
    explicit Text(Services& services) : making(services, WorkFor::View) {}
    const void* source = nullptr;  ///< identifies the value it was made from
    std::shared_ptr<const StageText> text;
    Task<std::shared_ptr<const StageText>> making;
  };
  void refreshSnapshots();
  /// The value that a text is made from, which identifies it, and what makes it.
  using Made = std::pair<const void*, std::function<std::shared_ptr<const StageText>()>>;
  using Wanted = std::map<ShownText, Made>;
  /// `notRun`: why stages did not run; "" if nothing prevents it.
  void refreshGraphs(Wanted& wanted, const QString& notRun);
  void refreshEngine(Wanted& wanted, const QString& notRun);
  /// The result of a stage of the engine, by its index in lower::stagesFor(); null if it has none.
  const lower::StageResult* resultOf(std::size_t index) const;
  std::optional<Made> sourceOf(std::size_t index) const;
  void dropTextsExcept(const Wanted& wanted);
  void refreshOthers(Wanted& wanted);
  Services& services_;
  SessionPresenter& session_;
  PassPresenter& passes_;
  TextSources& sources_;
  std::vector<Stage> stages_;
  std::vector<Stage> others_;
  std::vector<Stage> snapshots_;  ///< of the trace
  ShownTexts panesBefore_;        ///< what showStages() restores
  std::map<ShownText, Text> texts_;
  ShownTexts panes_ = kStandardPanes;
};

}  // namespace fxs::ui
