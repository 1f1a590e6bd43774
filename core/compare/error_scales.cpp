// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/error_scales.h"

#include <algorithm>
#include <cmath>

#include "compare/element_ranges.h"
#include "compare/error_rules.h"
#include "compare/operator_values.h"
#include "compare/values.h"
#include "tensor/judge.h"

namespace fxs::compare {
namespace {

/// Errors of a result beyond its own rounding, in eps, that the tolerance covers without a scale.
constexpr double kOrdinaryError = 4;
/// A value that several elements share and that is so many times all others, as in
/// tensor/judge.cpp.
constexpr double kFillFactor = 1000;

struct Rms {
  double all = 0;       ///< of the finite elements; without a fill, unless all others are 0
  double others = 0;    ///< without a fill
  bool filled = false;  ///< `all` is without a fill
};

Rms rmsOf(const tensor::Tensor& tensor) {
  const std::vector<double> elements = tensor::elementsOf(tensor);
  double largest = 0, second = 0;
  std::uint64_t largestCount = 0;
  for (const double element : elements) {
    const double size = std::fabs(element);
    if (!std::isfinite(size) || size < second) continue;
    if (size > largest) {
      second = largest;
      largest = size;
      largestCount = 1;
    } else if (size == largest) {
      ++largestCount;
    } else {
      second = size;
    }
  }
  const auto upTo = [&](double most) {
    if (most == 0) return 0.0;
    double squares = 0;
    std::uint64_t count = 0;
    for (const double element : elements) {
      if (!std::isfinite(element) || std::fabs(element) > most) continue;
      squares += (element / most) * (element / most);
      ++count;
    }
    return std::sqrt(squares / static_cast<double>(count)) * most;
  };
  const bool hasFill = largestCount > 1 && largest / kFillFactor > second;
  Rms out;
  out.others = upTo(hasFill ? second : largest);
  out.filled = hasFill && second > 0;
  out.all = out.filled ? out.others : upTo(largest);
  return out;
}

MeasuredValue measured(const tensor::Tensor& tensor) {
  const Rms rms = rmsOf(tensor);
  MeasuredValue out;
  out.value = true;
  out.sizes = tensor.sizes;
  out.rms = rms.all;
  out.rmsOfOthers = rms.others;
  out.filled = rms.filled;
  return out;
}

/// Elements that are moved, or chosen, are those of the operands.
bool isRounded(const MeasuredCall& call) {
  const OperatorValues* values = operatorValues(call.node());
  bool any = (values == nullptr || values->passing != Passing::Moved) &&
             !operatorOf(call.node()).is(ops::Trait::Exact);
  call.forOperands([&](const MeasuredValue& operand) { any = any || operand.rounded; });
  return any;
}

/// Notes that elements of the result, along the dimensions that the operand is broadcast to or
/// that its own elements share an error along, share an error.
void shareError(const MeasuredValue& operand, MeasuredValue& out) {
  const std::size_t rank = out.sizes.size();
  if (!operand.value || operand.sizes.size() > rank) return;
  const std::size_t missing = rank - operand.sizes.size();
  std::vector<bool> along(rank, false);
  bool any = false;
  for (std::size_t d = 0; d < rank; ++d) {
    along[d] = out.sizes[d] > 1 && (d < missing || operand.sizes[d - missing] == 1);
    any = any || along[d];
  }
  const double common = any ? operand.error : operand.common;
  if (common <= out.common) return;
  if (!any) std::copy_backward(operand.commonAlong.begin(), operand.commonAlong.end(), along.end());
  out.common = common;
  out.commonAlong = std::move(along);
}

class ErrorsOfNodes {
 public:
  ErrorsOfNodes(const fx::Program& program, const NodeValue& valueOf)
      : program_(program),
        valueOf_(valueOf),
        lowest_(lowestPrecisions(program)),
        known_(program.nodes.size()),
        scales_(program.nodes.size(), 0) {}

  std::vector<double> scales() {
    for (const fx::NodeId id : program_.main().nodes) measure(program_.node(id));
    return std::move(scales_);
  }

 private:
  void measure(const fx::Node& node) {
    MeasuredValue& known = known_[node.id.index()];
    if (node.val.tensor() == nullptr) return;
    if (const auto value = valueOf_(node.id)) known = measured(*value);
    const double eps = tensor::epsilonOf(lowest_[node.id.index()]);
    const DType dtype = node.val.tensor()->dtype;
    if (eps == 0 || !(isFloating(dtype) || isComplex(dtype))) return;
    known.error = eps * known.rms;
    if (node.op != fx::NodeOp::CallFunction) return;
    const MeasuredCall call = callOf(node, eps);
    known.rounded = isRounded(call);
    const double error = known.value ? errorOfCall(call) : call.carried();
    if (operatorOf(call.node()).is(ops::Trait::SharesErrors))
      call.forOperands([&](const MeasuredValue& operand) { shareError(operand, known); });
    if (!(error > kOrdinaryError * known.error) || !std::isfinite(error)) return;
    known.cancelled = true;
    known.error = error;
    scales_[node.id.index()] = error / eps;
  }

  /// The call whose result, or part of it, the node is.
  MeasuredCall callOf(const fx::Node& node, double eps) const {
    const fx::Node* call = &node;
    std::int64_t element = 0;
    if (node.target == fx::kGetitem && !node.args.empty() && node.args[0].value.node() != nullptr) {
      call = &program_.node(*node.args[0].value.node());
      if (const auto* index = node.args.size() > 1 ? node.args[1].value.integer() : nullptr)
        element = *index;
    }
    return {known_, valueOf_, *call, element, eps, known_[node.id.index()]};
  }

  const fx::Program& program_;
  const NodeValue& valueOf_;
  const std::vector<DType> lowest_;
  std::vector<MeasuredValue> known_;
  std::vector<double> scales_;
};

}  // namespace

std::vector<double> errorScales(const fx::Program& program, const NodeValue& valueOf) {
  return ErrorsOfNodes(program, valueOf).scales();
}

}  // namespace fxs::compare
