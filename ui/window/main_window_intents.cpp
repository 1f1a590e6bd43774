// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Actions of the window: open and save, the palette, navigation.
#include <QApplication>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMimeData>
#include <QTimer>
#include <algorithm>
#include <iterator>

#include "features/captures/folder_presenter.h"
#include "features/graph/graphs_presenter.h"
#include "features/inspector/node_presenter.h"
#include "features/problems/problems_presenter.h"
#include "features/search/search_presenter.h"
#include "features/stages/stage_presenter.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "session/work_list.h"
#include "text/words.h"
#include "widgets/reading_order.h"
#include "widgets/save_file.h"
#include "widgets/wrapped_label.h"
#include "window/editor.h"
#include "window/main_window.h"

namespace fxs::ui {
namespace {

constexpr qsizetype kMaxRecent = 12;
constexpr std::size_t kMaxPaletteRows = 60;
constexpr std::chrono::seconds kMessageTime{4};

/// The dragged local file, if there is exactly one; else "".
QString draggedFile(const QMimeData* mime) {
  const QList<QUrl> urls = mime->urls();
  return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

}  // namespace

void MainWindow::openFile(const QString& file) {
  if (QFileInfo(file).isDir()) services_.get<FolderPresenter>().open(file);
  else services_.get<SessionPresenter>().open(file);
}

void MainWindow::openDialog() {
  const QString folder = services_.get<SessionPresenter>().hasProgram()
                             ? QFileInfo(services_.get<SessionPresenter>().state().file).path()
                             : options_.samplesFolder;
  const QString file = QFileDialog::getOpenFileName(
      this, "Open an exported program", folder,
      "Exported programs, captures and bundles (*.pt2 *.json *.zip);;All files (*)");
  if (!file.isEmpty()) openFile(file);
}

void MainWindow::openFolderDialog() {
  const QString folder = QFileDialog::getExistingDirectory(
      this, "Open a folder of captures",
      QFileInfo(services_.get<SessionPresenter>().state().file).path());
  if (!folder.isEmpty()) openFile(folder);
}

QStringList MainWindow::recentFiles() const {
  return settings_ ? settings_->value("recent").toStringList() : QStringList();
}

void MainWindow::remember(const QString& file) {
  if (!settings_ || file == "-") return;
  QStringList recent = recentFiles();
  const QString path = QFileInfo(file).absoluteFilePath();
  recent.removeAll(path);
  recent.prepend(path);
  while (recent.size() > kMaxRecent) recent.removeLast();
  settings_->setValue("recent", recent);
  refreshRecent();
}

void MainWindow::refreshRecent() {
  recentMenu_->clear();
  recentMenu_->addAction(actions_["open"]);
  recentMenu_->addSeparator();
  std::vector<WelcomeEntry> entries;
  for (const QString& file : recentFiles()) {
    if (!QFileInfo::exists(file)) continue;
    entries.push_back({file, QFileInfo(file).fileName(), QFileInfo(file).path()});
    connect(recentMenu_->addAction(withoutMnemonic(shown(QFileInfo(file).fileName()))),
            &QAction::triggered, this, [this, file] { openFile(file); });
  }
  const std::vector<WelcomeEntry> samples = samplesIn(options_.samplesFolder);
  if (!samples.empty()) recentMenu_->addSeparator();
  for (const WelcomeEntry& sample : samples)
    connect(recentMenu_->addAction(withoutMnemonic("Sample: " + shown(sample.title))),
            &QAction::triggered, this, [this, file = sample.file] { openFile(file); });
  welcome_->setEntries(entries, samples);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (draggedFile(event->mimeData()).isEmpty()) return;
  welcome_->setDropHint(true);
  event->acceptProposedAction();
}
void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { welcome_->setDropHint(false); }
void MainWindow::dropEvent(QDropEvent* event) {
  welcome_->setDropHint(false);
  const QString file = draggedFile(event->mimeData());
  if (file.isEmpty()) return;
  event->acceptProposedAction();
  openFile(file);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && actions_["stop"]->isEnabled()) return stopWork();
  QMainWindow::keyPressEvent(event);
}

bool MainWindow::focusNextPrevChild(bool next) {
  const std::vector<QWidget*> order = tabOrder(this);
  if (order.empty()) return false;
  const auto count = static_cast<std::ptrdiff_t>(order.size());
  const auto at = std::find(order.begin(), order.end(), focusWidget()) - order.begin();
  const std::ptrdiff_t first = next ? 0 : count - 1, step = next ? 1 : count - 1;
  const std::ptrdiff_t to = at == count ? first : (at + step) % count;
  order[static_cast<std::size_t>(to)]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  return true;
}

void MainWindow::saveStage() {
  const ShownText shownText = strip_->current()->stageId();
  const QString id = ui::name(shownText);
  const std::string text = services_.get<StagePresenter>().fileText(shownText);
  if (text.empty()) return showMessage("This stage has no module to save");
  const QString base =
      QFileInfo(services_.get<SessionPresenter>().state().file).completeBaseName() + '.' + id;
  const QString file = QFileDialog::getSaveFileName(
      this, "Save the stage", base + services_.get<StagePresenter>().fileEnding(shownText));
  if (file.isEmpty()) return;
  const QString problem = saveFile(file, QByteArray::fromStdString(text));
  if (problem.isEmpty()) showMessage("Saved " + shown(file));
  else banners_->show("save", BannerKind::Error, "Could not save " + shown(problem));
}

void MainWindow::saveGraph() {
  const QString base =
      QFileInfo(services_.get<SessionPresenter>().state().file).completeBaseName() + ".svg";
  const QString file = QFileDialog::getSaveFileName(this, "Save the graph", base,
                                                    "Scalable picture (*.svg);;Picture (*.png)");
  if (file.isEmpty()) return;
  QString why;
  const bool saved = file.endsWith(".png", Qt::CaseInsensitive)
                         ? graphs_->current()->pane()->savePng(file, 2, &why)
                         : graphs_->current()->pane()->saveSvg(file, &why);
  if (saved) showMessage("Saved " + shown(file));
  else banners_->show("save", BannerKind::Error, "Could not save " + shown(why));
}

void MainWindow::showPalette() {
  popup_->start("Type the name of a node, a module, a stage or an action", {},
                [this](const QString& typed) { paletteRows(typed); });
}

struct MainWindow::RankedRow {
  int score;
  PopupRow row;
};

std::vector<MainWindow::RankedRow> MainWindow::rankedActions(const QString& typed) {
  std::vector<RankedRow> ranked;
  for (const Actions::Entry& entry : actions_.all()) {
    if (!entry.action->isEnabled()) continue;
    if (const int score = rank(typed, entry.spec.name))
      ranked.push_back(
          {score,
           {entry.spec.icon.isEmpty() ? QString("run") : entry.spec.icon, entry.spec.name,
            entry.spec.menu, entry.spec.keys, [action = entry.action] { action->trigger(); }}});
  }
  return ranked;
}

std::vector<MainWindow::RankedRow> MainWindow::rankedNames(const QString& typed) {
  std::vector<RankedRow> ranked;
  for (const Stage& stage : services_.get<StagePresenter>().stages())
    if (const int score = rank(typed, stage.title + ' ' + ui::name(stage.id)))
      ranked.push_back({score, {"file", stage.title, {}, "stage", [this, id = stage.id] {
                                  strip_->showStage(id);
                                }}});
  if (const auto& tree = services_.get<Graphs>().program.tree())
    for (const layout::Group& group : tree->groups)
      if (const int score = group.path.empty() ? 0 : rank(typed, text(group.path)))
        ranked.push_back(
            {score, {"module", text(group.path), text(group.type), "module", [this, id = group.id] {
                       services_.get<SelectionPresenter>().selectGroup(
                           id, services_.get<Graphs>().program.nodesIn(id), Place::Command);
                     }}});
  if (const fx::ProgramPtr program = services_.get<SessionPresenter>().program())
    for (const fx::Node& node : program->nodes)
      if (const int score = rank(typed, text(node.name)))
        ranked.push_back({score,
                          {iconOf(*program, node), text(node.name), text(node.target), "node",
                           [this, id = node.id] {
                             services_.get<SelectionPresenter>().selectNode(id, Place::Command);
                           }}});
  return ranked;
}

void MainWindow::paletteRows(const QString& typed) {
  std::vector<RankedRow> ranked = rankedActions(typed);
  if (!typed.isEmpty()) {
    std::vector<RankedRow> names = rankedNames(typed);
    std::move(names.begin(), names.end(), std::back_inserter(ranked));
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const RankedRow& a, const RankedRow& b) { return a.score > b.score; });
  }
  std::vector<PopupRow> rows;
  for (std::size_t i = 0; i < std::min(ranked.size(), kMaxPaletteRows); ++i)
    rows.push_back(std::move(ranked[i].row));
  popup_->setRows(std::move(rows), ranked.empty()
                                       ? QString("No match; Ctrl+Shift+F searches every text")
                                       : QString());
}

