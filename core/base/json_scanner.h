// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Fast path for JSON as exporters write it: ASCII, well formed, within the sink's limits. Gives up
// on anything else without a reason; the caller then falls back to the full parser, which decides
// what is valid and reports errors. It is faster because a model's JSON is mostly long strings,
// which are passed to the sink without a copy.
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace fxs {

/// Sink: null(), boolean(bool), integer(int64), whole(uint64), real(double), text(string_view),
/// name(string_view), open(isObject), close(); each returns false to give up.
template <class Sink>
class JsonScanner {
 public:
  JsonScanner(std::string_view text, Sink& sink)
      : at_(text.data()), end_(text.data() + text.size()), sink_(sink) {}

  /// True if the whole text was passed to the sink; false if the scanner or the sink gave up.
  bool scan() {
    while (readValue() && closeBrackets()) {
      if (open_.empty()) return at_ == end_;
      if (!separator()) return false;
    }
    return false;
  }

 private:
  static constexpr std::array<bool, 256> kPlain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
    return plain;
  }();

  void skipSpace() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }

  bool skip(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  /// A scalar, or an opening bracket.
  bool readValue() {
    skipSpace();
    if (at_ == end_) return false;
    opened_ = false;
    switch (*at_) {
      case '{':
      case '[': return openBracket();
      case '"': {
        std::string_view text;
        return string(text) && sink_.text(text);
      }
      case 't': return literal("true") && sink_.boolean(true);
      case 'f': return literal("false") && sink_.boolean(false);
      case 'n': return literal("null") && sink_.null();
      default: return number();
    }
  }

  bool openBracket() {
    const bool object = *at_++ == '{';
    if (!sink_.open(object)) return false;
    open_.push_back(object ? '}' : ']');
    opened_ = true;
    return true;
  }

  bool closeBrackets() {
    for (skipSpace(); !open_.empty() && skip(open_.back()); skipSpace()) {
      open_.pop_back();
      opened_ = false;
      if (!sink_.close()) return false;
    }
    return true;
  }

  /// Advances to the next value of the innermost bracket: past a comma and a key.
  bool separator() {
    if (!opened_) {
      if (!skip(',')) return false;
      skipSpace();
    }
    return open_.back() != '}' || key();
  }

  bool literal(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() ||
        std::string_view(at_, word.size()) != word)
      return false;
    at_ += word.size();
    return true;
  }

  bool key() {
    std::string_view name;
    if (at_ == end_ || *at_ != '"' || !string(name) || !sink_.name(name)) return false;
    skipSpace();
    return skip(':');
  }

  /// Whether all eight bytes are plain (see kPlain), computed in each byte's top bit.
  static bool allPlain(std::uint64_t bytes) {
    constexpr std::uint64_t kOnes = 0x0101010101010101u, kTops = 0x8080808080808080u;
    const auto isZero = [](std::uint64_t x) { return (x - kOnes) & ~x; };
    const std::uint64_t control = bytes - kOnes * 0x20;
    return ((bytes | control | isZero(bytes ^ (kOnes * '"')) | isZero(bytes ^ (kOnes * '\\'))) &
            kTops) == 0;
  }

  void skipPlain() {
    for (std::uint64_t bytes = 0; end_ - at_ >= 8; at_ += 8) {
      std::memcpy(&bytes, at_, 8);
      if (!allPlain(bytes)) break;
    }
    while (at_ != end_ && kPlain[static_cast<unsigned char>(*at_)]) ++at_;
  }

  /// `out` is a view of the text, or of scratch_ if the string contains escapes.
  bool string(std::string_view& out) {
    const char* begin = ++at_;
    skipPlain();
    if (at_ == end_) return false;
    if (*at_ == '"') {
      out = std::string_view(begin, static_cast<std::size_t>(at_++ - begin));
      return true;
    }
    scratch_.assign(begin, at_);
    while (at_ != end_ && *at_ != '"') {
      if (*at_ != '\\' || !escape()) return false;
      begin = at_;
      skipPlain();
      scratch_.append(begin, at_);
    }
    if (at_ == end_) return false;
    ++at_;
    out = scratch_;
    return true;
  }

  bool escape() {
    if (end_ - at_ < 2) return false;
    ++at_;
    switch (*at_++) {
      case '"': scratch_ += '"'; return true;
      case '\\': scratch_ += '\\'; return true;
      case '/': scratch_ += '/'; return true;
      case 'b': scratch_ += '\b'; return true;
      case 'f': scratch_ += '\f'; return true;
      case 'n': scratch_ += '\n'; return true;
      case 'r': scratch_ += '\r'; return true;
      case 't': scratch_ += '\t'; return true;
      default: return false;  // \uXXXX: left to the full parser, which handles surrogates
    }
  }

  bool digits() {
    const char* begin = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ != begin;
  }

  bool fraction() { return !skip('.') || digits(); }

  bool exponent() {
    if (!skip('e') && !skip('E')) return true;
    if (!skip('+')) skip('-');
    return digits();
  }

  bool number() {
    const char* begin = at_;
    skip('-');
    const char* first = at_;
    if (!digits() || (*first == '0' && at_ - first > 1)) return false;
    const char* endOfInteger = at_;
    if (!fraction() || !exponent()) return false;
    return at_ == endOfInteger ? integer(begin) : real(begin);
  }

  bool integer(const char* begin) {
    std::int64_t value = 0;
    if (std::from_chars(begin, at_, value).ec == std::errc()) return sink_.integer(value);
    std::uint64_t large = 0;
    return *begin != '-' && std::from_chars(begin, at_, large).ec == std::errc() &&
           sink_.u64(large);
  }

  bool real(const char* begin) {
    double value = 0;
    return std::from_chars(begin, at_, value).ec == std::errc() && sink_.real(value);
  }

  const char* at_;
  const char* end_;
  Sink& sink_;
  std::vector<char> open_;  // the expected closing brackets
  bool opened_ = false;     // the innermost bracket is empty so far
  std::string scratch_;
};

}  // namespace fxs
