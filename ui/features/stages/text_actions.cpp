// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/stages/text_actions.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMainWindow>

#include "session/finders.h"
#include "session/session_presenter.h"
#include "text/words.h"
#include "widgets/banner_bar.h"
#include "widgets/save_file.h"
#include "widgets/search_popup.h"

namespace fxs::ui {
namespace {

constexpr int kFocusedText = 15, kAnyText = 30;  ///< places among finders
constexpr const char* kNoValue = "Place the cursor on a value such as %5 first";

void saveStage(Host& host, const StageStrip* strip) {
  const auto& stages = host.services().get<StagePresenter>();
  const ShownText id = strip->current();
  const std::string content = stages.fileText(id);
  if (content.empty()) return host.showMessage("This stage has no module to save");
  const QFileInfo open(host.services().get<SessionPresenter>().state().file);
  const QString file = QFileDialog::getSaveFileName(
      &host.mainWindow(), "Save the stage",
      open.completeBaseName() + '.' + name(id) + stages.fileEnding(id));
  if (file.isEmpty()) return;
  const QString problem = saveFile(file, QByteArray::fromStdString(content));
  if (problem.isEmpty()) host.showMessage("Saved " + shown(file));
  else host.banners().show("save", BannerKind::Error, "Could not save " + shown(problem));
}

void goToLine(Host& host, const StageStrip* strip) {
  CodePane* pane = strip->currentPane();
  SearchPopup& popup = host.popup();
  const auto lines = pane->view()->code()->lineCount();
  popup.start(
      QString("Go to line, 1 to %1").arg(lines), {}, [pane, lines, &popup](const QString& typed) {
        bool isNumber = false;
        const qulonglong line = typed.trimmed().toULongLong(&isNumber);
        if (!isNumber || line < 1 || line > lines)
          return popup.setRows(
              {}, typed.isEmpty() ? QString() : QString("Expected a line from 1 to %1").arg(lines));
        popup.setRows({{"forward",
                        QString("Line %1").arg(line),
                        text(pane->view()->code()->line(line - 1)).trimmed().left(200),
                        {},
                        [pane, line] {
                          pane->view()->goToLine(static_cast<std::uint32_t>(line - 1));
                          pane->view()->setFocus();
                        }}});
      });
}

void showUses(Host& host, const StageStrip* strip) {
  CodePane* pane = strip->currentPane();
  const auto positions = pane->valueUnderCursor();
  if (!positions) return host.showMessage(kNoValue);
  const std::shared_ptr<const StageText> shown = pane->stageText();
  const QString name = text(shown->module->value(positions->value).name.of(shown->module->text));
  SearchPopup& popup = host.popup();
  popup.start("Uses of " + name, {}, [pane, shown, positions, &popup](const QString& typed) {
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
    row(positions->definition, "definition");
    for (const ValueUse& use : positions->uses)
      row(use.position, text(shown->module->nameOf(use.user)));
    popup.setRows(std::move(rows), positions->uses.empty()
                                       ? QString("No uses")
                                       : counted(positions->uses.size(), "use"));
  });
}

void foldHere(Host& host, const StageStrip* strip) {
  CodeView* view = strip->currentPane()->view();
  const FoldedLines& lines = view->folded();
  // The innermost fold around the cursor.
  int innermost = lines.foldAt(view->cursorPosition().line);
  for (std::size_t i = 0; innermost < 0 && i < lines.folds().size(); ++i) {
    const Fold& fold = lines.folds()[lines.folds().size() - 1 - i];
    if (fold.first <= view->cursorPosition().line && view->cursorPosition().line <= fold.last)
      innermost = static_cast<int>(lines.folds().size() - 1 - i);
  }
  if (innermost < 0) return host.showMessage("Nothing to fold here");
  const Fold& fold = lines.folds()[static_cast<std::size_t>(innermost)];
  const std::uint32_t first = fold.first;
  view->setFolded(innermost, !fold.folded);
  view->setCursorPosition({first, 0});
}

void foldAll(const StageStrip* strip, bool folded) {
  CodeView* view = strip->currentPane()->view();
  view->setAllFolded(FoldKind::Region, folded);
  if (folded) return;
  view->setAllFolded(FoldKind::Function, false);
  view->setAllFolded(FoldKind::Block, false);
}

void addPaneActions(Host& host, StageStrip* strip) {
  Actions& actions = host.actions();
  auto& stages = host.services().get<StagePresenter>();
  actions.add({"add-pane",
               {"View/Text", 200},
               "Show another stage side by side",
               "Ctrl+\\",
               "panes",
               [&stages] { stages.addPane(); }});
  actions.add(
      {"remove-pane", {"View/Text", 205}, "Show one stage fewer", "Ctrl+Shift+\\", {}, [&stages] {
         stages.removePane(static_cast<int>(stages.panes().size()) - 1);
       }});
  actions.add({"previous-stage", {"Go", 100}, "Previous stage in this pane", "Alt+[", {}, [strip] {
                 strip->stepStage(-1);
               }});
  actions.add({"next-stage", {"Go", 110}, "Next stage in this pane", "Alt+]", {}, [strip] {
                 strip->stepStage(1);
               }});
  for (int i = 1; i <= 6; ++i)
    actions.add({QString("stage-%1").arg(i),
                 {"Go", 120},
                 QString("Stage %1 in this pane").arg(i),
                 QString::number(i),
                 {},
                 [strip, &stages, i] {
                   if (i <= static_cast<int>(stages.stages().size()))
                     strip->showStage(stages.stages()[static_cast<std::size_t>(i - 1)].id);
                 }});
}

void addViewActions(Host& host, StageStrip* strip) {
  Actions& actions = host.actions();
  QAction* wrap =
      actions.add({"wrap", {"View/Text", 210}, "Wrap long lines", "Alt+Z", "wrap", {}, true});
  QObject::connect(wrap, &QAction::toggled, strip, &StageStrip::setWrap);
  actions.add({"fold", {"View/Text", 220}, "Fold or unfold", "Ctrl+.", {}, [&host, strip] {
                 foldHere(host, strip);
               }});
  actions.add({"fold-all", {"View/Text", 230}, "Fold all regions", "Ctrl+Shift+[", {}, [strip] {
                 foldAll(strip, true);
               }});
  actions.add({"unfold-all", {"View/Text", 240}, "Unfold everything", "Ctrl+Shift+]", {}, [strip] {
                 foldAll(strip, false);
               }});
  actions.add({"text-larger", {"View/Text", 250}, "Larger text", "Ctrl+=", {}, [strip] {
                 strip->setZoom(strip->zoom() + 1);
               }});
  actions.add({"text-smaller", {"View/Text", 260}, "Smaller text", "Ctrl+-", {}, [strip] {
                 strip->setZoom(strip->zoom() - 1);
               }});
  actions.add({"text-normal", {"View/Text", 270}, "Normal text size", "Ctrl+0", {}, [strip] {
                 strip->setZoom(CodeView::kDefaultZoom);
               }});
  host.addSetting({"textZoom", [strip] { return strip->zoom(); },
                   [strip](const QVariant& kept) {
                     strip->setZoom(kept.isValid() ? kept.toInt() : CodeView::kDefaultZoom);
                   }});
  host.addSetting({"wrap", [wrap] { return wrap->isChecked(); },
                   [wrap](const QVariant& kept) {
                     if (kept.isValid()) wrap->setChecked(kept.toBool());
                   }});
}

/// The lines of the selected nodes, in the text that was clicked, else in the RAW import.
QString selectedMlir(Services& services) {
  const Selection& selected = services.get<SelectionPresenter>().current();
  const auto& stages = services.get<StagePresenter>();
  const ShownText id = selected.origin == Origin::Stage ? selected.stage : ShownText("raw");
  const auto content = stages.textOf(id);
  if (!content || selected.nodes.empty()) return {};
  QStringList lines;
  for (const std::uint32_t line : stages.linesOf(id, selected.nodes))
    lines << exact(content->code->line(line));
  return lines.join('\n');
}

void addTextRows(Host& host) {
  Services& services = host.services();
  auto& commands = services.get<OpCommands>();
  commands.addRow({110,
                   "Copy its MLIR",
                   {},
                   {},
                   [&services] { return !selectedMlir(services).isEmpty(); },
                   [&services] { QGuiApplication::clipboard()->setText(selectedMlir(services)); }});
  commands.addRow(host.actions().rowCommand(220, "definition", "texts"));
  commands.addRow(host.actions().rowCommand(230, "uses", "texts"));
  for (const char* view : {"texts", "stages"})
    commands.addRow(host.actions().rowCommand(300, "save-stage", view));
}

void addTextFinders(Services& services, StageStrip* strip) {
  const auto step = [strip](int direction) {
    if (direction > 0) strip->currentPane()->findBar()->next();
    else strip->currentPane()->findBar()->previous();
    return true;
  };
  auto& finders = services.get<Finders>();
  finders.add({kFocusedText, {}, [strip, step](int direction) {
                 return strip->isAncestorOf(strip->window()->focusWidget()) && step(direction);
               }});
  finders.add({kAnyText,
               [strip] {
                 strip->currentPane()->findBar()->start();
                 return true;
               },
               step});
}

}  // namespace

void addTextActions(Host& host, StageStrip* strip) {
  Actions& actions = host.actions();
  actions.add({"save-stage",
               {"File", 100},
               "Save the stage in the current pane …",
               "Ctrl+S",
               "save",
               [&host, strip] { saveStage(host, strip); }});
  actions.add({"select-all", {"Edit", 30}, "Select all text", "Ctrl+A", {}, [strip] {
                 strip->currentPane()->view()->selectAll();
               }});
  addPaneActions(host, strip);
  addViewActions(host, strip);
  actions.add(
      {"definition", {"Go", 200}, "Go to the definition of the value", "F12", {}, [&host, strip] {
         if (!strip->currentPane()->goToDefinition()) host.showMessage(kNoValue);
       }});
  actions.add({"uses", {"Go", 210}, "Uses of the value …", "Shift+F12", {}, [&host, strip] {
                 showUses(host, strip);
               }});
  actions.add({"go-to-line", {"Go", 220}, "Go to line …", "Ctrl+G", {}, [&host, strip] {
                 goToLine(host, strip);
               }});
  actions.needProgram({"save-stage", "go-to-line"});
  addTextRows(host);
  addTextFinders(host.services(), strip);
  actions.addKeys({"Text",
                   {{"Text size", "Ctrl+Wheel"},
                    {"Select the line's node", "Click, Enter"},
                    {"Go to the definition", "Ctrl+Click"}}});
}

}  // namespace fxs::ui
