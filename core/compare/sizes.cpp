// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes to try. A depth-first search over few candidates for each symbol: primes first, so that a
// product or a swapped dimension shows.
#include <algorithm>
#include <array>
#include <set>

#include "base/joined.h"
#include "compare/guards.h"
#include "compare/inputs.h"

namespace fxs::compare {
namespace {

/// How choosy a search is; the next one is tried where one finds nothing.
struct Wish {
  bool distinct;  ///< sizes of different symbols differ, also from static sizes of the inputs
  std::int64_t
      smallest;  ///< of every size in the graph: a dimension of 1 broadcasts, which hides mistakes
};
constexpr std::array<Wish, 4> kWishes{{{true, 2}, {false, 2}, {false, 1}, {false, 0}}};
/// Neither multiples of what is commonly processed at once nor of each other.
constexpr std::array<std::int64_t, 6> kBeyondVectors{19, 37, 23, 41, 29, 43};
constexpr std::int64_t kManyCandidates = 256;
constexpr std::int64_t kLargestPower = std::int64_t{1} << 20;
constexpr int kMostSteps = 5'000;
constexpr std::size_t kMostSymbols = 64;

struct SymbolRange {
  std::int64_t min = 0, max = INT64_MAX;
};

SymbolRange rangeOf(const fx::Program& program, const std::string& symbol) {
  SymbolRange out;
  for (const fx::RangeConstraint& range : program.ranges)
    if (range.symbol == symbol)
      out = {range.min.value_or(INT64_MIN), range.max.value_or(INT64_MAX)};
  return out;
}

std::vector<std::int64_t> candidatesIn(const SymbolRange& range) {
  constexpr std::array<std::int64_t, 18> kPrimes{3,  5,  7,  2,  11, 13, 17, 19, 23,
                                                 29, 31, 37, 41, 43, 47, 53, 59, 61};
  std::vector<std::int64_t> out;
  const auto add = [&](std::int64_t size) {
    if (size >= range.min && size <= range.max &&
        std::find(out.begin(), out.end(), size) == out.end())
      out.push_back(size);
  };
  for (const std::int64_t prime : kPrimes) add(prime);
  const std::int64_t first = std::max<std::int64_t>(range.min, 2);
  for (std::int64_t size = first; size <= range.max && size - first < kManyCandidates; ++size)
    add(size);
  for (std::int64_t power = 2 * kManyCandidates; power <= kLargestPower; power *= 2) add(power);
  add(1);
  add(0);
  return out;
}

/// A size somewhere in the graph, or a condition.
struct SizeDemand {
  fx::SymExprPtr expr;
  bool isInput = false;      ///< the size of an input, which must have a value
  bool isCondition = false;  ///< not a size: must not be 0
};

class SizeSearch {
 public:
  SizeSearch(const fx::Program& program, const Sizes& given, const RunContext& context)
      : context_(context),
        symbols_(inputSymbols(program)),
        conditions_(sizeConditions(program, context)) {
    for (const std::string& symbol : symbols_) {
      const auto fixed = given.find(symbol);
      candidates_.push_back(fixed == given.end() ? candidatesIn(rangeOf(program, symbol))
                                                 : std::vector{fixed->second});
    }
    demands_.resize(symbols_.size());
    std::set<std::string> seen;
    for (const fx::Node* node : givenInputs(program)) collectSizes(*node, true, seen);
    for (const fx::Node& node : program.nodes) collectSizes(node, false, seen);
    for (const SizeCondition& condition : conditions_.known) add({condition.expr, false, true});
  }

  const std::vector<std::string>& symbols() const { return symbols_; }

  /// The first choice that fulfils the strictest wish that can be fulfilled; empty if there is
  /// none.
  std::optional<Sizes> first() {
    for (wish_ = kWishes.begin(); wish_ != kWishes.end(); ++wish_) {
      Sizes sizes;
      steps_ = 0;
      if (extend(sizes, 0)) return sizes;
    }
    return std::nullopt;
  }
  /// Every symbol that is not given beyond the width of a vector, as long as it can be; after
  /// first(). Empty if that is nothing new.
  std::optional<Sizes> large(const Sizes& base) {
    const auto usual = candidates_;
    for (std::vector<std::int64_t>& candidates : candidates_) {
      if (candidates.size() < 2) continue;
      std::vector<std::int64_t> some;
      for (const std::int64_t size : kBeyondVectors)
        if (std::find(candidates.begin(), candidates.end(), size) != candidates.end())
          some.push_back(size);
      some.insert(some.end(), candidates.begin(), candidates.end());
      candidates = std::move(some);
    }
    Sizes sizes;
    steps_ = 0;
    const bool found = extend(sizes, 0) && sizes != base;
    candidates_ = usual;
    return found ? std::optional(std::move(sizes)) : std::nullopt;
  }
  /// `base` with 1 for a symbol, where the program allows it, after first().
  std::optional<Sizes> one(const Sizes& base, std::size_t position) {
    const auto& candidates = candidates_[position];
    Sizes sizes = base;
    sizes[symbols_[position]] = 1;
    if (std::find(candidates.begin(), candidates.end(), 1) == candidates.end() || sizes == base)
      return std::nullopt;
    const Wish* usual = wish_;
    wish_ = &kWishes[2];
    bool holds = true;
    for (std::size_t i = 0; i < symbols_.size() && holds; ++i) holds = fulfils(sizes, i);
    wish_ = usual;
    return holds ? std::optional(std::move(sizes)) : std::nullopt;
  }
  /// `base` with another value for one symbol, after first().
  std::optional<Sizes> other(const Sizes& base, std::size_t position) {
    for (const bool distinct : {true, false}) {
      for (const std::int64_t candidate : candidates_[position]) {
        Sizes sizes = base;
        sizes[symbols_[position]] = candidate;
        if (candidate == base.at(symbols_[position]) || candidate < wish_->smallest ||
            (distinct && !isDistinct(sizes, position)))
          continue;
        bool holds = true;
        for (std::size_t i = 0; i < symbols_.size() && holds; ++i) holds = fulfils(sizes, i);
        if (holds) return sizes;
      }
    }
    return std::nullopt;
  }

