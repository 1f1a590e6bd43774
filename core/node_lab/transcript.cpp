// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/transcript.h"

#include <algorithm>

#include "mlir/text/token_ends.h"
#include "node_lab/type_text.h"

namespace fxs::node_lab {
namespace {

using mlir::afterAll;
using mlir::afterName;
using mlir::afterQuoted;

constexpr std::string_view kUnknown = "unknown";
constexpr std::string_view kResource = "dense_resource<";
constexpr std::string_view kSymName = "sym_name = ";
/// Limit for a text with expanded aliases, as a multiple of the module's length; below kSmall any
/// length is allowed.
constexpr std::size_t kMaxGrowth = 64;
constexpr std::size_t kSmall = std::size_t{1} << 20;

/// A name after `@` or in `dense_resource<..>`: bare or quoted.
struct Name {
  std::string_view text;
  std::size_t end = 0;
};
Name nameAt(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '"') {
    const std::size_t end = afterQuoted(text, at);
    if (end < at + 2 || text[end - 1] != '"') return {{}, end};
    return {text.substr(at + 1, end - at - 2), end};
  }
  const std::size_t end = afterAll(text, at, mlir::kWord);
  return {text.substr(at, end - at), end};
}

bool beginsWord(std::string_view text, std::size_t at, std::string_view word) {
  return text.compare(at, word.size(), word) == 0 &&
         (at == 0 || !mlir::is(text[at - 1], mlir::kWord));
}

/// The end of the `loc(..)` at `at`; 0 if there is none.
std::size_t afterLocationAt(std::string_view text, std::size_t at) {
  if (!beginsWord(text, at, "loc(") ||
      (at > 0 && std::string_view("@#!%^-").find(text[at - 1]) != std::string_view::npos))
    return 0;
  const std::size_t end = mlir::afterLocation(text, at + 3);
  return end == std::string_view::npos ? 0 : end;
}

/// Calls `seen` for the parts of a range; it returns where to continue, or 0 to continue after the
/// first byte.
template <class Seen>
void scan(std::string_view text, TextRange range, Seen seen) {
  const std::size_t end = std::min(range.end, text.size());
  for (std::size_t at = range.begin; at < end;) {
    const char c = text[at];
    std::size_t next = 0;
    if (c == '"') next = std::max(seen(at), afterQuoted(text, at));
    else if (c == '/' && text.compare(at, 2, "//") == 0) next = mlir::endOfLine(text, at);
    else if (c == '%' || c == '@' || c == '#' || c == '!' || c == 'd' || c == 'l') next = seen(at);
    at = next > at ? next : at + 1;
  }
}

/// The text of an alias, with its resources under their new keys.
void appendAlias(std::string_view text, const NewNames& names, std::string& out) {
  std::size_t copied = 0;
  scan(text, {0, text.size()}, [&](std::size_t at) -> std::size_t {
    if (text[at] != 'd' || !beginsWord(text, at, kResource)) return 0;
    const Name key = nameAt(text, at + kResource.size());
    if (const auto found = names.resources.find(key.text);
        found != names.resources.end() && found->second != key.text) {
      out += text.substr(copied, at + kResource.size() - copied);
      out += isBare(found->second) ? found->second : "\"" + found->second + "\"";
      copied = key.end;
    }
    return key.end;
  });
  out += text.substr(copied);
}

bool isInnerSymbol(std::string_view text, std::size_t at) {
  return at >= 2 && text[at - 1] == ':' && text[at - 2] == ':';
}

}  // namespace

std::string symbolText(std::string_view name) {
  return isBare(name) ? "@" + std::string(name) : "@\"" + std::string(name) + "\"";
}

Transcript::Transcript(const mlir::Module& module)
    : m_(module), aliases_(module, {4, std::string_view::npos, kLongestLocation}) {
  for (std::uint32_t i = 0; i < m_.values.size(); ++i)
    if (i == 0 || m_.values[i].name != m_.values[i - 1].name)
      names_.push_back({m_.values[i].name, {i}, true});
  for (const mlir::Operand& operand : m_.operands)
    names_.push_back({operand.text, operand.value, false});
  std::sort(names_.begin(), names_.end(),
            [](const NamePlace& a, const NamePlace& b) { return a.range.begin < b.range.begin; });
}

