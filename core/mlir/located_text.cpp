#include "mlir/located_text.h"

#include <algorithm>

#include "mlir/op_scan.h"

namespace fxs::mlir {
namespace {

/// Strings and constants longer than this are shown by their size.
constexpr std::size_t kShownString = 256;
constexpr std::size_t kShownConstant = 1024;

/// Copies a line to `show` without locations, long strings and long constants.
void showLine(std::string_view line, bool resource, std::string& show) {
  const std::size_t lineStart = show.size();
  std::size_t copied = 0;  // of `line`
  bool closes = true;      // every constant so far: what follows one that does not is text, and not looked through again
  const auto upTo = [&](std::size_t end) { show.append(line.substr(copied, end - copied)); };
  for (std::size_t i = 0; i < line.size();) {
    const char c = line[i];
    if (c == '"') {
      const std::size_t end = afterString(line, i);
      if (end - i > (resource ? std::size_t{16} : kShownString)) {
        upTo(i);
        const std::string_view text = line.substr(i + 1, end - i - 2);
        const bool hex = text.starts_with("0x");
        // A resource begins with four bytes of alignment; sizes are those of the data.
        const std::size_t bytes =
            hex ? (text.size() - 2) / 2 - (resource ? std::min<std::size_t>(4, (text.size() - 2) / 2) : 0) : text.size();
        show += hex ? "\"0x…\" (" + std::to_string(bytes) + " bytes)" : "\"…\" (" + std::to_string(bytes) + " characters)";
        copied = end;
      }
      i = end;
    } else if (c == 'l' && line.compare(i, 4, "loc(") == 0 && i > 0 && (line[i - 1] == ' ' || line[i - 1] == '(')) {
      const std::size_t end = afterBalanced(line, i + 3);
      if (end == std::string_view::npos) break;
      std::size_t begin = i;
      while (begin > copied && line[begin - 1] == ' ') --begin;
      upTo(begin);
      copied = i = end;
    } else if (c == '<' && closes && i + 1 < line.size() && line[i + 1] == '[' && line.size() - i > kShownConstant) {
      const std::size_t end = afterBalanced(line, i + 1);
      closes = end != std::string_view::npos;
      if (closes && end - i > kShownConstant) {
        upTo(i + 1);
        const auto values =
            std::count(line.begin() + static_cast<std::ptrdiff_t>(i), line.begin() + static_cast<std::ptrdiff_t>(end), ',') + 1;
        show += "… " + std::to_string(values) + " values";
        copied = i = end;
      } else {
        ++i;
      }
    } else {
      ++i;
    }
  }
  upTo(line.size());
  while (show.size() > lineStart && (show.back() == ' ' || show.back() == '\r')) show.pop_back();
}

}  // namespace

const std::vector<std::uint32_t>& LocatedText::linesOf(fx::NodeId node) const {
  static const std::vector<std::uint32_t> none;
  return node.valid() && node.index() < linesByNode.size() ? linesByNode[node.index()] : none;
}

void LocatedText::indexLines() {
  linesByNode.clear();
  std::uint32_t largest = 0;
  bool any = false;
  for (const LineOrigin& line : lines)
    for (const fx::NodeId id : line.nodes) {
      largest = std::max(largest, id.value);
      any = true;
    }
  if (!any) return;
  linesByNode.resize(largest + std::size_t{1});
  for (std::uint32_t i = 0; i < lines.size(); ++i)
    for (const fx::NodeId id : lines[i].nodes) linesByNode[id.index()].push_back(i);
}

LocatedText locate(std::string_view text) {
  const ScannedText scanned = scanOps(text);
  LocatedText out;
  out.ops = scanned.ops.size();
  out.show.reserve(text.size() - text.size() / 4);
  out.lines.reserve(scanned.lines.size());
  bool anyShown = false;
  for (const ScannedLine& line : scanned.lines) {
    if (line.kind == LineKind::Alias) continue;
    if (!anyShown && line.text.empty()) continue;
    anyShown = true;
    showLine(line.text, line.kind == LineKind::Resource, out.show);
    out.show += '\n';
    LineOrigin origin;
    if (line.op != ScannedOp::kNone && !scanned.ops[line.op].nodes.empty()) {
      origin.link = Link::Exact;
      origin.nodes = scanned.ops[line.op].nodes;
    }
    out.lines.push_back(std::move(origin));
  }
  while (!out.lines.empty() && out.show.ends_with("\n\n")) {
    out.show.pop_back();
    out.lines.pop_back();
  }
  out.indexLines();
  return out;
}

}  // namespace fxs::mlir
