// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of normalizations, which are large for sets of elements with little variance.
#include <cmath>

#include "compare/error_rules.h"

namespace fxs::compare {
namespace {

/// Element i belongs to the set (i / inner) % sets of those that are normalized together.
struct NormalizedSets {
  std::uint64_t sets = 1, inner = 1;
};

std::string_view nameOfInput(const MeasuredCall& c) {
  return c.nodeOf("input") != nullptr ? "input" : "self";
}

/// The input's value, if the call's first result is looked at and has elements.
std::optional<tensor::Tensor> normalizedInput(const MeasuredCall& c) {
  auto x = c.valueOf(nameOfInput(c));
  if (!x || c.element() != 0 || x->sizes.empty() || x->elements() == 0) return std::nullopt;
  return x;
}

std::uint64_t sizeAt(const tensor::Tensor& x, std::size_t d) {
  return d < x.sizes.size() ? static_cast<std::uint64_t>(x.sizes[d]) : 1;
}

double epsOf(const MeasuredCall& c) { return c.number("eps").value_or(1e-5); }

/// The rms of what the normalized elements are multiplied by.
double gainOf(const MeasuredCall& c) {
  double gain = 1;
  for (const std::string_view weight : {"weight", "gamma"})
    if (c.operand(weight).value) gain = c.operand(weight).rms;
  return gain;
}

std::vector<double> squaredDeviations(const tensor::Tensor& x, const NormalizedSets& by) {
  std::vector<double> sums(by.sets, 0), squares(by.sets, 0);
  const std::vector<double> values = tensor::elementsOf(x);
  const double each = static_cast<double>(x.elements()) / static_cast<double>(by.sets);
  for (std::size_t i = 0; i < values.size(); ++i) sums[(i / by.inner) % by.sets] += values[i];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double deviation = values[i] - sums[(i / by.inner) % by.sets] / each;
    squares[(i / by.inner) % by.sets] += deviation * deviation;
  }
  return squares;
}

double ofSets(const MeasuredCall& c, const tensor::Tensor& x, const NormalizedSets& by) {
  if (by.sets == 0 || by.inner == 0) return c.carried();
  const double error = c.error(nameOfInput(c)), eps = epsOf(c);
  const double each = static_cast<double>(x.elements()) / static_cast<double>(by.sets);
  double errors = 0;  // squares; what is normalized has an rms of at most 1
  for (const double of : squaredDeviations(x, by))
    errors += std::min(1.0, error * error / (of / each + eps));
  return std::sqrt(errors / static_cast<double>(by.sets)) * gainOf(c);
}

double ofConsecutiveSets(const MeasuredCall& c, const tensor::Tensor& x, std::uint64_t sets) {
  return ofSets(c, x, {sets, x.elements() / std::max<std::uint64_t>(sets, 1)});
}

/// With the statistics of training, if these are used.
std::optional<double> withRunningVariance(const MeasuredCall& c) {
  const bool training = c.isSet("training") || c.isSet("train") || c.isSet("use_input_stats");
  const auto variance = c.valueOf("running_var");
  if (training || !variance) return std::nullopt;
  const double eps = epsOf(c);
  const double inverse = rmsOfSquares(*variance, [&](double x) { return 1 / (x + eps); });
  return c.error(nameOfInput(c)) * inverse * gainOf(c);
}

std::uint64_t groupsOf(const MeasuredCall& c) {
  for (const std::string_view name : {"num_groups", "group"})
    if (const fx::Argument* given = c.argument(name);
        given != nullptr && given->integer() != nullptr)
      return static_cast<std::uint64_t>(
          std::clamp<std::int64_t>(*given->integer(), 1, std::int64_t{1} << 31));
  return 1;
}

}  // namespace

double errorOfBatchNorm(const MeasuredCall& c) {
  const auto x = normalizedInput(c);
  if (!x) return c.carried();
  if (const auto error = withRunningVariance(c)) return *error;
  const std::uint64_t size = std::max<std::uint64_t>(sizeAt(*x, 0) * sizeAt(*x, 1), 1);
  return ofSets(c, *x, {sizeAt(*x, 1), x->elements() / size});
}

double errorOfGroupNorm(const MeasuredCall& c) {
  const auto x = normalizedInput(c);
  return x ? ofConsecutiveSets(c, *x, sizeAt(*x, 0) * groupsOf(c)) : c.carried();
}

double errorOfInstanceNorm(const MeasuredCall& c) {
  const auto x = normalizedInput(c);
  if (!x) return c.carried();
  if (const auto error = withRunningVariance(c)) return *error;
  return ofConsecutiveSets(c, *x, sizeAt(*x, 0) * sizeAt(*x, 1));
}

double errorOfLayerNorm(const MeasuredCall& c) {
  const auto x = normalizedInput(c);
  if (!x) return c.carried();
  const fx::Argument* shape = c.argument("normalized_shape");
  const std::size_t dims = shape != nullptr && shape->list() != nullptr ? shape->list()->size() : 1;
  std::uint64_t sets = 1;
  for (std::size_t d = 0; d + dims < x->sizes.size(); ++d) sets *= sizeAt(*x, d);
  return ofConsecutiveSets(c, *x, sets);
}

}  // namespace fxs::compare
