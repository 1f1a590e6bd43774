// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/readable_metadata.h"

#include <algorithm>

#include "base/json.h"
#include "fx/module_path.h"

namespace fxs::fx {
namespace {

/// Parts of an item as PyTorch counts them: at commas outside brackets, whether or not the brackets
/// match.
std::size_t countParts(std::string_view item) {
  int depth = 0;
  std::size_t parts = 1;
  for (const char c : item) {
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    parts += c == ',' && depth == 0;
  }
  return parts;
}

template <class Accepts>
bool eachItem(std::string_view text, Accepts accepts) {
  while (true) {
    const std::size_t end = text.find(';');
    if (!accepts(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

std::string withoutSeparators(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::string_view(",;()[]").find(c) != std::string_view::npos; }, '_');
  return name;
}

std::optional<std::string> moduleStack(std::string_view text) {
  const auto isFrame = [](std::string_view item) { return countParts(item) == 3; };
  if (eachItem(text, isFrame)) return std::string(text);
  std::string out;
  for (const ModuleFrame& frame : parseModuleStack(text)) {
    const std::string item =
        withoutSeparators(frame.key) + "," + withoutSeparators(frame.path) + "," + frame.type;
    if (!frame.type.empty() && isFrame(item)) out += (out.empty() ? "" : ";") + item;
  }
  return out.empty() ? std::nullopt : std::optional(std::move(out));
}

/// A list of NodeSource.to_dict().
bool areSources(const Json& list) {
  if (!list.isArray()) return false;
  for (const Json source : list) {
    if (!source.isObject()) return false;
    if (const auto action = source.find("action"); action && !action->asString()) return false;
    if (const auto from = source.find("from_node"); from && !areSources(*from)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> readableMetadata(std::string_view key, std::string_view text) {
  if (text.empty()) return std::string();
  if (key == "nn_module_stack") return moduleStack(text);
  bool isReadable = true;
  if (key == "source_fn_stack") {
    isReadable = eachItem(
        text, [](std::string_view item) { return std::count(item.begin(), item.end(), ',') == 1; });
  } else if (key == "custom" || key == "from_node") {
    const auto document = JsonDocument::parse(std::string(text), "metadata");
    isReadable = document && (key == "custom" || areSources((*document)->root()));
  }
  return isReadable ? std::optional(std::string(text)) : std::nullopt;
}

}  // namespace fxs::fx
