// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/stages/code_pane.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <algorithm>

#include "text/node_text.h"
#include "text/words.h"
#include "widgets/in_view.h"
#include "widgets/op_menu.h"
#include "widgets/stage_sign.h"

namespace fxs::ui {
CodePane::CodePane(Appearance& appearance, Services& services, StagePresenter& stages,
                   SelectionPresenter& selection, QWidget* parent)
    : QWidget(parent),
      appearance_(appearance),
      commands_(services.get<OpCommands>()),
      opTips_(services.get<OpTips>()),
      session_(services.get<SessionPresenter>()),
      stages_(stages),
      nodeMarks_(services.get<Marks>()),
      selection_(selection) {
  auto* column = makeBox<QVBoxLayout>(0);
  auto* header = makeBox<QHBoxLayout>(kGrid / 2);
  header->setContentsMargins(kGrid / 2, kGrid / 2, kGrid / 2, kGrid / 2);
  chooser_ = new FittedComboBox(this);
  chooser_->setProperty("flat", true);
  chooser_->setAccessibleName("Stage shown in this pane");
  chooser_->setToolTip("Choose the stage shown here");
  mark_ = new QLabel(this);
  note_ = makeElided({}, appearance.sans(TextSize::Small), "muted", this, Qt::ElideRight);
  note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // gives way to the chooser
  closeButton_ = new IconButton(appearance, "close", "Close this pane", this);
  auto* findButton = new IconButton(appearance, "search", "Find in this text (Ctrl+F)", this);
  header->addWidget(chooser_);
  header->addWidget(mark_);
  header->addWidget(note_, 1);
  header->addWidget(findButton);
  header->addWidget(closeButton_);
  column->addLayout(header);

  view_ = new CodeView(appearance, this);
  find_ = new FindBar(appearance, services, *view_, this);
  column->addWidget(find_);
  message_ = makeLabel(appearance, {}, TextSize::Body, "muted", this);
  message_->setAlignment(Qt::AlignCenter);
  message_->setWordWrap(true);
  message_->setMargin(2 * kGrid);
  body_ = new QStackedWidget(this);
  body_->addWidget(view_);
  body_->addWidget(message_);
  column->addWidget(body_, 1);
  setLayout(column);

  new InView(view_, [this] {
    if (selection_.following()) bringIntoView();
  });
  view_->setTip([this](CodePosition at) { return tip(at); });
  connect(&opTips_, &OpTips::changed, view_, &CodeView::refreshTip);
  connect(view_, &CodeView::cursorMoved, this, &CodePane::cursorMoved);
  connect(view_, &CodeView::definitionRequested, this, [this] { goToDefinition(); });
  connect(chooser_, &QComboBox::activated, this,
          [this](int index) { Q_EMIT paneChosen(chooser_->itemData(index).value<ShownText>()); });
  connect(findButton, &QToolButton::clicked, this, [this] { findBar()->start(); });
  connect(closeButton_, &QToolButton::clicked, this, &CodePane::closeRequested);
  connect(view_, &CodeView::lineClicked, this, &CodePane::lineClicked);
  connect(view_, &CodeView::menuRequested, this, &CodePane::showMenu);
  connect(&stages, &StagePresenter::stagesChanged, this, &CodePane::refreshChooser);
  connect(&stages, &StagePresenter::textChanged, this, [this](const ShownText& id) {
    if (id != stageId()) return;
    shown_ = false;
    refreshText();
  });
  connect(&stages.passes(), &PassPresenter::diffChanged, this, [this] {
    refreshMarks();
    refreshSelection(selection_.following());
  });
  connect(&selection, &SelectionPresenter::changed, this,
          [this] { refreshSelection(selection_.following()); });
  connect(&nodeMarks_, &Marks::changed, this, &CodePane::refreshNodeMarks);
  connect(&appearance, &Appearance::changed, this, &CodePane::refreshChooser);
}

void CodePane::setPane(const ShownText& pane) {
  if (pane_ == pane) return;
  pane_ = pane;
  shown_ = false;
  refreshChooser();
}

void CodePane::setClosable(bool on) { closeButton_->setVisible(on); }

void CodePane::replaceText(const ShownText& id, QWidget* widget) {
  delete replacement_;
  replaced_ = id;
  replacement_ = widget;
  if (widget) body_->addWidget(widget);
  refreshText();
}

FindBar* CodePane::findBar() const {
  const bool isReplaced = replacement_ && body_->currentWidget() == replacement_;
  auto* own = isReplaced ? replacement_->findChild<FindBar*>() : nullptr;
  return own ? own : find_;
}

QString CodePane::message() const {
  return body_->currentWidget() == message_ ? message_->text() : QString();
}

std::vector<CodePane::Choice> CodePane::choices() const {
  std::vector<Choice> choices;
  for (const Stage& stage : stages_.stages())
    choices.push_back({Section::Stages, stage.title, stage.id});
  for (const Stage& other : stages_.others())
    choices.push_back({Section::Others, other.title, other.id});
  const PassPresenter& passes = stages_.passes();
  if (!passes.trace()) return choices;
  choices.push_back({Section::Passes,
                     passes.from() < 0 ? QString("A") : "A  " + passes.titleOf(passes.from()),
                     Handle::From});
  choices.push_back({Section::Passes,
                     passes.to() < 0 ? QString("B") : "B  " + passes.titleOf(passes.to()),
                     Handle::To});
  for (int i = 0; i < static_cast<int>(passes.snapshotCount()); ++i)
    choices.push_back(
        {Section::Passes, passes.titleOf(i), PassSnapshot{i},
         text(passes.trace()->passes().snapshots[static_cast<std::size_t>(i)].stage)});
  return choices;
}

void CodePane::fillChooser(const std::vector<Choice>& choices) {
  chooser_->clear();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0 && choices[i].section != choices[i - 1].section)
      chooser_->insertSeparator(chooser_->count());
    if (i > 0 && choices[i].stage != choices[i - 1].stage) {
      // The stage's name is a heading above its snapshots that cannot be chosen.
      chooser_->insertSeparator(chooser_->count());
      chooser_->addItem(choices[i].stage);
      qobject_cast<QStandardItemModel*>(chooser_->model())
          ->item(chooser_->count() - 1)
          ->setEnabled(false);
    }
    chooser_->addItem(choices[i].title, QVariant::fromValue(choices[i].id));
  }
}

