// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/module_path.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"

namespace fxs::fx {
namespace {

/// `key,path,type`: a comma inside brackets belongs to its part. A module whose name has commas
/// gives more parts: its key and its path have as many of them.
ModuleFrame parseModule(std::string_view item) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < item.size(); ++i) {
    char c = item[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0) {
      parts.push_back(item.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(item.substr(begin));
  if (parts.size() < 3) parts.resize(3);
  const std::size_t names = parts.size() - 1, inKey = names % 2 == 0 ? names / 2 : 1;
  const auto joined = [&](std::size_t from, std::size_t to) {
    return std::string(parts[from].data(), parts[to - 1].data() + parts[to - 1].size());
  };
  if (parts.size() == 3)
    return {std::string(parts[0]), std::string(parts[1]), std::string(parts[2])};
  return {joined(0, inKey), joined(inKey, names), std::string(parts.back())};
}

/// Parses `File "<path>", line <n>, in <function>`; else nullopt.
std::optional<StackFrame> parseFrameLine(std::string_view line) {
  line = trimmed(line);
  constexpr std::string_view kOpen = "File \"", kLine = "\", line ", kIn = ", in ";
  if (!line.starts_with(kOpen)) return std::nullopt;
  std::size_t end = line.rfind(kLine);
  if (end == std::string_view::npos || end < kOpen.size()) return std::nullopt;
  StackFrame frame;
  frame.file = line.substr(kOpen.size(), end - kOpen.size());
  std::string_view rest = line.substr(end + kLine.size());
  auto [after, error] = std::from_chars(rest.data(), rest.data() + rest.size(), frame.line);
  if (error != std::errc() || frame.line < 0) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(after - rest.data()));
  if (rest.starts_with(kIn)) frame.function = rest.substr(kIn.size());
  return frame;
}

bool isCaretLine(std::string_view line) {
  return !line.empty() && line.find_first_not_of("^~ ") == std::string_view::npos;
}

/// Code of PyTorch itself: wrappers around a model, and its modules.
bool isTorch(const std::string& file) {
  for (std::string_view part :
       {"-packages/torch/", "/torch/nn/", "/torch/_", "/torch/fx/", "/torch/export/"})
    if (file.find(part) != std::string::npos) return true;
  return file.starts_with('<') || file.starts_with("torch/");  // relative in a shared file
}

}  // namespace

std::vector<ModuleFrame> parseModuleStack(std::string_view text) {
  std::vector<ModuleFrame> out;
  while (!text.empty()) {
    std::size_t end = text.find(';');
    if (std::string_view item = text.substr(0, end); !item.empty())
      out.push_back(parseModule(item));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

std::vector<StackFrame> parseStackTrace(std::string_view text) {
  std::vector<StackFrame> out;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (std::optional<StackFrame> frame = parseFrameLine(line)) {
      out.push_back(std::move(*frame));
    } else if (line = trimmed(line);
               !out.empty() && out.back().code.empty() && !isCaretLine(line)) {
      out.back().code = line;
    }
  }
  return out;
}

const StackFrame* userFrame(const std::vector<StackFrame>& stack) {
  for (auto it = stack.rbegin(); it != stack.rend(); ++it)
    if (!isTorch(it->file)) return &*it;
  return nullptr;
}

std::optional<std::string> projectFile(std::string_view file, std::string_view root) {
  if (root.ends_with('/')) root.remove_suffix(1);
  if (file.starts_with('/')) {
    if (root.size() >= file.size() || !file.starts_with(root) || file[root.size()] != '/')
      return std::nullopt;
    file.remove_prefix(root.size() + 1);
  }
  // "<eval_with_key>.1" is not a file.
  if (root.empty() || file.empty() || file.front() == '<') return std::nullopt;
  const std::string path = "/" + std::string(file);
  for (const char* part : {"/site-packages/", "/dist-packages/", "/../"})
    if (path.find(part) != std::string::npos) return std::nullopt;
  return std::string(file);
}

const StackFrame* projectFrame(const std::vector<StackFrame>& stack, std::string_view root) {
  for (auto it = stack.rbegin(); it != stack.rend(); ++it)
    if (projectFile(it->file, root)) return &*it;
  return nullptr;
}

std::size_t commonLength(const std::vector<ModuleFrame>& a, const std::vector<ModuleFrame>& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

std::vector<ModuleFrame> modulesOf(const Program& program, const Node& node) {
  std::optional<std::string_view> text = program.meta(node, "nn_module_stack");
  if (!text) return {};
  std::vector<ModuleFrame> frames = parseModuleStack(*text);
  std::erase_if(frames, [](const ModuleFrame& frame) {
    const std::string_view marker = "_empty_nn_module_stack";
    return frame.key.starts_with(marker) || frame.path.starts_with(marker);
  });
  return frames;
}

std::vector<StackFrame> stackOf(const Program& program, const Node& node) {
  std::optional<std::string_view> text = program.meta(node, "stack_trace");
  return text ? parseStackTrace(*text) : std::vector<StackFrame>();
}

}  // namespace fxs::fx
