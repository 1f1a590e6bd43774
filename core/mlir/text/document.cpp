// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/document.h"

#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

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
    const std::size_t end = afterQuoted(rest, 0);
    return end < rest.size() && rest[end] == '(' ? rest.substr(1, end - 2) : std::string_view();
  }
  if (!is(rest[0], kLetter)) return {};
  const std::string_view name = rest.substr(0, afterAll(rest, 0, kWord));
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
    return rest.substr(at + 1, afterQuoted(rest, at) - at - 2);
  }
  if (at == std::string_view::npos) return {};
  const std::size_t quote = at + generic.size() - 1;
  return rest.substr(quote + 1, afterQuoted(rest, quote) - quote - 2);
}

std::string_view Document::lineOf(OpId id) const {
  const std::size_t begin = module.lineStarts[module.op(id).firstLine];
  return module.text.substr(begin, endOfLine(module.text, begin) - begin);
}

}  // namespace fxs::mlir