void MainWindow::findEverywhere() {
  const QString selected = strip_->current()->view()->selectedText();
  popup_->start("Find in nodes, modules and texts; or a query such as op=aten.linear dtype=f16",
                selected.contains('\n') ? QString() : selected,
                [this](const QString& typed) { services_.get<SearchPresenter>().search(typed); });
}

void MainWindow::stepMatch(int direction) {
  if (services_.get<Graphs>().colours.by() == kByQuery && !strip_->isAncestorOf(focusWidget()))
    return graphs_->current()->stepMatch(direction);
  if (direction > 0) strip_->current()->findBar()->next();
  else strip_->current()->findBar()->previous();
}

void MainWindow::goToLine() {
  CodePane* pane = strip_->current();
  const auto lines = pane->view()->code()->lineCount();
  popup_->start(
      QString("Go to line, 1 to %1").arg(lines), {}, [this, pane, lines](const QString& typed) {
        bool isNumber = false;
        const qulonglong line = typed.trimmed().toULongLong(&isNumber);
        if (!isNumber || line < 1 || line > lines)
          return popup_->setRows(
              {}, typed.isEmpty() ? QString() : QString("Expected a line from 1 to %1").arg(lines));
        popup_->setRows({{"forward",
                          QString("Line %1").arg(line),
                          text(pane->view()->code()->line(line - 1)).trimmed().left(200),
                          {},
                          [pane, line] {
                            pane->view()->goToLine(static_cast<std::uint32_t>(line - 1));
                            pane->view()->setFocus();
                          }}});
      });
}

