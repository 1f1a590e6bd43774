// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/listing_reader.h"

#include <algorithm>
#include <charconv>

#include "mlir/text/location_table.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

/// Limit of the nesting of debug scopes that are followed.
constexpr int kMaxScopes = 64;

bool isNamePart(char c) { return is(c, kWord) || c == '-'; }

/// The offset after a name of LLVM IR whose sigil is at `at`: `%8`, `@main`, `%"a b"`.
std::size_t afterSigilName(std::string_view text, std::size_t at) {
  if (at + 1 < text.size() && text[at + 1] == '"') return afterQuoted(text, at + 1);
  std::size_t end = at + 1;
  while (end < text.size() && isNamePart(text[end])) ++end;
  return end;
}

/// The value of `key: value` in the body of a metadata node; "" if it has none.
std::string_view fieldOf(std::string_view body, std::string_view key) {
  for (std::size_t at = body.find(key); at != std::string_view::npos; at = body.find(key, at + 1)) {
    const bool begins = at > 0 && (body[at - 1] == '(' || body[at - 1] == ' ');
    if (!begins || body.substr(at + key.size(), 2) != ": ") continue;
    const std::size_t begin = at + key.size() + 2;
    const std::size_t end = begin < body.size() && body[begin] == '"'
                                ? afterQuoted(body, begin)
                                : body.find_first_of(",)", begin);
    return body.substr(begin, std::min(end, body.size()) - begin);
  }
  return {};
}

bool isDirective(std::string_view text, std::string_view name) {
  return text.starts_with(name) && text.size() > name.size() && is(text[name.size()], kBlank);
}

/// Whether it begins a comment of assembly: of AMD's GPUs, too.
bool isComment(char c) { return c == '#' || c == ';'; }

/// The name in `.visible .entry main(` and `.func (.param .b32 result) f(`; empty if the line
/// begins no function of PTX.
TextRange ptxFunctionName(std::string_view line) {
  for (const std::string_view kind : {".entry", ".func"}) {
    const std::size_t found = line.find(kind);
    if (found == std::string_view::npos) continue;
    std::size_t at = afterAll(line, found + kind.size(), kBlank);
    if (at < line.size() && line[at] == '(')
      at = afterAll(line, std::min(line.find(')', at), line.size() - 1) + 1, kBlank);
    return {at, std::min(line.find_first_of("(; \t", at), line.size())};
  }
  return {};
}

/// Whether an instruction of PTX ends on the line.
bool endsInstruction(std::string_view line) {
  return trimmed(line.substr(0, line.find("//"))).ends_with(';');
}

std::uint32_t numberOf(std::string_view text) {
  std::uint32_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

}  // namespace

void ListingReader::run() {
  if (m_.form == TextForm::Ptx) findPtxFiles();
  for (std::size_t begin = 0; begin <= text_.size();) {
    const std::size_t end = endOfLine(text_, begin);
    m_.lineStarts.push_back(begin);
    if (m_.form == TextForm::LlvmIr) llvmLine({begin, end});
    else if (m_.form == TextForm::Assembly) assemblyLine({begin, end});
    else if (m_.form == TextForm::Ptx) ptxLine({begin, end});
    if (end >= text_.size()) break;
    begin = end + 1;
    ++line_;
  }
  closeFunction(text_.size(), line_);
  if (m_.form == TextForm::LlvmIr) resolveMetadata();
  m_.usesOf_.group(m_.values.size(), m_.operands.size(),
                   [&](std::size_t i) { return m_.operands[i].value.index(); });
}

std::uint32_t ListingReader::addOp(TextRange text, TextRange name, std::uint32_t line) {
  Op op;
  op.text = op.head = text;
  op.name = name;
  op.firstLine = op.lastLine = line;
  op.operands.begin = op.operands.end = static_cast<std::uint32_t>(m_.operands.size());
  op.results.begin = op.results.end = static_cast<std::uint32_t>(m_.values.size());
  const OpId id = OpId::of(m_.ops.size());
  if (function_ != kNone) op.parent = OpId{function_};
  else m_.top.push_back(id);
  m_.ops.push_back(op);
  return id.value;
}

