// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/work_list.h"

#include <algorithm>

namespace fxs::ui {

bool WorkList::running(WorkFor purpose) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const Work& work) { return work.purpose == purpose && work.running(); });
}

bool WorkList::cancellable() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const Work& work) { return work.cancel && work.running(); });
}

void WorkList::cancel() {
  for (const Work& work : all_)
    if (work.cancel && work.running()) work.cancel();
}

}  // namespace fxs::ui
