// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include "features/stages/becomes_section.h"
#include "features/stages/stage_presenter.h"
#include "features/stages/stages_page.h"
#include "session/node_markdown.h"
#include "text/words.h"
#include "widgets/node_sections.h"
#include "window/text_panes.h"

namespace fxs::ui {
namespace {

constexpr int kBecomesSection = 50, kBecomesLine = 40;  ///< places in the inspector, in Markdown

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

}  // namespace

void registerStages(Features& features) {
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
