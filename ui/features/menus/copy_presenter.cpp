// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/menus/copy_presenter.h"

#include <QStringList>

#include "text/words.h"

namespace fxs::ui {

CopyPresenter::CopyPresenter(Services& services)
    : selection_(services.get<SelectionPresenter>()),
      node_(services.get<NodePresenter>()),
      graph_(services.get<Graphs>().program),
      stages_(services.get<StagePresenter>()) {}

QString CopyPresenter::name() const {
  const layout::GroupId group = selection_.current().group;
  if (group.valid() && graph_.tree()) return text(graph_.tree()->group(group).path);
  return node_.state() ? node_.state()->name : QString();
}

QString CopyPresenter::pythonLocation() const {
  if (!node_.state() || !node_.state()->python) return {};
  const PythonLine& python = *node_.state()->python;
  return shown(python.file) + ':' + QString::number(python.line);
}

QString CopyPresenter::mlir() const {
  const Selection& selected = selection_.current();
  const ShownText id = selected.origin == Origin::Stage ? selected.stage : ShownText("raw");
  const auto content = stages_.textOf(id);
  if (!content || selected.nodes.empty()) return {};
  QStringList out;
  for (const std::uint32_t line : stages_.linesOf(id, selected.nodes))
    out << exact(content->code->line(line));
  return out.join('\n');
}

}  // namespace fxs::ui