void CodePane::refreshChooser() {
  const std::vector<Choice> wanted = choices();
  QStringList wantedNames, present;
  for (const Choice& choice : wanted) wantedNames << name(choice.id) + '\n' + choice.title;
  for (int i = 0; i < chooser_->count(); ++i)
    if (chooser_->itemData(i).isValid())
      present << name(chooser_->itemData(i).value<ShownText>()) + '\n' + chooser_->itemText(i);
  if (wantedNames != present) fillChooser(wanted);
  chooser_->setCurrentIndex(chooser_->findData(
      QVariant::fromValue(std::holds_alternative<Handle>(pane_) ? pane_ : stageId())));
  chooser_->updateGeometry();
  view_->setAccessibleName("Text of " + chooser_->currentText());
  refreshText();
}

QString CodePane::noTextMessage() const {
  const ShownText id = stageId();
  if (std::holds_alternative<Handle>(id))
    return "Select a pass to see the module before and after it";
  if (const auto* snapshot = std::get_if<PassSnapshot>(&id)) {
    const QString problem = stages_.passes().problemOf(snapshot->index);
    return problem.isEmpty() ? QString("reading the module …") : problem;
  }
  const Stage* stage = stages_.stage(id);
  if (!stage) return "This stage does not belong to the selected output type";
  if (!stage->note.isEmpty()) return stage->note;
  if (stage->mark == StageMark::Running) return "running …";
  return stage->mark == StageMark::Waiting ? "waiting …" : "preparing the text …";
}

