// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/prepared_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "mlir/text/function_types.h"
#include "mlir/text/location_table.h"
#include "mlir/text/module.h"
#include "mlir/text/token_ends.h"

namespace fxs::lower {
namespace {

constexpr std::string_view kResource = "dense_resource<";
/// Limit of the nesting of locations; deeper ones are dropped.
constexpr int kMaxDepth = 64;

/// The handle that `head` names and the text has no data for; "" if there is none. Data is after
/// `{-# dialect_resources`.
std::string_view weightIn(std::string_view head, std::string_view data) {
  const std::size_t at = head.find(kResource);
  if (at == std::string_view::npos) return {};
  const std::size_t end = mlir::afterBracket(head, at + kResource.size() - 1);
  if (end == std::string_view::npos) return {};
  std::string_view handle = head.substr(at + kResource.size(), end - at - kResource.size() - 1);
  if (handle.size() >= 2 && handle.front() == '"') handle = handle.substr(1, handle.size() - 2);
  const bool known = data.find(" " + std::string(handle) + ": ") != std::string_view::npos;
  return known ? std::string_view() : handle;
}

/// Copies a module's text with the heads of some operations replaced. `replaced(op, head)` is ""
/// for one that stays.
template <class Replaced>
std::string withHeads(std::string_view text, Replaced replaced) {
  const mlir::Module module(text);
  std::string out;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::Op& op = module.ops[i];
    const std::string_view head = op.head.of(text);
    if (head.find(kResource) == std::string_view::npos) continue;
    const std::string with = replaced(module, mlir::OpId::of(i), head);
    if (with.empty()) continue;
    out.append(text.substr(copied, op.head.begin - copied)).append(with);
    copied = op.head.begin + trimmed(head).size();
  }
  return out.append(text.substr(copied));
}

std::string_view dataOf(std::string_view text) {
  const std::size_t at = text.rfind("dialect_resources");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

/// `llvm.mlir.global private constant @w(dense_resource<w> : ..) {..} : T` becomes
/// `llvm.mlir.global external constant @w() {..} : T`.
std::string withExternalWeights(std::string_view text) {
  const std::string_view data = dataOf(text);
  return withHeads(
      text, [&](const mlir::Module& module, mlir::OpId id, std::string_view head) -> std::string {
        if (module.nameOf(id) != "llvm.mlir.global" || weightIn(head, data).empty()) return {};
        const std::size_t symbol = head.find('@'),
                          open = symbol == head.npos ? head.npos : head.find('(', symbol);
        const std::size_t end = open == head.npos ? head.npos : mlir::afterBracket(head, open);
        if (end == std::string_view::npos) return {};
        const bool constant = head.substr(0, symbol).find("constant ") != std::string_view::npos;
        return "llvm.mlir.global external " + std::string(constant ? "constant " : "") +
               std::string(head.substr(symbol, open - symbol)) + "()" +
               std::string(trimmed(head.substr(end)).empty() ? "" : " ") +
               std::string(trimmed(head.substr(end)));
      });
}

/// `%c = arith.constant dense_resource<w> : T` becomes `%c = flow.tensor.constant
/// #flow.parameter.named<"model"::"w"> : T`.
std::string withParameterWeights(std::string_view text) {
  const std::string_view data = dataOf(text);
  return withHeads(
      text, [&](const mlir::Module& module, mlir::OpId id, std::string_view head) -> std::string {
        const std::string_view weight = weightIn(head, data);
        const std::size_t equals = head.find(" = "), type = head.rfind(" : ");
        if (module.nameOf(id) != "arith.constant" || weight.empty() || equals == head.npos ||
            type == head.npos)
          return {};
        // The text is MLIR's, so a name with a quote is escaped in it already.
        return std::string(head.substr(0, equals)) +
               " = flow.tensor.constant #flow.parameter.named<\"model\"::\"" + std::string(weight) +
               "\">" + std::string(trimmed(head.substr(type)).empty() ? "" : " ") +
               std::string(trimmed(head.substr(type)));
      });
}

/// Appends a location's body with callers dropped and places that are no nodes unknown.
void appendNodes(std::string_view body, int depth, std::string& out) {
  for (std::size_t i = 0; i < body.size();) {
    if (body.compare(i, 9, "callsite(") == 0 && depth < kMaxDepth) {
      const std::size_t end = std::min(mlir::afterBracket(body, i + 8), body.size());
      const std::string_view inside = body.substr(i + 9, end > i + 9 ? end - i - 10 : 0);
      const std::size_t at = mlir::walkTopLevel(inside, 0, inside.size(), [&](std::size_t k) {
        return inside.compare(k, 4, " at ") == 0;
      });
      appendNodes(inside.substr(0, at), depth + 1, out);
      i = end;
    } else if (body[i] == '"') {
      const std::size_t end = mlir::afterQuoted(body, i);
      const bool position =
          end + 1 < body.size() && body[end] == ':' && mlir::is(body[end + 1], mlir::kDigit);
      if (position && body.substr(i + 1, end - i - 2) != mlir::kFxFile) {
        out += "unknown";
        i = end;
        while (i < body.size() && (body[i] == ':' || mlir::is(body[i], mlir::kDigit))) ++i;
      } else {
        out.append(body.substr(i, end - i));
        i = end;
      }
    } else {
      out += body[i++];
    }
  }
}

/// The debug scope of a function, whose file becomes that of nodes, at no line.
std::string withNodeScope(std::string body) {
  const std::size_t begin = body.find("#llvm.di_subprogram<");
  if (begin == std::string::npos) return body;
  for (const std::string_view key : {"file = <\"", "scope = #llvm.di_file<\""})
    for (std::size_t at = body.find(key, begin); at != std::string::npos;
         at = body.find(key, at + key.size())) {
      const std::size_t open = at + key.size(), end = body.find('"', open);
      // The files of types, in the runtime's headers, are no source of instructions.
      if (end != std::string::npos && body.compare(open, end - open, "-") == 0)
        body.replace(open, end - open, mlir::kFxFile);
    }
  for (const std::string_view key : {" line = 1,", " scopeLine = 1,"})
    if (const std::size_t at = body.find(key, begin); at != std::string::npos)
      body[at + key.size() - 2] = '0';
  return body;
}

/// The location of a function that has a debug scope, in the file of nodes at no line. Compilers
/// write debug lines only of functions with a scope.
std::string scopeOf(std::string_view function, std::size_t number) {
  constexpr std::size_t kFirst = std::size_t{1}
                                 << 20;  // the text may have other distinct attributes
  return fmt::format(
      "fused<#llvm.di_subprogram<id = distinct[{}]<>, compileUnit = <id = distinct[{}]<>, "
      "sourceLanguage = DW_LANG_C, file = <\"{}\" in \"\">, isOptimized = true, emissionKind = "
      "DebugDirectivesOnly>, scope = #llvm.di_file<\"{}\" in \"\">, name = \"{}\", file = <\"{}\" "
      "in "
      "\"\">, subprogramFlags = \"Definition|Optimized\", type = <>>>[unknown]",
      kFirst + number, kFirst, mlir::kFxFile, mlir::kFxFile, function, mlir::kFxFile);
}

/// Adds debug scopes to the functions of the LLVM dialect if none has one.
std::string withFunctionScopes(std::string text) {
  if (text.find("#llvm.di_subprogram<") != std::string::npos) return text;
  const mlir::Module module(text);
  std::string out;
  std::size_t copied = 0, scopes = 0;
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::Op& op = module.ops[i];
    const mlir::OpId number = mlir::OpId::of(i);
    if (module.nameOf(number) != "llvm.func" || module.regionsOf(number).empty() ||
        op.location.empty() || op.location.begin < copied)
      continue;
    const std::string symbol(mlir::symbolOf(module, op));
    if (symbol.empty() || symbol.find('"') != std::string::npos) continue;
    out.append(text, copied, op.location.begin - copied);
    out += scopeOf(symbol, ++scopes);
    copied = op.location.end;
  }
  return out.append(text, copied);
}

std::string withNodeLocations(std::string_view text) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = text.find("loc("); at != std::string_view::npos;
       at = text.find("loc(", at)) {
    const bool begins = at > 0 && (text[at - 1] == ' ' || text[at - 1] == '(');
    const std::size_t end = begins ? mlir::afterLocation(text, at + 3) : std::string_view::npos;
    if (end == std::string_view::npos) {
      at += 4;
      continue;
    }
    out.append(text.substr(copied, at + 4 - copied));
    std::string body;
    appendNodes(text.substr(at + 4, end - at - 5), 0, body);
    out += withNodeScope(std::move(body)) + ")";
    copied = at = end;
  }
  return out.append(text.substr(copied));
}

}  // namespace

std::string preparedInput(std::string_view text, const std::vector<Preparation>& preparations) {
  std::string out(text);
  for (const Preparation each : preparations) {
    switch (each) {
      case Preparation::ExternalWeights: out = withExternalWeights(out); break;
      case Preparation::ParameterWeights: out = withParameterWeights(out); break;
      case Preparation::NodeLocations: out = withFunctionScopes(withNodeLocations(out)); break;
    }
  }
  return out;
}

}  // namespace fxs::lower
