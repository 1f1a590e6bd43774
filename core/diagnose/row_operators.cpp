// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/row_operators.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "ops/operators.h"
#include "rewrite/transcription.h"

namespace fxs::diagnose {
namespace {

/// Packets, beside those whose row in the table of operators says that they are pointwise.
std::map<std::string_view, RowEffect> effectsByPacket() {
  const std::map<RowEffect, std::vector<std::string_view>> packets{
      {RowEffect::Pointwise,
       {"acos",
        "addcdiv",
        "addcmul",
        "alias",
        "asin",
        "atan",
        "atan2",
        "bitwise_not",
        "celu",
        "clamp_max",
        "clamp_min",
        "contiguous",
        "convert_element_type",
        "copy",
        "cosh",
        "detach",
        "elu",
        "empty_like",
        "erf",
        "erfc",
        "exp2",
        "expm1",
        "gelu",
        "hardsigmoid",
        "hardswish",
        "hardtanh",
        "isfinite",
        "isinf",
        "isnan",
        "leaky_relu",
        "lerp",
        "lift_fresh_copy",
        "log10",
        "log1p",
        "log2",
        "log_sigmoid",
        "mish",
        "nan_to_num",
        "relu6",
        "round",
        "selu",
        "silu",
        "sinh",
        "softplus",
        "tan",
        "threshold",
        "trunc",
        "type_as"}},
      {RowEffect::Moved,
       {"mT", "movedim", "numpy_T", "permute", "squeeze", "swapaxes", "t", "transpose",
        "unsqueeze"}},
      {RowEffect::Reshaped,
       {"_reshape_copy", "_unsafe_view", "flatten", "reshape", "unflatten", "view"}},
      {RowEffect::Filled,
       {"empty", "full", "new_empty", "new_full", "new_ones", "new_zeros", "ones", "zeros"}},
      {RowEffect::OnSizes,
       {"_assert_scalar", "_assert_tensor_metadata", "sym_constrain_range",
        "sym_constrain_range_for_size", "sym_numel", "sym_size", "sym_stride"}},
  };
  std::map<std::string_view, RowEffect> out;
  for (const auto& [effect, names] : packets)
    for (const std::string_view name : names) out.emplace(name, effect);
  return out;
}

constexpr std::array<RowReduction, 18> kReductions{{{"_log_softmax", Neutral::Lowest},
                                                    {"_softmax", Neutral::Lowest},
                                                    {"all", Neutral::One},
                                                    {"amax", Neutral::Lowest},
                                                    {"amin", Neutral::Highest},
                                                    {"any", Neutral::Zero},
                                                    {"argmax", Neutral::Lowest, true},
                                                    {"argmin", Neutral::Highest, true},
                                                    {"cumprod", Neutral::One},
                                                    {"cumsum", Neutral::Zero},
                                                    {"log_softmax", Neutral::Lowest},
                                                    {"logsumexp", Neutral::Lowest},
                                                    {"max", Neutral::Lowest, true},
                                                    {"mean", Neutral::Zero},
                                                    {"min", Neutral::Highest, true},
                                                    {"prod", Neutral::One},
                                                    {"softmax", Neutral::Lowest},
                                                    {"sum", Neutral::Zero}}};
constexpr std::array<RowProduct, 5> kProducts{{{"addmm", "mat1", "mat2"},
                                               {"baddbmm", "batch1", "batch2"},
                                               {"bmm", "self", "mat2"},
                                               {"matmul", "self", "other"},
                                               {"mm", "self", "mat2"}}};

template <class Rows>
auto rowNamed(const Rows& rows, std::string_view packet) -> decltype(rows.data()) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.packet == packet; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

RowEffect rowEffectOf(std::string_view target) {
  static const std::map<std::string_view, RowEffect> effects = effectsByPacket();
  if (target == "aten.max.other" || target == "aten.min.other") return RowEffect::Pointwise;
  const std::string_view packet = rewrite::packetOf(target);
  if (const auto found = effects.find(packet); found != effects.end()) return found->second;
  return ops::operatorNamed(packet).is(ops::Trait::Pointwise) ? RowEffect::Pointwise
                                                              : RowEffect::Other;
}

const RowReduction* rowReductionOf(std::string_view packet) {
  return rowNamed(kReductions, packet);
}
const RowProduct* rowProductOf(std::string_view packet) { return rowNamed(kProducts, packet); }

}  // namespace fxs::diagnose
