// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/expectations.h"

#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/number_from.h"
#include "lit/limits.h"
#include "lit/lines.h"

namespace fxs::lit {
namespace {

constexpr std::string_view kExpected = "expected-";
constexpr std::array<std::string_view, 4> kSeverities{"error", "warning", "note", "remark"};

bool takeWord(std::string_view& rest, std::string_view word) {
  if (!rest.starts_with(word)) return false;
  rest.remove_prefix(word.size());
  return true;
}
void skipBlanks(std::string_view& rest) { rest.remove_prefix(rest.size() - trimmed(rest).size()); }

std::optional<std::uint32_t> takeNumber(std::string_view& rest) {
  std::size_t digits = 0;
  while (digits < rest.size() && isDigit(rest[digits])) ++digits;
  const auto number = numberFrom<std::uint32_t>(rest.substr(0, digits));
  rest.remove_prefix(digits);
  return number;
}

class ExpectationReader {
 public:
  explicit ExpectationReader(std::string_view text) : text_(text) {}

  Expectations read() {
    forEachLine(text_, [this](const Line& line) {
      // A line has one, as MLIR reads it.
      if (!takeLine(line)) plainLine(line.number);
      return out_.size() < kMaxExpectations;
    });
    return std::move(out_);
  }

 private:
  void plainLine(std::uint32_t number) {
    for (const std::size_t i : below_) out_[i].target = number;
    below_.clear();
    lastPlain_ = number;
  }

  bool takeLine(const Line& line) {
    std::string_view rest = line.range.of(text_);
    const std::size_t at = rest.find(kExpected);
    if (at == std::string_view::npos || rest.find("{{", at) == std::string_view::npos) return false;
    rest.remove_prefix(at + kExpected.size());
    Expectation out;
    out.line = out.target = line.number;
    if (!takeSeverity(rest, out)) return false;
    const auto isBelow = takeTarget(rest, out);
    if (!isBelow) return false;
    skipBlanks(rest);
    if (const auto count = takeNumber(rest)) out.count = *count;
    skipBlanks(rest);
    const std::size_t close = rest.rfind("}}");
    if (!rest.starts_with("{{") || close == std::string_view::npos || close < 2) return false;
    const std::size_t begin = line.range.end - rest.size();
    out.text = {begin + 2, begin + close};
    if (*isBelow) below_.push_back(out_.size());
    out_.push_back(out);
    return true;
  }
  static bool takeSeverity(std::string_view& rest, Expectation& out) {
    for (std::size_t i = 0; i < kSeverities.size(); ++i) {
      if (!takeWord(rest, kSeverities[i])) continue;
      out.severity = static_cast<Expectation::Severity>(i);
      if (takeWord(rest, "-re")) out.match = Expectation::Match::Regex;
      skipBlanks(rest);
      return true;
    }
    return false;
  }
  /// Whether it is the next line; std::nullopt if what follows the `@` is not known.
  std::optional<bool> takeTarget(std::string_view& rest, Expectation& out) const {
    if (!takeWord(rest, "@")) return false;
    if (takeWord(rest, "below")) return true;
    if (takeWord(rest, "unknown")) {
      out.target = 0;
    } else if (takeWord(rest, "above")) {
      out.target = lastPlain_;
    } else {
      const bool up = rest.starts_with('-');
      if (!up && !rest.starts_with('+')) return std::nullopt;
      rest.remove_prefix(1);
      const auto offset = takeNumber(rest);
      if (!offset || (up ? *offset >= out.line : *offset > kMaxOffset)) return std::nullopt;
      out.target = up ? out.line - *offset : out.line + *offset;
    }
    return false;
  }

  static constexpr std::uint32_t kMaxOffset = 1u << 20;
  const std::string_view text_;
  Expectations out_;
  std::vector<std::size_t> below_;  ///< those that wait for a line without one
  std::uint32_t lastPlain_ = 0;
};

}  // namespace

std::string_view name(Expectation::Severity severity) {
  return kSeverities[static_cast<std::size_t>(severity)];
}

Expectations expectationsOf(std::string_view text) { return ExpectationReader(text).read(); }

}  // namespace fxs::lit
