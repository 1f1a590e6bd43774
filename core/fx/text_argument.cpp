// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of a node's line.
#include <charconv>
#include <limits>

#include "fx/text_cursor.h"
#include "fx/text_words.h"

namespace fxs::fx {
namespace {

std::optional<Argument> pythonConstant(std::string_view word) {
  if (word == "None") return Argument(None{});
  if (word == "True" || word == "False") return Argument(word == "True");
  return std::nullopt;
}

std::optional<Argument> torchConstant(std::string_view word) {
  std::string_view rest = word.substr(6);  // "torch."
  if (rest == "unknown") return Argument(DType::Unknown);
  if (std::optional<DType> dtype = dtypeFromName(rest); dtype && facts(*dtype).torchName == rest)
    return Argument(*dtype);
  for (int i = 0; i < 7; ++i)
    if (name(static_cast<Layout>(i)) == rest) return Argument(static_cast<Layout>(i));
  for (int i = 0; i < 4; ++i)
    if (name(static_cast<MemoryFormat>(i)) == rest) return Argument(static_cast<MemoryFormat>(i));
  return std::nullopt;
}

/// A real number at the start of `text` and how long it is; inf and nan too.
std::optional<std::pair<double, std::size_t>> realAt(std::string_view text) {
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const double factor = text.starts_with('-') ? -1 : 1;
  std::string_view rest = text.substr(sign);
  if (rest.starts_with("inf"))
    return std::pair(factor * std::numeric_limits<double>::infinity(), sign + 3);
  if (rest.starts_with("nan")) return std::pair(std::numeric_limits<double>::quiet_NaN(), sign + 3);
  double out = 0;
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), out);
  if (error != std::errc()) return std::nullopt;
  return std::pair(factor * out, sign + static_cast<std::size_t>(end - rest.data()));
}

bool startsWithNumber(std::string_view text) {
  if (isDigit(text[0]) || text[0] == '-' || text[0] == '+') return true;
  const bool isNonFinite = text.starts_with("inf") || text.starts_with("nan");
  return isNonFinite && (text.size() == 3 || !isWordChar(text[3]) || text[3] == 'j');
}

}  // namespace

bool TextCursor::hasIndex() const {
  return at_ + 1 < line_.size() && line_[at_] == ':' && isDigit(line_[at_ + 1]);
}

Result<std::string> TextCursor::quotedInBrackets() {
  FXS_CHECK(expect("("));
  FXS_TRY(std::string text, quoted());
  FXS_CHECK(expect(")"));
  return text;
}

Result<Device> TextCursor::device() {
  if (consume("device(")) {
    FXS_CHECK(expect("type="));
    Device out;
    FXS_TRY(out.type, quoted());
    if (consume(",")) {
      FXS_CHECK(expect("index="));
      FXS_TRY(std::int64_t index, integer());
      out.index = static_cast<int>(index);
    }
    FXS_CHECK(expect(")"));
    return out;
  }
  Device out{std::string(word()), {}};
  if (out.type.empty()) return expected("a device");
  if (hasIndex()) {
    ++at_;
    FXS_TRY(std::int64_t index, integer());
    out.index = static_cast<int>(index);
  }
  return out;
}

Result<Argument> TextCursor::complex() {
  FXS_CHECK(expect("("));
  auto real = realAt(line_.substr(at_));
  if (!real) return expected("a complex number");
  at_ += real->second;
  auto imaginary = realAt(line_.substr(at_));
  if (!imaginary) return expected("the imaginary part of a complex number");
  at_ += imaginary->second;
  FXS_CHECK(expect("j)"));
  return Argument(std::complex<double>(real->first, imaginary->first));
}

