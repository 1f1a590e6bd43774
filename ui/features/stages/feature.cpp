// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include <algorithm>

#include "features/stages/arranged_texts_presenter.h"
#include "features/stages/becomes_section.h"
#include "features/stages/stage_presenter.h"
#include "features/stages/stages_page.h"
#include "features/stages/text_actions.h"
#include "session/node_markdown.h"
#include "text/words.h"
#include "widgets/dock_frame.h"
#include "widgets/node_sections.h"
#include "widgets/palette_sources.h"
#include "window/text_panes.h"

namespace fxs::ui {
namespace {

constexpr int kBecomesSection = 50, kBecomesLine = 40;  ///< places in the inspector, in Markdown
constexpr int kStageNames = 10;                         ///< place in the palette
constexpr int kTextLines = 7;  ///< of the height of a title, for a text below a graph

/// "Becomes raw: 3 ops · torch: 1 op"
QString becomesLine(const StagePresenter& stages, fx::NodeId node) {
  QStringList out;
  for (const Stage& stage : stages.stages())
    if (stage.id != ShownText("fx") && stages.textOf(stage.id))
      out << name(stage.id) + ": " + counted(stages.linesOf(stage.id, {node}).size(), "op");
  return out.isEmpty() ? QString() : "\nBecomes " + out.join(" · ") + '\n';
}

void addBecomes(Host& host) {
  auto& stages = host.services().get<StagePresenter>();
  host.services().get<NodeSections>().add(
      {kBecomesSection,
       "Becomes",
       {},
       [&host, &stages](fx::NodeId node, QWidget* parent) -> QWidget* {
         if (!node.valid()) return nullptr;
         auto* section = new BecomesSection(host.appearance(), stages, node, parent);
         QObject::connect(section, &BecomesSection::stageRequested, parent,
                          [&host](const ShownText& id) { host.texts().showStage(id); });
         return section;
       }});
  host.services().get<NodeMarkdown>().add(
      kBecomesLine, [&stages](fx::NodeId node) { return becomesLine(stages, node); });
}

void makeTexts(Host& host, DockFrame& dock) {
  Services& services = host.services();
  auto& stages = services.get<StagePresenter>();
  services.get<ArrangedTextsPresenter>();
  auto* strip = new StageStrip(host.appearance(), services, stages,
                               services.get<SelectionPresenter>(), dock.parentOfPages());
  host.setTexts(*strip);
  dock.addPage("stages", {}, strip);
  auto* addPane = new IconButton(host.appearance(), "panes",
                                 "Show another stage side by side (Ctrl+\\)", &dock);
  QObject::connect(addPane, &QToolButton::clicked, &stages, &StagePresenter::addPane);
  dock.addToTitle(addPane);
  services.get<PaletteSources>().add(
      kStageNames, [&stages, strip](const PaletteSources::Visit& visit) {
        for (const Stage& stage : stages.stages())
          visit(stage.title + ' ' + name(stage.id), [&] {
            return PopupRow{
                "file", stage.title, {}, "stage", [strip, id = stage.id] { strip->showStage(id); }};
          });
      });
  addTextActions(host, strip);
}

Dock textsDock() {
  Dock dock{"texts",
            "Texts",
            30,
            {"show-texts", {"View", 22}, "Show or hide the texts", "Ctrl+3"},
            makeTexts};
  dock.positions = {
      {Arrangement::Graph,
       {Qt::BottomDockWidgetArea, 0, [](const DockSpace& space) { return space.width * 36 / 100; },
        [](const DockSpace& space) { return space.limit; }}},
      {Arrangement::Stages, {Qt::BottomDockWidgetArea, 0, {}, heightOfWideTexts}},
      {Arrangement::Passes, {Qt::BottomDockWidgetArea, 0, {}, heightOfWideTexts}},
      {Arrangement::Diagnosis,
       {Qt::BottomDockWidgetArea,
        0,
        {},
        [](const DockSpace& space) { return space.height * 40 / 100; }}},
      {Arrangement::Numbers, {Qt::BottomDockWidgetArea, 0, {}, [](const DockSpace& space) {
                                return std::max(space.height * 27 / 100, kTextLines * space.title);
                              }}}};
  return dock;
}

}  // namespace

void registerStages(Features& features) {
  features.docks.push_back(textsDock());
  features.parts.push_back(addBecomes);
  features.pages.push_back(
      {"stages", "Stages", 10, {}, [](Host& host, QWidget* parent) {
         auto* page =
             new StagesPage(host.appearance(), host.services().get<StagePresenter>(), parent);
         QObject::connect(page, &StagesPage::stageActivated, page,
                          [&host](const ShownText& id) { host.texts().showStage(id); });
         return page;
       }});
}

}  // namespace fxs::ui
