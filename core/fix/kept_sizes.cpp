// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fix/kept_sizes.h"

#include <algorithm>
#include <map>

#include "base/joined.h"
#include "diagnose/static_sizes.h"

namespace fxs::fix {
namespace {

constexpr std::size_t kMostSets = 8;

/// Dimensions of the user's inputs by the symbol that is their size.
std::map<std::string, std::vector<InputSize::Dimension>> dimensionsOf(const fx::Program& program) {
  std::map<std::string, std::vector<InputSize::Dimension>> out;
  for (const fx::InputSpec& input : program.inputs) {
    const fx::Node& node = program.node(input.node);
    const fx::TensorMeta* meta = node.val.tensor();
    if (meta == nullptr) continue;
    for (std::size_t d = 0; d < meta->rank(); ++d) {
      if (meta->sizes[d].isStatic()) continue;
      fx::collectSymbols(*meta->sizes[d].expr(), [&](const std::string& symbol) {
        if (!diagnose::isUnbacked(symbol)) out[symbol].push_back({node.name, d});
      });
    }
  }
  return out;
}

/// "dimension 1 of input_ids and attention_mask"
std::string placesText(const std::vector<InputSize::Dimension>& dimensions) {
  std::map<std::size_t, std::vector<std::string>> byDim;
  for (const InputSize::Dimension& at : dimensions) byDim[at.dim].push_back(at.input);
  std::vector<std::string> out;
  for (const auto& [dim, inputs] : byDim)
    out.push_back("dimension " + std::to_string(dim) + " of " + joined(inputs));
  return joined(out);
}

std::optional<std::int64_t> mostOf(const std::vector<fx::RangeConstraint>& ranges,
                                   const std::string& symbol) {
  for (const fx::RangeConstraint& range : ranges)
    if (range.symbol == symbol) return range.max;
  return std::nullopt;
}

}  // namespace

std::vector<std::set<std::string>> setsToKeep(const fx::Program& program) {
  const auto dimensions = dimensionsOf(program);
  std::vector<std::string> symbols;
  for (const auto& [symbol, places] : dimensions) symbols.push_back(symbol);
  const auto isBatch = [&](const std::string& symbol) {
    const auto& places = dimensions.at(symbol);
    return std::all_of(places.begin(), places.end(), [](const auto& at) { return at.dim == 0; });
  };
  std::stable_partition(symbols.begin(), symbols.end(),
                        [&](const std::string& symbol) { return !isBatch(symbol); });
  std::vector<std::set<std::string>> out;
  if (symbols.empty()) return out;
  const std::set<std::string> all(symbols.begin(), symbols.end());
  out.push_back(all);
  const auto add = [&](std::set<std::string> kept) {
    const bool isNew = std::find(out.begin(), out.end(), kept) == out.end();
    if (isNew && !kept.empty() && out.size() < kMostSets) out.push_back(std::move(kept));
  };
  // The last ones, which may be a batch, are the first to be fixed.
  for (auto symbol = symbols.rbegin(); symbol != symbols.rend(); ++symbol) {
    std::set<std::string> kept = all;
    kept.erase(*symbol);
    add(std::move(kept));
  }
  for (const std::string& symbol : symbols) add({symbol});
  return out;
}

std::vector<InputSize> inputSizes(const fx::Program& program, const std::set<std::string>& kept,
                                  const std::vector<fx::RangeConstraint>& limits) {
  const auto sizes = diagnose::chosenSizes(program);
  std::vector<InputSize> out;
  for (auto& [symbol, places] : dimensionsOf(program)) {
    InputSize& size = out.emplace_back(InputSize{symbol, {}, {}, places});
    if (!kept.contains(symbol)) size.fixed = sizes.at(symbol);
    else if (const auto most = mostOf(limits, symbol); most != mostOf(program.ranges, symbol))
      size.most = most;
  }
  return out;
}

std::string changeText(const std::vector<InputSize>& sizes) {
  std::vector<std::string> kept, fixed;
  for (const InputSize& size : sizes) {
    const std::string at = " (" + placesText(size.dimensions) + ")";
    if (size.fixed) fixed.push_back(size.symbol + " = " + std::to_string(*size.fixed) + at);
    else kept.push_back(size.symbol + at);
  }
  if (kept.empty()) return "export with static shapes: " + joined(fixed);
  const std::string out = "keep symbolic " + joined(kept);
  return fixed.empty() ? out : out + "; export with " + joined(fixed);
}

std::string costText(const std::vector<InputSize>& sizes) {
  std::vector<std::string> out;
  for (const InputSize& size : sizes) {
    if (size.fixed) out.push_back(size.symbol + " is fixed to " + std::to_string(*size.fixed));
    if (size.most) out.push_back(size.symbol + " is at most " + std::to_string(*size.most));
  }
  return joined(out, "; ");
}

}  // namespace fxs::fix
