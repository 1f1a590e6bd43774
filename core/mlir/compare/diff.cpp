// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/compare/diff.h"

#include <array>
#include <utility>

#include "mlir/compare/correspondence.h"
#include "mlir/compare/op_keys.h"
#include "mlir/compare/op_match.h"
#include "mlir/compare/subsequence.h"

namespace fxs::mlir {
namespace {

class Judge {
 public:
  Judge(const Module& a, const Module& b, const std::vector<OpId>& opOfA,
        const std::vector<OpId>& opOfB)
      : a_(a),
        b_(b),
        opOfA_(opOfA),
        opOfB_(opOfB),
        same_(correspondence(a, b, opOfA)),
        moved_(a.ops.size()) {
    findMoved();
  }

  bool moved(OpId x) const { return moved_[x.index()]; }

  bool otherOperands(OpId x, OpId y) const {
    const auto mine = a_.operandsOf(x);
    const auto theirs = b_.operandsOf(y);
    if (mine.size() != theirs.size()) return true;
    for (std::size_t i = 0; i < mine.size(); ++i)
      if (other(mine[i], theirs[i])) return true;
    const IndexRange nextA = a_.op(x).successors;
    const IndexRange nextB = b_.op(y).successors;
    if (nextA.size() != nextB.size()) return true;
    for (std::uint32_t i = 0; i < nextA.size(); ++i)
      if (other(a_.successors[nextA.begin + i], b_.successors[nextB.begin + i])) return true;
    return false;
  }

 private:
  bool other(const Operand& mine, const Operand& theirs) const {
    if (mine.value.valid() != theirs.value.valid()) return true;
    if (!mine.value.valid()) return false;  // names without a value are compared as text
    if (same_.valueOfA[mine.value.index()] == theirs.value) return false;
    // A difference is explained if either producer was added or removed.
    return stays(mine.value) && staysB(theirs.value);
  }
  bool stays(ValueId value) const {
    return opOfA_[a_.value(value).op.index()].valid() && same_.valueOfA[value.index()].valid();
  }
  bool staysB(ValueId value) const {
    return opOfB_[b_.value(value).op.index()].valid() && same_.valueOfB[value.index()].valid();
  }
  bool other(const Successor& mine, const Successor& theirs) const {
    if (!mine.block.valid() || !theirs.block.valid())
      return mine.block.valid() != theirs.block.valid();
    const BlockId there = same_.blockOfA[mine.block.index()];
    return there != theirs.block && there.valid() && same_.blockOfB[theirs.block.index()].valid();
  }

  void findMoved() {
    // Text order is the order within a region.
    std::vector<std::vector<std::uint32_t>> ofRegion(a_.regions.size() + 1);
    for (std::uint32_t i = 0; i < a_.ops.size(); ++i) {
      if (!opOfA_[i].valid()) continue;
      const BlockId mine = a_.ops[i].block;
      const BlockId theirs = b_.op(opOfA_[i]).block;
      const bool here = mine.valid() ? same_.blockOfA[mine.index()] == theirs : !theirs.valid();
      if (here)
        ofRegion[mine.valid() ? a_.block(mine).region.index() : a_.regions.size()].push_back(i);
      else moved_[i] = true;
    }
    std::vector<std::uint32_t> positions;
    for (const std::vector<std::uint32_t>& ops : ofRegion) {
      positions.clear();
      for (const std::uint32_t i : ops) positions.push_back(opOfA_[i].value);
      std::size_t next = 0;
      for (const std::uint32_t kept : longestIncreasing(positions)) {
        while (next < kept) moved_[ops[next++]] = true;
        ++next;
      }
      while (next < ops.size()) moved_[ops[next++]] = true;
    }
  }

  const Module& a_;
  const Module& b_;
  const std::vector<OpId>& opOfA_;
  const std::vector<OpId>& opOfB_;
  const Correspondence same_;
  std::vector<char> moved_;
};

}  // namespace

std::string_view name(OpChange change) {
  constexpr std::array<std::string_view, 6> kNames{"same",  "changed", "moved", "moved and changed",
                                                   "added", "removed"};
  return kNames[static_cast<std::size_t>(change)];
}

Diff diff(const Module& a, const Module& b, AlikeKeys alike) {
  const OpKeys keysA = keysOf(a, std::move(alike.a));
  const OpKeys keysB = keysOf(b, std::move(alike.b));
  const std::vector<OpId> opOfA = matchOps(a, keysA, b, keysB);
  std::vector<OpId> opOfB(b.ops.size());
  for (std::size_t i = 0; i < opOfA.size(); ++i)
    if (opOfA[i].valid()) opOfB[opOfA[i].index()] = OpId::of(i);
  const Judge judge(a, b, opOfA, opOfB);

  Diff out;
  out.pairs.reserve(std::max(a.ops.size(), b.ops.size()));
  out.pairOfA.resize(a.ops.size());
  out.pairOfB.resize(b.ops.size());
  const auto add = [&](const OpPair& pair) {
    const auto index = static_cast<std::uint32_t>(out.pairs.size());
    if (pair.a.valid()) out.pairOfA[pair.a.index()] = index;
    if (pair.b.valid()) out.pairOfB[pair.b.index()] = index;
    out.pairs.push_back(pair);
  };
  const auto addRemovedFrom = [&](std::size_t first) {
    for (std::size_t i = first; i < a.ops.size() && !opOfA[i].valid(); ++i) {
      ++out.removed;
      add({OpId::of(i), {}, OpChange::Removed});
    }
  };
  addRemovedFrom(0);
  for (std::size_t i = 0; i < b.ops.size(); ++i) {
    const OpId x = opOfB[i];
    const OpId y = OpId::of(i);
    if (!x.valid()) {
      ++out.added;
      add({{}, y, OpChange::Added});
      continue;
    }
    OpPair pair{x, y};
    pair.otherText = keysA.own[x.index()] != keysB.own[i];
    pair.otherOperands = judge.otherOperands(x, y);
    const bool changed = pair.otherText || pair.otherOperands;
    const bool moved = judge.moved(x);
    if (moved) pair.change = changed ? OpChange::MovedAndChanged : OpChange::Moved;
    else pair.change = changed ? OpChange::Changed : OpChange::Same;
    out.changed += changed;
    out.moved += moved;
    add(pair);
    addRemovedFrom(x.index() + 1);
  }
  return out;
}

}  // namespace fxs::mlir
