// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/logs/printed_ops.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "mlir/text/expanded_aliases.h"
#include "mlir/text/function_types.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

/// "" for an operation without: an `@` may also stand in its attributes.
std::string_view ownSymbol(const Module& module, const Op& op) {
  const std::string_view head = op.head.of(module.text);
  const std::size_t at = head.find('@');
  if (!head.starts_with('"') && at != std::string_view::npos &&
      firstOf(head, 0, static_cast<std::uint16_t>(~(kWord | kBlank))) < at)
    return {};
  return symbolOf(module, op);
}

using Path = std::vector<std::string>;

/// The operations at the paths of `printed`, and those around them; several may share a path.
std::multimap<Path, OpId> opsByPath(const Module& module, const std::vector<PrintedOp>& printed) {
  std::set<Path> wanted;
  for (const PrintedOp& op : printed)
    for (auto end = op.path.begin(); end != op.path.end(); ++end)
      wanted.emplace(op.path.begin(), std::next(end));
  std::multimap<Path, OpId> out;
  std::vector<std::pair<OpId, Path>> open;
  const auto visit = [&](const Path& path, OpId id) {
    Path inner = path;
    inner.push_back(treeName(module.nameOf(id), ownSymbol(module, module.op(id))));
    if (!wanted.contains(inner)) return;
    open.emplace_back(id, inner);
    out.emplace(std::move(inner), id);
  };
  // A text may also be what is in a module.
  if (module.top.size() == 1 && module.nameOf(module.top.front()) == "builtin.module")
    open.emplace_back(module.top.front(), Path());
  else
    for (const OpId id : module.top) visit({}, id);
  while (!open.empty()) {
    const auto [parent, path] = std::move(open.back());
    open.pop_back();
    for (const RegionId region : module.regionsOf(parent))
      for (const BlockId block : module.blocksOf(region))
        for (const OpId id : module.opsOf(block)) visit(path, id);
  }
  return out;
}

struct Replacement {
  TextRange range;
  std::string_view text;
};

Result<std::vector<Replacement>> replacementsOf(const Module& module,
                                                const std::vector<PrintedOp>& printed) {
  const std::multimap<Path, OpId> ops = opsByPath(module, printed);
  std::vector<Replacement> out;
  for (const PrintedOp& op : printed) {
    const auto [begin, end] = ops.equal_range(op.path);
    if (begin == end || std::next(begin) != end)
      return fail(ErrorCode::InvalidInput,
                  (begin == end ? "no operation of the module is printed as "
                                : "several operations of the module are printed as ") +
                      (op.path.empty() ? std::string() : op.path.back()));
    out.push_back({module.op(begin->second).text, op.text});
  }
  std::sort(out.begin(), out.end(), [](const Replacement& a, const Replacement& b) {
    return a.range.begin < b.range.begin;
  });
  return out;
}

/// Appends the lines, those after the first indented as the first is.
void appendIndented(std::string& out, std::string_view lines) {
  const std::string indent(out.size() - (out.rfind('\n') + 1), ' ');
  lines = lines.substr(0, trimmedEnd(lines, 0, lines.size()));
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(endOfLine(lines, begin) + 1, lines.size());
    if (begin > 0) out += indent;
    out += lines.substr(begin, end - begin);
    begin = end;
  }
}

/// The alias that a line at the text's beginning or end defines; "" if it defines none.
std::string_view definedIn(std::string_view line) {
  if (!line.starts_with('#') && !line.starts_with('!')) return {};
  const std::size_t end = afterName(line, 0);
  return line.substr(end).starts_with(" = ") ? line.substr(0, end) : std::string_view();
}

/// Leaves out definitions of aliases that nothing refers to any more.
std::string withoutUnusedAliases(std::string text) {
  const Module module(text);
  std::vector<bool> used(module.aliases.size());
  std::vector<std::uint32_t> open;
  const auto use = [&](std::string_view in) {
    eachAlias(in, [&](std::size_t at, std::size_t end) {
      const std::uint32_t alias = module.aliases.find(in.substr(at, end - at));
      if (alias == NameTable::kNone || used[alias]) return true;
      used[alias] = true;
      open.push_back(alias);
      return true;
    });
  };
  const auto eachLine = [&](auto seen) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(endOfLine(text, begin) + 1, text.size());
      seen(std::string_view(text).substr(begin, end - begin));
      begin = end;
    }
  };
  eachLine([&](std::string_view line) {
    if (definedIn(line).empty()) use(line);
  });
  while (!open.empty()) {
    const std::uint32_t alias = open.back();
    open.pop_back();
    use(module.aliasBodies[alias]);
  }
  std::string out;
  eachLine([&](std::string_view line) {
    const std::uint32_t alias = module.aliases.find(definedIn(line));
    if (alias == NameTable::kNone || used[alias]) out += line;
  });
  return out;
}

}  // namespace

std::string treeName(std::string_view op, std::string_view symbol) {
  std::string out(op), name(symbol.empty() ? "no-symbol-name" : symbol);
  std::replace(out.begin(), out.end(), '.', '_');
  std::replace(name.begin(), name.end(), '/', '_');
  std::replace(name.begin(), name.end(), '\\', '_');
  return out + "_" + name;
}

Result<std::string> withPrintedOps(std::string_view text, const std::vector<PrintedOp>& printed) {
  // Which name the pass that the text was printed after.
  while (text.starts_with("//")) text.remove_prefix(std::min(endOfLine(text, 0) + 1, text.size()));
  const Module module(text);
  FXS_TRY(const std::vector<Replacement> replacements, replacementsOf(module, printed));
  std::string out;
  std::size_t at = 0;
  for (const Replacement& each : replacements) {
    if (each.range.begin < at)
      return fail(ErrorCode::InvalidInput, "an operation of the module is printed twice");
    out.append(text.substr(at, each.range.begin - at));
    appendIndented(out, each.text);
    at = each.range.end;
  }
  out.append(text.substr(at));
  return withoutUnusedAliases(std::move(out));
}

}  // namespace fxs::mlir
