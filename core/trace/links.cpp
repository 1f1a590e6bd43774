#include "trace/links.h"

#include <algorithm>
#include <unordered_map>

#include "mlir/op_scan.h"

namespace fxs::trace {
namespace {

/// A constant that the whole program uses belongs to no node in particular.
constexpr std::size_t kMaxUserNodes = 16;

bool isValueChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '$' || c == '.';
}

/// Calls `use` with each value name ("%cst_3", without "#1") of a line.
template <class Use>
void eachValue(std::string_view line, Use use) {
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '"') {
      i = mlir::afterString(line, i);
    } else if (line[i] == '%') {
      std::size_t end = i + 1;
      while (end < line.size() && isValueChar(line[end])) ++end;
      use(line.substr(i, end - i));
      i = end;
    } else {
      ++i;
    }
  }
}

/// Operations of `text` in the order of its shown lines that carry one, with the shown line of each.
struct Shown {
  std::uint32_t line;
  std::string_view text;
};

std::vector<Shown> operations(const mlir::LocatedText& text) {
  std::vector<Shown> out;
  const std::string_view all = text.show;
  std::uint32_t number = 0;
  for (std::size_t begin = 0; begin < all.size(); ++number) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::string_view line = all.substr(begin, end - begin);
    if (!mlir::opNameOf(line).empty()) out.push_back({number, line});
    begin = end + 1;
  }
  return out;
}

/// Whether an operation of that name is part of the frame around the program, not of the program.
bool isFrame(std::string_view name) { return name == "builtin.module" || name.ends_with(".func"); }

std::size_t indentOf(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at == std::string_view::npos ? 0 : at;
}

/// Operations without a location get the nodes of those that use their results.
void attributeByUsers(const std::vector<Shown>& ops, mlir::LocatedText& text) {
  std::unordered_map<std::string_view, std::uint32_t> unknown;  // value -> shown line, within one function
  for (const Shown& op : ops) {
    const std::string_view name = mlir::opNameOf(op.text);
    if (name.ends_with(".func")) unknown.clear();
    mlir::LineOrigin& origin = text.lines[op.line];
    if (!unknown.empty() && origin.link == mlir::Link::Exact)
      eachValue(op.text, [&](std::string_view value) {
        const auto at = unknown.find(value);
        if (at == unknown.end()) return;
        mlir::LineOrigin& user = text.lines[at->second];
        for (const fx::NodeId id : origin.nodes)
          if (user.nodes.size() <= kMaxUserNodes && std::find(user.nodes.begin(), user.nodes.end(), id) == user.nodes.end())
            user.nodes.push_back(id);
      });
    if (origin.link == mlir::Link::None && !isFrame(name))
      for (const std::string_view value : mlir::resultsOf(op.text)) unknown[value] = op.line;
  }
  for (const Shown& op : ops) {
    mlir::LineOrigin& origin = text.lines[op.line];
    if (origin.link != mlir::Link::None || origin.nodes.empty()) continue;
    if (origin.nodes.size() > kMaxUserNodes) origin.nodes.clear();
    else origin.link = mlir::Link::Users;
  }
}

/// Operations inside the region of a located one belong to it, when they have no location of their own.
void attributeByParents(const std::vector<Shown>& ops, mlir::LocatedText& text) {
  std::vector<std::pair<std::size_t, std::uint32_t>> around;  // indentation and shown line of the operations that are open
  for (const Shown& op : ops) {
    const std::size_t indent = indentOf(op.text);
    while (!around.empty() && around.back().first >= indent) around.pop_back();
    mlir::LineOrigin& origin = text.lines[op.line];
    if (origin.link == mlir::Link::None && !around.empty()) {
      const mlir::LineOrigin& parent = text.lines[around.back().second];
      if (parent.link == mlir::Link::Exact || parent.link == mlir::Link::Parent) {
        origin.link = mlir::Link::Parent;
        origin.nodes = parent.nodes;
      }
    }
    if (op.text.ends_with('{') && !isFrame(mlir::opNameOf(op.text))) around.emplace_back(indent, op.line);
  }
}

}  // namespace

std::shared_ptr<const StageLinks> linkStage(std::string stage, std::string_view textWithLocations) {
  auto links = std::make_shared<StageLinks>();
  links->stage = std::move(stage);
  links->text = mlir::locate(textWithLocations);
  const std::vector<Shown> ops = operations(links->text);
  attributeByParents(ops, links->text);
  attributeByUsers(ops, links->text);
  links->text.indexLines();
  std::size_t counted = 0;
  std::size_t known = 0;
  for (const Shown& op : ops) {
    if (isFrame(mlir::opNameOf(op.text))) continue;
    ++counted;
    known += links->text.lines[op.line].link != mlir::Link::None ? 1 : 0;
  }
  links->coverage = counted == 0 ? 0 : static_cast<double>(known) / static_cast<double>(counted);
  return links;
}

}  // namespace fxs::trace
