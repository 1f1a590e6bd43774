// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/undefined.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "compare/element_ranges.h"

namespace fxs::compare {
namespace {

bool converts(std::string_view packet) {
  return packet == "to" || packet == "_to_copy" || packet == "type_as" || packet == "copy" ||
         packet.starts_with("_cast_") || packet == "int" || packet == "long";
}

/// An element that no integer of the type is the whole part of.
std::optional<double> outside(const tensor::Tensor& of, DType to) {
  const IntegerLimits limits = integerLimits(to);
  std::array<double, 1024> chunk;
  const std::uint64_t count = of.elements();
  for (std::uint64_t first = 0; first < count; first += chunk.size()) {
    const auto length =
        static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), count - first));
    tensor::readParts(of, first, {chunk.data(), length});
    for (std::size_t i = 0; i < length; ++i)
      if (const double whole = std::trunc(chunk[i]);
          !(whole >= limits.least && whole <= limits.most))
        return chunk[i];
  }
  return std::nullopt;
}

}  // namespace

std::string undefinedIn(const fx::Program& program, const NodeValue& valueOf) {
  for (const fx::NodeId id : program.main().nodes) {
    const fx::Node& node = program.node(id);
    const fx::TensorMeta* result = node.val.tensor();
    if (result == nullptr || !isIntegral(result->dtype) || !converts(packetOf(node))) continue;
    for (const fx::NodeArgument& argument : node.args) {
      const fx::NodeId* operand = argument.value.node();
      const fx::TensorMeta* meta =
          operand == nullptr ? nullptr : program.node(*operand).val.tensor();
      if (meta == nullptr || !isFloating(meta->dtype)) continue;
      const auto value = valueOf(*operand);
      if (!value) continue;
      if (const auto element = outside(*value, result->dtype))
        return fmt::format("the conversion to {} at {} is of {:.6g}, which PyTorch does not define",
                           facts(result->dtype).torchName, node.name, *element);
    }
  }
  return {};
}

}  // namespace fxs::compare
