// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/locations.h"

#include <algorithm>

#include "mlir/text/token_ends.h"

namespace fxs::node_lab {
namespace {

constexpr std::string_view kLocation = " loc(";

/// The end of the body `"name"("file":1:2)` that begins at the quote `at`; `at` if there is none.
std::size_t afterBody(std::string_view text, std::size_t at) {
  const std::size_t name = mlir::afterQuoted(text, at);
  if (text.substr(name, 2) != "(\"") return at;
  const std::size_t end = mlir::afterLocation(text, name);
  return end == std::string_view::npos ? at : end;
}

}  // namespace

LocationPattern locationPattern(std::string_view raw) {
  LocationPattern out;
  std::map<std::string_view, std::size_t> numbers;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < raw.size();) {
    if (raw[at] == '"') {
      at = mlir::afterQuoted(raw, at);
      continue;
    }
    const std::size_t end = raw.substr(at, kLocation.size()) == kLocation
                                ? mlir::afterLocation(raw, at + kLocation.size() - 1)
                                : std::string_view::npos;
    if (end == std::string_view::npos) {
      ++at;
      continue;
    }
    const std::size_t begin = at + kLocation.size();
    const std::string_view body = raw.substr(begin, end - 1 - begin);
    const auto [number, isNew] = numbers.emplace(body, out.bodies.size());
    if (isNew) out.bodies.emplace_back(body);
    out.key.append(raw.substr(copied, begin - copied)).append(std::to_string(number->second));
    copied = end - 1;
    at = end;
  }
  out.key += raw.substr(copied);
  return out;
}

Relocation relocation(const LocationPattern& from, const LocationPattern& to) {
  Relocation out;
  for (std::size_t i = 0; i < std::min(from.bodies.size(), to.bodies.size()); ++i)
    if (from.bodies[i] != to.bodies[i]) out.emplace(from.bodies[i], to.bodies[i]);
  return out;
}

std::string relocated(std::string_view text, const Relocation& bodies) {
  if (bodies.empty()) return std::string(text);
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at)) {
    const std::size_t end = afterBody(text, at);
    if (const auto found = bodies.find(text.substr(at, end - at));
        end > at && found != bodies.end()) {
      out.append(text.substr(copied, at - copied)).append(found->second);
      at = copied = end;
    } else {
      at = mlir::afterQuoted(text, at);
    }
  }
  return out.append(text.substr(copied));
}

}  // namespace fxs::node_lab
