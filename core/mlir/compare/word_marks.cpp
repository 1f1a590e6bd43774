// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words that differ inside a changed operation.
#include <optional>

#include "mlir/compare/diff.h"
#include "mlir/compare/hash.h"
#include "mlir/compare/subsequence.h"
#include "mlir/text/op_text_writer.h"

namespace fxs::mlir {
namespace {

struct Words {
  std::vector<TextRange> ranges;
  std::vector<std::uint64_t> keys;
};

/// Takes an operation's own text as words: names, numbers and strings whole, other bytes one by
/// one.
class WordSink {
 public:
  WordSink(const Module& m, Words& out) : m_(m), out_(out) {}

  void text(std::string_view stretch) {
    for (std::size_t at = 0; at < stretch.size();) {
      std::size_t end = at + 1;
      if (stretch[at] == '"') end = afterQuoted(stretch, at);
      else if (is(stretch[at], kWord)) end = afterAll(stretch, at, kWord);
      add(stretch.substr(at, end - at), stretch.substr(at, end - at));
      at = end;
    }
  }
  void space() {}
  void defines(ValueId) {}
  void uses(std::uint32_t) {}
  void names(std::uint32_t) {}
  void alias(std::string_view name) {
    if (!aliases_) aliases_.emplace(m_);
    add(name, aliases_->text(name));
  }
  void region(RegionId) {}

 private:
  void add(std::string_view printed, std::string_view meant) {
    const auto begin = static_cast<std::size_t>(printed.data() - m_.text.data());
    Hash hash;
    hash.add(meant);
    out_.ranges.push_back({begin, begin + printed.size()});
    out_.keys.push_back(hash.value());
  }

  const Module& m_;
  Words& out_;
  std::optional<ExpandedAliases> aliases_;
};

Words wordsOf(const Module& m, OpId id) {
  Words out;
  WordSink sink(m, out);
  OpText(m, id, sink);
  return out;
}

using Common = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Drops common punctuation between two words that differ: `[a]<[b]>` is harder to read than
/// `[a<b]>`.
Common withoutCrumbs(const Common& common, const Words& words, const Module& m,
                     std::pair<std::size_t, std::size_t> sizes) {
  constexpr std::size_t kCrumb = 2;
  Common out;
  const auto differs = [](auto before, auto after) {
    return before.first + 1 < after.first || before.second + 1 < after.second;
  };
  for (std::size_t i = 0, next = 0; i < common.size(); i = next) {
    next = i + 1;
    while (next < common.size() && common[next].first == common[next - 1].first + 1 &&
           common[next].second == common[next - 1].second + 1)
      ++next;
    bool crumb = next - i <= kCrumb && (i == 0 ? common[0].first + common[0].second > 0
                                               : differs(common[i - 1], common[i]));
    crumb = crumb && (next == common.size() ? common[next - 1].first + 1 < sizes.first ||
                                                  common[next - 1].second + 1 < sizes.second
                                            : differs(common[next - 1], common[next]));
    for (std::size_t k = i; k < next; ++k)
      crumb = crumb && !is(m.text[words.ranges[common[k].first].begin], kWord);
    if (!crumb)
      out.insert(out.end(), common.begin() + static_cast<std::ptrdiff_t>(i),
                 common.begin() + static_cast<std::ptrdiff_t>(next));
  }
  return out;
}

void mark(const Module& m, const Words& words, std::size_t from, std::size_t to,
          std::vector<TextRange>& out) {
  for (std::size_t i = from; i < to; ++i) {
    const TextRange word = words.ranges[i];
    // A mark extends over a blank, but not over a value name.
    const bool joins =
        i > from && (out.back().end == word.begin ||
                     (out.back().end + 1 == word.begin && m.text[word.begin - 1] == ' '));
    if (joins) out.back().end = word.end;
    else out.push_back(word);
  }
}

}  // namespace

WordMarks wordMarks(const Module& a, const Module& b, const OpPair& pair) {
  WordMarks out;
  if (!pair.a.valid() || !pair.b.valid()) return out;
  const Words mine = wordsOf(a, pair.a);
  const Words theirs = wordsOf(b, pair.b);
  std::size_t fromA = 0;
  std::size_t fromB = 0;
  Common common = withoutCrumbs(commonSubsequence(mine.keys, theirs.keys), mine, a,
                                {mine.keys.size(), theirs.keys.size()});
  common.emplace_back(mine.keys.size(), theirs.keys.size());
  for (const auto& [toA, toB] : common) {
    mark(a, mine, fromA, toA, out.a);
    mark(b, theirs, fromB, toB, out.b);
    fromA = toA + std::size_t{1};
    fromB = toB + std::size_t{1};
  }
  return out;
}

}  // namespace fxs::mlir
