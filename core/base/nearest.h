#pragma once
// "Did you mean": the closest of a set of names.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fxs {
/// Edit distance with insert, delete, replace and swap, each of cost 1; stops counting past `limit`.
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit);
/// At most `count` names within a third of the length of `wanted`, closest first, ties by name.
std::vector<std::string> nearest(std::string_view wanted, std::span<const std::string_view> names, std::size_t count);
}  // namespace fxs
