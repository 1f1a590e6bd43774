// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding with a constant. Negative amounts crop.
#include <algorithm>

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
tl::expected<Amounts, Refusal> amountsOf(Call& call, std::int64_t rank) {
  FXS_TAKE(given, call.integers("pad"));
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

Handled paddedWithConstant(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(given, call.number("value"));
  FXS_TAKE(amounts, amountsOf(call, x.tensor.rank()));
  const Scalar value = numberOf(given, call.resultDtype());
  const auto kept = [&](std::size_t d) {
    return plus(x.tensor.sizes[d], plus(std::min<std::int64_t>(0, amounts.before[d]),
                                        std::min<std::int64_t>(0, amounts.after[d])));
  };
  for (std::size_t d = 0; d < amounts.before.size(); ++d)
    if (kept(d) <= 0) return Values{call.emit.splat(result, value)};
  for (std::size_t d = 0; d < amounts.before.size(); ++d) {
    std::int64_t &before = amounts.before[d], &after = amounts.after[d];
    x = slice(call.emit, x, static_cast<std::int64_t>(d), std::max<std::int64_t>(0, -before),
              kept(d));
    before = std::max<std::int64_t>(0, before);
    after = std::max<std::int64_t>(0, after);
  }
  return Values{pad(call.emit, x, amounts.before, amounts.after, value)};
}

}  // namespace

void registerTosaPadding(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"ConstantPadNdOp"}, paddedWithConstant, kAnyOperand);
}

}  // namespace fxs::registry
