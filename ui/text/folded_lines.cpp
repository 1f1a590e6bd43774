// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/folded_lines.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fxs::ui {
namespace {

auto firstAt(const std::vector<Fold>& folds, std::uint32_t line) {
  return std::lower_bound(folds.begin(), folds.end(), line,
                          [](const Fold& fold, std::uint32_t at) { return fold.first < at; });
}

}  // namespace

void FoldedLines::set(std::size_t lineCount, std::vector<Fold> folds) {
  lineCount_ = lineCount;
  folds_ = std::move(folds);
  std::erase_if(folds_, [&](const Fold& f) {
    return f.last >= lineCount || f.last < f.first ||
           (f.kind != FoldKind::Block && f.last == f.first);
  });
  std::stable_sort(folds_.begin(), folds_.end(), [](const Fold& a, const Fold& b) {
    return a.first != b.first ? a.first < b.first : a.last > b.last;
  });
  recount();
}

void FoldedLines::recount() {
  visible_.clear();
  if (std::none_of(folds_.begin(), folds_.end(), [](const Fold& f) { return f.folded; })) return;
  visible_.reserve(lineCount_);
  auto fold = folds_.begin();
  for (std::uint32_t line = 0; line < lineCount_;) {
    visible_.push_back(line);
    while (fold != folds_.end() && fold->first < line) ++fold;
    std::uint32_t next = line + 1;
    // Longer folds come first, so the outermost folded one wins.
    for (; fold != folds_.end() && fold->first == line; ++fold)
      if (fold->folded) next = std::max(next, fold->last + 1);
    line = next;
  }
}

std::uint32_t FoldedLines::lineOfRow(std::size_t row) const {
  if (rowCount() == 0) return 0;
  row = std::min(row, rowCount() - 1);
  return visible_.empty() ? static_cast<std::uint32_t>(row) : visible_[row];
}

std::size_t FoldedLines::rowOfLine(std::uint32_t line) const {
  if (visible_.empty()) return std::min<std::size_t>(line, lineCount_ ? lineCount_ - 1 : 0);
  const auto after = std::upper_bound(visible_.begin(), visible_.end(), line);
  return static_cast<std::size_t>(after - visible_.begin()) - (after == visible_.begin() ? 0 : 1);
}

int FoldedLines::foldedAt(std::uint32_t line) const {
  for (auto fold = firstAt(folds_, line); fold != folds_.end() && fold->first == line; ++fold)
    if (fold->folded) return static_cast<int>(fold - folds_.begin());
  return -1;
}

int FoldedLines::foldAt(std::uint32_t line) const {
  if (const int folded = foldedAt(line); folded >= 0) return folded;
  int block = -1;
  for (auto fold = firstAt(folds_, line); fold != folds_.end() && fold->first == line; ++fold) {
    if (fold->kind != FoldKind::Block) return static_cast<int>(fold - folds_.begin());
    if (block < 0) block = static_cast<int>(fold - folds_.begin());
  }
  return block;
}

void FoldedLines::setFolded(int fold, bool folded) {
  if (fold < 0 || fold >= static_cast<int>(folds_.size())) return;
  folds_[static_cast<std::size_t>(fold)].folded = folded;
  recount();
}

void FoldedLines::setAllFolded(FoldKind kind, bool folded) {
  for (Fold& fold : folds_)
    if (fold.kind == kind) fold.folded = folded;
  recount();
}

bool FoldedLines::reveal(std::uint32_t line) {
  bool any = false;
  for (Fold& fold : folds_) {
    if (fold.first > line) break;
    const bool hides =
        fold.folded && line <= fold.last && (line > fold.first || fold.kind == FoldKind::Block);
    if (hides) {
      fold.folded = false;
      any = true;
    }
  }
  if (any) recount();
  return any;
}

bool FoldedLines::follow(const FoldedLines& beside) {
  std::map<std::pair<FoldKind, std::uint32_t>, bool> there;
  for (const Fold& fold : beside.folds_)
    if (fold.group > 0) there[{fold.kind, fold.group}] = fold.folded;
  bool any = false;
  for (Fold& fold : folds_) {
    const auto found = there.find({fold.kind, fold.group});
    if (found == there.end() || found->second == fold.folded) continue;
    fold.folded = found->second;
    any = true;
  }
  if (any) recount();
  return any;
}

}  // namespace fxs::ui
