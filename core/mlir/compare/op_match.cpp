// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/compare/op_match.h"

#include <algorithm>
#include <array>
#include <utility>

#include "mlir/compare/hash.h"
#include "mlir/compare/match_side.h"
#include "mlir/compare/subsequence.h"

namespace fxs::mlir {
namespace {

using Pair = std::pair<OpId, OpId>;

/// Budget for longest common subsequences in one comparison, in table cells.
constexpr std::size_t kCells = std::size_t{1} << 24;

class Matcher {
 public:
  Matcher(const Module& a, const OpKeys& keysA, const Module& b, const OpKeys& keysB)
      : a_(a, keysA), b_(b, keysB) {}

  std::vector<OpId> run() {
    matchRegions({}, {});
    matchInside();
    matchAcrossRegions();
    return std::move(a_.match);
  }

 private:
  enum class Likeness { Own, Alike, Name };
  /// How well operands must agree. Loose: no two producers are matched to other operations.
  /// Through: also, if only one of two producers is matched, the other leads to its match through a
  /// few unmatched operations, as with an added or removed cast. Strict: also, no producer is
  /// matched unless both are. For the last two, unmatched producers must have indistinguishable
  /// inputs.
  enum class Fit { Any, Loose, Through, Strict };

  std::uint64_t key(const Side& side, OpId id, Likeness likeness) const {
    switch (likeness) {
      case Likeness::Own: return side.keys.own[id.index()];
      case Likeness::Alike: return side.keys.alike[id.index()];
      case Likeness::Name: break;
    }
    return side.name[id.index()];
  }

  void match(OpId x, OpId y) {
    a_.match[x.index()] = y;
    b_.match[y.index()] = x;
    pairs_.emplace_back(x, y);
  }
  bool fits(OpId x, OpId y, Fit fit) const {
    if (fit == Fit::Any) return true;
    const auto mine = a_.m.operandsOf(x);
    const auto theirs = b_.m.operandsOf(y);
    for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i) {
      if (!mine[i].value.valid() || !theirs[i].value.valid()) continue;
      if (!agree(a_.m.value(mine[i].value), b_.m.value(theirs[i].value), fit)) return false;
    }
    return true;
  }
  bool agree(const Value& mine, const Value& theirs, Fit fit) const {
    const bool openA = a_.open(mine.op);
    const bool openB = b_.open(theirs.op);
    if (openA && openB) return fit == Fit::Loose || fits(mine.op, theirs.op, Fit::Loose);
    if (openA != openB && fit != Fit::Through) return fit == Fit::Loose;
    if (openA) return leadsTo(a_, mine.op, b_.match[theirs.op.index()]);
    if (openB) return leadsTo(b_, theirs.op, a_.match[mine.op.index()]);
    return a_.match[mine.op.index()] == theirs.op && mine.kind == theirs.kind &&
           mine.index == theirs.index;
  }
  /// Whether an unmatched operation depends on `wanted` through a few other unmatched ones.
  static bool leadsTo(const Side& side, OpId from, OpId wanted) {
    constexpr std::size_t kLookedAt = 8;
    constexpr std::size_t kOperands = 32;
    std::array<OpId, kLookedAt> queue{from};
    std::size_t size = 1;
    for (std::size_t next = 0; next < size; ++next)
      for (const Operand& use :
           side.m.operandsOf(queue[next])
               .first(std::min(side.m.operandsOf(queue[next]).size(), kOperands))) {
        if (!use.value.valid()) continue;
        const OpId producer = side.m.value(use.value).op;
        if (producer == wanted) return true;
        if (side.open(producer) && size < kLookedAt) queue[size++] = producer;
      }
    return false;
  }
  void matchIf(OpId x, OpId y, Fit fit) {
    if (fits(x, y, fit)) match(x, y);
  }

  // A pair of regions

  void matchInside() {
    for (; inside_ < pairs_.size(); ++inside_) {
      const auto mine = a_.m.regionsOf(pairs_[inside_].first);
      const auto theirs = b_.m.regionsOf(pairs_[inside_].second);
      for (std::size_t r = 0; r < std::min(mine.size(), theirs.size()); ++r)
        matchRegions(mine[r], theirs[r]);
    }
  }

