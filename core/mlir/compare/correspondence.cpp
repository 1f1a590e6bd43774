// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/compare/correspondence.h"

#include <algorithm>
#include <tuple>

namespace fxs::mlir {
namespace {

class Finder {
 public:
  Finder(const Module& a, const Module& b, const std::vector<OpId>& opOfA)
      : a_(a), b_(b), opOfA_(opOfA) {
    out_.blockOfA.resize(a.blocks.size());
    out_.blockOfB.resize(b.blocks.size());
    out_.valueOfA.resize(a.values.size());
    out_.valueOfB.resize(b.values.size());
  }

  Correspondence run() {
    for (std::size_t i = 0; i < a_.ops.size(); ++i) {
      if (!opOfA_[i].valid()) continue;
      values(a_.ops[i].results, b_.op(opOfA_[i]).results);
      regions(OpId::of(i), opOfA_[i]);
    }
    return std::move(out_);
  }

 private:
  void regions(OpId opA, OpId opB) {
    const auto mine = a_.regionsOf(opA);
    const auto theirs = b_.regionsOf(opB);
    for (std::size_t r = 0; r < std::min(mine.size(), theirs.size()); ++r) {
      const auto blocksA = a_.blocksOf(mine[r]);
      const auto blocksB = b_.blocksOf(theirs[r]);
      if (blocksA.empty() || blocksB.empty()) continue;
      pair(blocksA[0], blocksB[0]);
      if (blocksA.size() > 1 && blocksB.size() > 1) byVotes(blocksA, theirs[r]);
      for (std::size_t i = 1; i < std::min(blocksA.size(), blocksB.size()); ++i)
        if (!out_.blockOfA[blocksA[i].index()].valid() &&
            !out_.blockOfB[blocksB[i].index()].valid())
          pair(blocksA[i], blocksB[i]);
    }
  }

  void byVotes(std::span<const BlockId> blocksA, RegionId regionB) {
    std::vector<std::pair<BlockId, BlockId>> votes;
    for (const BlockId block : blocksA)
      for (const OpId op : a_.opsOf(block))
        if (const OpId there = opOfA_[op.index()]; there.valid() && b_.op(there).block.valid() &&
                                                   b_.block(b_.op(there).block).region == regionB)
          votes.emplace_back(block, b_.op(there).block);
    std::sort(votes.begin(), votes.end());
    std::vector<std::tuple<std::size_t, BlockId, BlockId>> counted;
    for (std::size_t i = 0, next = 0; i < votes.size(); i = next) {
      while (next < votes.size() && votes[next] == votes[i]) ++next;
      counted.emplace_back(votes.size() - (next - i), votes[i].first,
                           votes[i].second);  // the most votes come first
    }
    std::sort(counted.begin(), counted.end());
    for (const auto& [rank, blockA, blockB] : counted)
      if (!out_.blockOfA[blockA.index()].valid() && !out_.blockOfB[blockB.index()].valid())
        pair(blockA, blockB);
  }

  void pair(BlockId blockA, BlockId blockB) {
    out_.blockOfA[blockA.index()] = blockB;
    out_.blockOfB[blockB.index()] = blockA;
    IndexRange mine = a_.block(blockA).arguments;
    IndexRange theirs = b_.block(blockB).arguments;
    if (mine.size() == theirs.size()) return values(mine, theirs);
    while (mine.size() > 0 && theirs.size() > 0 && sameType(mine.begin, theirs.begin))
      value(mine.begin++, theirs.begin++);
    while (mine.size() > 0 && theirs.size() > 0 && sameType(mine.end - 1, theirs.end - 1))
      value(--mine.end, --theirs.end);
  }
  bool sameType(std::uint32_t valueA, std::uint32_t valueB) const {
    return a_.typeOf(ValueId{valueA}).of(a_.text) == b_.typeOf(ValueId{valueB}).of(b_.text);
  }
  void values(IndexRange mine, IndexRange theirs) {
    for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i)
      value(mine.begin + static_cast<std::uint32_t>(i),
            theirs.begin + static_cast<std::uint32_t>(i));
  }
  void value(std::uint32_t valueA, std::uint32_t valueB) {
    out_.valueOfA[valueA] = ValueId{valueB};
    out_.valueOfB[valueB] = ValueId{valueA};
  }

  const Module& a_;
  const Module& b_;
  const std::vector<OpId>& opOfA_;
  Correspondence out_;
};

}  // namespace

Correspondence correspondence(const Module& a, const Module& b, const std::vector<OpId>& opOfA) {
  return Finder(a, b, opOfA).run();
}

}  // namespace fxs::mlir
