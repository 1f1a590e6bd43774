// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/minimize.h"

#include <algorithm>
#include <utility>

namespace fxs::diagnose {
namespace {

/// Number of pieces of the first split. Halves are tested before.
constexpr std::size_t kFirstPieces = 8;

class Search {
 public:
  Search(Subset start, std::size_t itemsPerBatch, const SubsetTest& test)
      : best_(std::move(start)), perBatch_(itemsPerBatch), test_(test) {}

  Result<Minimized> run() {
    FXS_CHECK(halve());
    std::size_t pieces = kFirstPieces;
    while (!stopped_ && !best_.empty()) {
      pieces = std::min(pieces, best_.size());
      const bool single = pieces == best_.size();
      FXS_TRY(const bool smaller, takeAway(pieces));
      if (stopped_) break;
      if (!smaller && single) return Minimized{std::move(best_), true};
      if (!smaller) pieces *= 2;
    }
    const bool complete = !stopped_;
    return Minimized{std::move(best_), complete};
  }

 private:
  Subset part(std::size_t begin, std::size_t end) const {
    return {best_.begin() + static_cast<std::ptrdiff_t>(begin),
            best_.begin() + static_cast<std::ptrdiff_t>(end)};
  }
  /// The begin of piece `i` of `pieces`.
  std::size_t edge(std::size_t i, std::size_t pieces) const { return i * best_.size() / pieces; }

  /// Repeatedly keeps the half that passes by itself, if one does.
  Result<> halve() {
    while (!stopped_ && best_.size() > 1) {
      const std::size_t middle = best_.size() / 2;
      std::vector<Subset> halves{part(0, middle), part(middle, best_.size())};
      FXS_TRY(const std::vector<bool> passes, ask(halves));
      const auto found = std::find(passes.begin(), passes.end(), true);
      if (found == passes.end()) return {};
      best_ = std::move(halves[static_cast<std::size_t>(found - passes.begin())]);
    }
    return {};
  }

  /// The best subset without the given pieces.
  Subset without(const std::vector<std::size_t>& gone, std::size_t pieces) const {
    Subset out;
    for (std::size_t i = 0; i < pieces; ++i) {
      if (std::binary_search(gone.begin(), gone.end(), i)) continue;
      out.insert(out.end(), best_.begin() + static_cast<std::ptrdiff_t>(edge(i, pieces)),
                 best_.begin() + static_cast<std::ptrdiff_t>(edge(i + 1, pieces)));
    }
    return out;
  }

  /// Removes pieces if possible; true if any was removed.
  Result<bool> takeAway(std::size_t pieces) {
    std::vector<Subset> candidates;
    for (std::size_t i = 0; i < pieces; ++i) candidates.push_back(without({i}, pieces));
    FXS_TRY(const std::vector<bool> passes, ask(candidates));
    std::vector<std::size_t> gone;
    for (std::size_t i = 0; i < passes.size(); ++i)
      if (passes[i]) gone.push_back(i);
    if (gone.empty()) return false;
    // Each can be removed by itself, but perhaps not all together, if one can replace another.
    while (gone.size() > 1 && !stopped_) {
      std::vector<Subset> together{without(gone, pieces)};
      FXS_TRY(const std::vector<bool> answer, ask(together));
      if (!answer.empty() && answer[0]) break;
      gone.resize((gone.size() + 1) / 2);
    }
    if (stopped_) gone.resize(1);
    best_ = without(gone, pieces);
    return true;
  }

  /// As many results as there was time for.
  Result<std::vector<bool>> ask(const std::vector<Subset>& candidates) {
    std::vector<bool> out;
    for (std::size_t begin = 0; begin < candidates.size() && !stopped_;) {
      std::vector<Subset> batch;
      for (std::size_t items = 0; begin < candidates.size(); ++begin) {
        items += candidates[begin].size();
        if (!batch.empty() && items > perBatch_) break;
        batch.push_back(candidates[begin]);
      }
      FXS_TRY(const auto answer, test_(batch));
      if (answer) out.insert(out.end(), answer->begin(), answer->end());
      else stopped_ = true;
    }
    return out;
  }

  Subset best_;
  std::size_t perBatch_;
  const SubsetTest& test_;
  bool stopped_ = false;
};

}  // namespace

Result<Minimized> minimize(Subset start, std::size_t itemsPerBatch, const SubsetTest& test) {
  return Search(std::move(start), itemsPerBatch, test).run();
}

}  // namespace fxs::diagnose
