// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Who answers to Find, Next match and Previous match: each pane with something to find adds a
// Finder, and the first that is in charge does it.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace fxs::ui {

struct Finder {
  int position = 0;  ///< sort key
  /// Lets the user type what to find; false if another one is in charge.
  std::function<bool()> start = {};
  /// Goes to the next match (1) or the previous one (-1); false if another one is in charge.
  std::function<bool(int)> step = {};
};

class Finders {
 public:
  void add(Finder finder) {
    all_.push_back(std::move(finder));
    std::stable_sort(all_.begin(), all_.end(),
                     [](const Finder& a, const Finder& b) { return a.position < b.position; });
  }
  void start() const {
    for (const Finder& each : all_)
      if (each.start && each.start()) return;
  }
  void step(int direction) const {
    for (const Finder& each : all_)
      if (each.step && each.step(direction)) return;
  }

 private:
  std::vector<Finder> all_;
};

}  // namespace fxs::ui
