// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/stages/stage_strip.h"

#include <QScrollBar>
#include <algorithm>

namespace fxs::ui {

StageStrip::StageStrip(Appearance& appearance, Services& services, StagePresenter& stages,
                       SelectionPresenter& selection, QWidget* parent)
    : QWidget(parent),
      appearance_(appearance),
      services_(services),
      stages_(stages),
      selection_(selection) {
  auto* box = makeBox<QVBoxLayout>(0);
  splitter_ = new QSplitter(Qt::Horizontal, this);
  splitter_->setChildrenCollapsible(false);
  box->addWidget(splitter_);
  setLayout(box);
  connect(&stages, &StagePresenter::panesChanged, this, &StageStrip::rebuild);
  rebuild();
  PassPresenter& passes = stages.passes();
  connect(&passes, &PassPresenter::changeChanged, this, &StageStrip::showChange);
  connect(&passes, &PassPresenter::diffChanged, this, [this, &passes] {
    // Show the first change at once, unless a node is selected, whose lines are shown.
    if (passes.diff() && passes.change() < 0 && selection_.current().nodes.empty()) showChange(0);
  });
}

void StageStrip::rebuild() {
  const std::size_t wanted = stages_.panes().size();
  while (panes_.size() > wanted) {
    CodePane* gone = panes_.back();
    if (last_ == gone) last_ = nullptr;
    panes_.pop_back();  // before its neighbours are resized
    delete gone;
  }
  while (panes_.size() < wanted) {
    auto* pane = new CodePane(appearance_, services_, stages_, selection_, splitter_);
    pane->view()->setWrap(wrap_);
    pane->view()->setZoom(zoom_);
    pane->setMinimumWidth(160);
    connect(pane, &CodePane::paneChosen, this,
            [this, pane](const ShownText& id) { stages_.setPane(indexOf(pane), id); });
    connect(
        pane, &CodePane::closeRequested, this, [this, pane] { stages_.removePane(indexOf(pane)); },
        Qt::QueuedConnection);  // the pane whose button was pressed may be deleted
    connect(pane->view(), &CodeView::zoomRequested, this, &StageStrip::setZoom);
    for (QScrollBar* bar : {pane->view()->verticalScrollBar(), pane->view()->horizontalScrollBar()})
      connect(bar, &QScrollBar::valueChanged, this, [this, pane] { scrollAlong(pane); });
    connect(pane->view(), &CodeView::shapeChanged, this, [this, pane] { align(pane); });
    splitter_->addWidget(pane);
    panes_.push_back(pane);
    splitter_->setSizes(QList<int>(static_cast<qsizetype>(panes_.size()), 1000));
  }
  setFocusProxy(panes_.front()->view());
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    panes_[i]->setPane(stages_.panes()[i]);
    panes_[i]->setClosable(panes_.size() > 1);
  }
  align(panes_.front());
}

CodePane* StageStrip::currentPane() const {
  for (CodePane* pane : panes_)
    if (pane->isAncestorOf(QWidget::window()->focusWidget())) last_ = pane;
  return last_ ? last_ : panes_.front();
}

int StageStrip::indexOf(const CodePane* pane) const {
  return static_cast<int>(std::find(panes_.begin(), panes_.end(), pane) - panes_.begin());
}

void StageStrip::showStage(const ShownText& id) {
  for (CodePane* pane : panes_)
    if (pane->stageId() == id) return pane->view()->setFocus();
  CodePane* pane = currentPane();
  stages_.setPane(indexOf(pane), id);
  pane->view()->setFocus();
}

void StageStrip::showBeside(const ShownText& id) {
  ShownTexts panes = stages_.panes();
  if (!stages_.shows(id)) {
    if (panes.size() < StagePresenter::kMaxPanes) panes.push_back(id);
    else panes.back() = id;
    stages_.setPanes(panes);
  }
  showStage(id);
}

void StageStrip::showLine(const ShownText& id, std::uint32_t line) {
  showStage(id);
  for (CodePane* pane : panes_)
    if (pane->stageId() == id) pane->view()->goToLine(line);
}

void StageStrip::replaceText(const ShownText& id, QWidget* widget) {
  for (CodePane* each : panes_)
    if (each->replacedText() && *each->replacedText() == id) each->replaceText(id, nullptr);
  CodePane* pane = currentPane();
  for (CodePane* each : panes_)
    if (pane->stageId() != id && each->stageId() == id) pane = each;
  if (widget) pane->replaceText(id, widget);
}