void CodePane::refreshText() {
  const auto stageText = stages_.textOf(stageId());
  bool fresh = false;
  if (stageText) {
    if (!shown_ || view_->code() != stageText->code) {
      view_->setCode(stageText->code);
      view_->setFolds(stageText->folds);
      refreshMarks();
      refreshNodeMarks();
      find_->textChanged();
      shown_ = fresh = true;
    }
    body_->setCurrentWidget(view_);
  } else {
    if (view_->code()->lineCount() > 1) view_->setCode(nullptr);
    shown_ = false;
    QString message = noTextMessage();
    if (!message.isEmpty()) message[0] = message[0].toUpper();
    message_->setText(message);
    const Stage* stage = stages_.stage(stageId());
    setInk(message_, stage && stopped(stage->mark) ? "error" : "muted");
    body_->setCurrentWidget(message_);
  }
  if (replacement_ && replaced_ == stageId()) body_->setCurrentWidget(replacement_);
  refreshSelection(fresh && !selection_.current().empty());
}

void CodePane::refreshMarks() {
  const auto stageText = stages_.textOf(stageId());
  if (!stageText || view_->code() != stageText->code) return;
  const PassPresenter& passes = stages_.passes();
  const DiffView* diff = passes.showsDiff() ? passes.diff().get() : nullptr;
  const bool a = pane_ == ShownText(Handle::From), b = pane_ == ShownText(Handle::To);
  if (diff && ((a && diff->a == stageText) || (b && diff->b == stageText))) {
    view_->setFolds(a ? diff->foldsA : diff->foldsB);
    view_->setMarks(a ? diff->marksA : diff->marksB);
  } else if (view_->marks()) {
    view_->setFolds(stageText->folds);
    view_->setMarks(nullptr);
  }
}

void CodePane::refreshNodeMarks() {
  const auto stageText = stages_.textOf(stageId());
  if (stageText && view_->code() == stageText->code)
    view_->setNodeMarks(stages_.marksOf(stageId(), nodeMarks_.all()));
}

void CodePane::refreshSelection(bool scroll) {
  const Selection& selected = selection_.current();
  const std::vector<std::uint32_t> lines = stages_.linesOf(stageId(), selected.nodes);
  std::set<std::uint32_t> inferred;
  for (const std::uint32_t line : lines)
    if (stages_.linkAt(stageId(), line) != trace::Link::Exact) inferred.insert(line);
  view_->setRelated(lines, std::move(inferred));
  if (scroll) bringIntoView();
  refreshStatus(lines.size());
}

void CodePane::bringIntoView() {
  const Selection& selected = selection_.current();
  if (!shown_ || !stages_.leads(pane_, selected)) return;
  const bool isOwn = selected.origin == Origin::Stage && selected.stage == stageId();
  const std::vector<std::uint32_t>& lines = view_->related();
  if (isOwn) view_->showLine(selected.line);
  else if (!lines.empty()) view_->showLine(stages_.mainLine(stageId(), lines));
}

void CodePane::refreshStatus(std::size_t selectedLines) {
  const Stage* stage = stages_.stage(stageId());
  QString note;
  if (stage) {
    mark_->setPixmap(pixmap(appearance_, iconOf(stage->mark), roleOf(stage->mark), 14, this));
    mark_->setToolTip(statusText(stage->mark));
    note = stage->isFailureText ? QString("the IR at the failure") : stage->note;
  } else {
    mark_->clear();
  }
  const bool failed = stage && stopped(stage->mark);
  if (note.isEmpty()) note = differenceText();
  if (!selection_.current().nodes.empty() && shown_) {
    const QString ops = selectedText(selectedLines);
    note = note.isEmpty() || !failed ? ops : note + " · " + ops;
  }
  note_->setFullText(note);
  setInk(note_, failed ? "error" : "muted");
}

QString CodePane::differenceText() const {
  const bool a = pane_ == ShownText(Handle::From);
  const PassPresenter& passes = stages_.passes();
  if ((!a && pane_ != ShownText(Handle::To)) || !passes.showsDiff() || !passes.diff()) return {};
  if (!passes.diff()->changes.empty()) return {};
  const QString other = passes.titleOf(a ? passes.to() : passes.from());
  return summary(*passes.diff()).replace("no difference", "no difference from " + other);
}

QString CodePane::selectedText(std::size_t lines) const {
  if (lines == 0) return "nothing from this node";
  const Selection& selected = selection_.current();
  if (selected.nodes.size() == 1) return counted(lines, "line") + " of this node";
  return counted(lines, "line") + (selected.group.valid() ? " of this module" : " of these nodes");
}

