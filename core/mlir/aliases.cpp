#include "mlir/aliases.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "mlir/location_table.h"

namespace fxs::mlir {
namespace {

bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' || c == '-';
}

/// The length of `#map1` or `!t` at the start of the text; 0 when there is none. `#dialect<..>` is no alias but may look like one.
std::size_t aliasLength(std::string_view text) {
  if (text.size() < 2 || (text[0] != '#' && text[0] != '!')) return 0;
  std::size_t end = 1;
  while (end < text.size() && isWord(text[end])) ++end;
  return end == 1 ? 0 : end;
}

class Speller {
 public:
  explicit Speller(std::size_t limit) : limit_(limit) {}

  /// Whether the line defines an alias, which is kept.
  bool define(std::string_view line) {
    const std::size_t length = aliasLength(line);
    if (length == 0 || !line.substr(length).starts_with(" = ") || line.starts_with("#loc")) return false;
    std::string body;
    append(line.substr(length + 3), body);
    aliases_.insert_or_assign(std::string(line.substr(0, length)), std::move(body));
    return true;
  }

  void append(std::string_view text, std::string& out) {
    for (std::size_t i = 0; i < text.size() && !tooLong_;) {
      const std::size_t end = text[i] == '"' ? afterString(text, i) : i + std::max<std::size_t>(aliasLength(text.substr(i)), 1);
      const std::string_view word = text.substr(i, end - i);
      const auto alias = word.size() > 1 && word[0] != '"' ? aliases_.find(std::string(word)) : aliases_.end();
      const std::string_view with = alias == aliases_.end() ? word : std::string_view(alias->second);
      written_ += with.size();
      tooLong_ = written_ > limit_;
      out += with;
      i = end;
    }
  }
  bool tooLong() const { return tooLong_; }

 private:
  std::unordered_map<std::string, std::string> aliases_;
  std::size_t limit_, written_ = 0;
  bool tooLong_ = false;
};

template <class Visit>
void eachLine(std::string_view text, Visit&& visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    visit(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

std::string withAliasesSpelledOut(std::string_view text) {
  Speller speller(text.size() * kMaxGrowth + 1024);
  // Some stand after the module; each is defined before those that use it.
  eachLine(text, [&](std::string_view line) { speller.define(line); });
  std::string out;
  eachLine(text, [&](std::string_view line) {
    if (aliasLength(line) > 0 && !line.starts_with("#loc") && line.substr(aliasLength(line)).starts_with(" = ")) return;
    speller.append(line, out);
    out += '\n';
  });
  return speller.tooLong() ? std::string(text) : out;
}

}  // namespace fxs::mlir
