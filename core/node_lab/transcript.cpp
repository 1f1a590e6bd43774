// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/transcript.h"

#include <algorithm>

#include "mlir/text/resources.h"
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

std::string quotedUnlessBare(std::string_view name) {
  return mlir::isBare(name) ? std::string(name) : "\"" + std::string(name) + "\"";
}

/// The new name; null if the name is kept.
const std::string* renamed(const std::map<std::string, std::string, std::less<>>& names,
                           std::string_view name) {
  const auto found = names.find(name);
  return found == names.end() || found->second == name ? nullptr : &found->second;
}

/// The text of an alias, with its resources under their new keys.
void appendAlias(std::string_view text, const NewNames& names, std::string& out) {
  std::size_t copied = 0;
  scan(text, {0, text.size()}, [&](std::size_t at) -> std::size_t {
    if (text[at] != 'd' || !beginsWord(text, at, kResource)) return 0;
    const Name key = nameAt(text, at + kResource.size());
    if (const std::string* const made = renamed(names.resources, key.text)) {
      out += text.substr(copied, at + kResource.size() - copied);
      out += quotedUnlessBare(*made);
      copied = key.end;
    }
    return key.end;
  });
  out += text.substr(copied);
}

bool isInnerSymbol(std::string_view text, std::size_t at) {
  return at >= 2 && text[at - 1] == ':' && text[at - 2] == ':';
}

/// Whether the string at `at` is the name of a symbol in the generic form of its operation.
bool isSymName(std::string_view text, std::size_t at) {
  return text.substr(0, at).ends_with(kSymName);
}

