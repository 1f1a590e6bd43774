// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/node_sections.h"

#include <algorithm>

namespace fxs::ui {

void NodeSections::add(NodeSection section) {
  const auto after =
      std::upper_bound(all_.begin(), all_.end(), section,
                       [](const NodeSection& a, const NodeSection& b) { return a.rank < b.rank; });
  all_.insert(after, std::move(section));
  Q_EMIT changed();
}

}  // namespace fxs::ui
