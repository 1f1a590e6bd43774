// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Anybody's values on the nodes of a program: times of a profiler, errors of a quantization, the
// partition that a node is in. A file of layers is JSON (fxscope-layer/1, see
// resources/schemas/layer.schema.json) with one layer, or CSV with one a column. Which layers are
// shown, and how, is up to the front ends.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fx/program.h"

namespace fxs::layer {

inline constexpr std::string_view kLayerSchema = "fxscope-layer/1";
inline constexpr std::uint64_t kMaxLayerBytes = std::uint64_t{64} << 20;  ///< of a file
inline constexpr std::size_t kMostLayers = 64;                            ///< of a file
inline constexpr std::size_t kLayerLevels = 5;                            ///< of a scale
inline constexpr std::size_t kLayerClasses = 10;  ///< colours of texts; the last is the others'

/// Of a node: a number, a text, or a number with a text that explains it.
struct Entry {
  std::optional<double> number;
  std::string text;
  friend bool operator==(const Entry&, const Entry&) = default;
};
/// By name of a node ("relu", in a nested graph "true_graph_0.relu"), or by operator.
using Entries = std::map<std::string, Entry, std::less<>>;

enum class Scale : std::uint8_t {
  Automatic,  ///< logarithmic if all numbers are above 0 and differ by a factor of 100
  Linear,
  Logarithmic  ///< numbers that are not above 0 have no colour
};

struct Layer {
  std::string title;
  std::string unit;  ///< "µs"; "" without
  Scale scale = Scale::Automatic;
  Entries nodes;
  Entries operators;  ///< "aten.relu.default", "aten.relu": of its nodes that have none themselves
};

/// The layers of a file's text: JSON if it begins with '{', else CSV. CSV begins with a line of
/// titles; the column "node" or "name" (else the first) has the names, "operator" in its place
/// operators, and each other column is a layer. Empty cells are no values. InvalidInput.
Result<std::vector<Layer>> parse(std::string_view text, const std::string& label);

/// A layer on a program.
struct PlacedLayer {
  std::vector<const Entry*> entries;  ///< by NodeId index; null without a value
  std::size_t count = 0;              ///< of nodes with a value
  std::vector<std::string> unknown;  ///< names that no node has; of operators, a file may have more
};
/// Points into the layer, which must outlive it.
PlacedLayer placed(const Layer&, const fx::Program&);

/// Colours of the nodes: of numbers, levels of a scale from 0 to kLayerLevels - 1; of texts,
/// classes from 0 to kLayerClasses - 1. Those that are most frequent have one each, and where there
/// are more than kLayerClasses, the others share the last.
struct Levels {
  std::vector<std::optional<std::uint8_t>> levels;  ///< by NodeId index
  std::vector<std::string> legend;  ///< of the levels that are used, from 0; of numbers the largest
  bool isScale = true;              ///< of numbers
};
Levels levelsOf(const Layer&, const PlacedLayer&);

/// Three digits, and all of those before the point: "0.0125", "1621", "1.2e+08".
std::string numberText(double number);
/// "12.5 µs: twice", "int8"
std::string textOf(const Layer&, const Entry&);
/// "38 of 92 nodes have a value; 2 names are not in this program: relu_7, conv"
std::string summary(const PlacedLayer&);

}  // namespace fxs::layer
