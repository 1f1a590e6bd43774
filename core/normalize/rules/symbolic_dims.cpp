// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symbols in a node's value, with their ranges.
#include <set>

#include "normalize/rule.h"
#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

std::set<std::string> symbolsOf(const fx::Value& value) {
  std::set<std::string> out;
  auto collect = [&](const fx::SymExprPtr& e) {
    if (e) fx::collectSymbols(*e, [&](const std::string& s) { out.insert(s); });
  };
  forEachPart(value, [&](const std::string&, const fx::Value& part) {
    if (const fx::SymValue* s = part.symbol()) collect(s->expr);
    const fx::TensorMeta* t = part.tensor();
    if (!t) return;
    for (const fx::SymInt& size : t->sizes) collect(size.expr());
    for (const fx::SymInt& stride : t->strides) collect(stride.expr());
    collect(t->storageOffset.expr());
  });
  return out;
}

std::string rangeText(const fx::RangeConstraint& r) {
  if (r.min && r.max)
    return std::to_string(*r.min) + " <= " + r.symbol + " <= " + std::to_string(*r.max);
  if (r.min) return r.symbol + " >= " + std::to_string(*r.min);
  if (r.max) return r.symbol + " <= " + std::to_string(*r.max);
  return r.symbol + " unbounded";
}

void normalizeSymbolicDims(const Values& values, const fx::Node&, NodeMetadata& out,
                           std::vector<MetadataChange>& changes) {
  for (const std::string& symbol : symbolsOf(out.val)) {
    const fx::RangeConstraint* range = nullptr;
    for (const fx::RangeConstraint& r : values.program().ranges)
      if (r.symbol == symbol) range = &r;
    changes.push_back({"val.symbols." + symbol, "Symbol('" + symbol + "')",
                       range ? rangeText(*range) : "unknown", "",
                       range ? "" : "the file has no range for this symbol"});
  }
}

}  // namespace

void registerSymbolicDims(NormalizeRules& rules) {
  rules.add({"symbolic-dims", "a symbolic size is limited by its range constraint", 40,
             normalizeSymbolicDims});
}

}  // namespace fxs::normalize
