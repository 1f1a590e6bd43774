// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lowers equal operations at many nodes once: RAW texts that differ only in their locations share a
// pattern, and the lowered text of one is rewritten with the locations of another.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::node_lab {

struct LocationPattern {
  std::string key;  ///< the text, with each distinct location replaced by a number
  std::vector<std::string>
      bodies;  ///< the locations by number, without `loc(` and `)`: `"relu"("fx":3:0)`
};
LocationPattern locationPattern(std::string_view raw);

/// Replacements of locations, both without `loc(` and `)`.
using Relocation = std::map<std::string, std::string, std::less<>>;
/// Maps the locations of one text to those of another with the same key.
Relocation relocation(const LocationPattern& from, const LocationPattern& to);
/// The text with its locations replaced and location aliases expanded.
std::string relocated(std::string_view text, const Relocation&);

}  // namespace fxs::node_lab
