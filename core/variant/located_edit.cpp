// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variant/located_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <span>
#include <vector>

#include "mlir/compare/diff.h"
#include "mlir/text/document.h"
#include "mlir/text/expanded_aliases.h"
#include "mlir/text/shown_text.h"
#include "mlir/text/token_ends.h"
#include "mlir/text/without_locations.h"
#include "trace/origins.h"

namespace fxs::variant {
namespace {

/// Of one location in bytes; longer ones are reduced to their nodes.
constexpr std::size_t kMaxLocation = 2048;
/// Of all aliases together, as a multiple of the text.
constexpr std::size_t kMaxGrowth = 8;

constexpr int kMaxRounds = 16;

/// What a text gets at a range of it.
struct Replacement {
  TextRange range;
  std::string text;
};

std::string replaced(std::string_view text, std::vector<Replacement> all) {
  std::stable_sort(all.begin(), all.end(), [](const Replacement& a, const Replacement& b) {
    return a.range.begin < b.range.begin;
  });
  std::string out;
  std::size_t at = 0;
  for (const Replacement& each : all) {
    if (each.range.begin < at) continue;
    out += text.substr(at, each.range.begin - at);
    out += each.text;
    at = each.range.end;
  }
  return out += text.substr(at);
}

/// Whether it has locations of its own that lead to nodes. Those of a stored trace lead to other
/// snapshots.
bool namesNodes(std::string_view text) {
  const mlir::Document document(text);
  for (std::size_t i = 0; i < document.module.ops.size(); ++i)
    if (!document.nodesOf(mlir::OpId::of(i)).empty()) return true;
  return false;
}

/// `loc("fx":3:0)`, of several nodes `loc(fused["fx":3:0, "fx":5:0])`, without the brackets.
std::string bodyOf(std::span<const fx::NodeId> nodes) {
  std::string out;
  for (const fx::NodeId node : nodes)
    out += fmt::format("{}\"{}\":{}:0", out.empty() ? "" : ", ", mlir::kFxFile, node.index());
  return nodes.size() == 1 ? out : "fused[" + out + "]";
}

constexpr std::string_view kElided = "…";

/// Where data was elided, without its offset.
struct Place {
  mlir::OpId op;
  std::string_view line;  ///< what precedes it; "" in an operation
  std::string_view mark;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// What stands for elided data, `"0x…" (8 bytes)`, `"…" (300 characters)` or `… 9 values`, around
/// its `…`.
TextRange markAround(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 64;
  std::size_t begin = at;
  for (const std::string_view before : {std::string_view("\"0x"), std::string_view("\"")})
    if (begin == at && text.substr(0, at).ends_with(before)) begin -= before.size();
  const std::string_view last = begin < at ? ")" : "values";
  const std::size_t size = text.substr(at, kLongest).find(last);
  return {begin, size == std::string_view::npos ? begin : at + size + last.size()};
}

Place placeOf(const mlir::Module& module, TextRange mark) {
  Place out{module.opAt(mark.begin), {}, mark.of(module.text)};
  if (out.op.valid()) return out;
  const std::size_t line = module.text.substr(0, mark.begin).rfind('\n') + 1;
  out.line = trimmed(module.text.substr(line, mark.begin - line));
  return out;
}

class LocatedEdit {
 public:
  LocatedEdit(std::string_view original, std::string_view edited, const RunContext& context)
      : original_(original),
        edited_(edited),
        context_(context),
        shown_(mlir::shownWithElisions(original)),
        before_(original),
        aliases_(before_.module,
                 {.growth = kMaxGrowth, .longest = kMaxLocation, .longestLocation = kMaxLocation}),
        was_(shown_.text),
        is_(edited),
        diff_(mlir::diff(was_, is_)),
        replacedBy_(is_.ops.size()) {
    for (std::size_t b = 0; b < is_.blocks.size(); ++b) pairReplaced(mlir::BlockId::of(b));
  }

  /// Whether operations of the original and of its shown text have the same ids.
  bool isShown() const { return before_.module.ops.size() == was_.ops.size(); }

  std::string completed() {
    restoreElisions();
    return replaced(edited_, elided_);
  }

  std::string run() {
    restoreElisions();
    // A node that is given back may be inferred for others.
    Nodes own;
    std::string out = located(own);
    for (int round = 0; round < kMaxRounds; ++round) {
      Nodes lost = nodesLost(out);
      if (lost.empty()) break;
      own.merge(lost);
      out = located(own);
    }
    return out;
  }

