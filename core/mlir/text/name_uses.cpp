// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/name_uses.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "mlir/text/lexer.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

/// Operations that define a symbol without a region, by the end of their names.
constexpr std::array<std::string_view, 8> kDefining{
    "func", "global", "global_slot", "alias", "ifunc", "module", "executable", "external",
};

/// `@f`, `#map` or `!t` in the text.
struct Name {
  TextRange range;
  std::size_t path = 0;  ///< of a symbol `@a::@b`: the index of its first name
};

/// Collects the names of one sigil in a line; types, attributes and locations contain names.
class NamesOfLine {
 public:
  NamesOfLine(std::string_view text, std::string_view sigils, std::vector<Name>& out)
      : text_(text), sigils_(sigils), out_(out) {}

  void add(TextRange line) {
    for (const Token& token : lexLine(line.of(text_))) {
      const bool isText = token.kind == TokenKind::String || token.kind == TokenKind::Comment;
      if (!isText && token.kind != TokenKind::Value)
        addFrom(line.begin + token.range.begin, line.begin + token.range.end);
    }
  }

 private:
  void addFrom(std::size_t at, std::size_t end) {
    while (at < end) {
      if (text_[at] == '"') {
        at = afterQuoted(text_, at);
      } else if (text_[at] == '%') {
        at = afterAll(text_, afterName(text_, at), kDigit | kWord);
        if (at < end && text_[at] == '#') ++at;  // `%5#1`
      } else if (sigils_.find(text_[at]) != std::string_view::npos) {
        const std::size_t after = nameEnd(at);
        if (after > at + 1) add(at, after);
        at = std::max(after, at + 1);
      } else {
        ++at;
      }
    }
  }
  std::size_t nameEnd(std::size_t at) const {
    const bool isQuoted = text_[at] == '@' && at + 1 < text_.size() && text_[at + 1] == '"';
    return isQuoted ? afterQuoted(text_, at + 1) : afterName(text_, at);
  }
  void add(std::size_t begin, std::size_t end) {
    const bool continues = !out_.empty() && text_.substr(0, begin).ends_with("::") &&
                           out_.back().range.end + 2 == begin;
    out_.push_back({{begin, end}, continues ? out_.back().path : out_.size()});
  }

  const std::string_view text_, sigils_;
  std::vector<Name>& out_;
};

TextRange lineAt(const Module& m, std::uint32_t line) {
  const std::size_t next = line + 1 < m.lineStarts.size() ? m.lineStarts[line + 1] : m.text.size();
  return {m.lineStarts[line], trimmedEnd(m.text, m.lineStarts[line], next)};
}

std::vector<Name> namesIn(const Module& m, std::string_view sigils) {
  std::vector<Name> out;
  NamesOfLine names(m.text, sigils, out);
  for (std::uint32_t line = 0; line < m.lineStarts.size(); ++line) names.add(lineAt(m, line));
  return out;
}

void sort(NameUses& uses) {
  const auto byPosition = [](TextRange a, TextRange b) { return a.begin < b.begin; };
  for (std::vector<TextRange>* each : {&uses.definitions, &uses.uses}) {
    std::sort(each->begin(), each->end(), byPosition);
    each->erase(std::unique(each->begin(), each->end()), each->end());
  }
}

// -- values and blocks ----------------------------------------------------------------------------

NameUses usesOfValue(const Module& m, ValueId value, std::size_t offset) {
  NameUses out;
  const TextRange name = m.value(value).name;
  out.definitions.push_back(name);
  std::vector<ValueId> values{value};
  // At `%5:2`, all of its results.
  if (name.contains(offset) && m.value(value).kind == ValueKind::Result) {
    const IndexRange results = m.op(m.value(value).op).results;
    for (std::uint32_t i = results.begin; i < results.end; ++i)
      if (m.values[i].name == name && ValueId{i} != value) values.push_back(ValueId{i});
  }
  for (const ValueId each : values)
    for (const OperandId use : m.usesOf(each)) out.uses.push_back(m.operands[use.index()].text);
  return out;
}