/// The ends of the operations in a range that have no location, in order.
std::vector<std::size_t> unlocatedEnds(const mlir::Module& module, TextRange range) {
  std::vector<std::size_t> out;
  auto op =
      std::lower_bound(module.ops.begin(), module.ops.end(), range.begin,
                       [](const mlir::Op& o, std::size_t begin) { return o.text.begin < begin; });
  for (; op != module.ops.end() && op->text.begin < range.end; ++op)
    if (op->location.empty() && op->text.end <= range.end) out.push_back(op->text.end);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::string symbolText(std::string_view name) { return "@" + quotedUnlessBare(name); }

Transcript::Transcript(const mlir::Module& module)
    : m_(module), aliases_(module, {4, std::string_view::npos, kLongestLocation}) {
  for (std::uint32_t i = 0; i < m_.values.size(); ++i)
    if (i == 0 || m_.values[i].name != m_.values[i - 1].name)
      names_.push_back({m_.values[i].name, {i}, true});
  for (const mlir::Operand& operand : m_.operands)
    names_.push_back({operand.text, operand.value, false});
  std::sort(names_.begin(), names_.end(), [](const NamePosition& a, const NamePosition& b) {
    return a.range.begin < b.range.begin;
  });
}

class Transcript::Copy {
 public:
  Copy(const Transcript& from, TextRange range, const NewNames& names)
      : from_(from),
        text_(from.m_.text),
        range_(range),
        names_(names),
        position_(std::lower_bound(
            from.names_.begin(), from.names_.end(), range.begin,
            [](const NamePosition& p, std::size_t begin) { return p.range.begin < begin; })),
        copied_(range.begin) {
    if (!names.location.empty() && !names.withoutLocations)
      unlocated_ = unlocatedEnds(from.m_, range);
  }

  Result<std::string> text() && {
    scan(text_, range_, [this](std::size_t at) { return part(at); });
    if (refused_.starts_with('%'))
      return fail(ErrorCode::InvalidInput,
                  "it uses " + refused_ + ", which is not defined in the function");
    if (!refused_.empty())
      return fail(ErrorCode::InvalidInput, "the alias " + refused_ + " is too long to be expanded");
    upTo(std::min(range_.end, text_.size()));
    return std::move(out_);
  }

 private:
  // This and the functions for its cases return where to continue, as scan() requires.
  std::size_t part(std::size_t at) {
    switch (text_[at]) {
      case '%': return value(at);
      case '@': return symbol(at);
      case '"': return symName(at);
      case '#':
      case '!': return alias(at);
      case 'd': return resource(at);
      case 'l': return location(at);
      default: return 0;
    }
  }

  std::size_t value(std::size_t at) {
    const std::size_t end = afterName(text_, at);
    if (names_.values == nullptr || end == at + 1) return end;
    const std::string_view name = newValueName(at);
    if (name.empty()) return refuse({at, end});
    // `%5#1` is one of the values defined as `%5:2`: rename the common name.
    const bool isPart = name.find('#') == std::string_view::npos &&
                        position_->range.of(text_).find('#') != std::string_view::npos;
    const std::size_t after = position_->definition ? end : position_->range.end;
    instead(at, after,
            isPart ? std::string(name).append(text_.substr(end, after - end)) : std::string(name));
    return after;
  }

  /// "" if the value has none. Moves `place_` to the name at `at`.
  std::string_view newValueName(std::size_t at) {
    const auto end = from_.names_.end();
    while (position_ != end && position_->range.begin < at) ++position_;
    const bool known = position_ != end && position_->range.begin == at && position_->value.valid();
    return known ? std::string_view((*names_.values)[position_->value.index()])
                 : std::string_view();
  }

  std::size_t symbol(std::size_t at) {
    const Name old = nameAt(text_, at + 1);
    if (isInnerSymbol(text_, at)) return old.end;
    if (const std::string* const made = renamed(names_.symbols, old.text))
      instead(at, old.end, symbolText(*made));
    return old.end;
  }

  std::size_t symName(std::size_t at) {
    const Name old = nameAt(text_, at);
    if (!isSymName(text_, at)) return old.end;
    if (const std::string* const made = renamed(names_.symbols, old.text))
      instead(at, old.end, "\"" + *made + "\"");
    return old.end;
  }

  std::size_t alias(std::size_t at) {
    const std::size_t end = afterName(text_, at);
    const mlir::ExpandedAliases::Alias* const found =
        from_.aliases_.find(text_.substr(at, end - at));
    if (found == nullptr) return end;
    // A short text can use a long alias many times, so the total length is limited too.
    const std::size_t longest = kSmall + text_.size() * kMaxGrowth;
    if ((found->tooLong && !found->location) || out_.size() + found->text.size() > longest)
      return refuse({at, end});
    instead(at, end, {});
    const bool unknown = found->tooLong || (found->location && found->text == kUnknown);
    if (unknown) out_ += names_.location.empty() ? kUnknown : std::string_view(names_.location);
    else appendAlias(found->text, names_, out_);
    return end;
  }

  std::size_t resource(std::size_t at) {
    if (!beginsWord(text_, at, kResource)) return 0;
    const std::size_t begin = at + kResource.size();
    const Name key = nameAt(text_, begin);
    if (const std::string* const made = renamed(names_.resources, key.text))
      instead(begin, key.end, quotedUnlessBare(*made));
    return key.end;
  }

  std::size_t location(std::size_t at) {
    const std::size_t end = afterLocationAt(text_, at);
    if (end == 0 || end > range_.end) return 0;
    if (names_.withoutLocations) {
      upTo(at);
      while (out_.ends_with(' ')) out_.pop_back();
      copied_ = end;
      return end;
    }
    if (names_.location.empty() || text_.substr(at + 4, end - at - 5) != kUnknown) return 0;
    instead(at + 4, end - 1, names_.location);
    return end;
  }

  /// Ends the copy.
  std::size_t refuse(TextRange name) {
    refused_ = std::string(name.of(text_));
    return range_.end;
  }

  void upTo(std::size_t at) {
    while (nextUnlocated_ < unlocated_.size() && unlocated_[nextUnlocated_] <= at) {
      const std::size_t end = std::max(unlocated_[nextUnlocated_++], copied_);
      out_.append(text_.substr(copied_, end - copied_))
          .append(" loc(")
          .append(names_.location)
          .append(")");
      copied_ = end;
    }
    out_ += text_.substr(copied_, at - copied_);
    copied_ = at;
  }

  void instead(std::size_t begin, std::size_t end, std::string_view with) {
    upTo(begin);
    out_ += with;
    copied_ = end;
  }

  const Transcript& from_;
  const std::string_view text_;
  const TextRange range_;
  const NewNames& names_;
  std::vector<NamePosition>::const_iterator position_;
  std::vector<std::size_t> unlocated_;  ///< ends of operations
  std::size_t nextUnlocated_ = 0;
  std::size_t copied_;
  std::string out_, refused_;
};

Result<std::string> Transcript::of(TextRange range, const NewNames& names) const {
  return Copy(*this, range, names).text();
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
    if (m_.text[at] == '"' && isSymName(m_.text, at)) named = std::string(nameAt(m_.text, at).text);
    return 0;
  });
  return generic ? named : found;
}

}  // namespace fxs::node_lab
