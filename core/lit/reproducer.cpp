// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/reproducer.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "lit/limits.h"
#include "lit/lines.h"
#include "lit/shell.h"
#include "mlir/text/token_ends.h"

namespace fxs::lit {
namespace {

int hexValue(char c) {
  if (isDigit(c)) return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// The value of an MLIR string literal with its quotes.
std::string unquoted(std::string_view literal) {
  if (literal.size() < 2) return {};
  literal = literal.substr(1, literal.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) {
      out += literal[i];
      continue;
    }
    const char next = literal[++i];
    const int high = hexValue(next);
    const int low = i + 1 < literal.size() ? hexValue(literal[i + 1]) : -1;
    if (high >= 0 && low >= 0) {
      out += static_cast<char>(high * 16 + low);
      ++i;
    } else if (next == 'n') {
      out += '\n';
    } else if (next == 't') {
      out += '\t';
    } else {
      out += next;
    }
  }
  return out;
}

std::uint32_t lineAt(std::string_view text, std::size_t offset) {
  return 1 + static_cast<std::uint32_t>(std::count(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

/// The offset of the value of `key:` in a text; npos if there is none.
std::size_t valueOf(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos;
       at = text.find(key, at + key.size())) {
    if (at > 0 && isWordChar(text[at - 1])) continue;
    const std::size_t colon = mlir::afterSpace(text, at + key.size());
    if (colon < text.size() && text[colon] == ':') return mlir::afterSpace(text, colon + 1);
  }
  return std::string_view::npos;
}

bool flagOf(std::string_view text, std::string_view key, bool otherwise) {
  const std::size_t at = valueOf(text, key);
  return at == std::string_view::npos ? otherwise : text.substr(at).starts_with("true");
}

std::optional<Reproducer> ofResources(std::string_view text) {
  // At the end of the text, where MLIR prints them.
  const std::size_t open = text.rfind("{-#");
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t close = std::min(text.find("#-}", open), text.size());
  const std::string_view resources = text.substr(0, close).substr(open);
  const std::size_t begin = valueOf(resources, "mlir_reproducer");
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t pipeline = valueOf(resources.substr(begin), "pipeline");
  if (pipeline == std::string_view::npos) return std::nullopt;
  const std::size_t quote = begin + pipeline;
  if (quote >= resources.size() || resources[quote] != '"') return std::nullopt;
  const std::size_t end = mlir::afterQuoted(resources, quote);
  const std::string_view flags = resources.substr(end);
  return Reproducer{unquoted(resources.substr(quote, end - quote)),
                    flagOf(flags, "verify_each", true), flagOf(flags, "disable_threading", false),
                    lineAt(text, open + quote)};
}

/// The form up to LLVM 14: the options of mlir-opt in a comment.
std::optional<Reproducer> ofComment(std::string_view text) {
  constexpr std::string_view kConfiguration = "// configuration: ";
  constexpr std::size_t kLookedAt = 8;
  std::optional<Reproducer> out;
  forEachLine(text, [&](const Line& line) {
    const std::string_view shown = line.range.of(text);
    if (!shown.starts_with(kConfiguration)) return line.number < kLookedAt;
    if (shown.size() > kMaxCommandBytes) return false;
    const ShellLine options =
        parseShellLine("mlir-opt " + std::string(shown.substr(kConfiguration.size())));
    if (options.pipelines.empty()) return false;
    Reproducer found;
    found.line = line.number;
    for (std::string_view word : options.pipelines.front().front().argv) {
      while (word.starts_with('-')) word.remove_prefix(1);
      if (word.starts_with("pass-pipeline=")) found.pipeline = word.substr(word.find('=') + 1);
      if (word == "mlir-disable-threading") found.disableThreading = true;
      if (word == "verify-each=false" || word == "verify-each=0") found.verifyEach = false;
    }
    if (!found.pipeline.empty()) out = std::move(found);
    return false;
  });
  return out;
}

}  // namespace

std::optional<Reproducer> reproducerOf(std::string_view text) {
  auto found = ofResources(text);
  return found ? found : ofComment(text);
}

}  // namespace fxs::lit
