// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of sums, and of products that are added: those of different terms are independent.
#include <cmath>

#include "compare/error_rules.h"

namespace fxs::compare {
namespace {

/// How many elements of the operand each element of the result was computed from.
std::uint64_t termsOfResult(const MeasuredCall& c) {
  return std::max<std::uint64_t>(
      c.operand("self").elements() / std::max<std::uint64_t>(c.result().elements(), 1), 1);
}

bool isDimension(const fx::Argument& argument, std::size_t d, std::size_t rank) {
  const std::int64_t* index = argument.integer();
  if (index == nullptr) return false;
  return (*index < 0 ? *index + static_cast<std::int64_t>(rank) : *index) ==
         static_cast<std::int64_t>(d);
}

/// Whether a reduction over the argument `dim` removes dimension `d`.
bool isReduced(const fx::Argument* dims, std::size_t d, std::size_t rank) {
  if (dims == nullptr || dims->isNone()) return true;
  const fx::ArgumentList* list = dims->list();
  if (list == nullptr) return isDimension(*dims, d, rank);
  return list->empty() || std::any_of(list->begin(), list->end(), [&](const fx::Argument& dim) {
           return isDimension(dim, d, rank);
         });
}

}  // namespace

double squareRoot(std::uint64_t terms) { return std::sqrt(static_cast<double>(terms)); }

double errorOfSum(const MeasuredCall& c) {
  const MeasuredValue& terms = c.operand("self");
  std::uint64_t equal = 1;  // terms with the same error
  for (std::size_t d = 0; d < terms.commonAlong.size(); ++d)
    if (terms.commonAlong[d] && isReduced(c.argument("dim"), d, terms.sizes.size()))
      equal *= MeasuredValue::atLeastOne(terms.sizes[d]);
  return squareRoot(termsOfResult(c)) * std::hypot(terms.error, squareRoot(equal) * terms.common);
}

double errorOfMean(const MeasuredCall& c) {
  return errorOfSum(c) / static_cast<double>(termsOfResult(c));
}

double errorOfProduct(const MeasuredCall& c, const MeasuredValue& a, const MeasuredValue& b,
                      std::uint64_t terms) {
  if (!a.value || !b.value) return c.ofRatio();
  return squareRoot(std::max<std::uint64_t>(terms, 1)) *
         std::hypot(a.rms * b.error, b.rms * a.error);
}

double errorOfAddedProduct(const MeasuredCall& c, std::string_view a, std::string_view b) {
  const MeasuredValue& first = c.operand(a);
  return std::hypot(c.factor("beta") * c.error("self"),
                    c.factor("alpha") * errorOfProduct(c, first, c.operand(b), first.lastSize()));
}

double errorOfEinsum(const MeasuredCall& c) {
  const fx::Argument* tensors = c.argument("tensors");
  const fx::ArgumentList* list = tensors == nullptr ? nullptr : tensors->list();
  if (list == nullptr || list->size() != 2 || list->front().node() == nullptr ||
      list->back().node() == nullptr)
    return c.carried();
  const MeasuredValue &a = c.at(*list->front().node()), &b = c.at(*list->back().node());
  const double products = static_cast<double>(a.elements()) * static_cast<double>(b.elements());
  const auto elements = static_cast<double>(std::max<std::uint64_t>(c.result().elements(), 1));
  return std::pow(products / elements, 0.25) * errorOfProduct(c, a, b, 1);
}

double errorOfConvolution(const MeasuredCall& c) {
  if (c.nodeOf("input") == nullptr) return c.carried();
  const MeasuredValue& weight = c.operand("weight");
  const std::uint64_t filters =
      weight.sizes.empty() ? 1 : MeasuredValue::atLeastOne(weight.sizes[0]);
  return std::hypot(c.error("bias"),
                    errorOfProduct(c, c.operand("input"), weight, weight.elements() / filters));
}

}  // namespace fxs::compare
