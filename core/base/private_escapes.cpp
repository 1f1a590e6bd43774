// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/private_escapes.h"

#include <array>
#include <numeric>

#include "base/private_forms.h"

namespace fxs {

PlainText plainText(std::string_view given) {
  const re2::RE2& escape = privateForms().pattern(FormGroup::Escape);
  const re2::StringPiece all(given.data(), given.size());
  PlainText out;
  std::size_t at = 0;
  const auto copyTo = [&](std::size_t end) {
    out.text += given.substr(at, end - at);
    out.from.resize(out.from.size() + end - at);
    std::iota(out.from.end() - static_cast<std::ptrdiff_t>(end - at), out.from.end(), at);
  };
  std::array<re2::StringPiece, 3> parts;
  while (escape.Match(all, at, all.size(), re2::RE2::UNANCHORED, parts.data(), 3)) {
    const auto begin = static_cast<std::size_t>(parts[0].data() - given.data());
    copyTo(begin);
    const std::string digits(parts[1].empty() ? parts[2] : parts[1]);
    out.text += digits.empty() ? '/' : static_cast<char>(std::stoi(digits, nullptr, 16));
    out.from.push_back(begin);
    at = begin + parts[0].size();
  }
  if (at == 0) return {std::string(given), {}};
  copyTo(given.size());
  out.from.push_back(given.size());
  return out;
}

}  // namespace fxs
