#pragma once
// One to four text panes side by side, each showing the stage one picks.
#include <QSplitter>
#include <QWidget>
#include <vector>

#include "features/stages/code_pane.h"

namespace fxs::ui {

class StageStrip final : public QWidget {
  Q_OBJECT
 public:
  StageStrip(Appearance& appearance, JobQueue& jobs, StagePresenter& stages, SelectionPresenter& selection, QWidget* parent = nullptr);

  const std::vector<CodePane*>& panes() const { return panes_; }
  /// The pane with the focus, else the one used last.
  CodePane* current() const;
  /// Where it is shown already, else in the current pane.
  void showStage(const ShownText& id);
  /// The same, but what it is compared with stays in sight.
  void showBeside(const ShownText& id);
  /// The next stage, or the one before, in the current pane.
  void stepStage(int step);
  void setWrap(bool on);
  void setZoom(int pixels);
  int zoom() const { return zoom_; }
  /// The pane of a handle; null when none shows it.
  CodePane* paneOf(Handle handle) const;
  /// Brings a change of the difference shown into view, on both sides.
  void showChange(int change);

 Q_SIGNALS:
  void zoomChanged(int pixels);

 private:
  void rebuild();
  int indexOf(const CodePane* pane) const;
  /// The other side of a difference scrolls along, so that what belongs together stands side by side.
  void scrollAlong(const CodePane* moved);
  Appearance& appearance_;
  JobQueue& jobs_;
  StagePresenter& stages_;
  SelectionPresenter& selection_;
  QSplitter* splitter_;
  std::vector<CodePane*> panes_;
  mutable CodePane* last_ = nullptr;
  bool scrolling_ = false;
  bool wrap_ = false;
  int zoom_ = CodeView::kDefaultZoom;
};

}  // namespace fxs::ui
