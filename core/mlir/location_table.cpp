#include "mlir/location_table.h"

#include <algorithm>
#include <charconv>

namespace fxs::mlir {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The `#loc12` that begins at `at`.
std::string_view aliasAt(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && isWord(text[end])) ++end;
  return text.substr(at, end - at);
}

void addPlace(std::vector<FilePlace>& out, FilePlace place) {
  if (out.size() < kMaxPlacesOfLocation && std::find(out.begin(), out.end(), place) == out.end()) out.push_back(place);
}

/// Walks a location's body and hands every file position and every alias to the callbacks, callee before caller.
template <class OnLine, class OnAlias>
void walk(std::string_view body, std::vector<FilePlace>& out, OnLine onLine, OnAlias onAlias) {
  struct Level {
    bool callsite;
    std::size_t before;  // places known when it began
  };
  std::vector<Level> levels;
  for (std::size_t i = 0; i < body.size();) {
    const char c = body[i];
    if (c == '"') {
      const std::size_t end = afterString(body, i);
      if (end < body.size() && body[end] == ':' && end + 1 < body.size() && isDigit(body[end + 1]))
        onLine(body.substr(i + 1, end - i - 2), body.substr(end + 1));
      i = end;
    } else if (c == '#') {
      const std::string_view alias = aliasAt(body, i);
      onAlias(alias);
      i += alias.size();
    } else if (c == '(') {
      const bool callsite = body.substr(0, i).ends_with("callsite");
      levels.push_back({callsite, out.size()});
      ++i;
    } else if (c == ')') {
      if (!levels.empty()) levels.pop_back();
      ++i;
    } else if (c == 'a' && body.substr(i).starts_with("at ") && i > 0 && body[i - 1] == ' ' && !levels.empty() && levels.back().callsite &&
               out.size() > levels.back().before) {
      // The callee is known: the caller's part, up to the end of this callsite, adds nothing.
      std::size_t depth = 0;
      while (i < body.size() && !(body[i] == ')' && depth == 0)) {
        if (body[i] == '"') {
          i = afterString(body, i);
          continue;
        }
        if (body[i] == '(') ++depth;
        if (body[i] == ')') --depth;
        ++i;
      }
    } else {
      ++i;
    }
  }
}

void addLine(std::vector<FilePlace>& out, const std::map<std::string, std::uint32_t, std::less<>>& files, std::string_view file,
             std::string_view line) {
  std::uint32_t number = 0;
  if (file != kFxFile) {
    const auto at = files.find(file);
    if (at == files.end()) return;
    number = at->second;
  }
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error == std::errc() && (number > 0 || value < kMaxNodeIndex)) addPlace(out, {number, value});
}

}  // namespace

std::size_t afterString(std::string_view text, std::size_t quote) {
  for (std::size_t i = quote + 1; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == '"') return i + 1;
  }
  return text.size();
}

std::size_t afterBalanced(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      i = afterString(text, i);
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i + 1;
    ++i;
  }
  return std::string_view::npos;
}

LocationTable::LocationTable(std::vector<std::string> files) {
  for (std::string& file : files) files_.emplace(std::move(file), static_cast<std::uint32_t>(files_.size()) + 1);
}

bool LocationTable::addAlias(std::string_view line) {
  if (!line.starts_with("#loc")) return false;
  const std::string_view name = aliasAt(line, 0);
  const std::string_view rest = line.substr(name.size());
  if (!rest.starts_with(" = loc(")) return false;
  const std::size_t open = 6;
  const std::size_t end = afterBalanced(rest, open);
  if (end == std::string_view::npos) return false;
  index_.try_emplace(name, static_cast<std::uint32_t>(aliases_.size()));
  aliases_.push_back({rest.substr(open + 1, end - open - 2), {}, Alias::State::New});
  return true;
}

LocationTable::Alias* LocationTable::find(std::string_view name) {
  const auto at = index_.find(name);
  return at == index_.end() ? nullptr : &aliases_[at->second];
}

void LocationTable::resolve() {
  std::vector<Alias*> open;
  for (Alias& root : aliases_) {
    open.push_back(&root);
    while (!open.empty()) {
      Alias& alias = *open.back();
      if (alias.state == Alias::State::Done) {
        open.pop_back();
        continue;
      }
      if (alias.state == Alias::State::New) {
        alias.state = Alias::State::Open;
        std::vector<FilePlace> ignored;
        const std::size_t before = open.size();
        walk(
            alias.body, ignored, [](std::string_view, std::string_view) {},
            [&](std::string_view name) {
              if (Alias* next = find(name); next != nullptr && next->state == Alias::State::New) open.push_back(next);
            });
        if (open.size() > before) continue;
      }
      alias.places = places(alias.body);  // an alias that is still open is a cycle and adds nothing
      alias.state = Alias::State::Done;
      open.pop_back();
    }
  }
}

std::vector<FilePlace> LocationTable::places(std::string_view body) const {
  std::vector<FilePlace> out;
  walk(
      body, out, [&](std::string_view file, std::string_view line) { addLine(out, files_, file, line); },
      [&](std::string_view name) {
        if (const Alias* alias = find(name); alias != nullptr)
          for (const FilePlace& place : alias->places) addPlace(out, place);
      });
  return out;
}

std::vector<fx::NodeId> LocationTable::nodes(std::string_view body) const {
  std::vector<fx::NodeId> out;
  for (const FilePlace& place : places(body))
    if (place.file == 0) out.push_back(fx::NodeId{place.line});
  return out;
}

}  // namespace fxs::mlir