Result<std::string> Transcript::of(TextRange range, const NewNames& names) const {
  const std::string_view text = m_.text;
  std::vector<std::size_t> unlocated;  // ends of operations
  if (!names.location.empty() && !names.withoutLocations) {
    auto op =
        std::lower_bound(m_.ops.begin(), m_.ops.end(), range.begin,
                         [](const mlir::Op& o, std::size_t begin) { return o.text.begin < begin; });
    for (; op != m_.ops.end() && op->text.begin < range.end; ++op)
      if (op->location.empty() && op->text.end <= range.end) unlocated.push_back(op->text.end);
    std::sort(unlocated.begin(), unlocated.end());
  }
  auto place =
      std::lower_bound(names_.begin(), names_.end(), range.begin,
                       [](const NamePlace& p, std::size_t begin) { return p.range.begin < begin; });
  std::string out, wrong;
  const std::size_t longest = kSmall + m_.text.size() * kMaxGrowth;
  std::size_t copied = range.begin, nextUnlocated = 0;
  const auto upTo = [&](std::size_t at) {
    while (nextUnlocated < unlocated.size() && unlocated[nextUnlocated] <= at) {
      const std::size_t end = std::max(unlocated[nextUnlocated++], copied);
      out.append(text.substr(copied, end - copied))
          .append(" loc(")
          .append(names.location)
          .append(")");
      copied = end;
    }
    out += text.substr(copied, at - copied);
    copied = at;
  };
  const auto instead = [&](std::size_t begin, std::size_t end, std::string_view with) {
    upTo(begin);
    out += with;
    copied = end;
  };
  scan(text, range, [&](std::size_t at) -> std::size_t {
    if (!wrong.empty()) return range.end;
    switch (text[at]) {
      case '%': {
        const std::size_t end = afterName(text, at);
        if (names.values == nullptr || end == at + 1) return end;
        while (place != names_.end() && place->range.begin < at) ++place;
        const bool known =
            place != names_.end() && place->range.begin == at && place->value.valid();
        const std::string_view name =
            known ? std::string_view((*names.values)[place->value.index()]) : std::string_view();
        if (name.empty()) {
          wrong = std::string(text.substr(at, end - at));
          return range.end;
        }
        // `%5#1` is one of the values defined as `%5:2`: rename the common name.
        const bool part = name.find('#') == std::string_view::npos &&
                          place->range.of(text).find('#') != std::string_view::npos;
        const std::size_t behind = place->definition ? end : place->range.end;
        instead(
            at, behind,
            part ? std::string(name).append(text.substr(end, behind - end)) : std::string(name));
        return behind;
      }
      case '@': {
        const Name symbol = nameAt(text, at + 1);
        const auto found =
            isInnerSymbol(text, at) ? names.symbols.end() : names.symbols.find(symbol.text);
        if (found != names.symbols.end() && found->second != symbol.text)
          instead(at, symbol.end, symbolText(found->second));
        return symbol.end;
      }
      case '"': {
        const bool defines = at >= kSymName.size() &&
                             text.compare(at - kSymName.size(), kSymName.size(), kSymName) == 0;
        const Name symbol = nameAt(text, at);
        if (const auto found = names.symbols.find(symbol.text);
            defines && found != names.symbols.end())
          instead(at, symbol.end, "\"" + found->second + "\"");
        return symbol.end;
      }
      case '#':
      case '!': {
        const std::size_t end = afterName(text, at);
        const mlir::ExpandedAliases::Alias* const found = aliases_.find(text.substr(at, end - at));
        if (found == nullptr) return end;
        const mlir::ExpandedAliases::Alias& alias = *found;
        // A short text can use a long alias many times, so the total length is limited too.
        if ((alias.tooLong && !alias.location) || out.size() + alias.text.size() > longest) {
          wrong = std::string(text.substr(at, end - at));
          return range.end;
        }
        instead(at, end, {});
        const bool unknown = alias.tooLong || (alias.location && alias.text == kUnknown);
        if (unknown) out += names.location.empty() ? kUnknown : std::string_view(names.location);
        else appendAlias(alias.text, names, out);
        return end;
      }
      case 'd': {
        if (!beginsWord(text, at, kResource)) return 0;
        const Name key = nameAt(text, at + kResource.size());
        if (const auto found = names.resources.find(key.text);
            found != names.resources.end() && found->second != key.text)
          instead(at + kResource.size(), key.end,
                  isBare(found->second) ? found->second : "\"" + found->second + "\"");
        return key.end;
      }
      case 'l': {
        const std::size_t end = afterLocationAt(text, at);
        if (end == 0 || end > range.end) return 0;
        if (!names.withoutLocations) {
          if (!names.location.empty() && text.substr(at + 4, end - at - 5) == kUnknown)
            instead(at + 4, end - 1, names.location);
          return copied > at ? end : 0;
        }
        upTo(at);
        while (out.ends_with(' ')) out.pop_back();
        copied = end;
        return end;
      }
      default: return 0;
    }
  });
  if (wrong.starts_with('%'))
    return fail(ErrorCode::InvalidInput,
                "it uses " + wrong + ", which is not defined in the function");
  if (!wrong.empty())
    return fail(ErrorCode::InvalidInput, "the alias " + wrong + " is too long to be expanded");
  upTo(std::min(range.end, text.size()));
  return out;
}