BlockId blockAt(const Module& m, std::size_t offset) {
  const OpId op = m.opAt(offset);
  if (!op.valid()) return {};
  for (std::uint32_t i = m.op(op).successors.begin; i < m.op(op).successors.end; ++i)
    if (m.successors[i].text.contains(offset)) return m.successors[i].block;
  for (const RegionId region : m.regionsOf(op))
    for (const BlockId block : m.blocksOf(region))
      if (m.block(block).label.contains(offset)) return block;
  return {};
}

NameUses usesOfBlock(const Module& m, BlockId block) {
  NameUses out;
  if (!m.block(block).label.empty()) out.definitions.push_back(m.block(block).label);
  for (const Successor& each : m.successors)
    if (each.block == block) out.uses.push_back(each.text);
  return out;
}

// -- aliases --------------------------------------------------------------------------------------

std::optional<NameUses> usesOfAlias(const Module& m, std::string_view alias) {
  if (m.aliases.find(alias) == NameTable::kNone) return std::nullopt;
  NameUses out;
  for (const Name& name : namesIn(m, alias.substr(0, 1))) {
    if (name.range.of(m.text) != alias) continue;
    const std::size_t begin = m.lineStarts[m.lineOf(name.range.begin)];
    const std::size_t after = afterAll(m.text, name.range.end, kBlank);
    const bool isDefinition = afterAll(m.text, begin, kBlank) == name.range.begin &&
                              after < m.text.size() && m.text[after] == '=';
    (isDefinition ? out.definitions : out.uses).push_back(name.range);
  }
  return out;
}

// -- symbols --------------------------------------------------------------------------------------

class Symbols {
 public:
  explicit Symbols(const Module& m) : m_(m), names_(namesIn(m, "@")) {
    for (std::size_t i = 0; i < m.ops.size(); ++i) define(OpId::of(i));
  }