void MainWindow::showUses() {
  CodePane* pane = strip_->current();
  const auto places = pane->valueUnderCursor();
  if (!places) return showMessage("Place the cursor on a value such as %5 first");
  const std::shared_ptr<const StageText> shown = pane->stageText();
  const QString name = text(shown->module->value(places->value).name.of(shown->module->text));
  popup_->start("Uses of " + name, {}, [this, pane, shown, places](const QString& typed) {
    std::vector<PopupRow> rows;
    const auto row = [&](const FindMatch& at, const QString& kind) {
      const QString line = text(shown->code->line(at.line)).trimmed().left(200);
      if (!line.contains(typed, Qt::CaseInsensitive)) return;
      rows.push_back({kind == "definition" ? "forward" : "node",
                      QString("Line %1").arg(at.line + 1), line, kind, [pane, shown, at] {
                        if (pane->view()->code() != shown->code) return;
                        pane->view()->goTo(
                            pane->view()->positionOf(shown->code->startOf(at.line) + at.begin));
                        pane->view()->setFocus();
                      }});
    };
    row(places->definition, "definition");
    for (const ValueUse& use : places->uses) row(use.place, text(shown->module->nameOf(use.user)));
    popup_->setRows(std::move(rows), places->uses.empty() ? QString("No uses")
                                                          : counted(places->uses.size(), "use"));
  });
}

