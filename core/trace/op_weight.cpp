// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/op_weight.h"

#include <algorithm>
#include <array>
#include <span>

namespace fxs::trace {
namespace {

bool isOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool endsWithAny(std::string_view name, std::span<const std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return name.ends_with(end); });
}

/// Casts that change no element, lists, and tensors without elements.
bool isAuxiliary(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames{"builtin.unrealized_conversion_cast",
                                                   "torch.tensor_static_info_cast",
                                                   "torch.prim.ListConstruct",
                                                   "torch.derefine",
                                                   "torch.bind_symbolic_shape",
                                                   "torch.symbolic_int",
                                                   "torch.copy.to_vtensor",
                                                   "torch.copy.to_tensor",
                                                   "cf.assert"};
  constexpr std::array<std::string_view, 4> kLast{".cast", ".empty", ".index_cast",
                                                  ".index_castui"};
  return isOneOf(name, kNames) || endsWithAny(name, kLast) || name.starts_with("torch_c.");
}

}  // namespace

bool isConstant(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames{
      "arith.constant",   "torch.vtensor.literal", "torch.tensor.literal",
      "tosa.const",       "tosa.const_shape",      "stablehlo.constant",
      "util.global.load", "llvm.mlir.constant",    "ml_program.global_load_const"};
  return isOneOf(name, kNames) || name.starts_with("torch.constant.");
}

bool isTerminator(std::string_view name) {
  constexpr std::array<std::string_view, 5> kLast{".return", ".yield", ".terminator", ".condition",
                                                  ".in_parallel"};
  return endsWithAny(name, kLast) || name == "torch.prim.If.yield" ||
         name == "torch.prim.Loop.condition";
}

bool isSize(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames{
      "tensor.dim",      "memref.dim",     "torch.aten.size.int",
      "torch.aten.size", "torch.aten.dim", "stablehlo.get_dimension_size"};
  return isOneOf(name, kNames) || name.starts_with("shape.");
}

OpWeight weightOf(std::string_view name) {
  if (isConstant(name) || isTerminator(name) || isSize(name) || isAuxiliary(name))
    return OpWeight::Serves;
  const bool moves = name.starts_with("tensor.") || name.starts_with("memref.") ||
                     name == "linalg.fill" || name.ends_with(".reshape");
  return moves ? OpWeight::Moves : OpWeight::Computes;
}

}  // namespace fxs::trace
