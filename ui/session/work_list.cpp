// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/work_list.h"

#include <algorithm>

#include "session/task.h"

namespace fxs::ui {
namespace {

bool endsByButton(const Work& work) {
  return work.cancelBy() == CancelBy::Button && work.running();
}

}  // namespace

bool WorkList::running(WorkFor purpose) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Work* work) {
    return work->purpose() == purpose && work->running();
  });
}

bool WorkList::cancellable() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const Work* work) { return endsByButton(*work); });
}

void WorkList::cancel() {
  // Who listens may add and remove work.
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (endsByButton(*all_[i])) all_[i]->cancel();
}

}  // namespace fxs::ui