std::uint32_t ListingReader::named(std::uint32_t op) {
  m_.ops[op].nameNumber = m_.names.findOrAdd(m_.ops[op].name.of(text_));
  return op;
}

void ListingReader::openFunction(std::uint32_t op) {
  function_ = op;
  firstUse_ = static_cast<std::uint32_t>(m_.operands.size());
  values_.clear();
}

void ListingReader::closeFunction(std::size_t end, std::uint32_t line) {
  list_ = false;
  position_ = {};
  if (function_ == kNone) return;
  m_.ops[function_].text.end = end;
  m_.ops[function_].lastLine = line;
  function_ = kNone;
  // A use may precede its definition.
  for (std::size_t i = firstUse_; i < m_.operands.size(); ++i)
    if (const auto value = values_.find(m_.operands[i].text.of(text_)); value != values_.end())
      m_.operands[i].value = ValueId{value->second};
}

void ListingReader::llvmLine(TextRange range) {
  const std::string_view line = range.of(text_);
  if (function_ != kNone) return bodyLine(range);
  const auto word = [&](std::string_view name) {
    const std::size_t at = range.begin + line.find(name);
    return TextRange{at, at + name.size()};
  };
  if (line.starts_with('!')) return metadata(range);
  if (line.starts_with("declare ")) {
    named(addOp(range, word("declare"), line_));
  } else if (line.starts_with("define ")) {
    openFunction(named(addOp(range, word("define"), line_)));
  } else if (line.starts_with('@')) {
    for (const std::string_view kind : {" global ", " constant ", " alias "})
      if (const std::size_t at = line.find(kind); at != std::string_view::npos) {
        named(addOp(range, {range.begin + at + 1, range.begin + at + kind.size() - 1}, line_));
        return;
      }
  }
}

void ListingReader::bodyLine(TextRange range) {
  const std::string_view line = range.of(text_);
  if (line.starts_with('}')) return closeFunction(range.begin + 1, line_);
  const std::size_t at = std::min(line.find_first_not_of(' '), line.size());
  if (list_) {
    list_ = !line.substr(at).starts_with(']');
    if (!list_) m_.ops.back().text.end = range.end, m_.ops.back().lastLine = line_;
    return;
  }
  // Labels begin at the line's start.
  if (at == 0 || at == line.size() || line[at] == ';') return;
  instruction(range, range.begin + at);
}

void ListingReader::instruction(TextRange range, std::size_t at) {
  const std::size_t begin = at;
  TextRange result;
  if (text_[at] == '%') {
    result = {at, afterSigilName(text_, at)};
    if (text_.compare(result.end, 3, " = ") != 0) return;
    at = result.end + 3;
  }
  const std::size_t end = afterAll(text_, at, kWord);
  // Debug records (#dbg_value) are no instructions.
  if (end == at || end > range.end) return;
  const std::uint32_t number = named(addOp({begin, range.end}, {at, end}, line_));
  if (!result.empty()) {
    values_[result.of(text_)] = static_cast<std::uint32_t>(m_.values.size());
    m_.values.push_back({.kind = ValueKind::Result,
                         .name = result,
                         .location = {},
                         .op = OpId{number},
                         .block = {}});
    m_.ops[number].results.end = static_cast<std::uint32_t>(m_.values.size());
  }
  uses(m_.ops[number], number, {end, range.end});
  list_ = range.of(text_).ends_with('[');
}

