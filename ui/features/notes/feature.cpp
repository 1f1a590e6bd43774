// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include "features/notes/note_section.h"
#include "features/notes/notes_page.h"
#include "features/notes/notes_presenter.h"
#include "session/selection_presenter.h"
#include "text/words.h"
#include "widgets/banner_bar.h"
#include "widgets/node_sections.h"

namespace fxs::ui {
namespace {

constexpr int kNoteSection = 25;

void addNoteActions(Host& host, NotesPage* page) {
  Actions& actions = host.actions();
  Services& services = host.services();
  actions.add({"toggle-bookmark",
               {"Edit", 200},
               "Toggle the bookmark of the node",
               "Ctrl+B",
               "bookmark",
               [&host, &services] {
                 const fx::NodeId node = services.get<SelectionPresenter>().current().inspected();
                 if (!node.valid()) return host.showMessage("Select a node first");
                 if (!services.get<NotesPresenter>().toggle(node))
                   host.showMessage(
                       "The node has a note: remove it in the list of notes (Ctrl+F2)");
               }});
  actions.add({"remove-note",
               {"Edit", 210},
               "Remove the bookmark or note",
               "Del",
               {},
               [page] { page->removeCurrent(); },
               false,
               true});
  QAction* restore = actions.add(
      {"restore-note", {"Edit", 220}, "Restore the note removed last", "Ctrl+Z", {}, [&services] {
         if (const fx::NodeId node = services.get<NotesPresenter>().restore(); node.valid())
           services.get<SelectionPresenter>().selectNode(node, Origin::Command);
       }});
  const auto step = [&host, &services](int direction) {
    const fx::NodeId node = services.get<NotesPresenter>().next(
        services.get<SelectionPresenter>().current().node(), direction);
    if (node.valid()) services.get<SelectionPresenter>().selectNode(node, Origin::Command);
    else host.showMessage("No bookmarks; Ctrl+B sets one");
  };
  actions.add(
      {"next-bookmark", {"Go", 300}, "Next bookmark or note", "F2", {}, [step] { step(1); }});
  actions.add(
      {"previous-bookmark", {"Go", 310}, "Previous bookmark or note", "Shift+F2", {}, [step] {
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

void addNoteSection(Host& host, QWidget* page) {
  auto& sections = host.services().get<NodeSections>();
  // Of the page, until the inspector shows it.
  auto* note = new NoteSection(host.appearance(), host.services().get<NotesPresenter>(), page);
  note->hide();
  QObject::connect(note, &NoteSection::toggled, page,
                   [&host] { host.actions()["toggle-bookmark"]->trigger(); });
  sections.add({kNoteSection,
                {},
                {},
                [note](fx::NodeId node, QWidget*) {
                  note->setNode(node);
                  return node.valid() ? note : nullptr;
                },
                note});
  host.actions().add({"edit-note",
                      {"Edit", 230},
                      "Write a note on the node",
                      "Ctrl+Shift+B",
                      "comment",
                      [&host, &sections, note] {
                        const Selection& now = host.services().get<SelectionPresenter>().current();
                        if (!now.inspected().valid())
                          return host.showMessage("Select a node first");
                        Q_EMIT sections.wanted(note, 0);
                        note->field()->setFocus();
                      }});
}

QWidget* makeNotesPage(Host& host, QWidget* parent) {
  Services& services = host.services();
  auto* page = new NotesPage(host.appearance(), services.get<NotesPresenter>(),
                             services.get<SelectionPresenter>(), parent);
  addNoteActions(host, page);
  addNoteSection(host, page);
  auto& commands = services.get<OpCommands>();
  commands.addRow(host.actions().rowCommand(400, "toggle-bookmark"));
  commands.addRow(host.actions().rowCommand(410, "edit-note"));
  commands.addRow(host.actions().rowCommand(420, "remove-note", "notes"));
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

void registerNotes(Features& features) {
  features.present<NotesPresenter>();
  features.pages.push_back(
      {"notes",
       "Notes",
       55,
       {"show-notes", {"Go/Results", 270}, "List of bookmarks and notes", "Ctrl+F2"},
       makeNotesPage});
}

}  // namespace fxs::ui
