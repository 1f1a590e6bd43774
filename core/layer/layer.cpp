// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/counted.h"
#include "base/joined.h"
#include "base/safe_text.h"
#include "notes/notes.h"

namespace fxs::layer {
namespace {

constexpr double kLogarithmicFrom = 100;  // the factor between least and most
constexpr std::size_t kMostNamed = 3;     // of names that are not in the program

std::string withUnit(const Layer& layer, const std::string& number) {
  return number + (layer.unit.empty() ? "" : " " + layer.unit);
}

/// The finite numbers of a placed layer lie between.
struct Extent {
  double least = 0, most = 0;
  bool isLogarithmic = false;
  bool holds(double number) const {
    return std::isfinite(number) && (!isLogarithmic || number > 0);
  }
  double at(double number) const { return isLogarithmic ? std::log(number) : number; }
  double shareOf(double number) const {
    return most > least ? (at(number) - at(least)) / (at(most) - at(least)) : 1;
  }
  /// The largest number of a level.
  double endOf(std::size_t level) const {
    if (level + 1 == kLayerLevels) return most;
    const double share = static_cast<double>(level + 1) / kLayerLevels;
    const double end = at(least) + share * (at(most) - at(least));
    return isLogarithmic ? std::exp(end) : end;
  }
};

std::vector<double> numbersOf(const PlacedLayer& layer) {
  std::vector<double> out;
  for (const Entry* entry : layer.entries)
    if (entry && entry->number && std::isfinite(*entry->number)) out.push_back(*entry->number);
  return out;
}

std::optional<Extent> extentOf(const Layer& layer, std::vector<double> numbers) {
  Extent out;
  if (numbers.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  out.isLogarithmic =
      layer.scale == Scale::Logarithmic ||
      (layer.scale == Scale::Automatic && *least > 0 && *most / *least >= kLogarithmicFrom);
  std::erase_if(numbers, [&](double number) { return !out.holds(number); });
  if (numbers.empty()) return std::nullopt;
  std::tie(out.least, out.most) = std::minmax({*std::min_element(numbers.begin(), numbers.end()),
                                               *std::max_element(numbers.begin(), numbers.end())});
  return out;
}

Levels levelsOfNumbers(const Layer& layer, const PlacedLayer& placed) {
  Levels out;
  out.levels.resize(placed.entries.size());
  const std::optional<Extent> extent = extentOf(layer, numbersOf(placed));
  if (!extent) return out;
  for (std::size_t i = 0; i < placed.entries.size(); ++i) {
    const Entry* entry = placed.entries[i];
    if (!entry || !entry->number || !extent->holds(*entry->number)) continue;
    const double level = std::ceil(extent->shareOf(*entry->number) * kLayerLevels) - 1;
    out.levels[i] =
        static_cast<std::uint8_t>(std::clamp<double>(level, 0, double{kLayerLevels - 1}));
  }
  for (std::size_t i = 0; i < kLayerLevels; ++i)
    out.legend.push_back(withUnit(layer, numberText(extent->endOf(i))));
  return out;
}

Levels levelsOfTexts(const PlacedLayer& placed) {
  Levels out;
  out.isScale = false;
  out.levels.resize(placed.entries.size());
  std::map<std::string_view, std::size_t> counts;
  for (const Entry* entry : placed.entries)
    if (entry) ++counts[entry->text];
  std::vector<std::pair<std::string_view, std::size_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::map<std::string_view, std::uint8_t> levels;
  for (std::size_t i = 0; i < order.size(); ++i)
    levels[order[i].first] = static_cast<std::uint8_t>(std::min(i, kLayerClasses - 1));
  for (std::size_t i = 0; i < std::min(order.size(), kLayerClasses); ++i)
    out.legend.emplace_back(order[i].first);
  if (order.size() > kLayerClasses)
    out.legend.back() = counted(order.size() - kLayerClasses + 1, "other");
  for (std::size_t i = 0; i < placed.entries.size(); ++i)
    if (placed.entries[i]) out.levels[i] = levels.at(placed.entries[i]->text);
  return out;
}

/// Null if there is none.
const Entries::value_type* find(const Entries& entries, std::string_view name) {
  const auto at = entries.find(name);
  return at == entries.end() ? nullptr : &*at;
}

/// Of a node: by its name, by its operator, or by the operator without its overload.
const Entries::value_type* entryOf(const Layer& layer, const fx::Program& program,
                                   const fx::Node& node) {
  const auto* named = find(layer.nodes, notes::fullName(notes::nameOf(program, node.id)));
  if (named || node.op != fx::NodeOp::CallFunction) return named;
  const std::string_view target = node.target;
  const auto* exact = find(layer.operators, target);
  return exact ? exact : find(layer.operators, target.substr(0, target.rfind('.')));
}

}  // namespace

PlacedLayer placed(const Layer& layer, const fx::Program& program) {
  PlacedLayer out;
  out.entries.resize(program.nodes.size(), nullptr);
  std::set<std::string_view> used;
  for (const fx::Node& node : program.nodes) {
    const Entries::value_type* found = entryOf(layer, program, node);
    if (!found) continue;
    out.entries[node.id.index()] = &found->second;
    used.insert(found->first);
    ++out.count;
  }
  for (const auto& [name, entry] : layer.nodes)
    if (!used.contains(name)) out.unknown.push_back(name);
  return out;
}

Levels levelsOf(const Layer& layer, const PlacedLayer& placed) {
  const auto isNumber = [](const Entry* entry) { return entry && entry->number; };
  if (std::any_of(placed.entries.begin(), placed.entries.end(), isNumber))
    return levelsOfNumbers(layer, placed);
  return levelsOfTexts(placed);
}

std::string numberText(double number) {
  constexpr double kWhole = 999.5, kLarge = 1e7;
  const double size = std::abs(number);
  if (size >= kWhole && size < kLarge) return fmt::format("{:.0f}", number);
  return fmt::format("{:.3g}", number);
}

std::string textOf(const Layer& layer, const Entry& entry) {
  if (!entry.number) return entry.text;
  return withUnit(layer, numberText(*entry.number)) + (entry.text.empty() ? "" : ": " + entry.text);
}

std::string summary(const PlacedLayer& layer) {
  std::string out =
      fmt::format("{} of {} {} a value", layer.count, counted(layer.entries.size(), "node"),
                  layer.count == 1 ? "has" : "have");
  if (layer.unknown.empty()) return out;
  std::vector<std::string> named;
  for (const std::string& name : layer.unknown)
    if (named.size() < kMostNamed) named.push_back(printableName(name));
  return out + fmt::format("; {} {} not in this program: {}{}",
                           counted(layer.unknown.size(), "name"),
                           layer.unknown.size() == 1 ? "is" : "are", joined(named),
                           layer.unknown.size() > kMostNamed ? ", .." : "");
}

}  // namespace fxs::layer
