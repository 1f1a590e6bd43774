// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/text_sources.h"

#include <algorithm>

namespace fxs::ui {

void TextSources::add(TextSource source) {
  const ShownText id = source.id;
  const auto after =
      std::upper_bound(all_.begin(), all_.end(), source,
                       [](const TextSource& a, const TextSource& b) { return a.rank < b.rank; });
  all_.insert(after, std::move(source));
  Q_EMIT added(id);
}

void TextSources::remove(const ShownText& id) {
  std::erase_if(all_, [&](const TextSource& each) { return each.id == id; });
  Q_EMIT removed(id);
}

const TextSource* TextSources::find(const ShownText& id) const {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const TextSource& each) { return each.id == id; });
  return found == all_.end() ? nullptr : &*found;
}

}  // namespace fxs::ui