void StageStrip::stepStage(int step) {
  const std::vector<Stage>& stages = stages_.stages();
  const auto at =
      std::find_if(stages.begin(), stages.end(), [&](const Stage& s) { return s.id == current(); });
  const auto index = (at == stages.end() ? 0 : at - stages.begin()) + step;
  if (index < 0 || index >= static_cast<std::ptrdiff_t>(stages.size())) return;
  stages_.setPane(indexOf(currentPane()), stages[static_cast<std::size_t>(index)].id);
}

CodePane* StageStrip::paneOf(Handle handle) const {
  const auto found = std::find_if(panes_.begin(), panes_.end(), [&](const CodePane* pane) {
    return pane->pane() == ShownText(handle);
  });
  return found == panes_.end() ? nullptr : *found;
}

StageStrip::Sides StageStrip::sides() const {
  const Sides sides{paneOf(Handle::From), paneOf(Handle::To)};
  const auto& diff = stages_.passes().diff();
  const bool shown = sides.a && sides.b && diff && stages_.passes().showsDiff() &&
                     sides.a->view()->code() == diff->a->code &&
                     sides.b->view()->code() == diff->b->code;
  return shown ? sides : Sides();
}

void StageStrip::align(const CodePane* changed) {
  realign_ = true;
  if (aligning_) return;
  aligning_ = scrolling_ = true;
  // A scroll bar that appears may change what is wrapped.
  for (int i = 0; realign_ && i < 4; ++i) {
    realign_ = false;
    const Sides shown = sides();
    for (CodePane* pane : panes_) {
      // At the end of the text, too, both sides need the same height.
      const auto unwrapped = shown.has(pane) ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAsNeeded;
      pane->view()->setHorizontalScrollBarPolicy(wrap_ ? Qt::ScrollBarAlwaysOff : unwrapped);
      if (!shown.has(pane)) pane->view()->setFillers({});
    }
    if (shown.a) face(shown, shown.has(changed) ? changed : shown.b);
  }
  aligning_ = scrolling_ = false;
}

void StageStrip::face(const Sides& sides, const CodePane* changed) {
  CodeView *a = sides.a->view(), *b = sides.b->view();
  CodeView* follower = sides.beside(changed)->view();
  follower->followFolds(changed->view()->folded());
  auto [inA, inB] = fillersOf(stages_.passes().diff()->rows, a->shownLines(), b->shownLines());
  a->setFillers(std::move(inA));
  b->setFillers(std::move(inB));
  follower->verticalScrollBar()->setValue(changed->view()->verticalScrollBar()->value());
}

void StageStrip::scrollAlong(const CodePane* moved) {
  const Sides shown = sides();
  if (scrolling_ || !shown.has(moved)) return;
  scrolling_ = true;
  CodeView* other = shown.beside(moved)->view();
  other->verticalScrollBar()->setValue(moved->view()->verticalScrollBar()->value());
  other->horizontalScrollBar()->setValue(moved->view()->horizontalScrollBar()->value());
  scrolling_ = false;
}

void StageStrip::showChange(int change) {
  const auto& diff = stages_.passes().diff();
  if (!diff || change < 0 || change >= static_cast<int>(diff->changes.size())) return;
  const DiffChange& at = diff->changes[static_cast<std::size_t>(change)];
  const FacingLines& first = diff->rows[at.row];
  // A side on which it does not begin shows the line before it, which faces the beginning.
  const auto show = [](CodePane* pane, std::uint32_t begin, bool begins) {
    if (!pane) return;
    CodeView* view = pane->view();
    const std::uint32_t line = begins || begin == 0 ? begin : begin - 1;
    view->goToLine(line);
    view->scrollLineTo(line, view->viewport()->height() / 3);
  };
  // The other side follows the last.
  if (first.b != kNoLine) show(paneOf(Handle::From), at.aBegin, first.a != kNoLine);
  show(paneOf(Handle::To), at.bBegin, first.b != kNoLine);
  if (first.b == kNoLine) show(paneOf(Handle::From), at.aBegin, true);
}

void StageStrip::setWrap(bool on) {
  wrap_ = on;
  for (CodePane* pane : panes_) pane->view()->setWrap(on);
}

void StageStrip::setZoom(int pixels) {
  zoom_ = std::clamp(pixels, CodeView::kMinZoom, CodeView::kMaxZoom);
  for (CodePane* pane : panes_) pane->view()->setZoom(zoom_);
  Q_EMIT zoomChanged(zoom_);
}

}  // namespace fxs::ui
