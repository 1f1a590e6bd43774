// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/history.h"

namespace fxs::trace {
std::string HistoryEntry::message() const {
  return pass < 0 ? "starts as " + shownNames(made) : OpsChange::text();
}

Result<std::vector<HistoryEntry>> historyOf(const Trace& trace, fx::NodeId node) {
  std::vector<HistoryEntry> out;
  std::vector<SeenOp> before;
  std::shared_ptr<const OpenText> held;  // owns the names and texts of `before`
  for (std::size_t i = 0; i < trace.passes().snapshots.size(); ++i) {
    if (trace.passes().snapshots[i].failure) continue;  // the failed pass is rolled back
    FXS_TRY(auto snapshot, trace.open(i));
    std::vector<SeenOp> after = opsOf(*snapshot, node);
    HistoryEntry entry{changeOf(before, after)};
    entry.pass = trace.passes().snapshots[i].pass;
    entry.snapshot = static_cast<int>(i);
    if (!entry.empty()) out.push_back(std::move(entry));
    before = std::move(after);
    held = std::move(snapshot);
  }
  return out;
}

}  // namespace fxs::trace
