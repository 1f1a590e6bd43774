// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The loop forms of the linalg registry: an elementwise body over broadcast inputs, a body over the
// indices of the result, a reduction, and a nest of loops that carries tensors where an order
// matters. Written with linalg.generic, tensor and scf.
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "registry/handler.h"

namespace fxs::registry::linalg {

/// "affine_map<(d0, d1) -> (d1, 0)>" and the like are made of these: a dimension of the loop, or -1
/// for the constant 0.
using Map = Sizes;

/// One linalg.generic: `loops` are its sizes and `reduced` its reduction loops; the body gets an
/// element of each input, then of `init`, and gives the new one.
struct Generic {
  std::size_t rank;
  std::vector<bool> reduced;  ///< by loop; shorter means the rest is parallel
  std::vector<Map> inputs;
  Map output;
};
/// A list of values; access out of range throws BadSizes, since shapes determine how many there
/// are.
class Elements : public std::span<const Value> {
 public:
  using Base = std::span<const Value>;
  using Base::Base;
  Elements(Base values) : Base(values) {}
  const Value& operator[](std::size_t i) const {
    if (i >= size()) noSuchDimension(i, size());
    return Base::operator[](i);
  }
  const Value& back() const { return (*this)[size() - 1]; }
  Elements first(std::size_t count) const { return subspan(0, count); }
  Elements subspan(std::size_t from, std::size_t count) const {
    if (from > size() || count > size() - from) noSuchDimension(from + count, size());
    return Elements(Base::subspan(from, count));
  }
};
Value generic(OpBuilder&, const Generic&, std::span<const Value> inputs, const Value& init,
              const std::function<Value(Elements)>& body);

/// result[i..] = body(inputs[i..]), the inputs broadcast to the result. Throws BadSizes where one
/// does not.
Value pointwise(OpBuilder&, const TensorType& result, std::span<const Value> inputs,
                const std::function<Value(Elements)>& body);
/// result[i..] = body(i..).
Value generate(OpBuilder&, const TensorType& result, const std::function<Value(Elements)>& body);
/// Over `dims` of x (counted from the front), from `init`, in order; the result has the other
/// dimensions. body(element, so far).
Value reduce(OpBuilder&, const Value& x, std::span<const std::int64_t> dims, const Value& init,
             const std::function<Value(const Value& element, const Value& soFar)>& body);
/// Nested loops over `sizes`, outermost first, that carry values: body(indices, carried) gives the
/// next ones.
Values loop(OpBuilder&, const Sizes& sizes, const Values& carried,
            const std::function<Values(Elements indices, Elements carried)>& body);

/// A tensor without contents, and one with `value` (a scalar) everywhere.
Value empty(OpBuilder&, const TensorType&);
Value filled(OpBuilder&, const TensorType&, const Value& scalar);
Value extract(OpBuilder&, const Value& tensor, Elements indices);
Value insert(OpBuilder&, const Value& element, const Value& tensor, Elements indices);
/// An index constant, or the value of a symbolic size.
Value index(OpBuilder&, std::int64_t);
/// The same elements in row-major order under another shape.
Value reshaped(OpBuilder&, const Value& x, const Sizes& sizes);
/// Elements from `offsets`, every `strides`-th, as many as `sizes`.
Value sliced(OpBuilder&, const Value& x, const Sizes& offsets, const Sizes& sizes,
             const Sizes& strides);
/// `part` written over those elements of `full`.
Value overwritten(OpBuilder&, const Value& part, const Value& full, const Sizes& offsets,
                  const Sizes& strides);
/// perm[i] is the dimension of x that becomes dimension i.
Value permuted(OpBuilder&, const Value& x, std::span<const std::int64_t> perm);
Value broadcast(OpBuilder&, const Value& x, const Sizes& sizes);
/// A tensor of complex numbers of their parts: [.., 2] of real numbers.
Value complexOf(OpBuilder&, const Value& pairs);
/// `x` with `op`s element type converted: a pointwise convert().
Value converted(OpBuilder&, const Value& x, DType from, DType to);

/// `sizes` without `dims`.
Sizes without(const Sizes& sizes, std::span<const std::int64_t> dims);

}  // namespace fxs::registry::linalg