 private:
  using Nodes = std::map<mlir::OpId, std::string>;

  mlir::OpId counterpart(mlir::OpId op) const {
    return op.valid() ? diff_.pairs[diff_.pairOfB[op.index()]].a : mlir::OpId();
  }

  /// An operation that took the place of one has its location: as many came as went between two
  /// that are in both texts.
  void pairReplaced(mlir::BlockId block) {
    const std::span<const mlir::OpId> ops = is_.opsOf(block);
    const auto isNew = [this](mlir::OpId op) { return !counterpart(op).valid(); };
    for (auto begin = ops.begin(); begin != ops.end();) {
      begin = std::find_if(begin, ops.end(), isNew);
      const auto end = std::find_if_not(begin, ops.end(), isNew);
      if (begin == end) return;
      const mlir::OpId first = begin == ops.begin() ? mlir::OpId() : counterpart(*(begin - 1));
      const mlir::OpId last = end == ops.end() ? mlir::OpId() : counterpart(*end);
      const std::span<const mlir::OpId> gone = removedBetween(first, last);
      if (gone.size() == static_cast<std::size_t>(end - begin))
        for (std::size_t i = 0; i < gone.size(); ++i) replacedBy_[begin[i].index()] = gone[i];
      begin = end;
    }
  }

  /// Of one block, after `first` and before `last`, of which one may be invalid; empty if not all
  /// are gone.
  std::span<const mlir::OpId> removedBetween(mlir::OpId first, mlir::OpId last) const {
    const mlir::OpId known = first.valid() ? first : last;
    if (!known.valid() || !was_.op(known).block.valid()) return {};
    const std::span<const mlir::OpId> ops = was_.opsOf(was_.op(known).block);
    const auto begin =
        first.valid() ? std::upper_bound(ops.begin(), ops.end(), first) : ops.begin();
    const auto end = last.valid() ? std::lower_bound(ops.begin(), ops.end(), last) : ops.end();
    const auto isGone = [this](mlir::OpId op) {
      return !diff_.pairs[diff_.pairOfA[op.index()]].b.valid();
    };
    if (begin >= end || !std::all_of(begin, end, isGone)) return {};
    return {begin, end};
  }

  /// The text with locations; those of `own` by operation instead of their counterpart's.
  std::string located(const Nodes& own) const {
    std::vector<Replacement> all = elided_;
    const auto add = [&](std::size_t at, std::string_view body) {
      all.push_back({{at, at}, fmt::format(" loc({})", body)});
    };
    for (std::size_t i = 0; i < is_.ops.size(); ++i) {
      const mlir::OpId id = mlir::OpId::of(i), was = counterpart(id);
      const mlir::OpId source = was.valid() ? was : replacedBy_[i];
      const auto node = own.find(id);
      const std::string_view body =
          source.valid() ? before_.module.op(source).location.of(original_) : std::string_view();
      // An operation follows those of its regions in their line.
      if (node != own.end()) add(is_.ops[i].text.end, node->second);
      else add(is_.ops[i].text.end, expanded(body));
      if (was.valid()) locateArguments(was, id, add);
    }
    return replaced(edited_, std::move(all));
  }

  /// Where the original has one; other arguments are printed without.
  template <class Add>
  void locateArguments(mlir::OpId was, mlir::OpId is, Add add) const {
    const auto before = before_.module.regionsOf(was), now = is_.regionsOf(is);
    for (std::size_t r = 0; r < std::min(before.size(), now.size()); ++r) {
      const auto blocks = before_.module.blocksOf(before[r]), blocksNow = is_.blocksOf(now[r]);
      for (std::size_t b = 0; b < std::min(blocks.size(), blocksNow.size()); ++b) {
        const mlir::IndexRange from = before_.module.block(blocks[b]).arguments;
        const mlir::IndexRange to = is_.block(blocksNow[b]).arguments;
        for (std::uint32_t i = 0; from.size() == to.size() && i < from.size(); ++i)
          locateArgument(mlir::ValueId::of(from.begin + i), mlir::ValueId::of(to.begin + i), add);
      }
    }
  }
  template <class Add>
  void locateArgument(mlir::ValueId was, mlir::ValueId is, Add add) const {
    const std::string_view body = before_.module.value(was).location.of(original_);
    const TextRange type = is_.typeOf(is);
    if (body.empty() || type.empty()) return;
    std::size_t at = type.end;
    const std::size_t next = mlir::afterAll(edited_, at, mlir::kBlank);
    if (next < edited_.size() && edited_[next] == '{') {
      const std::size_t end = mlir::afterBracket(edited_, next);
      if (end != std::string_view::npos) at = end;
    }
    add(at, expanded(body));
  }

