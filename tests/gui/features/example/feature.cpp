// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A feature that only the tests have: it is this folder, and nothing else names it.
#include "window/feature.h"

#include <QLabel>

#include "session/marks.h"
#include "session/session_presenter.h"
#include "widgets/dock_frame.h"
#include "widgets/node_sections.h"

namespace fxs::ui {
namespace {

/// Looks, in a job, for the last node of the program, and marks it.
struct LastNode {
  explicit LastNode(Services& services)
      : session(services.get<SessionPresenter>()), marks(services.get<Marks>()), looking(services) {
    marks.add({100, [this] {
                 return std::vector{std::pair(found, Mark{Emphasis::Flag, "search", "the last"})};
               }});
  }
  void look() {
    looking.start(
        [program = session.program()](const RunContext&) { return program->nodes.back().id; },
        [this](fx::NodeId node) {
          found = node;
          marks.refresh();
        });
  }
  SessionPresenter& session;
  Marks& marks;
  fx::NodeId found;
  Task<fx::NodeId> looking;
};

QWidget* makeExamplePage(Host& host, QWidget* parent) {
  auto* label = new QLabel("nothing yet", parent);
  label->setFocusPolicy(Qt::StrongFocus);
  host.actions().add({"run-example",
                      {"Examples", 20},
                      "Say something in the example",
                      "Ctrl+Alt+F12",
                      "run",
                      [label, &host] {
                        label->setText("something");
                        host.services().get<LastNode>().look();
                      }});
  host.services().get<NodeSections>().add(
      {90, "Example", {}, [](fx::NodeId node, QWidget* section) -> QWidget* {
         return node.valid() ? new QLabel("of a test", section) : nullptr;
       }});
  return label;
}

void makeExampleDock(Host&, DockFrame& dock) {
  dock.addPage("example-text", {}, new QLabel("in a dock", &dock));
}

}  // namespace

void registerExample(Features& features) {
  features.docks.push_back(
      {"example-dock",
       "Example",
       50,
       {"toggle-example", {"Examples", 110}, "Show or hide the example", "Ctrl+Alt+F10"},
       makeExampleDock});
  features.pages.push_back({"example",
                            "Example",
                            25,
                            {"show-example", {"Examples", 10}, "An example", "Ctrl+Alt+F11"},
                            makeExamplePage});
}

}  // namespace fxs::ui
