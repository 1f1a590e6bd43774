// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/error_rules.h"

#include <map>

#include "compare/element_ranges.h"
#include "compare/error_functions.h"

namespace fxs::compare {
namespace {

using Call = MeasuredCall;

const Function* functionOf(const Call& c) {
  return functionNamed(operatorOf(c.node()).rule(ops::Rule::Function));
}

double errorOfBoth(const Call& c, std::string_view a, std::string_view b) {
  return std::hypot(c.error(a), c.error(b));
}

// ---- Where terms cancel.

double ofSum(const Call& c) {
  return std::hypot(c.error("self"), c.factor("alpha") * c.error("other"));
}
double ofReversedDifference(const Call& c) {
  return std::hypot(c.factor("alpha") * c.error("self"), c.error("other"));
}

double ofVariance(const Call& c) {
  if (c.element() != 0) return c.carried();
  return c.error("self") * (2 * std::sqrt(c.result().rms) + c.error("self"));
}
double ofDeviation(const Call& c) { return c.element() != 0 ? c.carried() : c.error("self"); }

double ofSquaredDifference(const Call& c) {
  const double of = errorOfBoth(c, "self", "target");
  return of * (2 * std::sqrt(c.result().rms) + of);
}

double ofLongestSum(const Call& c) {
  return squareRoot(c.operand("self").longestSize()) * c.error("self");
}

/// Of matrices or vectors.
double ofInnerProduct(const Call& c) {
  const MeasuredValue& self = c.operand("self");
  for (const std::string_view name : {"vec", "mat2", "tensor"})
    if (c.nodeOf(name) != nullptr) return errorOfProduct(c, self, c.operand(name), self.lastSize());
  return errorOfProduct(c, self, c.operand("other"), self.lastSize());
}
double ofLinear(const Call& c) {
  const MeasuredValue& input = c.operand("input");
  return std::hypot(c.error("bias"),
                    errorOfProduct(c, input, c.operand("weight"), input.lastSize()));
}
double ofAddedElementwiseProduct(const Call& c) {
  return std::hypot(c.error("self"), c.factor("value") * errorOfProduct(c, c.operand("tensor1"),
                                                                        c.operand("tensor2"), 1));
}

/// Of target * (log(target) - self), which is left as it is, averaged (1) or added up (2).
double ofDivergence(const Call& c) {
  const MeasuredValue& target = c.operand("target");
  const double of = std::hypot(target.rms * c.error("self"), target.error),
               reduction = c.number("reduction").value_or(1);
  const double root = squareRoot(std::max<std::uint64_t>(c.operand("self").elements(), 1));
  if (reduction == 1) return of / root;
  return reduction == 2 ? of * root : of;
}

double ofRmsNorm(const Call& c) { return c.anyCancelled() ? c.ofRatio() : 0; }

// ---- Where an operand has an error that is larger than its own.

double ofFunction(const Call& c, const Function& function) {
  const auto value = c.valueOf("self");
  return value ? errorOfFunction(function, *value, c.error("self")) : c.ofRatio();
}

double ofQuotient(const Call& c, std::string_view above, std::string_view below) {
  if (const auto scalar = c.number(below))
    return *scalar == 0 ? 0 : c.error(above) / std::fabs(*scalar);
  const auto divisor = c.valueOf(below);
  if (!divisor) return c.ofRatio();
  const double inverse = rmsOfSquares(*divisor, [](double x) { return 1 / (x * x); });
  return std::hypot(c.error(above) * inverse, c.result().rms * c.error(below) * inverse);
}
double ofAddedQuotient(const Call& c) {
  return std::hypot(c.error("self"), c.factor("value") * ofQuotient(c, "tensor1", "tensor2"));
}

double ofMultiple(const Call& c) {
  if (const auto scalar = c.number("other")) return std::fabs(*scalar) * c.error("self");
  return errorOfProduct(c, c.operand("self"), c.operand("other"), 1);
}

std::optional<Function> powerOf(const Call& c) {
  if (!c.number("exponent")) return std::nullopt;
  const long double exponent = *c.number("exponent");
  return [exponent](long double x) { return std::pow(x, exponent); };
}
double ofPower(const Call& c) {
  const auto power = powerOf(c);
  return power ? ofFunction(c, *power) : c.ofRatio();
}

double ofSoftmax(const Call& c) { return c.result().rms * std::min(1.0, 2 * c.error("self")); }

double scaleOfScores(const Call& c) {
  const double size = squareRoot(c.operand("query").lastSize());
  return size * c.number("scale").value_or(1 / size);
}
double ofAttention(const Call& c) {
  const MeasuredValue &q = c.operand("query"), &k = c.operand("key"), &v = c.operand("value");
  const double scores = scaleOfScores(c) * std::hypot(k.rms * q.error, q.rms * k.error);
  return std::hypot(v.error, v.rms * std::min(1.0, scores));
}

double carriedBy(const Call& c, const ErrorRule& rule) {
  if (rule.carrying != nullptr) return rule.carrying(c);
  const Function* function = functionOf(c);
  return function != nullptr ? ofFunction(c, *function) : c.carried();
}

/// Computed from terms of about 1, whose sum is 0 at some argument other than 0.
double ofCrossingZero(const Call& c) {
  return std::hypot(c.eps(), c.operand("self").cancelled ? carriedBy(c, {}) : 0);
}

// ---- Where rounding becomes a larger error.

double roundedFunction(const Call& c, const Function& function) {
  const auto value = c.operand("self").rounded ? c.valueOf("self") : std::nullopt;
  return value ? errorOfFunction(function, *value, 0, c.eps()) : 0;
}
double roundedPower(const Call& c) {
  const auto power = powerOf(c);
  return power ? roundedFunction(c, *power) : 0;
}
double roundedRemainder(const Call& c) {
  const MeasuredValue& self = c.operand("self");
  return self.rounded ? c.eps() * self.rmsOfOthers : 0;
}
double roundedSoftmax(const Call& c) {
  const MeasuredValue& self = c.operand("self");
  return self.rounded ? c.result().rms * std::min(1.0, 2 * c.eps() * self.rmsOfOthers) : 0;
}
double roundedAttention(const Call& c) {
  const double products = scaleOfScores(c) * c.operand("query").rms * c.operand("key").rms;
  const double scores = std::hypot(products, c.operand("attn_mask").rmsOfOthers);
  return c.operand("value").rms * std::min(1.0, 2 * c.eps() * scores);
}
/// Of what interpolates at computed positions.
double roundedPositions(const Call& c) {
  const MeasuredValue& image = c.operand(c.nodeOf("input") != nullptr ? "input" : "self");
  return c.eps() * image.rms * static_cast<double>(image.longestSize());
}

double steepOf(const Call& c, const ErrorRule& rule) {
  if (rule.steep != nullptr) return rule.steep(c);
  const Function* function = functionOf(c);
  return function != nullptr ? roundedFunction(c, *function) : 0;
}

std::map<std::string_view, ErrorRule> cancellingRules() {
  const auto logarithm = [](const Call& c) { return std::hypot(c.eps(), c.error("self")); };
  return {
      {"sum-of-two", {ofSum}},
      {"difference-reversed", {ofReversedDifference}},
      {"interpolation", {[](const Call& c) { return errorOfBoth(c, "self", "end"); }}},
      {"added-product", {ofAddedElementwiseProduct}},
      {"added-quotient", {ofAddedQuotient}},
      {"sum", {errorOfSum}},
      {"mean", {errorOfMean}},
      {"longest-sum", {ofLongestSum}},
      {"variance", {ofVariance}},
      {"deviation", {ofDeviation}},
      {"inner-product", {ofInnerProduct}},
      {"linear", {ofLinear}},
      {"addmm", {[](const Call& c) { return errorOfAddedProduct(c, "mat1", "mat2"); }}},
      {"addbmm", {[](const Call& c) { return errorOfAddedProduct(c, "batch1", "batch2"); }}},
      {"addmv", {[](const Call& c) { return errorOfAddedProduct(c, "mat", "vec"); }}},
      {"einsum", {errorOfEinsum}},
      {"convolution", {errorOfConvolution}},
      {"crossing-zero", {ofCrossingZero}},
      {"logarithm", {logarithm}},
      {"log-softmax", {[](const Call& c) { return std::hypot(c.eps(), 2 * c.error("self")); }}},
      {"logarithm-of-two",
       {[](const Call& c) { return std::hypot(c.eps(), errorOfBoth(c, "self", "other")); }}},
      {"difference", {[](const Call& c) { return errorOfBoth(c, "self", "target"); }}},
      {"squared-difference", {ofSquaredDifference}},
      {"distance", {[](const Call& c) { return errorOfBoth(c, "self", "other"); }}},
      {"distance-of-pairs", {[](const Call& c) { return errorOfBoth(c, "x1", "x2"); }}},
      {"neighbours", {[](const Call& c) { return errorOfBoth(c, "self", "self"); }}},
      {"cross-product",
       {[](const Call& c) { return errorOfProduct(c, c.operand("self"), c.operand("other"), 2); }}},
      {"cosine", {[](const Call& c) {
         return std::hypot(c.eps(), std::hypot(c.relativeError("x1"), c.relativeError("x2")));
       }}},
      {"cosine-of-inputs", {[](const Call& c) {
         return std::hypot(c.eps(),
                           std::hypot(c.relativeError("input1"), c.relativeError("input2")));
       }}},
      {"divergence", {ofDivergence}},
      {"batch-norm", {errorOfBatchNorm}},
      {"group-norm", {errorOfGroupNorm}},
      {"instance-norm", {errorOfInstanceNorm}},
      {"layer-norm", {errorOfLayerNorm}},
      {"rms-norm", {ofRmsNorm}},
  };
}

std::map<std::string_view, ErrorRule> allRules() {
  std::map<std::string_view, ErrorRule> out = cancellingRules();
  out.merge(std::map<std::string_view, ErrorRule>{
      {"fill", {nullptr, [](const Call&) { return 0.0; }, nullptr}},
      {"copy", {nullptr, [](const Call& c) { return c.error("src"); }, nullptr}},
      {"product", {nullptr, ofMultiple, nullptr}},
      {"quotient",
       {nullptr, [](const Call& c) { return ofQuotient(c, "self", "other"); }, nullptr}},
      {"ratio", {nullptr, [](const Call& c) { return c.ofRatio(); }, nullptr}},
      {"power", {nullptr, ofPower, roundedPower}},
      {"softmax", {nullptr, ofSoftmax, roundedSoftmax}},
      {"attention", {nullptr, ofAttention, roundedAttention}},
      {"remainder", {nullptr, nullptr, roundedRemainder}},
      {"positions", {nullptr, nullptr, roundedPositions}},
  });
  return out;
}

}  // namespace

const ErrorRule* errorRule(std::string_view name) {
  static const std::map<std::string_view, ErrorRule> kRules = allRules();
  const auto rule = kRules.find(name);
  return rule == kRules.end() ? nullptr : &rule->second;
}

double errorOfCall(const MeasuredCall& c) {
  const ErrorRule* named = errorRule(operatorOf(c.node()).rule(ops::Rule::Error));
  const ErrorRule rule = named == nullptr ? ErrorRule() : *named;
  if (rule.cancelling != nullptr) return rule.cancelling(c);
  return c.anyCancelled() ? carriedBy(c, rule) : steepOf(c, rule);
}

}  // namespace fxs::compare
