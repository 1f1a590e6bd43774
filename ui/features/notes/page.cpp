// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/page.h"

#include "features/notes/notes_page.h"
#include "text/words.h"
#include "widgets/banner_bar.h"
#include "workbench.h"

namespace fxs::ui {
namespace {

void addNoteActions(PageHost& host, NotesPage* page) {
  Actions& actions = host.actions();
  Workbench& bench = host.bench();
  actions.separator("Edit");
  actions.add({"toggle-bookmark", "Edit", "Toggle the bookmark of the node", "Ctrl+B", "bookmark",
               [&host, &bench] {
                 if (!bench.node.state()) return host.showMessage("Select a node first");
                 if (!bench.notes.toggle(bench.node.state()->node))
                   host.showMessage(
                       "The node has a note: remove it in the list of notes (Ctrl+F2)");
               }});
  actions.add({"remove-note",
               "Edit",
               "Remove the bookmark or note",
               "Del",
               {},
               [page] { page->removeCurrent(); },
               false,
               true});
  QAction* restore =
      actions.add({"restore-note", "Edit", "Restore the note removed last", "Ctrl+Z", {}, [&bench] {
                     if (const fx::NodeId node = bench.notes.restore(); node.valid())
                       bench.selection.selectNode(node, Place::Command);
                   }});
  const auto step = [&host, &bench](int direction) {
    const fx::NodeId node = bench.notes.next(bench.selection.current().node(), direction);
    if (node.valid()) bench.selection.selectNode(node, Place::Command);
    else host.showMessage("No bookmarks; Ctrl+B sets one");
  };
  actions.separator("Go");
  actions.add({"next-bookmark", "Go", "Next bookmark or note", "F2", {}, [step] { step(1); }});
  actions.add({"previous-bookmark", "Go", "Previous bookmark or note", "Shift+F2", {}, [step] {
                 step(-1);
               }});
  const auto enable = [restore, page, &host, &bench] {
    restore->setEnabled(bench.notes.canRestore());
    host.actions()["remove-note"]->setEnabled(page->removeButton()->isEnabled());
  };
  QObject::connect(&bench.notes, &NotesPresenter::changed, page, enable);
  QObject::connect(&bench.selection, &SelectionPresenter::changed, page, enable);
  enable();
}

QWidget* makeNotesPage(PageHost& host, QWidget* parent) {
  Workbench& bench = host.bench();
  auto* page = new NotesPage(host.appearance(), bench.notes, bench.selection, parent);
  addNoteActions(host, page);
  QObject::connect(page, &NotesPage::editRequested, page,
                   [&host] { host.actions()["edit-note"]->trigger(); });
  QObject::connect(page->messageButton(), &QPushButton::clicked, page,
                   [&host] { host.actions()["toggle-bookmark"]->trigger(); });
  const auto refresh = [&host, &bench] {
    const std::size_t count = bench.notes.all().size();
    host.setPageTitle("notes", count ? QString("Notes  %1").arg(count) : QString("Notes"));
    host.banners().show(
        "notes", BannerKind::Error,
        bench.notes.problem().isEmpty() ? QString() : "Notes: " + bench.notes.problem(),
        {{"Try again", [&bench] { bench.notes.tryAgain(); }}});
  };
  QObject::connect(&bench.notes, &NotesPresenter::changed, page, refresh);
  return page;
}

}  // namespace

void registerNotes(Pages& pages) {
  pages.push_back({"notes",
                   "Notes",
                   55,
                   {"show-notes", "Go", "List of bookmarks and notes", "Ctrl+F2"},
                   makeNotesPage});
}

}  // namespace fxs::ui
