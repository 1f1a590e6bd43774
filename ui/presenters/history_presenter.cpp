#include "presenters/history_presenter.h"

#include "presenters/words.h"
#include "trace/history.h"

namespace fxs::ui {

HistoryPresenter::HistoryPresenter(PassPresenter& passes, JobQueue& jobs, QObject* parent) : QObject(parent), passes_(passes), jobs_(jobs) {
  connect(&passes, &PassPresenter::traceChanged, this, &HistoryPresenter::refresh);
  connect(&passes, &PassPresenter::stateChanged, this, &HistoryPresenter::changed);
}

void HistoryPresenter::show(fx::NodeId node) {
  if (node_ == node) return;
  node_ = node;
  refresh();
}

QString HistoryPresenter::emptyText() const {
  if (!rows_.empty()) return {};
  if (!problem_.isEmpty()) return problem_;
  if (passes_.state().tracing) return "The passes are being traced …";
  if (!passes_.trace()) return passes_.state().why.isEmpty() ? QString("There is no trace of the passes") : passes_.state().why;
  return busy_ ? QString("Looking through the passes …") : QString("No pass did anything to its operations");
}

void HistoryPresenter::refresh() {
  rows_.clear();
  problem_.clear();
  busy_ = false;
  jobs_.supersede("history");
  if (passes_.trace() && node_.valid()) {
    busy_ = true;
    using Entries = Result<std::vector<trace::HistoryEntry>>;
    jobs_.submit<std::shared_ptr<const Entries>>(
        "history",
        [trace = passes_.trace(), node = node_](const RunContext&) {
          return std::make_shared<const Entries>(trace::historyOf(*trace, node));
        },
        [this](std::shared_ptr<const Entries> found) {
          busy_ = false;
          if (!*found) problem_ = text(toString(found->error()));
          else
            for (const trace::HistoryEntry& entry : **found) {
              if (entry.pass >= static_cast<int>(passes_.passes().size())) continue;
              if (entry.pass < 0) {
                rows_.push_back({-1, "import", {}, "raw", text(entry.what())});
                continue;
              }
              const PassRow& pass = passes_.passes()[static_cast<std::size_t>(entry.pass)];
              rows_.push_back(
                  {entry.pass, QString("%1 · %2").arg(entry.pass + 1).arg(pass.name), pass.name, pass.stage, text(entry.what())});
            }
          emit changed();
        });
  }
  emit changed();
}

}  // namespace fxs::ui
