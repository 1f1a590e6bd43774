// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/measured_call.h"

#include <cmath>

namespace fxs::compare {

const fx::Argument* MeasuredCall::argument(std::string_view name) const {
  const fx::NodeArgument* found = call_.find(name);
  return found == nullptr ? nullptr : &found->value;
}

const fx::NodeId* MeasuredCall::nodeOf(std::string_view name) const {
  const fx::Argument* found = argument(name);
  return found == nullptr ? nullptr : found->node();
}

const MeasuredValue& MeasuredCall::operand(std::string_view name) const {
  static const MeasuredValue kNone;
  const fx::NodeId* id = nodeOf(name);
  return id == nullptr ? kNone : values_[id->index()];
}

double MeasuredCall::error(std::string_view name) const {
  const MeasuredValue& of = operand(name);
  // Beside the fill of a mask, which the result has too, the other elements count.
  return result_.filled && !of.cancelled && of.rms > 0 ? of.error * (of.rmsOfOthers / of.rms)
                                                       : of.error;
}

double MeasuredCall::relativeError(std::string_view name) const {
  const MeasuredValue& of = operand(name);
  return of.rms > 0 ? of.error / of.rms : 0;
}

std::optional<double> MeasuredCall::number(std::string_view name) const {
  const fx::Argument* found = argument(name);
  if (found == nullptr) return std::nullopt;
  if (const auto* real = std::get_if<double>(found)) return *real;
  if (const auto* integer = found->integer()) return static_cast<double>(*integer);
  return std::nullopt;
}

double MeasuredCall::factor(std::string_view name) const {
  return std::fabs(number(name).value_or(1));
}

bool MeasuredCall::isSet(std::string_view name) const {
  const fx::Argument* found = argument(name);
  const bool* value = found == nullptr ? nullptr : std::get_if<bool>(found);
  return value != nullptr && *value;
}

std::optional<tensor::Tensor> MeasuredCall::valueOf(std::string_view name) const {
  const fx::NodeId* id = nodeOf(name);
  return id == nullptr ? std::nullopt : valueOf_(*id);
}

bool MeasuredCall::anyCancelled() const {
  bool any = false;
  forOperands([&](const MeasuredValue& operand) { any = any || operand.cancelled; });
  return any;
}

double MeasuredCall::carried() const {
  if (!anyCancelled()) return 0;
  double out = 0;
  forOperands([&](const MeasuredValue& operand) { out = std::hypot(out, operand.error); });
  return out;
}

double MeasuredCall::ofRatio() const {
  double most = 0;
  forOperands([&](const MeasuredValue& operand) {
    if (operand.cancelled && operand.rms > 0) most = std::max(most, operand.error / operand.rms);
  });
  return result_.rms * most;
}

}  // namespace fxs::compare
