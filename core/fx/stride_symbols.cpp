// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/stride_symbols.h"

#include <algorithm>
#include <set>

#include "fx/evaluated_text.h"

namespace fxs::fx {
namespace {

/// The smallest value of a symbol that torch.export made of a stride: 0 and 1 are constants.
constexpr int kMinStride = 2;

void collect(const std::vector<SymInt>& sizes, std::set<std::string>& out) {
  for (const SymInt& size : sizes)
    if (!size.isStatic())
      collectSymbols(*size.expr(), [&](const std::string& symbol) { out.insert(symbol); });
}

/// Calls visit(node, meta) for each user input that is a tensor.
template <typename Visit>
void forEachInput(const Program& program, Visit visit) {
  for (const InputSpec& input : program.inputs)
    if (const TensorMeta* meta = program.node(input.node).val.tensor();
        meta != nullptr && input.kind == InputKind::UserInput)
      visit(program.node(input.node), *meta);
}

}  // namespace

std::vector<std::string> strideSymbols(const Program& program) {
  std::set<std::string> ofStrides, known;
  for (const RangeConstraint& range : program.ranges) known.insert(range.symbol);
  forEachInput(program, [&](const Node&, const TensorMeta& meta) {
    collect(meta.strides, ofStrides);
    collect(meta.sizes, known);
  });
  std::vector<std::string> out;
  std::ranges::set_difference(ofStrides, known, std::back_inserter(out));
  return out;
}

const Node* stridedBy(const Program& program, std::string_view symbol) {
  const Node* out = nullptr;
  forEachInput(program, [&](const Node& node, const TensorMeta& meta) {
    std::set<std::string> symbols;
    collect(meta.strides, symbols);
    if (out == nullptr && symbols.contains(std::string(symbol))) out = &node;
  });
  return out;
}

bool isGuardOfBase(std::string_view guard) { return guard.find("._base.") != guard.npos; }

bool isDerived(const RangeConstraint& range) { return !isIdentifier(range.symbol); }

std::vector<RangeConstraint> usableRanges(const Program& program) {
  std::vector<RangeConstraint> out = program.ranges;
  std::erase_if(out, isDerived);
  for (const std::string& symbol : strideSymbols(program)) out.push_back({symbol, kMinStride, {}});
  std::ranges::stable_sort(out, {}, &RangeConstraint::symbol);
  return out;
}

}  // namespace fxs::fx
