#pragma once
// The same operation at many nodes is lowered once: RAW texts that differ in their locations only have one pattern, and what one of them
// was lowered to is written with the locations of another.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::node_lab {

struct LocationPattern {
  std::string key;                  ///< the text, with a number for each distinct location
  std::vector<std::string> bodies;  ///< by that number: `"relu"("fx":3:0)`
};
LocationPattern locationPattern(std::string_view raw);

/// Bodies of locations and what stands in for them.
using Relocation = std::map<std::string, std::string, std::less<>>;
/// From the locations of one text to those of another with the same key.
Relocation relocation(const LocationPattern& from, const LocationPattern& to);
/// A text with aliases expanded, at the other locations.
std::string relocated(std::string_view text, const Relocation&);

}  // namespace fxs::node_lab
