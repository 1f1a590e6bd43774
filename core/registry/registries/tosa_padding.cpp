// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding: constant, reflection, replication. Negative amounts crop.
#include <algorithm>
#include <functional>

#include "registry/numbers.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

constexpr std::int64_t kMostPadding = std::int64_t{1} << 40;

struct Amounts {
  Sizes before, after;  // of every dimension
};

/// PyTorch lists (before, after) pairs from the last dimension.
tl::expected<Amounts, Refusal> amountsOf(Call& call, std::string_view name, std::int64_t rank) {
  FXS_TAKE(given, call.integers(name));
  const auto dims = static_cast<std::size_t>(rank);
  if (given.size() % 2 != 0 || given.size() / 2 > dims)
    return refuse("the padding has " + std::to_string(given.size()) + " entries");
  for (const std::int64_t amount : given)
    if (amount > kMostPadding || amount < -kMostPadding)
      return refuse("a padding of " + std::to_string(amount) + " does not fit in memory");
  Amounts out{Sizes(dims, 0), Sizes(dims, 0)};
  for (std::size_t i = 0; i < given.size() / 2; ++i) {
    out.before[dims - 1 - i] = given[2 * i];
    out.after[dims - 1 - i] = given[2 * i + 1];
  }
  return out;
}

/// Crops by the negative amounts and sets them to 0.
Value cutOff(OpBuilder& emit, Value x, Amounts& amounts) {
  for (std::size_t d = 0; d < amounts.before.size(); ++d) {
    const std::int64_t first = std::max<std::int64_t>(0, -amounts.before[d]);
    const std::int64_t behind = std::max<std::int64_t>(0, -amounts.after[d]);
    x = slice(emit, x, static_cast<std::int64_t>(d), first,
              minus(x.tensor.sizes[d], plus(first, behind)));
    amounts.before[d] = std::max<std::int64_t>(0, amounts.before[d]);
    amounts.after[d] = std::max<std::int64_t>(0, amounts.after[d]);
  }
  return x;
}

Handled byConstant(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(given, call.number("value"));
  FXS_TAKE(amounts, amountsOf(call, "pad", x.tensor.rank()));
  const Scalar value = numberOf(given, call.resultDtype());
  for (std::size_t d = 0; d < amounts.before.size(); ++d)
    if (plus(x.tensor.sizes[d], plus(std::min<std::int64_t>(0, amounts.before[d]),
                                     std::min<std::int64_t>(0, amounts.after[d]))) <= 0)
      return Values{call.emit.splat(result, value)};
  const Value cut = cutOff(call.emit, x, amounts);
  return Values{pad(call.emit, cut, amounts.before, amounts.after, value)};
}

/// `edge(x, dim, amount, isFront)` is the padding before or after x.
Handled byEdges(Call& call,
                const std::function<Value(const Value&, std::int64_t, std::int64_t, bool)>& edge) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(amounts, amountsOf(call, "padding", x.tensor.rank()));
  // Reflects the whole input, so crop last.
  for (std::size_t d = 0; d < amounts.before.size(); ++d) {
    const auto dim = static_cast<std::int64_t>(d);
    std::vector<Value> parts;
    if (amounts.before[d] > 0) parts.push_back(edge(x, dim, amounts.before[d], true));
    parts.push_back(x);
    if (amounts.after[d] > 0) parts.push_back(edge(x, dim, amounts.after[d], false));
    x = concat(call.emit, parts, dim);
  }
  return Values{cutOff(call.emit, x, amounts)};
}

Handled byReflection(Call& call) {
  return byEdges(call, [&](const Value& x, std::int64_t dim, std::int64_t amount, bool isFront) {
    const std::int64_t size = x.tensor.sizes[static_cast<std::size_t>(dim)];
    return reverse(call.emit,
                   slice(call.emit, x, dim, isFront ? 1 : minus(size, plus(1, amount)), amount),
                   dim);
  });
}

Handled byReplication(Call& call) {
  return byEdges(call, [&](const Value& x, std::int64_t dim, std::int64_t amount, bool isFront) {
    const std::int64_t size = x.tensor.sizes[static_cast<std::size_t>(dim)];
    Sizes repeats = ones(x.tensor.rank());
    repeats[static_cast<std::size_t>(dim)] = amount;
    return tile(call.emit, slice(call.emit, x, dim, isFront ? 0 : size - 1, 1), repeats);
  });
}

}  // namespace

void registerTosaPadding(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"ConstantPadNdOp"}, byConstant, kAnyOperand);
  addTosa(registries, {"ReflectionPad1dOp", "ReflectionPad2dOp", "ReflectionPad3dOp"}, byReflection,
          kAnySign);
  addTosa(registries, {"ReplicationPad2dOp", "ReplicationPad3dOp"}, byReplication, kAnySign);
}

}  // namespace fxs::registry