  std::optional<NameUses> at(std::size_t offset) const {
    const OpId inside = m_.opAt(offset);
    if (inside.valid())
      if (const auto own = definedAt_.find(inside.index());
          own != definedAt_.end() && own->second.contains(offset))
        return usesOf(inside, {});
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i].range.contains(offset)) return usesOf(resolved(i), pathOf(i));
    return std::nullopt;
  }

 private:
  /// Without `@` and quotes.
  static std::string_view nameOf(std::string_view symbol) {
    if (symbol.starts_with('@')) symbol.remove_prefix(1);
    if (symbol.size() >= 2 && symbol.front() == '"') symbol = symbol.substr(1, symbol.size() - 2);
    return symbol;
  }
  static std::size_t keyOf(OpId scope) { return scope.valid() ? scope.index() + 1 : 0; }
  std::string_view pathOf(std::size_t name) const {
    const std::size_t begin = names_[names_[name].path].range.begin;
    return m_.text.substr(begin, names_[name].range.end - begin);
  }

  void define(OpId id) {
    const TextRange found = definedBy(id);
    if (found.empty()) return;
    definedAt_.emplace(id.index(), found);
    bySymbol_.emplace(std::pair(keyOf(m_.op(id).parent), nameOf(found.of(m_.text))), id);
  }

  /// The symbol that the operation defines, as printed; empty if there is none.
  TextRange definedBy(OpId id) const {
    const Op& op = m_.op(id);
    if (op.results.size() > 0) return {};
    const std::string_view head = op.head.of(m_.text);
    constexpr std::string_view kName = "sym_name = \"";
    if (const std::size_t at = head.find(kName); at != std::string_view::npos) {
      const std::size_t begin = op.head.begin + at + kName.size();
      return {begin, std::max(begin, std::min(afterQuoted(m_.text, begin - 1) - 1, op.head.end))};
    }
    const auto first = std::lower_bound(
        names_.begin(), names_.end(), op.name.end,
        [](const Name& name, std::size_t offset) { return name.range.begin < offset; });
    if (first == names_.end() || first->range.end > op.head.end) return {};
    const bool isDefined = hasOnlyWords(op.name.end, first->range.begin) &&
                           !m_.text.substr(first->range.end).starts_with("::") &&
                           (!m_.regionsOf(id).empty() || isDefining(m_.nameOf(id)));
    return isDefined ? first->range : TextRange();
  }
  /// As `private`, `"public"` or `internal constant` are.
  bool hasOnlyWords(std::size_t begin, std::size_t end) const {
    for (const Token& token : lexLine(m_.text.substr(begin, end - begin)))
      if (token.kind != TokenKind::Keyword && token.kind != TokenKind::Operation &&
          token.kind != TokenKind::String)
        return false;
    return true;
  }
  static bool isDefining(std::string_view operation) {
    const std::string_view last = operation.substr(operation.rfind('.') + 1);
    return std::find(kDefining.begin(), kDefining.end(), last) != kDefining.end();
  }

  OpId symbolIn(OpId scope, std::string_view name) const {
    const auto found = bySymbol_.find(std::pair(keyOf(scope), name));
    return found == bySymbol_.end() ? OpId() : found->second;
  }
  /// The operation that the name at this index stands for; invalid if it is not known.
  OpId resolved(std::size_t index) const {
    const std::size_t first = names_[index].path;
    const std::string_view root = nameOf(names_[first].range.of(m_.text));
    OpId out;
    for (OpId scope = m_.opAt(names_[first].range.begin); !out.valid();
         scope = m_.op(scope).parent) {
      out = symbolIn(scope, root);
      if (!scope.valid()) break;
    }
    for (std::size_t i = first + 1; i <= index && out.valid(); ++i)
      out = symbolIn(out, nameOf(names_[i].range.of(m_.text)));
    return out;
  }

  /// Of an operation; of a symbol that is not defined, by its path.
  NameUses usesOf(OpId id, std::string_view path) const {
    NameUses out;
    const auto own = id.valid() ? definedAt_.find(id.index()) : definedAt_.end();
    if (own != definedAt_.end()) out.definitions.push_back(own->second);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const OpId each = resolved(i);
      if (each != id || (!id.valid() && pathOf(i) != path)) continue;
      if (own == definedAt_.end() || names_[i].range != own->second)
        out.uses.push_back(names_[i].range);
    }
    return out;
  }

  const Module& m_;
  const std::vector<Name> names_;
  std::map<std::size_t, TextRange> definedAt_;                         ///< by operation
  std::map<std::pair<std::size_t, std::string_view>, OpId> bySymbol_;  ///< by scope and name
};

bool isInGenericName(const Module& m, std::size_t offset) {
  const OpId id = m.opAt(offset);
  return id.valid() && m.op(id).head.of(m.text).find("sym_name") != std::string_view::npos;
}

}  // namespace

std::optional<NameUses> nameUsesAt(const Module& m, std::size_t offset) {
  if (offset >= m.text.size()) return std::nullopt;
  std::optional<NameUses> out;
  if (const ValueId value = m.valueAt(offset); value.valid()) {
    out = usesOfValue(m, value, offset);
  } else if (const BlockId block = blockAt(m, offset); block.valid()) {
    out = usesOfBlock(m, block);
  } else {
    std::vector<Name> names;
    NamesOfLine(m.text, "@#!", names).add(lineAt(m, m.lineOf(offset)));
    const auto here = std::find_if(names.begin(), names.end(),
                                   [&](const Name& name) { return name.range.contains(offset); });
    const bool isAlias = here != names.end() && m.text[here->range.begin] != '@';
    if (isAlias) out = usesOfAlias(m, here->range.of(m.text));
    else if (here != names.end() || isInGenericName(m, offset)) out = Symbols(m).at(offset);
  }
  if (out) sort(*out);
  return out;
}

}  // namespace fxs::mlir
