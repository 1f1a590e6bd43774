// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include "features/alone/alone_section.h"
#include "session/selection_presenter.h"
#include "widgets/node_sections.h"
#include "window/text_panes.h"

namespace fxs::ui {
namespace {

constexpr int kAloneSection = 60;

void addAlone(Host& host) {
  auto& alone = host.services().get<AlonePresenter>();
  const auto show = [&host, &alone] {
    alone.setWanted(true);
    if (!host.texts().shows(NodeAlone{})) host.texts().showBeside(NodeAlone{});
  };
  host.actions().add({"lower-alone",
                      {"Run", 350},
                      "Lower the selected node by itself",
                      "Ctrl+Shift+N",
                      {},
                      [&host, show] {
                        const Selection& selected =
                            host.services().get<SelectionPresenter>().current();
                        if (!selected.inspected().valid())
                          return host.showMessage("Select a node first");
                        show();
                      }});
  host.services().get<OpCommands>().addRow(host.actions().rowCommand(530, "lower-alone"));
  host.actions().add({"alone-inlined",
                      {"Run", 360},
                      "The lowered node, inlined into a caller",
                      "Ctrl+Shift+I",
                      {},
                      [&alone, show] {
                        alone.setInlined(!alone.inlined());
                        show();
                      }});
  auto& session = host.services().get<SessionPresenter>();
  host.services().get<NodeSections>().add(
      {kAloneSection,
       "This node by itself",
       {},
       [&host, &alone, &session, show](fx::NodeId node, QWidget* parent) -> QWidget* {
         if (!node.valid() || session.program()->node(node).op != fx::NodeOp::CallFunction)
           return nullptr;
         auto* section = new AloneSection(host.appearance(), alone, parent);
         QObject::connect(section, &AloneSection::textRequested, parent, show);
         return section;
       }});
}

}  // namespace

void registerAlone(Features& features) {
  features.present<AlonePresenter>();
  features.parts.push_back(addAlone);
}

}  // namespace fxs::ui