  /// A location of the original without aliases, which would need lines of their own; `unknown` for
  /// none.
  std::string expanded(std::string_view body) const {
    std::string out;
    bool isTooLong = false;
    for (std::size_t at = 0; at < body.size();) {
      const std::size_t begin = at;
      if (body[at] == '"') {
        at = mlir::afterQuoted(body, at);
      } else if (body[at] == '#') {
        at = mlir::afterName(body, at);
        const auto* alias = aliases_.find(body.substr(begin, at - begin));
        isTooLong = isTooLong || (alias != nullptr && alias->tooLong);
        if (alias != nullptr && alias->location) {
          out += alias->text;
          continue;
        }
      } else {
        ++at;
      }
      out += body.substr(begin, at - begin);
    }
    if (!isTooLong && out.size() <= kMaxLocation) return out.empty() ? "unknown" : out;
    const std::vector<fx::NodeId> nodes = before_.locations.nodes(body);
    return nodes.empty() ? "unknown" : bodyOf(nodes);
  }

  /// The elided data: of an operation in order, of a resource by its name.
  void restoreElisions() {
    struct Elided {
      std::vector<std::size_t> all;  ///< of shown_.elisions
      std::size_t next = 0;
    };
    std::map<Place, Elided> byPlace;
    for (std::size_t i = 0; i < shown_.elisions.size(); ++i)
      byPlace[placeOf(was_, shown_.elisions[i].shown)].all.push_back(i);
    for (std::size_t at = edited_.find(kElided); at != std::string_view::npos;
         at = edited_.find(kElided, at + kElided.size())) {
      const TextRange mark = markAround(edited_, at);
      Place place = placeOf(is_, mark);
      const bool isInside = place.op.valid();
      place.op = counterpart(place.op);
      const auto found = byPlace.find(place);
      if (found == byPlace.end() || isInside != place.op.valid()) continue;
      auto& [all, next] = found->second;
      const mlir::Elision& elision = shown_.elisions[all[std::min(next++, all.size() - 1)]];
      elided_.push_back({mark, std::string(elision.full.of(original_))});
    }
  }

  /// Of operations that are the same but whose node was known from others: it, where that is
  /// another one now.
  Nodes nodesLost(const std::string& now) const {
    const mlir::Document after(now);
    Nodes out;
    if (after.module.ops.size() != is_.ops.size()) return out;
    const auto before = trace::originsOf(before_, context_);
    const auto is = trace::originsOf(after, context_);
    for (const mlir::OpPair& pair : diff_.pairs) {
      if (!pair.a.valid() || !pair.b.valid() || pair.otherText) continue;
      const trace::OpOrigin mine = before->of(pair.a), theirs = is->of(pair.b);
      if (!mine.nodes.empty() && !std::ranges::equal(mine.nodes, theirs.nodes))
        out.emplace(pair.b, bodyOf(mine.nodes));
    }
    return out;
  }

  const std::string_view original_, edited_;
  const RunContext& context_;
  const mlir::ShownText shown_;
  const mlir::Document before_;
  const mlir::ExpandedAliases aliases_;
  const mlir::Module was_, is_;  ///< the shown text of the original, and what it became
  const mlir::Diff diff_;
  std::vector<mlir::OpId> replacedBy_;  ///< by operation of is_: that of was_ whose place it took
  std::vector<Replacement> elided_;
};

std::string madeOf(std::string_view original, std::string_view edited, const RunContext& context,
                   std::string (LocatedEdit::*make)()) {
  context.spend(Resource::Text, original.size() + edited.size(), "the edited text");
  if (namesNodes(edited)) return std::string(edited);
  const std::string plain = mlir::withoutLocations(edited);
  LocatedEdit edit(original, plain, context);
  return edit.isShown() ? (edit.*make)() : plain;
}

}  // namespace

std::string locatedEdit(std::string_view original, std::string_view edited,
                        const RunContext& context) {
  return madeOf(original, edited, context, &LocatedEdit::run);
}

std::string completedEdit(std::string_view original, std::string_view edited,
                          const RunContext& context) {
  return madeOf(original, edited, context, &LocatedEdit::completed);
}

}  // namespace fxs::variant
