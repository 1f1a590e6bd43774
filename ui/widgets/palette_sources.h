// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the palette goes to by name, besides actions: stages, modules, nodes. Each feature adds what
// it has.
#include <functional>
#include <map>

#include "widgets/search_popup.h"

namespace fxs::ui {

class PaletteSources {
 public:
  /// Is called with the text that is searched, and with what makes the row if that matches.
  using Visit = std::function<void(const QString& name, const std::function<PopupRow()>& row)>;
  /// `names` calls its argument for each name. Rows that match equally well are in the order of
  /// `position`.
  void add(int position, std::function<void(const Visit&)> names) {
    sources_.emplace(position, std::move(names));
  }
  void visit(const Visit& visit) const {
    for (const auto& [position, names] : sources_) names(visit);
  }

 private:
  std::multimap<int, std::function<void(const Visit&)>> sources_;
};

}  // namespace fxs::ui