  void matchRegions(RegionId regionA, RegionId regionB) {
    here_ = {regionA, regionB};
    opsA_ = a_.opsIn(regionA);
    opsB_ = b_.opsIn(regionB);
    if (sameInOrder()) {
      for (std::size_t i = 0; i < opsA_.size(); ++i) match(opsA_[i], opsB_[i]);
      return;
    }
    const std::size_t first = pairs_.size();
    for (std::uint32_t i = 0; i < opsA_.size(); ++i) a_.position[opsA_[i].index()] = i;
    for (std::uint32_t i = 0; i < opsB_.size(); ++i) b_.position[opsB_[i].index()] = i;
    matchUnique(a_.keys.cone, b_.keys.cone, Fit::Any);
    matchUnique(a_.keys.deep, b_.keys.deep, Fit::Loose);
    matchUnique(a_.keys.alikeCone, b_.keys.alikeCone, Fit::Loose);
    matchUnique(a_.symbol, b_.symbol, Fit::Any);
    matchAround(first, Likeness::Own);
    matchEqualCones(a_.keys.cone, b_.keys.cone);
    spread(first, Likeness::Own, Fit::Loose);
    if (!a_.keys.alike.empty() && !b_.keys.alike.empty()) {
      matchAround(first, Likeness::Alike);
      matchEqualCones(a_.keys.alikeCone, b_.keys.alikeCone);
      spread(first, Likeness::Alike, Fit::Loose);
    }
    matchInGaps(Likeness::Own, Fit::Any);
    if (!a_.keys.alike.empty() && !b_.keys.alike.empty()) {
      matchInGaps(Likeness::Alike, Fit::Any);
      spread(first, Likeness::Alike, Fit::Loose);
    }
    matchUsersOfArguments(Likeness::Name, Fit::Loose);
    spread(first, Likeness::Name, Fit::Loose);
    matchInGaps(Likeness::Name, Fit::Any);
    spread(first, Likeness::Name, Fit::Loose);
    // An operation that is shown without its operands must not be both removed and added.
    if (!a_.keys.alike.empty()) matchUnique(a_.keys.own, b_.keys.own, Fit::Any);
  }

  /// Along operands, uses and positions, from what is sure to what is likely.
  void matchAround(std::size_t first, Likeness likeness) {
    matchUsersOfArguments(likeness, Fit::Strict);
    spread(first, likeness, Fit::Strict);
    for (const Fit fit : {Fit::Through, Fit::Loose}) {
      matchUsersOfArguments(likeness, fit);
      spread(first, likeness, fit);
      matchInGaps(likeness, fit);
      spread(first, likeness, fit);
    }
  }

  bool sameInOrder() const {
    if (opsA_.size() != opsB_.size()) return false;
    for (std::size_t i = 0; i < opsA_.size(); ++i)
      if (!a_.open(opsA_[i]) || !b_.open(opsB_[i]) ||
          a_.keys.deep[opsA_[i].index()] != b_.keys.deep[opsB_[i].index()])
        return false;
    return true;
  }

  static std::vector<Keyed> openOnes(const Side& side, const std::vector<OpId>& ops,
                                     const Keys& keys) {
    std::vector<Keyed> out;
    if (keys.empty()) return out;
    for (const OpId id : ops)
      if (side.open(id) && keys[id.index()] != 0) out.push_back({keys[id.index()], id});
    return out;
  }

  void matchUnique(const Keys& keysA, const Keys& keysB, Fit fit) {
    std::vector<Keyed> mine = openOnes(a_, opsA_, keysA);
    std::vector<Keyed> theirs = openOnes(b_, opsB_, keysB);
    forEachShared(mine, theirs, [&](auto i, auto endI, auto j, auto endJ) {
      if (endI - i == 1 && endJ - j == 1) matchIf(i->op, j->op, fit);
    });
  }

