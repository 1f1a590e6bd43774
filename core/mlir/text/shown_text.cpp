// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/shown_text.h"

#include <algorithm>
#include <cstdint>

#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

/// Strings and constants longer than this are shown by their size.
constexpr std::size_t kShownString = 256;
constexpr std::size_t kShownConstant = 1024;

enum class Section : std::uint8_t { Code, Resources };

/// Copies a line, which begins at `lineBegin` of the text, to `show` without locations, long
/// strings and long constants.
class LineCopy {
 public:
  LineCopy(std::string_view line, std::size_t lineBegin, Section section, ShownText& shown)
      : line_(line),
        lineBegin_(lineBegin),
        section_(section),
        show_(shown.text),
        elisions_(shown.elisions) {}
  void run() {
    const std::size_t lineStart = show_.size();
    for (std::size_t i = 0; i < line_.size();) {
      const char c = line_[i];
      if (c == '"') i = quoted(i);
      else if (c == 'l' && beginsLocation(i)) i = location(i);
      else if (c == '<' && mayBeginConstant(i)) i = constant(i);
      else ++i;
    }
    upTo(line_.size());
    while (show_.size() > lineStart && (show_.back() == ' ' || show_.back() == '\r'))
      show_.pop_back();
  }

 private:
  void upTo(std::size_t end) { show_.append(line_.substr(copied_, end - copied_)); }

  std::size_t quoted(std::size_t begin) {
    const std::size_t end = afterQuoted(line_, begin);
    if (end - begin <= (section_ == Section::Resources ? std::size_t{16} : kShownString))
      return end;
    return elide(begin, end, sizeOf(line_.substr(begin + 1, end - begin - 2)));
  }
  std::size_t elide(std::size_t begin, std::size_t end, std::string_view size) {
    upTo(begin);
    const std::size_t at = show_.size();
    show_ += size;
    elisions_.push_back({{at, show_.size()}, {lineBegin_ + begin, lineBegin_ + end}});
    return copied_ = end;
  }
  std::string sizeOf(std::string_view text) const {
    if (!text.starts_with("0x")) return "\"…\" (" + std::to_string(text.size()) + " characters)";
    std::size_t bytes = (text.size() - 2) / 2;
    // A resource begins with four bytes of alignment, which do not count as data.
    if (section_ == Section::Resources) bytes -= std::min<std::size_t>(4, bytes);
    return "\"0x…\" (" + std::to_string(bytes) + " bytes)";
  }

  bool beginsLocation(std::size_t at) const {
    return line_.compare(at, 4, "loc(") == 0 && at > 0 &&
           (line_[at - 1] == ' ' || line_[at - 1] == '(');
  }
  std::size_t location(std::size_t at) {
    const std::size_t end = afterBracket(line_, at + 3);
    if (end == std::string_view::npos) return line_.size();
    while (at > copied_ && line_[at - 1] == ' ') --at;
    upTo(at);
    return copied_ = end;
  }

  bool mayBeginConstant(std::size_t at) const {
    return closes_ && line_.size() - at > kShownConstant && line_[at + 1] == '[';
  }
  std::size_t constant(std::size_t begin) {
    const std::size_t end = afterBracket(line_, begin + 1);
    closes_ = end != std::string_view::npos;
    if (!closes_ || end - begin <= kShownConstant) return begin + 1;
    const std::string_view text = line_.substr(begin, end - begin);
    return elide(begin + 1, end,
                 "… " + std::to_string(std::count(text.begin(), text.end(), ',') + 1) + " values");
  }

  const std::string_view line_;
  const std::size_t lineBegin_;
  const Section section_;
  std::string& show_;
  std::vector<Elision>& elisions_;
  std::size_t copied_ = 0;  ///< of `line_`
  bool closes_ = true;      ///< each constant so far; the rest of the line is plain text otherwise
};

/// `#loc12 = loc(..)`
bool isLocationAlias(std::string_view line) {
  if (!line.starts_with("#loc")) return false;
  const std::string_view rest = line.substr(afterName(line, 0));
  return rest.starts_with(" = loc(") && afterBracket(rest, 6) != std::string_view::npos;
}

}  // namespace

ShownText shownWithElisions(std::string_view text) {
  ShownText shown;
  std::string& show = shown.text;
  show.reserve(text.size() - text.size() / 4);
  Section section = Section::Code;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = endOfLine(text, begin);
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t lineBegin = begin;
    begin = end + 1;
    if (line.starts_with("{-#")) section = Section::Resources;
    const bool isShown = section == Section::Resources || !isLocationAlias(line);
    if (isShown && (!show.empty() || !line.empty())) {
      LineCopy(line, lineBegin, section, shown).run();
      show += '\n';
    }
    if (line.starts_with("#-}")) section = Section::Code;
  }
  while (show.ends_with("\n\n")) show.pop_back();
  return shown;
}

}  // namespace fxs::mlir