void MainWindow::foldHere() {
  CodeView* view = strip_->current()->view();
  const FoldedLines& lines = view->folded();
  // The innermost fold around the cursor.
  int innermost = lines.foldAt(view->cursorPosition().line);
  for (std::size_t i = 0; innermost < 0 && i < lines.folds().size(); ++i) {
    const Fold& fold = lines.folds()[lines.folds().size() - 1 - i];
    if (fold.first <= view->cursorPosition().line && view->cursorPosition().line <= fold.last)
      innermost = static_cast<int>(lines.folds().size() - 1 - i);
  }
  if (innermost < 0) return showMessage("Nothing to fold here");
  const Fold& fold = lines.folds()[static_cast<std::size_t>(innermost)];
  const std::uint32_t first = fold.first;
  view->setFolded(innermost, !fold.folded);
  view->setCursorPosition({first, 0});
}

void MainWindow::foldAll(bool folded) {
  CodeView* view = strip_->current()->view();
  view->setAllFolded(FoldKind::Region, folded);
  if (folded) return;
  view->setAllFolded(FoldKind::Function, false);
  view->setAllFolded(FoldKind::Block, false);
}

void MainWindow::stopWork() {
  auto& session = services_.get<SessionPresenter>();
  if (session.state().activity != Activity::Idle) session.cancel();
  else services_.get<WorkList>().cancel();
}

void MainWindow::exportBundle() {
  const Selection& selected = services_.get<SelectionPresenter>().current();
  QString operation = selected.problem;
  if (const int at =
          operation.isEmpty() ? services_.get<ProblemsPresenter>().indexAt(selected.node()) : -1;
      at >= 0)
    operation =
        services_.get<ProblemsPresenter>().problems()[static_cast<std::size_t>(at)].operation;
  const QString remembered = settings_ ? settings_->value("bundleFolder").toString() : QString();
  bundleDialog_->start(
      operation, QFileInfo(remembered).isDir()
                     ? remembered
                     : QFileInfo(services_.get<SessionPresenter>().state().file).absolutePath());
}

void MainWindow::copyMarkdown() {
  // Copy the selected node, or without a selection the whole diagnosis.
  const QString markdown = services_.get<NodePresenter>().state()
                               ? services_.get<NodePresenter>().markdown()
                               : services_.get<ProblemsPresenter>().markdown();
  if (markdown.isEmpty()) return showMessage("Select a node first, or diagnose the program");
  QApplication::clipboard()->setText(markdown);
  showMessage("Copied as Markdown");
}

void MainWindow::openPython() {
  const auto& state = services_.get<NodePresenter>().state();
  if (!state || !state->python) return showMessage("Select a node with a Python line");
  if (!state->python->fileExists)
    return showMessage(shown(state->python->file) + " does not exist on this machine");
  if (!openInEditor(state->python->file, state->python->line,
                    settings_ ? settings_->value("editor").toString() : QString()))
    showMessage("Cannot start an editor");
}

void MainWindow::copySelection() {
  CodeView* view = qobject_cast<CodeView*>(focusWidget());
  if (!view && focusWidget()) view = qobject_cast<CodeView*>(focusWidget()->parentWidget());
  if (view && view->hasSelection()) return view->copy();
  if (auto* label = qobject_cast<WrappedLabel*>(focusWidget());
      label && label->textCursor().hasSelection())
    return label->copy();
  if (services_.get<NodePresenter>().state())
    QApplication::clipboard()->setText(services_.get<NodePresenter>().state()->name);
}

void MainWindow::showMessage(const QString& words) {
  busy_->setFullText(words);
  QTimer::singleShot(kMessageTime, this, [this, words] {
    if (busy_->fullText() == words) refreshState();
  });
}

}  // namespace fxs::ui