void CodePane::lineClicked(std::uint32_t line) {
  Selection selection;
  selection.nodes = stages_.nodesAt(stageId(), line);
  selection.stage = stageId();
  selection.line = line;
  selection.origin = Origin::Stage;
  if (!selection.nodes.empty()) selection_.select(selection);
}

void CodePane::showMenu(CodePosition at, const QPoint& globalPosition) {
  const auto text = stageText();
  if (!text) return;
  lineClicked(at.line);
  if (!view_->hasSelection()) view_->setCursorPosition(at);  // that of the definition and the uses
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction("Copy", view_, &CodeView::copy)->setEnabled(view_->hasSelection());
  menu->addAction("Copy line", this, [line = exact(text->code->line(at.line)).trimmed()] {
    QGuiApplication::clipboard()->setText(line);
  });
  if (text->module) addOpCommands(*menu, commands_, {stageId(), at.line});
  addRowCommands(*menu, commands_, *this);
  menu->popup(globalPosition);
}

std::optional<ValuePositions> CodePane::valueUnderCursor() const {
  const auto text = stageText();
  if (!text || !text->module || view_->code() != text->code) return std::nullopt;
  const std::size_t offset = view_->offsetOf(view_->cursorPosition());
  auto positions = valueAt(*text->module, *text->code, offset);
  // A cursor just after a name counts as on it, as in editors.
  if (!positions && view_->cursorPosition().column > 0)
    positions = valueAt(*text->module, *text->code, offset - 1);
  return positions;
}

bool CodePane::goToDefinition() {
  const auto positions = valueUnderCursor();
  if (!positions) return false;
  const FindMatch& at = positions->definition;
  view_->goTo(view_->positionOf(view_->code()->startOf(at.line) + at.begin));
  return true;
}

void CodePane::cursorMoved() {
  const auto positions = valueUnderCursor();
  view_->setOccurrences(positions ? positions->all() : std::vector<FindMatch>());
}

QString CodePane::originTip(std::uint32_t line) const {
  QStringList nodes, lines;
  const fx::ProgramPtr program = session_.program();
  for (const fx::NodeId node : stages_.nodesAt(stageId(), line)) {
    nodes << stages_.nameOf(node);
    const QString python = program ? pythonLine(*program, node) : QString();
    if (!python.isEmpty() && !lines.contains(python)) lines << python;
    if (const QString marked = nodeMarks_.at(node).tip(); !marked.isEmpty()) lines << marked;
  }
  const auto how = [&]() -> QString {
    switch (stages_.linkAt(stageId(), line)) {
      case trace::Link::Exact: return "by its location";
      case trace::Link::DebugLine: return "by its debug line";
      case trace::Link::Parent: return "inferred from the enclosing operation";
      case trace::Link::Users: return "inferred from the operations that use it";
      case trace::Link::Dispatch: return "which its dispatch computes";
      case trace::Link::SourceLine: return "inferred from the same line of Python";
      case trace::Link::None: break;
    }
    return {};
  }();
  if (!how.isEmpty()) lines.prepend("From node " + nodes.join(", ") + ", " + how);
  for (QString& each : lines) each = inTipWidth(each);
  return lines.join('\n');
}

QString CodePane::tip(CodePosition at) const {
  QStringList parts;
  const auto add = [&parts](const QString& part) {
    if (!part.isEmpty()) parts << part;
  };
  if (const auto text = stageText(); text && text->module && view_->code() == text->code) {
    const std::size_t offset = view_->offsetOf(at);
    add(valueTip(*text->module, *text->code, offset));
    add(inTipWidth(opTip(*text->module, text->module->opAt(offset))));
  }
  if (const auto& diff = stages_.passes().diff(); diff && view_->marks())
    add(movedText(*diff, pane_ == ShownText(Handle::From), at.line));
  for (const QString& tip : opTips_.of({stageId(), at.line})) add(inTipWidth(tip));
  add(originTip(at.line));
  return parts.join("\n\n");
}

}  // namespace fxs::ui
