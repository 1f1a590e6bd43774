// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/stride_symbols.h"

#include <algorithm>
#include <set>

#include "fx/evaluated_text.h"

namespace fxs::fx {
namespace {

/// The smallest value of a symbol that torch.export made of a stride: 0 and 1 are constants.
constexpr int kMinStride = 2;

/// Calls visit(symbol) for each of the sizes.
template <typename Visit>
void forEachSymbol(const std::vector<SymInt>& sizes, Visit visit) {
  for (const SymInt& size : sizes)
    if (!size.isStatic()) collectSymbols(*size.expr(), visit);
}

}  // namespace

std::map<std::string, NodeId> strideSymbols(const Program& program) {
  std::map<std::string, NodeId> out;
  std::set<std::string> known;
  for (const RangeConstraint& range : program.ranges) known.insert(range.symbol);
  for (const InputSpec& input : program.inputs) {
    const TensorMeta* meta = program.node(input.node).val.tensor();
    if (meta == nullptr || input.kind != InputKind::UserInput) continue;
    forEachSymbol(meta->strides,
                  [&](const std::string& symbol) { out.emplace(symbol, input.node); });
    forEachSymbol(meta->sizes, [&](const std::string& symbol) { known.insert(symbol); });
  }
  std::erase_if(out, [&](const auto& symbol) { return known.contains(symbol.first); });
  return out;
}

bool isGuardOfBase(std::string_view guard) { return guard.find("._base.") != guard.npos; }

bool isDerived(const RangeConstraint& range) { return !isIdentifier(range.symbol); }

std::vector<RangeConstraint> usableRanges(const Program& program) {
  std::vector<RangeConstraint> out = program.ranges;
  std::erase_if(out, isDerived);
  for (const auto& [symbol, input] : strideSymbols(program))
    out.push_back({symbol, kMinStride, {}});
  std::ranges::stable_sort(out, {}, &RangeConstraint::symbol);
  return out;
}

}  // namespace fxs::fx