Result<Argument> TextCursor::number() {
  std::string_view rest = line_.substr(at_);
  auto real = realAt(rest);
  if (!real) return expected("a number");
  std::string_view text = rest.substr(0, real->second);
  at_ += real->second;
  if (at_ < line_.size() && line_[at_] == 'j') {
    ++at_;
    return Argument(std::complex<double>(0, real->first));
  }
  std::int64_t integer = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), integer).ptr ==
      text.data() + text.size())
    return Argument(integer);
  return Argument(real->first);
}

Result<Argument> TextCursor::bracketed(const Resolve& resolve, std::size_t depth) {
  FXS_CHECK(expect("["));
  ArgumentList items;
  while (!consume("]")) {
    if (!items.empty()) FXS_CHECK(expect(","));
    FXS_TRY(Argument item, argument(resolve, depth + 1));
    items.push_back(std::move(item));
  }
  return Argument(std::move(items));
}

Result<Argument> TextCursor::dictionary(const Resolve& resolve, std::size_t depth) {
  FXS_CHECK(expect("{"));
  ArgumentDict entries;
  while (!consume("}")) {
    if (!entries.empty()) FXS_CHECK(expect(","));
    FXS_TRY(std::string key, nameOrString());
    FXS_CHECK(expect(":"));
    FXS_TRY(Argument item, argument(resolve, depth + 1));
    entries.emplace_back(std::move(key), std::move(item));
  }
  return Argument(std::move(entries));
}

Result<Argument> TextCursor::slice(const Resolve& resolve, std::size_t depth) {
  FXS_CHECK(expect("("));
  Slice out;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i) FXS_CHECK(expect(","));
    FXS_TRY(Argument part, argument(resolve, depth + 1));
    out.parts.push_back(std::move(part));
  }
  FXS_CHECK(expect(")"));
  return Argument(std::move(out));
}

Result<Argument> TextCursor::wordArgument(const Resolve& resolve, std::size_t depth) {
  const std::size_t begin = at_;
  std::string_view text = word();
  if (std::optional<Argument> constant = pythonConstant(text)) return *constant;
  if (text == "operator" && startsWith("(")) {
    FXS_TRY(std::string name, quotedInBrackets());
    return Argument(OperatorName{std::move(name)});
  }
  if (text == "object" && startsWith("(")) {
    FXS_TRY(std::string repr, quotedInBrackets());
    return Argument(Opaque{std::move(repr)});
  }
  if (text == "slice" && startsWith("(")) return slice(resolve, depth);
  if (text.starts_with("torch.")) {
    if (std::optional<Argument> constant = torchConstant(text)) return *constant;
    return wrong("'" + std::string(text) + "' is not a dtype, layout or memory format");
  }
  if (bareNames_ && !hasIndex())
    if (std::optional<NodeId> id = resolve(std::string(text))) return Argument(*id);
  if (text.find('.') != std::string_view::npos) return Argument(OperatorName{std::string(text)});
  at_ = begin;
  FXS_TRY(Device found, device());
  return Argument(std::move(found));
}

Result<Argument> TextCursor::nodeReference(const Resolve& resolve) {
  FXS_CHECK(expect("%"));
  FXS_TRY(std::string name, nameOrString());
  if (std::optional<NodeId> id = resolve(name)) return Argument(*id);
  return wrong("there is no node '" + name + "' before this line");
}

Result<Argument> TextCursor::argument(const Resolve& resolve, std::size_t depth) {
  if (depth > kMaxNesting)
    return wrong("lists nested deeper than " + std::to_string(kMaxNesting) + " levels");
  if (atEnd()) return expected("an argument");
  const char c = line_[at_];
  if (c == '%') return nodeReference(resolve);
  if (c == '\'' || c == '"') {
    FXS_TRY(std::string text, quoted());
    return Argument(std::move(text));
  }
  if (c == '[') return bracketed(resolve, depth);
  if (c == '{') return dictionary(resolve, depth);
  if (c == '(') return complex();
  if (startsWithNumber(line_.substr(at_))) return number();
  return wordArgument(resolve, depth);
}

}  // namespace fxs::fx
