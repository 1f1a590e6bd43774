// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/history_presenter.h"

#include "session/work_list.h"
#include "text/words.h"
#include "trace/history.h"

namespace fxs::ui {

HistoryPresenter::HistoryPresenter(Services& services)
    : passes_(services.get<PassPresenter>()), jobs_(services.jobs) {
  services.get<WorkList>().add({WorkFor::Answer, [this] { return busy_; }});
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
  if (!problem_.isEmpty()) return problem_;
  if (passes_.state().running) return "The passes are being traced …";
  if (!passes_.programTrace())
    return passes_.state().why.isEmpty() ? QString("The passes were not traced")
                                         : passes_.state().why;
  return busy_ ? QString("Searching the passes …") : QString("No pass changed its operations");
}

void HistoryPresenter::refresh() {
  trace_ = passes_.programTrace();
  rows_.clear();
  problem_.clear();
  busy_ = false;
  jobs_.supersede("history");
  if (trace_ && node_.valid()) {
    busy_ = true;
    using Entries = Result<std::vector<trace::HistoryEntry>>;
    jobs_.submit<std::shared_ptr<const Entries>>(
        "history",
        [trace = trace_, node = node_](const RunContext&) {
          return std::make_shared<const Entries>(trace::historyOf(*trace, node));
        },
        [this](std::shared_ptr<const Entries> found) {
          busy_ = false;
          if (!*found) problem_ = lines(toString(found->error()));
          else
            for (const trace::HistoryEntry& entry : **found) {
              if (entry.pass >= static_cast<int>(trace_->passes().passes.size())) continue;
              if (entry.pass < 0) {
                rows_.push_back({-1, "import", {}, "raw", text(entry.message())});
                continue;
              }
              const lower::PassRun& pass =
                  trace_->passes().passes[static_cast<std::size_t>(entry.pass)];
              const QString name = text(pass.pass);
              rows_.push_back({entry.pass, QString("%1 · %2").arg(entry.pass + 1).arg(name), name,
                               text(pass.stage), text(entry.message())});
            }
          Q_EMIT changed();
        });
  }
  Q_EMIT changed();
}

}  // namespace fxs::ui
