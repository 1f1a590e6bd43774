// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The recorded value of a node: node.meta['val'] in torch.fx.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fx/sym_expr.h"
#include "ops/dtype.h"

namespace fxs::fx {

/// The form of a tensor in a capture: described in a file, or a fake, meta or concrete tensor, or
/// an instance of a subclass.
enum class TensorKind : std::uint8_t { Described, Fake, Meta, Concrete, Subclass };
std::string_view name(TensorKind);  ///< "described", "fake", "meta", "concrete", "subclass"

struct TensorMeta {
  DType dtype = DType::Unknown;
  std::vector<SymInt> sizes;
  std::vector<SymInt> strides;  ///< in elements
  SymInt storageOffset;         ///< in elements
  bool requiresGrad = false;
  Device device;
  Layout layout = Layout::Strided;
  TensorKind kind = TensorKind::Described;
  bool isStaticShape() const;
  std::size_t rank() const { return sizes.size(); }
  /// `f32[2, s27]`, as print(graph) shows it.
  std::string text() const;
  /// Ignores `kind`.
  friend bool operator==(const TensorMeta& a, const TensorMeta& b) {
    return a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides &&
           a.storageOffset == b.storageOffset && a.requiresGrad == b.requiresGrad &&
           a.device == b.device && a.layout == b.layout;
  }
};

/// The product of the sizes, which saturates.
SymInt elementCount(const std::vector<SymInt>& sizes);
/// Row-major strides for `sizes`, as PyTorch computes them (a size of 0 counts as 1). Empty for
/// symbolic sizes of rank above 64.
std::vector<SymInt> contiguousStrides(const std::vector<SymInt>& sizes);
/// The dimensions of a tensor of these sizes and strides from the outermost in memory; std::nullopt
/// if its elements are not dense.
std::optional<std::vector<std::size_t>> orderInMemory(const std::vector<std::int64_t>& sizes,
                                                      const std::vector<std::int64_t>& strides);

enum class SymKind : std::uint8_t { Int, Float, Bool };

/// A scalar value, symbolic or specialized to a constant.
struct SymValue {
  SymKind kind = SymKind::Int;
  SymExprPtr expr;  ///< null if specialized
  std::variant<std::monostate, std::int64_t, double, bool>
      constant;  ///< the constant, or the hint of `expr`
};

struct Unknown {};    ///< not recorded
struct NoneValue {};  ///< the node returns None, or nothing
struct CustomObject {
  std::string classFqn;
};
struct Token {};  ///< an effect token

struct Value;
using ValueList = std::vector<Value>;

/// A ValueList is a tuple or Tensor[] result; getitem nodes select its elements.
struct Value
    : std::variant<Unknown, NoneValue, TensorMeta, SymValue, CustomObject, Token, ValueList> {
  using variant::variant;
  const TensorMeta* tensor() const { return std::get_if<TensorMeta>(this); }
  const ValueList* list() const { return std::get_if<ValueList>(this); }
  const SymValue* symbol() const { return std::get_if<SymValue>(this); }
};

}  // namespace fxs::fx
