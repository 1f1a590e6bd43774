#include "mlir/op_scan.h"

#include <algorithm>
#include <cstring>

namespace fxs::mlir {
namespace {

bool isNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
}
bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

/// The part of an operation's line after `%a, %b:2 = `, or the line itself when it defines nothing.
std::string_view afterResults(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('%')) return line;
  const std::size_t equals = line.find(" = ");
  return equals == std::string_view::npos ? std::string_view() : line.substr(equals + 3);
}

/// The last `loc(..)` of a line when the line ends with it: its body, else nothing. Found backwards from the end without
/// looking at the rest of the line: what stands before it may be megabytes of constants.
std::string_view closingLocation(std::string_view line) {
  if (!line.ends_with(')')) return {};
  std::size_t at = line.rfind(" loc(");
  // A name inside the location may itself hold " loc(": the candidate that balances to the end is the location.
  for (int tries = 0; at != std::string_view::npos && tries < 4; ++tries) {
    if (afterBalanced(line, at + 4) == line.size()) return line.substr(at + 5, line.size() - at - 6);
    at = at == 0 ? std::string_view::npos : line.rfind(" loc(", at - 1);
  }
  return {};
}

}  // namespace

std::string_view opNameOf(std::string_view line) {
  const std::string_view rest = afterResults(line);
  if (rest.empty()) return {};
  if (rest[0] == '"') {
    const std::size_t end = afterString(rest, 0);
    return end < rest.size() && rest[end] == '(' ? rest.substr(1, end - 2) : std::string_view();
  }
  if (!isNameStart(rest[0])) return {};
  std::size_t end = 1;
  while (end < rest.size() && isNameChar(rest[end])) ++end;
  const std::string_view name = rest.substr(0, end);
  // Dialects whose prefix the printer leaves out: the module, and func inside a function.
  if (name == "module") return "builtin.module";
  if (name == "return") return "func.return";
  if (name == "call") return "func.call";
  if (name == "call_indirect") return "func.call_indirect";
  return name.find('.') == std::string_view::npos ? std::string_view() : name;
}

std::string_view operatorNameOf(std::string_view line) {
  const std::string_view name = opNameOf(line);
  if (name != "torch.operator") return {};
  const std::string_view generic = "name = \"";
  const std::string_view rest = afterResults(line);
  std::size_t at = rest.find(generic);
  if (rest[0] != '"') {  // custom form: torch.operator "torch.aten.diff"(..)
    at = rest.find('"');
    if (at == std::string_view::npos) return {};
    return rest.substr(at + 1, afterString(rest, at) - at - 2);
  }
  if (at == std::string_view::npos) return {};
  const std::size_t quote = at + generic.size() - 1;
  return rest.substr(quote + 1, afterString(rest, quote) - quote - 2);
}

std::vector<std::string_view> resultsOf(std::string_view line) {
  std::vector<std::string_view> out;
  line = trimmed(line);
  if (!line.starts_with('%')) return out;
  std::string_view head = line.substr(0, line.find(" = "));
  if (head.size() == line.size()) return out;
  while (!head.empty()) {
    const std::size_t comma = head.find(',');
    std::string_view one = trimmed(head.substr(0, comma));
    out.push_back(one.substr(0, one.find(':')));
    head = comma == std::string_view::npos ? std::string_view() : head.substr(comma + 1);
  }
  return out;
}

ScannedText scanOps(std::string_view text) {
  ScannedText out;
  LocationTable locations;
  out.lines.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  bool resources = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const void* newline = std::memchr(text.data() + begin, '\n', text.size() - begin);
    const std::size_t end = newline == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(newline) - text.data());
    ScannedLine line{text.substr(begin, end - begin), LineKind::Other, ScannedOp::kNone};
    if (line.text.starts_with("{-#")) resources = true;
    if (resources) line.kind = LineKind::Resource;
    else if (locations.addAlias(line.text)) line.kind = LineKind::Alias;
    if (line.text.starts_with("#-}")) resources = false;
    out.lines.push_back(line);
    begin = end + 1;
  }
  locations.resolve();

  std::vector<std::uint32_t> open;
  const auto located = [&](ScannedOp& op, std::string_view lineText) {
    const std::string_view body = closingLocation(lineText);
    if (body.empty()) return;
    op.hasLocation = body != "unknown";
    op.nodes = locations.nodes(body);
  };
  for (std::uint32_t i = 0; i < out.lines.size(); ++i) {
    ScannedLine& line = out.lines[i];
    if (line.kind != LineKind::Other) continue;
    const std::string_view shown = trimmed(line.text);
    if (shown.starts_with('}')) {
      if (open.empty()) continue;
      line.kind = LineKind::Closing;
      line.op = open.back();
      out.ops[line.op].lastLine = i;
      if (shown.ends_with('{')) continue;  // `} else {`, `}, {`: the next region of the same operation
      located(out.ops[line.op], shown);
      open.pop_back();
      continue;
    }
    const std::string_view name = opNameOf(shown);
    if (name.empty()) continue;
    line.kind = LineKind::Operation;
    line.op = static_cast<std::uint32_t>(out.ops.size());
    ScannedOp op;
    op.name = name;
    op.line = line.text;
    op.firstLine = op.lastLine = i;
    op.parent = open.empty() ? ScannedOp::kNone : open.back();
    if (shown.ends_with('{')) open.push_back(line.op);
    else located(op, shown);
    out.ops.push_back(std::move(op));
  }
  return out;
}

}  // namespace fxs::mlir
