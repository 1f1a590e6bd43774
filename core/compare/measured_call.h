// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One call of a program whose values are known, as the rules for errors look at it: its arguments,
// what they are known to be, and its result.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compare/error_scales.h"

namespace fxs::compare {

/// What is known of a node's value.
struct MeasuredValue {
  bool value = false;
  std::vector<std::int64_t> sizes;
  double rms = 0;          ///< of the finite elements; without a fill, unless all others are 0
  double rmsOfOthers = 0;  ///< without a fill
  bool filled = false;     ///< `rms` is without a fill
  double error = 0;        ///< absolute
  bool cancelled = false;  ///< the error is larger than the value's own
  bool rounded = false;    ///< it was computed, and so need not be the same everywhere
  /// An error that all elements along some dimensions have in common: those of a broadcast
  /// operand, such as the mean in x - mean(x).
  double common = 0;
  std::vector<bool> commonAlong;  ///< by dimension

  std::uint64_t elements() const { return tensor::elementCount(sizes).value_or(0); }
  std::uint64_t lastSize() const { return sizes.empty() ? 1 : atLeastOne(sizes.back()); }
  std::uint64_t longestSize() const {
    return sizes.empty() ? 1 : atLeastOne(*std::max_element(sizes.begin(), sizes.end()));
  }
  static std::uint64_t atLeastOne(std::int64_t size) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(size, 1));
  }
};

class MeasuredCall {
 public:
  /// `values` by node, `element` of the tuple that the call returns, `eps` of `result`. All must
  /// outlive it.
  MeasuredCall(const std::vector<MeasuredValue>& values, const NodeValue& valueOf,
               const fx::Node& call, std::int64_t element, double eps, const MeasuredValue& result)
      : values_(values),
        valueOf_(valueOf),
        call_(call),
        element_(element),
        eps_(eps),
        result_(result) {}

  const fx::Node& node() const { return call_; }
  std::int64_t element() const { return element_; }
  double eps() const { return eps_; }
  const MeasuredValue& result() const { return result_; }

  const fx::Argument* argument(std::string_view name) const;
  const fx::NodeId* nodeOf(std::string_view name) const;
  /// An operand that is not a node, or not known, has no error.
  const MeasuredValue& operand(std::string_view name) const;
  const MeasuredValue& at(fx::NodeId id) const { return values_[id.index()]; }
  double error(std::string_view name) const;
  double relativeError(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  /// The size of a number that multiplies an operand.
  double factor(std::string_view name) const;
  bool isSet(std::string_view name) const;
  std::optional<tensor::Tensor> valueOf(std::string_view name) const;
  template <class Visit>
  void forOperands(Visit&& visit) const {
    for (const fx::NodeArgument& argument : call_.args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) { visit(values_[id.index()]); });
  }
  bool anyCancelled() const;

  /// The error of the result of an operator whose derivatives are at most 1, if any operand has a
  /// larger one than its own.
  double carried() const;
  /// Of one that keeps relative errors.
  double ofRatio() const;

 private:
  const std::vector<MeasuredValue>& values_;
  const NodeValue& valueOf_;
  const fx::Node& call_;
  const std::int64_t element_;
  const double eps_;
  const MeasuredValue& result_;
};

}  // namespace fxs::compare
