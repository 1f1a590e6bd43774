// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inspector as a dock, and what is done with the selected node.
#include "window/feature.h"

#include <QApplication>
#include <QClipboard>
#include <QMainWindow>
#include <algorithm>
#include <memory>

#include "features/inspector/editor.h"
#include "features/inspector/inspector_pane.h"
#include "session/node_markdown.h"
#include "text/words.h"
#include "widgets/code_view.h"
#include "widgets/dock_frame.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {
namespace {

/// The selected node, or without a selection what is known of the program.
void copyMarkdown(Host& host) {
  const auto& node = host.services().get<NodePresenter>();
  const QString markdown =
      node.state() ? node.markdown() : host.services().get<NodeMarkdown>().ofProgram();
  if (markdown.isEmpty()) return host.showMessage("Select a node first, or diagnose the program");
  QApplication::clipboard()->setText(markdown);
  host.showMessage("Copied as Markdown");
}

/// What is selected in the text that has the focus, else the name of the node.
void copySelection(Host& host) {
  QWidget* focus = host.mainWindow().focusWidget();
  auto* view = qobject_cast<CodeView*>(focus);
  if (!view && focus) view = qobject_cast<CodeView*>(focus->parentWidget());
  if (view && view->hasSelection()) return view->copy();
  if (auto* label = qobject_cast<WrappedLabel*>(focus); label && label->textCursor().hasSelection())
    return label->copy();
  if (const auto& state = host.services().get<NodePresenter>().state())
    QApplication::clipboard()->setText(state->name);
}

/// `editor`: the user's; see openInEditor().
void openPython(Host& host, const QString& editor) {
  const auto& state = host.services().get<NodePresenter>().state();
  if (!state || !state->python) return host.showMessage("Select a node with a Python line");
  if (!state->python->fileExists)
    return host.showMessage(shown(state->python->file) + " does not exist on this machine");
  if (!openInEditor(state->python->file, state->python->line, editor))
    host.showMessage("Cannot start an editor");
}

void addInspectorActions(Host& host) {
  auto editor = std::make_shared<QString>();
  host.addSetting({"editor", {}, [editor](const QVariant& kept) { *editor = kept.toString(); }});
  Actions& actions = host.actions();
  actions.add({"copy", {"Edit", 10}, "Copy", "Ctrl+C", "copy", [&host] { copySelection(host); }});
  actions.add({"copy-markdown", {"Edit", 20}, "Copy as Markdown", "Ctrl+Shift+C", {}, [&host] {
                 copyMarkdown(host);
               }});
  actions.add({"open-python",
               {"Go", 240},
               "Open the Python line in the editor",
               "Ctrl+Shift+O",
               {},
               [&host, editor] { openPython(host, *editor); }});
}

/// What can be copied of the selected node or module, and its Python line.
void addNodeRows(Host& host) {
  Services& services = host.services();
  auto& commands = services.get<OpCommands>();
  const auto add = [&commands](int rank, const QString& title, const std::function<QString()>& of) {
    commands.addRow({rank,
                     title,
                     {},
                     {},
                     [of] { return !of().isEmpty(); },
                     [of] { QApplication::clipboard()->setText(of()); }});
  };
  add(100, "Copy the name", [&services] {
    const layout::GroupId group = services.get<SelectionPresenter>().current().group;
    const auto& tree = services.get<Graphs>().program.tree();
    if (group.valid() && tree) return text(tree->group(group).path);
    const auto& node = services.get<NodePresenter>().state();
    return node ? node->name : QString();
  });
  add(120, "Copy the Python location", [&services] {
    const auto& node = services.get<NodePresenter>().state();
    if (!node || !node->python) return QString();
    return shown(node->python->file) + ':' + QString::number(node->python->line);
  });
  commands.addRow(host.actions().rowCommand(130, "copy-markdown"));
  commands.addRow(host.actions().rowCommand(200, "open-python"));
}

void makeInspector(Host& host, DockFrame& dock) {
  auto* inspector = new InspectorPane(host.appearance(), host.services(), dock.parentOfPages());
  QObject::connect(inspector, &InspectorPane::opened, &dock,
                   [&host] { host.openDock("inspector"); });
  QObject::connect(inspector, &InspectorPane::copyMarkdownRequested, &dock,
                   [&host] { host.actions()["copy-markdown"]->trigger(); });
  QObject::connect(inspector, &InspectorPane::openPythonRequested, &dock,
                   [&host] { host.actions()["open-python"]->trigger(); });
  dock.addPage("node", {}, inspector);
}

Dock inspectorDock() {
  const auto beside = [](const DockSpace& space) {
    return std::min(space.width * 28 / 100, 56 * kGrid);
  };
  // Above the navigator's title.
  const auto aboveTexts = [](const DockSpace& space) {
    return space.height - heightOfWideTexts(space) - space.title - 2 * space.gap;
  };
  Dock dock{"inspector",
            "Inspector",
            20,
            {"show-inspector", {"View", 21}, "Show or hide the inspector", "Ctrl+2"},
            makeInspector};
  dock.positions = {{Arrangement::Graph, {Qt::RightDockWidgetArea, 0, beside}},
                    {Arrangement::Stages, {Qt::RightDockWidgetArea, 0, beside, aboveTexts}},
                    {Arrangement::Passes, {Qt::RightDockWidgetArea, 0, beside, aboveTexts}},
                    {Arrangement::Diagnosis,
                     {Qt::LeftDockWidgetArea,
                      1,
                      {},
                      [](const DockSpace& space) {
                        return space.height - space.height / 4 - space.title - 2 * space.gap;
                      }}},
                    {Arrangement::Numbers, {Qt::RightDockWidgetArea, 0, [](const DockSpace& space) {
                                              return space.width * 27 / 100;
                                            }}}};
  return dock;
}

}  // namespace

void registerInspector(Features& features) {
  features.docks.push_back(inspectorDock());
  features.parts.push_back(addInspectorActions);
  features.parts.push_back(addNodeRows);
}

}  // namespace fxs::ui
