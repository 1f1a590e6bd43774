// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One to four text panes side by side, each with a stage chooser.
#include <QSplitter>
#include <QWidget>
#include <vector>

#include "features/stages/code_pane.h"
#include "window/text_panes.h"

namespace fxs::ui {

class StageStrip final : public QWidget, public TextPanes {
  Q_OBJECT
 public:
  StageStrip(Appearance& appearance, Services& services, StagePresenter& stages,
             SelectionPresenter& selection, QWidget* parent = nullptr);

  const std::vector<CodePane*>& panes() const { return panes_; }
  /// The pane with the keyboard focus, else the one used last.
  CodePane* currentPane() const;
  bool has(const ShownText& id) const override { return stages_.stage(id) != nullptr; }
  bool shows(const ShownText& id) const override { return stages_.shows(id); }
  void showStage(const ShownText& id) override;
  void showBeside(const ShownText& id) override;
  void showHandles() override { stages_.showHandles(); }
  void showStages() override { stages_.showStages(); }
  void showLine(const ShownText& id, std::uint32_t line) override;
  void replaceText(const ShownText& id, QWidget* widget) override;
  ShownText current() const override { return currentPane()->stageId(); }
  QString selectedText() const override { return currentPane()->view()->selectedText(); }
  /// Shows the next (1) or previous (-1) stage in the current pane.
  void stepStage(int step);
  void setWrap(bool on);
  void setZoom(int pixels);  ///< font size
  int zoom() const { return zoom_; }
  /// The pane that shows a handle; null for none.
  CodePane* paneOf(Handle handle) const;
  /// Scrolls both sides to a change, by its index in DiffView::changes.
  void showChange(int change);

 Q_SIGNALS:
  void zoomChanged(int pixels);

 private:
  void rebuild();
  int indexOf(const CodePane* pane) const;
  /// The panes of A and B if they show the difference; else null.
  struct Sides {
    CodePane *a = nullptr, *b = nullptr;
    CodePane* beside(const CodePane* pane) const { return pane == a ? b : a; }
    bool has(const CodePane* pane) const { return a && (pane == a || pane == b); }
  };
  Sides sides() const;
  /// Lets the rows of both sides face each other, folded as in `changed`.
  void align(const CodePane* changed);
  void face(const Sides& sides, const CodePane* changed);
  /// Scrolls the other side along.
  void scrollAlong(const CodePane* moved);
  Appearance& appearance_;
  Services& services_;
  StagePresenter& stages_;
  SelectionPresenter& selection_;
  QSplitter* splitter_;
  std::vector<CodePane*> panes_;
  mutable CodePane* last_ = nullptr;
  bool scrolling_ = false;
  bool aligning_ = false, realign_ = false;
  bool wrap_ = false;
  int zoom_ = CodeView::kDefaultZoom;
};

}  // namespace fxs::ui
