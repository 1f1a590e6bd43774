// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/no_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "base/safe_text.h"
#include "lower/tool_run.h"

namespace fxs::lower {
namespace {

/// Nodes of the output that are looked up in the input: an answer for another module shows in its
/// first ones.
constexpr int kNodesLookedUp = 8, kTries = 64;

/// The name of the function that a module has for others: the first that is not private.
std::string_view functionIn(std::string_view module) {
  constexpr std::string_view kMark = "func.func @";
  const std::size_t at = module.find(kMark);
  if (at == std::string_view::npos) {  // or in the generic form
    const std::size_t function = std::min(module.find("\"func.func\""), module.size());
    constexpr std::string_view kName = "sym_name = \"";
    const std::size_t name = module.find(kName, function);
    if (name == std::string_view::npos) return {};
    return module.substr(name + kName.size(),
                         module.find('"', name + kName.size()) - name - kName.size());
  }
  const std::size_t begin = at + kMark.size();
  return module.substr(begin, std::min(module.find('(', begin), module.size()) - begin);
}

bool holdsFunction(std::string_view module, std::string_view name) {
  return name.empty() || module.find("@" + std::string(name) + "(") != std::string_view::npos ||
         module.find("\"" + std::string(name) + "\"") != std::string_view::npos;
}

/// Whether every brace of the text, outside of strings, is closed, and it ends with a line, or as
/// an operation or an alias does.
bool isComplete(std::string_view text) {
  std::ptrdiff_t open = 0;
  bool isQuoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {  // find_first_of() costs several times as much
    const char c = text[at];
    if (c == '"') isQuoted = !isQuoted;
    else if (isQuoted && c == '\\') ++at;
    else if (!isQuoted && (c == '{' || c == '}')) open += c == '{' ? 1 : -1;
  }
  return !isQuoted && open == 0 && !text.empty() &&
         std::string_view("\n})>").find(text.back()) != std::string_view::npos;
}

/// A number in a text, and the position after its digits. Reading stops once it exceeds the text's
/// size.
struct Digits {
  std::size_t number, end;
};
Digits digitsAt(std::string_view text, std::size_t at) {
  std::size_t number = 0;
  while (at < text.size() && isDigit(text[at]) && number <= text.size())
    number = number * 10 + static_cast<std::size_t>(text[at++] - '0');
  return {number, at};
}

/// Whether each alias of a location that the text uses is defined in it; the engine prints most of
/// them last.
bool definesItsLocations(std::string_view text) {
  constexpr std::string_view kMark = "#loc";
  std::vector<bool> used, defined;
  for (std::size_t at = text.find(kMark); at != std::string_view::npos;
       at = text.find(kMark, at + 1)) {
    const auto [number, end] = digitsAt(text, at + kMark.size());
    if (number > text.size()) return false;
    if (end < text.size() && isWordChar(text[end])) continue;  // another alias
    const bool isDefinition = (at == 0 || text[at - 1] == '\n') && text.substr(end, 3) == " = ";
    std::vector<bool>& seen = isDefinition ? defined : used;
    const std::size_t position = end == at + kMark.size() ? 0 : number + 1;
    if (seen.size() <= position) seen.resize(position + 1);
    seen[position] = true;
  }
  defined.resize(std::max(defined.size(), used.size()));
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] && !defined[i]) return false;
  return true;
}

/// Whether the engine's form of a module, at the begin of a line, stands in the text more than
/// once.
bool hasSeveralModules(std::string_view text) {
  constexpr std::string_view kModule = "\nmodule ";
  const std::size_t first = text.starts_with(kModule.substr(1)) ? 0 : text.find(kModule);
  return first != std::string_view::npos && text.find(kModule, first + 1) != std::string_view::npos;
}

/// The number in `"fx":7:0`, by which `text` locates, also by an alias: `"fx":7:0` or `#loc3` with
/// `#loc3 = loc("fx":7:0)`.
std::string_view nodeNumber(std::string_view text, std::string_view location) {
  constexpr std::string_view kFile = "\"fx\":";
  std::string definition;
  if (location.starts_with("#loc")) {
    definition = std::string(location.substr(0, location.find(')'))) + " = loc(";
    const std::size_t at = text.starts_with(definition) ? 0 : text.find("\n" + definition);
    if (at == std::string_view::npos) return {};
    location = text.substr(text.find('(', at) + 1);
  }
  if (!location.starts_with(kFile)) return {};
  location.remove_prefix(kFile.size());
  return location.substr(0, location.find(':'));
}

/// A node at which the output is located, though the input has another one of that name, or none:
/// `relu`. Passes only move and merge locations.
std::string_view strangeNode(std::string_view input, std::string_view output) {
  constexpr std::string_view kMark = "loc(\"";
  int looked = 0, tried = 0;
  for (std::size_t at = output.find(kMark);
       at != std::string_view::npos && looked < kNodesLookedUp && tried < kTries;
       at = output.find(kMark, at + 1)) {
    const std::size_t open = at + kMark.size() - 1, close = output.find('"', open + 1);
    if (close == std::string_view::npos || output.substr(close + 1, 1) != "(") continue;
    ++tried;
    const std::string_view number = nodeNumber(output, output.substr(close + 2));
    if (number.empty()) continue;
    ++looked;
    const std::string name(
        output.substr(open, close + 2 - open));  // with its quotes, and the bracket after it
    bool isKnown = false;                        // nodes of subgraphs may have equal names
    std::size_t known = input.find(name);
    for (int seen = 0; !isKnown && known != std::string_view::npos && seen < kTries;
         ++seen, known = input.find(name, known + 1))
      isKnown = nodeNumber(input, input.substr(known + name.size())) == number;
    isKnown = isKnown || known != std::string_view::npos;  // among very many
    if (!isKnown) return output.substr(open + 1, close - open - 1);
  }
  return {};
}

/// Whether a text has operations of the torch dialect; not only symbols and types that are called
/// so.
bool hasTorchOps(std::string_view text) {
  constexpr std::string_view kDialect = "torch.";
  for (std::size_t at = text.find(kDialect); at != std::string_view::npos;
       at = text.find(kDialect, at + 1)) {
    const std::size_t before = text.substr(0, at).find_last_not_of(" \t\"");
    if (before == std::string_view::npos || text[before] == '\n' ||
        (text[before] == '=' && before + 1 < at))
      return true;
  }
  return false;
}

/// Whether the locations of a text are those of nodes.
bool locatesNodes(std::string_view text) { return text.find("(\"fx\":") != std::string_view::npos; }

}  // namespace

std::string noAnswer(const StageSpec& stage, std::string_view input, std::string_view output) {
  if (std::string problem = unlike(output, stage.writes);
      !problem.empty() || stage.writes != mlir::TextForm::Mlir)
    return problem;
  if (!isComplete(output) || !definesItsLocations(output)) return "printed half a module";
  if (hasSeveralModules(output) && !hasSeveralModules(input)) return "printed several modules";
  if (stage.keepsFunction && !holdsFunction(output, functionIn(input)))
    return fmt::format("printed a module without @{}", functionIn(input));
  if (const std::string_view node =
          locatesNodes(input) ? strangeNode(input, output) : std::string_view();
      !node.empty())
    return fmt::format("printed another module, with the node {}", printable(node));
  if (stage.converts && input == output && hasTorchOps(input)) return "printed its input unchanged";
  return {};
}

}  // namespace fxs::lower
