// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A page that only the tests have: it is this folder, and nothing else names it.
#include "window/page.h"

#include <QLabel>

namespace fxs::ui {

void registerExample(Pages& pages) {
  pages.push_back({"example",
                   "Example",
                   25,
                   {"show-example", "Examples", "An example", "Ctrl+Alt+F11"},
                   [](PageHost& host, QWidget* parent) {
                     auto* label = new QLabel("nothing yet", parent);
                     label->setFocusPolicy(Qt::StrongFocus);
                     host.actions().add({"run-example", "Examples", "Say something in the example",
                                         "Ctrl+Alt+F12", "run",
                                         [label] { label->setText("something"); }});
                     return label;
                   }});
}

}  // namespace fxs::ui
