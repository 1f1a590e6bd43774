// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/error_functions.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fxs::compare {

double errorOfFunction(const Function& f, const tensor::Tensor& operand, double error, double eps) {
  long double squares = 0;
  std::uint64_t count = 0;
  for (const double element : tensor::elementsOf(operand)) {
    const long double x = element, y = f(x), off = error + eps * std::fabs(element);
    if (!std::isfinite(y)) continue;
    long double most = 0;
    for (const long double other : {f(x + off), f(x - off)})
      if (std::isfinite(other)) most = std::max(most, std::fabs(other - y));
    squares += most * most;
    ++count;
  }
  return count == 0 ? 0 : static_cast<double>(std::sqrt(squares / static_cast<long double>(count)));
}

const Function* functionNamed(std::string_view name) {
  using L = long double;
  static const L kRoot2 = std::sqrt(L{2});
  static const std::map<std::string_view, Function> kFunctions{
      {"exp", [](L x) { return std::exp(x); }},
      {"exp2", [](L x) { return std::exp2(x); }},
      {"expm1", [](L x) { return std::expm1(x); }},
      {"log", [](L x) { return std::log(x); }},
      {"log2", [](L x) { return std::log2(x); }},
      {"log10", [](L x) { return std::log10(x); }},
      {"log1p", [](L x) { return std::log1p(x); }},
      {"sqrt", [](L x) { return std::sqrt(std::max(x, L{0})); }},
      {"rsqrt", [](L x) { return 1 / std::sqrt(x); }},
      {"reciprocal", [](L x) { return 1 / x; }},
      {"square", [](L x) { return x * x; }},
      {"sin", [](L x) { return std::sin(x); }},
      {"cos", [](L x) { return std::cos(x); }},
      {"tan", [](L x) { return std::tan(x); }},
      {"asin", [](L x) { return std::asin(x); }},
      {"acos", [](L x) { return std::acos(x); }},
      {"sinh", [](L x) { return std::sinh(x); }},
      {"cosh", [](L x) { return std::cosh(x); }},
      {"tanh", [](L x) { return std::tanh(x); }},
      {"sigmoid", [](L x) { return 1 / (1 + std::exp(-x)); }},
      {"silu", [](L x) { return x / (1 + std::exp(-x)); }},
      {"relu", [](L x) { return std::max(x, L{0}); }},
      {"gelu", [](L x) { return x * (1 + std::erf(x / kRoot2)) / 2; }},
      {"erf", [](L x) { return std::erf(x); }},
  };
  const auto found = kFunctions.find(name);
  return found == kFunctions.end() ? nullptr : &found->second;
}

}  // namespace fxs::compare