 private:
  void add(SizeDemand demand) {
    bool isKnown = !symbols_.empty();
    std::size_t last = 0;
    fx::collectSymbols(*demand.expr, [&](const std::string& name) {
      const auto found = std::find(symbols_.begin(), symbols_.end(), name);
      isKnown = isKnown && found != symbols_.end();
      last = std::max(last, static_cast<std::size_t>(found - symbols_.begin()));
    });
    if (isKnown) demands_[last].push_back(std::move(demand));
  }
  void collectSizes(const fx::Node& node, bool isInput, std::set<std::string>& seen) {
    const fx::TensorMeta* tensor = node.val.tensor();
    if (tensor == nullptr) return;
    for (const fx::SymInt& size : tensor->sizes) {
      context_.spend(Resource::Values, 1, "the sizes of the program");
      if (size.isStatic() && isInput) static_.insert(size.value());
      if (!size.isStatic() && seen.insert(size.text()).second) add({size.expr(), isInput, false});
    }
  }

  bool isDistinct(const Sizes& sizes, std::size_t position) const {
    const std::int64_t size = sizes.at(symbols_[position]);
    for (const auto& [symbol, other] : sizes)
      if (symbol != symbols_[position] && other == size) return false;
    return !static_.contains(size);
  }
  /// Whether what became known with the symbol at `position` is allowed.
  bool fulfils(const Sizes& sizes, std::size_t position) const {
    for (const SizeDemand& demand : demands_[position]) {
      const auto value = fx::evaluate(*demand.expr, sizes);
      if (!value && demand.isInput) return false;
      if (!value) continue;
      if (demand.isCondition ? *value == 0 : *value < wish_->smallest) return false;
    }
    return true;
  }
  /// Recursion is as deep as there are symbols, at most kMostSymbols.
  bool extend(Sizes& sizes, std::size_t position) {
    if (position == symbols_.size()) return true;
    for (const std::int64_t candidate : candidates_[position]) {
      if (++steps_ > kMostSteps) return false;
      context_.spend(Resource::Values, demands_[position].size() + 1, "sizes to try");
      sizes[symbols_[position]] = candidate;
      if ((!wish_->distinct || candidates_[position].size() == 1 || isDistinct(sizes, position)) &&
          fulfils(sizes, position) && extend(sizes, position + 1))
        return true;
      sizes.erase(symbols_[position]);
    }
    return false;
  }

  const RunContext& context_;
  std::vector<std::string> symbols_;
  SizeConditions conditions_;
  std::vector<std::vector<std::int64_t>> candidates_;
  std::vector<std::vector<SizeDemand>>
      demands_;  // by the position of the last symbol that it needs
  std::set<std::int64_t> static_;
  const Wish* wish_ = kWishes.begin();
  int steps_ = 0;
};

Result<> checkGiven(const fx::Program& program, const std::vector<std::string>& symbols,
                    const Sizes& given) {
  for (const auto& [symbol, size] : given) {
    if (std::find(symbols.begin(), symbols.end(), symbol) == symbols.end())
      return fail(
          ErrorCode::Usage,
          "size " + symbol + ": " +
              (symbols.empty() ? std::string("the inputs have static sizes only")
                               : "the inputs have no such size; they have " + joined(symbols)));
    const SymbolRange range = rangeOf(program, symbol);
    if (size >= range.min && size <= range.max && size >= 0) continue;
    const std::string least = std::to_string(std::max<std::int64_t>(range.min, 0));
    return fail(ErrorCode::Usage,
                "size " + symbol + "=" + std::to_string(size) + ": the program allows " +
                    (range.max == INT64_MAX ? least + " or more"
                                            : least + " to " + std::to_string(range.max)));
  }
  return {};
}

}  // namespace

Result<std::vector<Sizes>> sizesToTry(const fx::Program& program, const Sizes& given,
                                      const RunContext& context) {
  SizeSearch search(program, given, context);
  if (search.symbols().size() > kMostSymbols)
    return fail(ErrorCode::Unsupported,
                "the inputs have " + std::to_string(search.symbols().size()) +
                    " symbolic sizes; the limit is " + std::to_string(kMostSymbols));
  FXS_CHECK(checkGiven(program, search.symbols(), given));
  const auto base = search.first();
  if (!base && given.empty())
    return fail(ErrorCode::Unsupported,
                "no sizes were found that the guards of the program allow; give some with --size");
  if (!base) {
    std::vector<std::string> texts;
    for (const auto& [symbol, size] : given) texts.push_back(symbol + "=" + std::to_string(size));
    return fail(ErrorCode::Usage,
                "sizes " + joined(texts) + ": the guards of the program do not allow them");
  }
  std::vector<Sizes> out{*base};
  for (std::size_t i = 0; i < search.symbols().size(); ++i)
    if (!given.contains(search.symbols()[i]))
      if (auto other = search.other(*base, i)) out.push_back(*std::move(other));
  const auto addNew = [&](std::optional<Sizes> sizes) {
    if (sizes && std::find(out.begin(), out.end(), *sizes) == out.end())
      out.push_back(*std::move(sizes));
  };
  addNew(search.large(*base));
  for (std::size_t i = 0; i < search.symbols().size(); ++i)
    if (!given.contains(search.symbols()[i])) addNew(search.one(*base, i));
  return out;
}

}  // namespace fxs::compare
