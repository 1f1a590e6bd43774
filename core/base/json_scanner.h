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
    std::vector<char> open;  // the expected closing brackets
    while (true) {
      skipSpace();
      if (at_ == end_) return false;
      bool opened = false;
      switch (*at_) {
        case '{':
        case '[': {
          const bool object = *at_++ == '{';
          if (!sink_.open(object)) return false;
          open.push_back(object ? '}' : ']');
          opened = true;
          break;
        }
        case '"': {
          std::string_view text;
          if (!string(text) || !sink_.text(text)) return false;
          break;
        }
        case 't':
          if (!literal("true") || !sink_.boolean(true)) return false;
          break;
        case 'f':
          if (!literal("false") || !sink_.boolean(false)) return false;
          break;
        case 'n':
          if (!literal("null") || !sink_.null()) return false;
          break;
        default:
          if (!number()) return false;
          break;
      }
      // Advance to the next value: past closing brackets, a comma and a key.
      while (true) {
        skipSpace();
        if (open.empty()) return at_ == end_;
        if (at_ == end_) return false;
        if (*at_ == open.back()) {
          ++at_;
          open.pop_back();
          if (!sink_.close()) return false;
          opened = false;
          continue;
        }
        if (!opened) {
          if (*at_ != ',') return false;
          ++at_;
          skipSpace();
        }
        if (open.back() == '}' && !key()) return false;
        break;
      }
    }
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
    if (at_ == end_ || *at_ != ':') return false;
    ++at_;
    return true;
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

  bool number() {
    const char* begin = at_;
    const bool negative = *at_ == '-';
    if (negative) ++at_;
    const char* first = at_;
    if (!digits() || (*first == '0' && at_ - first > 1)) return false;
    bool isInteger = true;
    if (at_ != end_ && *at_ == '.') {
      isInteger = false;
      ++at_;
      if (!digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      isInteger = false;
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!digits()) return false;
    }
    if (!isInteger) {
      double real = 0;
      return std::from_chars(begin, at_, real).ec == std::errc() && sink_.real(real);
    }
    std::int64_t integer = 0;
    if (std::from_chars(begin, at_, integer).ec == std::errc()) return sink_.integer(integer);
    std::uint64_t whole = 0;
    return !negative && std::from_chars(begin, at_, whole).ec == std::errc() && sink_.whole(whole);
  }

  const char* at_;
  const char* end_;
  Sink& sink_;
  std::string scratch_;
};

}  // namespace fxs
