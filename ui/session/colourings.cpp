// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/colourings.h"

#include <algorithm>

namespace fxs::ui {

Shade levelOf(std::size_t index) {
  return static_cast<Shade>(static_cast<std::size_t>(Shade::Level1) + std::min(index, kLevels - 1));
}

Shade classOf(std::size_t index) {
  return static_cast<Shade>(static_cast<std::size_t>(Shade::Class1) +
                            std::min(index, kClasses - 1));
}

void Colourings::add(Colouring colouring) {
  const auto after =
      std::upper_bound(all_.begin(), all_.end(), colouring,
                       [](const Colouring& a, const Colouring& b) { return a.rank < b.rank; });
  all_.insert(after, std::move(colouring));
}

const Colouring* Colourings::find(const QString& id) const {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Colouring& each) { return each.id == id; });
  return found == all_.end() ? nullptr : &*found;
}

}  // namespace fxs::ui
