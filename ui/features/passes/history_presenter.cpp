// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/history_presenter.h"

#include "text/words.h"

namespace fxs::ui {

HistoryPresenter::HistoryPresenter(Services& services)
    : passes_(services.get<PassPresenter>()), searching_(services) {
  connect(&searching_, &Work::changed, this, &HistoryPresenter::changed);
  connect(&services.get<SelectionPresenter>(), &SelectionPresenter::changed, this,
          [this](const Selection& selected) { show(selected.inspected()); });
  connect(&passes_, &PassPresenter::traceChanged, this, [this] {
    if (trace_ != passes_.programTrace()) refresh();
  });
  connect(&passes_, &PassPresenter::stateChanged, this, &HistoryPresenter::changed);
}

void HistoryPresenter::show(fx::NodeId node) {
  if (node_ == node) return;
  node_ = node;
  refresh();
}

QString HistoryPresenter::emptyText() const {
  if (!rows_.empty()) return {};
  if (!searching_.state().message.isEmpty()) return searching_.state().message;
  if (passes_.state().running) return "The passes are being traced …";
  if (!passes_.programTrace())
    return passes_.state().message.isEmpty() ? QString("The passes were not traced")
                                             : passes_.state().message;
  return busy() ? QString("Searching the passes …") : QString("No pass changed its operations");
}

void HistoryPresenter::refresh() {
  trace_ = passes_.programTrace();
  rows_.clear();
  if (!trace_ || !node_.valid()) return searching_.supersede();
  searching_.start(
      [trace = trace_, node = node_](const RunContext&) { return trace::historyOf(*trace, node); },
      [this](const Result<std::vector<trace::HistoryEntry>>& found) {
        if (found) take(*found);
      });
}

void HistoryPresenter::take(const std::vector<trace::HistoryEntry>& entries) {
  const std::vector<lower::PassRun>& passes = trace_->passes().passes;
  for (const trace::HistoryEntry& entry : entries) {
    if (entry.pass >= static_cast<int>(passes.size())) continue;
    if (entry.pass < 0) {
      rows_.push_back({-1, "import", {}, "raw", text(entry.message())});
      continue;
    }
    const lower::PassRun& pass = passes[static_cast<std::size_t>(entry.pass)];
    const QString name = text(pass.pass);
    rows_.push_back({entry.pass, QString("%1 · %2").arg(entry.pass + 1).arg(name), name,
                     text(pass.stage), text(entry.message())});
  }
}

}  // namespace fxs::ui