std::vector<std::string> Transcript::resourcesIn(TextRange range) const {
  std::vector<std::string> out;
  std::set<std::string, std::less<>> seen;
  const auto collect = [&](std::string_view text, TextRange in, const auto& self) -> void {
    scan(text, in, [&](std::size_t at) -> std::size_t {
      if (text[at] == '#' || text[at] == '!') {
        const std::size_t end = afterName(text, at);
        const mlir::ExpandedAliases::Alias* const alias = aliases_.find(text.substr(at, end - at));
        // Expanded aliases contain no other aliases.
        if (alias != nullptr && !alias->tooLong && text.data() == m_.text.data())
          self(alias->text, {0, alias->text.size()}, self);
        return end;
      }
      if (text[at] != 'd' || !beginsWord(text, at, kResource)) return 0;
      const Name key = nameAt(text, at + kResource.size());
      if (!key.text.empty() && seen.emplace(key.text).second) out.emplace_back(key.text);
      return key.end;
    });
  };
  collect(m_.text, range, collect);
  return out;
}

std::set<std::string> Transcript::symbolsIn(TextRange range) const {
  std::set<std::string> out;
  scan(m_.text, range, [&](std::size_t at) -> std::size_t {
    if (m_.text[at] != '@') return 0;
    const Name symbol = nameAt(m_.text, at + 1);
    if (!symbol.text.empty() && !isInnerSymbol(m_.text, at)) out.emplace(symbol.text);
    return symbol.end;
  });
  return out;
}

std::string Transcript::symbolOf(mlir::OpId id) const {
  const mlir::Op& op = m_.op(id);
  const bool generic = op.name.begin > 0 && m_.text[op.name.begin - 1] == '"';
  std::string found, named;
  scan(m_.text, {op.name.end + (generic ? 1 : 0), op.head.end}, [&](std::size_t at) -> std::size_t {
    if (m_.text[at] == '@' && found.empty()) found = std::string(nameAt(m_.text, at + 1).text);
    if (m_.text[at] == '"' && at >= kSymName.size() &&
        m_.text.compare(at - kSymName.size(), kSymName.size(), kSymName) == 0)
      named = std::string(nameAt(m_.text, at).text);
    return 0;
  });
  return generic ? named : found;
}

}  // namespace fxs::node_lab
