// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/definitions.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "lit/limits.h"

namespace fxs::lit {
namespace {

constexpr std::size_t kLongestDefinitionName = 128;

bool isDefinitionName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestDefinitionName &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return isWordChar(c) || c == '-' || c == ':'; });
}

}  // namespace

std::string Definitions::take(const Directive& directive) {
  if (!directive.message.empty()) return directive.message;
  const std::string_view text = directive.text;
  const std::size_t equals = text.find('=');
  const std::string_view key = trimmed(text.substr(0, equals));
  if (equals == std::string_view::npos || !key.starts_with("%{") || !key.ends_with('}') ||
      !isDefinitionName(key.substr(2, key.size() - 3)))
    return "is not of the form %{name} = value";
  const std::string name(key.substr(2, key.size() - 3));
  const bool isNew = !values_.contains(name);
  if (isNew != (directive.kind == DirectiveKind::Define))
    return isNew ? "changes %{" + name + "}, which no DEFINE: line has defined"
                 : "defines %{" + name + "} again; REDEFINE: changes it";
  if (isNew && values_.size() == kMaxDefinitions) return "is one definition too many";
  values_[name] = trimmed(text.substr(equals + 1));
  return {};
}

Definitions::Expanded Definitions::expand(std::string_view text) const {
  // A value may itself have names: reading goes on at its start.
  constexpr std::size_t kMaxExpansions = 512;
  Expanded out;
  std::string rest(text);
  for (std::size_t at = 0, count = 0;;) {
    const std::size_t open = rest.find('%', at);
    if (open == std::string::npos) break;
    if (rest.compare(open, 2, "%{") != 0) {
      at = open + (rest.compare(open, 2, "%%") == 0 ? 2 : 1);
      continue;
    }
    const std::string_view name =
        std::string_view(rest).substr(open + 2, kLongestDefinitionName + 1);
    const std::size_t length = name.find('}');
    const auto value =
        length == std::string_view::npos ? values_.end() : values_.find(name.substr(0, length));
    if (value == values_.end()) {
      at = open + 2;
      continue;
    }
    rest.replace(open, length + 3, value->second);
    at = open;
    if (++count > kMaxExpansions || rest.size() > kMaxCommandBytes) {
      out.message = "becomes longer than " + std::to_string(kMaxCommandBytes) +
                    " bytes, or never ends, when its definitions are put in";
      return out;
    }
  }
  out.text = std::move(rest);
  return out;
}

}  // namespace fxs::lit