void ListingReader::uses(Op& op, std::uint32_t user, TextRange range) {
  for (std::size_t at = range.begin; at < range.end;) {
    const char c = text_[at];
    if (c == '"') {
      at = afterQuoted(text_, at);
    } else if (c == '%') {
      const std::size_t end = std::min(afterSigilName(text_, at), range.end);
      m_.operands.push_back({{}, {at, end}, OpId{user}});
      at = end;
    } else if (c == '!' && text_.compare(at, 6, "!dbg !") == 0) {
      op.location = {at + 5, std::min(afterSigilName(text_, at + 5), range.end)};
      at = op.location.end;
    } else {
      ++at;
    }
  }
  op.operands.end = static_cast<std::uint32_t>(m_.operands.size());
}

void ListingReader::metadata(TextRange range) {
  const std::string_view line = range.of(text_);
  const std::size_t equals = line.find(" = ");
  if (equals == std::string_view::npos) return;
  const std::string_view name = line.substr(0, equals);
  std::string_view body = line.substr(equals + 3);
  if (body.starts_with("distinct ")) body.remove_prefix(9);
  if (body.starts_with("!DIFile(")) {
    isFx_[name] = fieldOf(body, "filename") == "\"fx\"";
  } else if (body.starts_with("!DILocation(")) {
    debug_.push_back({name, {fieldOf(body, "scope"), {}, numberOf(fieldOf(body, "line")), true}});
  } else if (body.starts_with("!DISubprogram(") || body.starts_with("!DILexicalBlock")) {
    debug_.push_back({name, {fieldOf(body, "scope"), fieldOf(body, "file"), 0, false}});
  }
}

void ListingReader::resolveMetadata() {
  std::map<std::string_view, const Debug*> scopes;
  for (const auto& [name, debug] : debug_)
    if (!debug.isLocation) scopes[name] = &debug;
  for (const auto& [name, debug] : debug_) {
    // Line 0 means that the place is not known.
    if (!debug.isLocation || debug.lineNumber == 0 || debug.lineNumber >= kMaxNodeIndex) continue;
    std::string_view scope = debug.scope, file;
    for (int depth = 0; depth < kMaxScopes && file.empty(); ++depth) {
      const auto at = scopes.find(scope);
      if (at == scopes.end()) break;
      file = at->second->file;
      scope = at->second->scope;
    }
    const auto fx = isFx_.find(file);
    if (fx == isFx_.end() || !fx->second) continue;
    if (m_.aliases.find(name) != NameTable::kNone) continue;
    m_.aliases.findOrAdd(name);
    m_.spelled_.push_back(
        std::make_unique<const std::string>("\"fx\":" + std::to_string(debug.lineNumber) + ":0"));
    m_.aliasBodies.emplace_back(*m_.spelled_.back());
  }
}

void ListingReader::assemblyLine(TextRange range) {
  const std::string_view line = range.of(text_);
  if (line.empty() || isComment(line[0])) return;
  if (line[0] != '\t' && line[0] != ' ') return assemblyLabel(range);
  const std::size_t at = afterAll(text_, range.begin + 1, kBlank);
  if (at == range.end || isComment(text_[at])) return;
  if (text_[at] == '.') return directive({at, range.end});
  if (function_ == kNone) return;
  const std::size_t end = firstOf(text_.substr(0, range.end), at, kBlank);
  const std::uint32_t number = named(addOp({at, range.end}, {at, end}, line_));
  m_.ops[number].location = position_;
}

void ListingReader::assemblyLabel(TextRange range) {
  const std::string_view line = range.of(text_);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view label = line.substr(0, colon);
  const bool ends = label.starts_with(".Lfunc_end");
  if (!ends && !functions_.contains(label)) return;
  closeFunction(range.begin, line_ == 0 ? 0 : line_ - 1);
  if (ends) return;
  const std::uint32_t number = addOp(range, {range.begin, range.begin + colon}, line_);
  m_.ops[number].nameNumber = m_.names.findOrAdd("function");
  openFunction(number);
}

