#include "mlir/op_scan.h"

#include "mlir/token_ends.h"

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
  out.module = std::make_shared<const Module>(text);
  const Module& module = *out.module;
  LocationTable locations;
  out.lines.reserve(module.lineStarts.size());
  bool resources = false;
  for (const std::size_t begin : module.lineStarts) {
    if (begin == text.size()) break;
    ScannedLine line{text.substr(begin, endOfLine(text, begin) - begin), LineKind::Other, ScannedOp::kNone};
    if (line.text.starts_with("{-#")) resources = true;
    if (resources) line.kind = LineKind::Resource;
    else if (locations.addAlias(line.text)) line.kind = LineKind::Alias;
    if (line.text.starts_with("#-}")) resources = false;
    out.lines.push_back(line);
  }
  locations.resolve();

  const auto isAt = [&](std::uint32_t number, LineKind kind, std::uint32_t op) {
    ScannedLine& line = out.lines[number];
    if (line.kind != LineKind::Other) return;
    line.kind = kind;
    line.op = op;
  };
  out.ops.reserve(module.ops.size());
  for (std::uint32_t i = 0; i < module.ops.size(); ++i) {
    const Op& op = module.ops[i];
    const std::string_view location = op.location.of(text);
    out.ops.push_back({module.nameOf(OpId{i}), out.lines[op.firstLine].text, op.firstLine, op.lastLine, op.parent.value,
                       locations.nodes(location), !location.empty() && location != "unknown"});
    isAt(op.firstLine, LineKind::Operation, i);
  }
  for (const Region& region : module.regions)
    if (text[region.text.end - 1] == '}') isAt(module.lineOf(region.text.end - 1), LineKind::Closing, region.op.value);
  return out;
}

}  // namespace fxs::mlir