  /// Matches equal operations with equal operands in order, as they are interchangeable.
  void matchEqualCones(const Keys& conesA, const Keys& conesB) {
    std::vector<Keyed> mine = openOnes(a_, opsA_, conesA);
    std::vector<Keyed> theirs = openOnes(b_, opsB_, conesB);
    forEachShared(mine, theirs, [&](auto i, auto endI, auto j, auto endJ) {
      for (; i != endI && j != endJ; ++i, ++j) matchIf(i->op, j->op, Fit::Loose);
    });
  }

  // Along operands and uses

  bool isHere(OpId x, OpId y) const {
    return a_.regionOf(x) == here_.first && b_.regionOf(y) == here_.second;
  }

  /// Propagates matches from the pairs of this region along operands and uses.
  void spread(std::size_t first, Likeness likeness, Fit fit) {
    for (std::size_t i = first; i < pairs_.size(); ++i) {
      const auto [x, y] = pairs_[i];
      const auto mine = a_.m.operandsOf(x);
      const auto theirs = b_.m.operandsOf(y);
      for (std::size_t n = 0; n < std::min(mine.size(), theirs.size()); ++n)
        matchProducers(mine[n].value, theirs[n].value, likeness, fit);
      matchUsers(a_.m.op(x).results, b_.m.op(y).results, likeness, fit);
    }
  }

  void matchProducers(ValueId valueA, ValueId valueB, Likeness likeness, Fit fit) {
    if (!valueA.valid() || !valueB.valid()) return;
    const Value& mine = a_.m.value(valueA);
    const Value& theirs = b_.m.value(valueB);
    if (mine.kind != ValueKind::Result || theirs.kind != ValueKind::Result ||
        mine.index != theirs.index)
      return;
    if (!a_.open(mine.op) || !b_.open(theirs.op) || !isHere(mine.op, theirs.op)) return;
    if (key(a_, mine.op, likeness) == key(b_, theirs.op, likeness))
      matchIf(mine.op, theirs.op, fit);
  }

  void matchUsers(IndexRange mine, IndexRange theirs, Likeness likeness, Fit fit) {
    for (std::uint32_t r = 0; r < std::min(mine.size(), theirs.size()); ++r) {
      collectUsers(a_, here_.first, ValueId{mine.begin + r}, likeness, usersA_);
      if (usersA_.empty()) continue;
      collectUsers(b_, here_.second, ValueId{theirs.begin + r}, likeness, usersB_);
      forEachShared(usersA_, usersB_, [&](auto i, auto endI, auto j, auto endJ) {
        if (endI - i == 1 && endJ - j == 1 && a_.open(i->op) && b_.open(j->op))
          matchIf(i->op, j->op, fit);
      });
    }
  }
  void collectUsers(const Side& side, RegionId region, ValueId value, Likeness likeness,
                    std::vector<Keyed>& out) const {
    out.clear();
    for (const OperandId use : side.m.usesOf(value)) {
      const OpId user = side.m.operands[use.index()].user;
      if (!side.open(user) || side.regionOf(user) != region) continue;
      Hash hash(key(side, user, likeness));
      hash.add(use.value - side.m.op(user).operands.begin);
      out.push_back({hash.value(), user});
    }
  }
  void matchUsersOfArguments(Likeness likeness, Fit fit) {
    if (!here_.first.valid() || !here_.second.valid()) return;
    const auto mine = a_.m.blocksOf(here_.first);
    const auto theirs = b_.m.blocksOf(here_.second);
    if (!mine.empty() && !theirs.empty())
      matchUsers(a_.m.block(mine[0]).arguments, b_.m.block(theirs[0]).arguments, likeness, fit);
  }

  // By place