/// PTX names its files at its end.
void ListingReader::findPtxFiles() {
  constexpr std::string_view kFile = "\n\t.file\t";
  for (std::size_t at = text_.find(kFile); at != std::string_view::npos;
       at = text_.find(kFile, at + 1)) {
    const std::size_t begin = at + kFile.size();
    fileDirective(trimmed(text_.substr(begin, endOfLine(text_, begin) - begin)));
  }
}

void ListingReader::ptxLine(TextRange range) {
  const std::string_view line = range.of(text_);
  if (function_ != kNone) return ptxBodyLine(range);
  if (line.starts_with('.')) {
    if (!ptxFunctionName(line).empty()) header_ = range, headerLine_ = line_;
  }
  if (header_.empty()) return;
  if (line.starts_with('{')) {
    const TextRange name = ptxFunctionName(header_.of(text_));
    const std::uint32_t number =
        addOp(header_, {header_.begin + name.begin, header_.begin + name.end}, headerLine_);
    m_.ops[number].nameNumber = m_.names.findOrAdd("function");
    openFunction(number);
  }
  // A declaration ends without a body.
  if (line.starts_with('{') || endsInstruction(line)) header_ = {};
}

void ListingReader::ptxBodyLine(TextRange range) {
  const std::string_view line = range.of(text_);
  if (line.starts_with('}')) return closeFunction(range.begin + 1, line_);
  if (list_) {
    m_.ops.back().text.end = range.end;
    m_.ops.back().lastLine = line_;
    list_ = !endsInstruction(line);
    return;
  }
  // Labels begin at the line's start, and calls are in braces of their own.
  std::size_t at = afterAll(text_, range.begin, kBlank);
  if (at == range.begin || at >= range.end) return;
  if (text_[at] == '/' || text_[at] == '{' || text_[at] == '}') return;
  if (text_[at] == '.') return directive({at, range.end});
  const std::size_t begin = at;
  if (text_[at] == '@')
    at = afterAll(text_, firstOf(text_.substr(0, range.end), at, kBlank), kBlank);
  const std::size_t end = std::min(text_.find_first_of("; \t", at), range.end);
  if (at >= end) return;
  const std::uint32_t number = named(addOp({begin, range.end}, {at, end}, line_));
  m_.ops[number].location = position_;
  list_ = !endsInstruction(line);
}

void ListingReader::directive(TextRange range) {
  const std::string_view text = range.of(text_);
  if (isDirective(text, ".type")) {
    const std::size_t comma = text.find(",@function");
    if (comma != std::string_view::npos) functions_[trimmed(text.substr(5, comma - 5))] = true;
  } else if (isDirective(text, ".file")) {
    fileDirective(trimmed(text.substr(5)));
  } else if (isDirective(text, ".loc")) {
    position_ = fxLine({range.begin + 4, range.end});
  }
}

/// `1 "fx"`, or `1 "" "fx"` with a directory; a checksum may follow.
void ListingReader::fileDirective(std::string_view arguments) {
  const std::size_t blank = arguments.find(' ');
  if (blank == std::string_view::npos || !is(arguments[0], kDigit)) return;
  const std::string_view number = arguments.substr(0, blank), names = arguments.substr(blank + 1);
  if (names.find("\"fx\"") != std::string_view::npos) fxFile_ = number;
  else if (fxFile_ == number) fxFile_ = {};
}

/// The line in the arguments of a `.loc`; empty if it is in another file.
TextRange ListingReader::fxLine(TextRange arguments) const {
  const std::size_t begin = afterAll(text_, arguments.begin, kBlank);
  const std::size_t end = afterAll(text_, begin, kDigit);
  if (fxFile_.empty() || text_.substr(begin, end - begin) != fxFile_) return {};
  const std::size_t line = afterAll(text_, end, kBlank);
  const TextRange out{line, std::min(afterAll(text_, line, kDigit), arguments.end)};
  // Line 0 means that the place is not known.
  return out.of(text_) == "0" ? TextRange{} : out;
}

}  // namespace fxs::mlir
