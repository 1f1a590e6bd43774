// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/page.h"

#include "features/inspector/node_presenter.h"
#include "features/notes/notes_page.h"
#include "features/notes/notes_presenter.h"
#include "session/selection_presenter.h"
#include "text/words.h"
#include "widgets/banner_bar.h"

namespace fxs::ui {
namespace {

void addNoteActions(PageHost& host, NotesPage* page) {
  Actions& actions = host.actions();
  Services& services = host.services();
  actions.separator("Edit");
  actions.add(
      {"toggle-bookmark", "Edit", "Toggle the bookmark of the node", "Ctrl+B", "bookmark",
       [&host, &services] {
         if (!services.get<NodePresenter>().state()) return host.showMessage("Select a node first");
         if (!services.get<NotesPresenter>().toggle(services.get<NodePresenter>().state()->node))
           host.showMessage("The node has a note: remove it in the list of notes (Ctrl+F2)");
       }});
  actions.add({"remove-note",
               "Edit",
               "Remove the bookmark or note",
               "Del",
               {},
               [page] { page->removeCurrent(); },
               false,
               true});
  QAction* restore = actions.add(
      {"restore-note", "Edit", "Restore the note removed last", "Ctrl+Z", {}, [&services] {
         if (const fx::NodeId node = services.get<NotesPresenter>().restore(); node.valid())
           services.get<SelectionPresenter>().selectNode(node, Place::Command);
       }});
  const auto step = [&host, &services](int direction) {
    const fx::NodeId node = services.get<NotesPresenter>().next(
        services.get<SelectionPresenter>().current().node(), direction);
    if (node.valid()) services.get<SelectionPresenter>().selectNode(node, Place::Command);
    else host.showMessage("No bookmarks; Ctrl+B sets one");
  };
  actions.separator("Go");
  actions.add({"next-bookmark", "Go", "Next bookmark or note", "F2", {}, [step] { step(1); }});
  actions.add({"previous-bookmark", "Go", "Previous bookmark or note", "Shift+F2", {}, [step] {
                 step(-1);
               }});
  const auto enable = [restore, page, &host, &services] {
    restore->setEnabled(services.get<NotesPresenter>().canRestore());
    host.actions()["remove-note"]->setEnabled(page->removeButton()->isEnabled());
  };
  QObject::connect(&services.get<NotesPresenter>(), &NotesPresenter::changed, page, enable);
  QObject::connect(&services.get<SelectionPresenter>(), &SelectionPresenter::changed, page, enable);
  enable();
}

QWidget* makeNotesPage(PageHost& host, QWidget* parent) {
  Services& services = host.services();
  auto* page = new NotesPage(host.appearance(), services.get<NotesPresenter>(),
                             services.get<SelectionPresenter>(), parent);
  addNoteActions(host, page);
  QObject::connect(page, &NotesPage::editRequested, page,
                   [&host] { host.actions()["edit-note"]->trigger(); });
  QObject::connect(page->messageButton(), &QPushButton::clicked, page,
                   [&host] { host.actions()["toggle-bookmark"]->trigger(); });
  const auto refresh = [&host, &services] {
    const std::size_t count = services.get<NotesPresenter>().all().size();
    host.setPageTitle("notes", count ? QString("Notes  %1").arg(count) : QString("Notes"));
    host.banners().show(
        "notes", BannerKind::Error,
        services.get<NotesPresenter>().problem().isEmpty()
            ? QString()
            : "Notes: " + services.get<NotesPresenter>().problem(),
        {{"Try again", [&services] { services.get<NotesPresenter>().tryAgain(); }}});
  };
  QObject::connect(&services.get<NotesPresenter>(), &NotesPresenter::changed, page, refresh);
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
