// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/location_table.h"

#include <algorithm>
#include <charconv>

#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

void addPosition(std::vector<FilePosition>& out, FilePosition position) {
  if (out.size() < kMaxPositionsOfLocation &&
      std::find(out.begin(), out.end(), position) == out.end())
    out.push_back(position);
}

/// An open paren in a location's body.
struct Level {
  bool callsite;
  std::size_t before;  ///< places known when it began
};

/// Whether the callee of the innermost callsite led to a place.
bool isCalleeKnown(const std::vector<Level>& levels, const std::vector<FilePosition>& out) {
  return !levels.empty() && levels.back().callsite && out.size() > levels.back().before;
}

/// `:12` after the name of a file.
bool isLineNumber(std::string_view text) {
  return text.size() > 1 && text[0] == ':' && is(text[1], kDigit);
}

/// Walks a location's body and calls the callbacks for every file position and alias, callee before
/// caller.
template <class OnLine, class OnAlias>
void walk(std::string_view body, std::vector<FilePosition>& out, OnLine onLine, OnAlias onAlias) {
  std::vector<Level> levels;
  for (std::size_t i = 0; i < body.size();) {
    const char c = body[i];
    if (c == '"') {
      const std::size_t end = afterQuoted(body, i);
      if (isLineNumber(body.substr(end)))
        onLine(body.substr(i + 1, end - i - 2), body.substr(end + 1));
      i = end;
    } else if (c == '#' || c == '!') {
      const std::string_view alias = body.substr(i, afterName(body, i) - i);
      onAlias(alias);
      i += alias.size();
    } else if (c == '(') {
      const bool callsite = body.substr(0, i).ends_with("callsite");
      levels.push_back({callsite, out.size()});
      ++i;
    } else if (c == ')') {
      if (!levels.empty()) levels.pop_back();
      ++i;
    } else if (c == ' ' && body.substr(i).starts_with(" at ") && isCalleeKnown(levels, out)) {
      // The callee is known: the caller's part, up to the end of this callsite, adds nothing.
      i = walkTopLevel(body, i + 1, body.size(), [](std::size_t) { return false; });
    } else {
      ++i;
    }
  }
}

void addLine(std::vector<FilePosition>& out,
             const std::map<std::string, std::uint32_t, std::less<>>& files, std::string_view file,
             std::string_view line) {
  std::uint32_t number = 0;
  if (file != kFxFile) {
    const auto at = files.find(file);
    if (at == files.end()) return;
    number = at->second;
  }
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error == std::errc() && (number > 0 || value < kMaxNodeIndex))
    addPosition(out, {number, value});
}

}  // namespace

LocationTable::LocationTable(const Module& module, const std::vector<std::string>& files)
    : module_(&module), aliases_(module.aliases.size()) {
  for (std::uint32_t i = 0; i < files.size(); ++i) files_.emplace(files[i], i + 1);
  for (std::uint32_t number = 0; number < aliases_.size(); ++number) resolve(number);
}

/// Resolves aliases that `root` refers to first; not recursive.
void LocationTable::resolve(std::uint32_t root) {
  std::vector<std::uint32_t> open{root};
  while (!open.empty()) {
    const std::uint32_t number = open.back();
    const std::string_view body = module_->aliasBodies[number];
    // `!8` is a location of LLVM IR.
    const bool location = module_->form == TextForm::LlvmIr
                              ? body.starts_with('"')
                              : module_->aliases[number].starts_with("#loc");
    if (aliases_[number].state == Alias::State::New && location) {
      aliases_[number].state = Alias::State::Open;
      std::vector<FilePosition> ignored;
      const std::size_t before = open.size();
      walk(
          body, ignored, [](std::string_view, std::string_view) {},
          [&](std::string_view name) {
            if (const std::uint32_t next = module_->aliases.find(name);
                next != NameTable::kNone && aliases_[next].state == Alias::State::New)
              open.push_back(next);
          });
      if (open.size() > before) continue;
    }
    if (aliases_[number].state != Alias::State::Done && location) {
      const std::vector<FilePosition> found =
          positions(body);  // an alias that is still open is a cycle and adds nothing
      aliases_[number].begin = static_cast<std::uint32_t>(aliasPositions_.size());
      aliasPositions_.insert(aliasPositions_.end(), found.begin(), found.end());
      aliases_[number].end = static_cast<std::uint32_t>(aliasPositions_.size());
    }
    aliases_[number].state = Alias::State::Done;
    open.pop_back();
  }
}

std::vector<FilePosition> LocationTable::positions(std::string_view body) const {
  std::vector<FilePosition> out;
  const bool isLine =
      module_ != nullptr && (module_->form == TextForm::Assembly || module_->form == TextForm::Ptx);
  if (isLine) {
    addLine(out, files_, kFxFile, body);
    return out;
  }
  walk(
      body, out,
      [&](std::string_view file, std::string_view line) { addLine(out, files_, file, line); },
      [&](std::string_view name) {
        if (module_ == nullptr) return;
        if (const std::uint32_t number = module_->aliases.find(name); number != NameTable::kNone)
          for (std::uint32_t i = aliases_[number].begin; i < aliases_[number].end; ++i)
            addPosition(out, aliasPositions_[i]);
      });
  return out;
}

std::vector<fx::NodeId> LocationTable::nodes(std::string_view body) const {
  std::vector<fx::NodeId> out;
  for (const FilePosition& position : positions(body))
    if (position.file == 0) out.push_back(fx::NodeId{position.line});
  return out;
}

}  // namespace fxs::mlir
