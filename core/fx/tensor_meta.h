#pragma once
// What a node's value is, as torch.export recorded it: meta['val'].
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "fx/sym_expr.h"
#include "ops/dtype.h"

namespace fxs::fx {

/// How a capture held a tensor: described in a file, or as a fake, meta or concrete tensor (or a subclass of one).
enum class TensorKind : std::uint8_t { Described, Fake, Meta, Concrete, Subclass };
std::string_view name(TensorKind);  ///< "described", "fake", "meta", "concrete", "subclass"

struct TensorMeta {
  DType dtype = DType::Unknown;
  std::vector<SymInt> sizes;
  std::vector<SymInt> strides;
  SymInt storageOffset;
  bool requiresGrad = false;
  Device device;
  Layout layout = Layout::Strided;
  TensorKind kind = TensorKind::Described;
  bool isStaticShape() const;
  std::size_t rank() const { return sizes.size(); }
  /// `f32[2, s27]`, as print(graph) shows it.
  std::string text() const;
  /// The same tensor; how it was held does not matter.
  friend bool operator==(const TensorMeta& a, const TensorMeta& b) {
    return a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides && a.storageOffset == b.storageOffset &&
           a.requiresGrad == b.requiresGrad && a.device == b.device && a.layout == b.layout;
  }
};

/// Row-major strides for `sizes`, as PyTorch computes them (a size of 0 counts as 1). None for over 64 dimensions with symbols in them.
std::vector<SymInt> contiguousStrides(const std::vector<SymInt>& sizes);

enum class SymKind : std::uint8_t { Int, Float, Bool };

/// A symbolic (or late specialized) scalar value.
struct SymValue {
  SymKind kind = SymKind::Int;
  SymExprPtr expr;                                                    ///< null when it became a constant
  std::variant<std::monostate, std::int64_t, double, bool> constant;  ///< the constant, or the hint of `expr`
};

struct Unknown {};    ///< the file does not say
struct NoneValue {};  ///< the node returns None, or nothing
struct CustomObject {
  std::string classFqn;
};
struct Token {};  ///< an effect token

struct Value;
using ValueList = std::vector<Value>;

/// A list is a tuple or Tensor[] result; its elements are reached by getitem nodes.
struct Value : std::variant<Unknown, NoneValue, TensorMeta, SymValue, CustomObject, Token, ValueList> {
  using variant::variant;
  const TensorMeta* tensor() const { return std::get_if<TensorMeta>(this); }
  const ValueList* list() const { return std::get_if<ValueList>(this); }
  const SymValue* symbol() const { return std::get_if<SymValue>(this); }
};

}  // namespace fxs::fx