  /// Matches operations between matched neighbours.
  void matchInGaps(Likeness likeness, Fit fit) {
    std::vector<std::uint32_t> positionsA, positionsB;
    for (const OpId x : opsA_) {
      if (a_.open(x) || b_.regionOf(a_.match[x.index()]) != here_.second) continue;
      positionsA.push_back(a_.position[x.index()]);
      positionsB.push_back(b_.position[a_.match[x.index()].index()]);
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> anchors;
    for (const std::uint32_t i : longestIncreasing(positionsB))
      anchors.emplace_back(positionsA[i], positionsB[i]);
    anchors.emplace_back(opsA_.size(), opsB_.size());
    std::uint32_t fromA = 0;
    std::uint32_t fromB = 0;
    for (const auto& [toA, toB] : anchors) {
      const std::vector<OpId> mine = openBetween(a_, opsA_, fromA, toA);
      const std::vector<OpId> theirs = mine.empty() ? mine : openBetween(b_, opsB_, fromB, toB);
      if (!mine.empty() && !theirs.empty()) {
        if (likeness == Likeness::Name) matchNamesakes(mine, theirs);
        else matchGap(mine, theirs, likeness, fit);
      }
      fromA = toA + 1;
      fromB = toB + 1;
    }
  }
  static std::vector<OpId> openBetween(const Side& side, const std::vector<OpId>& ops,
                                       std::uint32_t from, std::uint32_t to) {
    std::vector<OpId> out;
    for (std::uint32_t i = from; i < to; ++i)
      if (side.open(ops[i])) out.push_back(ops[i]);
    return out;
  }
  void matchGap(const std::vector<OpId>& mine, const std::vector<OpId>& theirs, Likeness likeness,
                Fit fit) {
    const auto keysOfAll = [&](const Side& side, const std::vector<OpId>& ops) {
      Keys out;
      for (const OpId id : ops) out.push_back(key(side, id, likeness));
      return out;
    };
    const std::size_t cells = mine.size() * theirs.size() <= cells_ ? cells_ : 0;
    for (const auto& [i, j] : commonSubsequence(keysOfAll(a_, mine), keysOfAll(b_, theirs), cells))
      matchIf(mine[i], theirs[j], fit);
    if (cells != 0) cells_ -= mine.size() * theirs.size();
  }
  /// Matches operations that are the only ones of their name in a gap, as changed.
  void matchNamesakes(const std::vector<OpId>& mine, const std::vector<OpId>& theirs) {
    std::vector<Keyed> namesA = openOnes(a_, mine, a_.name);
    std::vector<Keyed> namesB = openOnes(b_, theirs, b_.name);
    forEachShared(namesA, namesB, [&](auto i, auto endI, auto j, auto endJ) {
      if (endI - i == 1 && endJ - j == 1) match(i->op, j->op);
    });
  }

  // From one region to another

  /// Matches operations that moved between regions of the same function: hoisted or sunk.
  void matchAcrossRegions() {
    opsA_.clear();
    opsB_.clear();
    for (std::uint32_t i = 0; i < a_.m.ops.size(); ++i)
      if (a_.open(OpId{i})) opsA_.push_back(OpId{i});
    for (std::uint32_t i = 0; i < b_.m.ops.size(); ++i)
      if (b_.open(OpId{i})) opsB_.push_back(OpId{i});
    std::vector<Keyed> mine = openOnes(a_, opsA_, a_.keys.cone);
    std::vector<Keyed> theirs = openOnes(b_, opsB_, b_.keys.cone);
    const auto kept = [](const Side& side, OpId id) {
      return side.m.op(id).parent.valid() && !side.open(side.m.op(id).parent);
    };
    forEachShared(mine, theirs, [&](auto i, auto endI, auto j, auto endJ) {
      if (endI - i != 1 || endJ - j != 1) return;
      const OpId root = a_.root[i->op.index()];
      if (a_.open(root) || a_.match[root.index()] != b_.root[j->op.index()]) return;
      if (kept(a_, i->op) || kept(b_, j->op)) matchIf(i->op, j->op, Fit::Loose);
    });
    matchInside();
  }

  Side a_, b_;
  std::vector<Pair> pairs_;
  std::size_t inside_ = 0;  ///< regions of the pairs before it have been compared
  std::pair<RegionId, RegionId> here_;
  std::vector<OpId> opsA_, opsB_;  ///< of the regions that are compared
  std::vector<Keyed> usersA_, usersB_;
  std::size_t cells_ = kCells;
};

}  // namespace

std::vector<OpId> matchOps(const Module& a, const OpKeys& keysA, const Module& b,
                           const OpKeys& keysB) {
  return Matcher(a, keysA, b, keysB).run();
}

}  // namespace fxs::mlir
