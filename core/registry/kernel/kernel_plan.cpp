// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/kernel/kernel_plan.h"

#include <algorithm>

#include "base/joined.h"
#include "base/nearest.h"
#include "fx/cost.h"
#include "registry/kernel/kernel_numbers.h"

namespace fxs::registry {
namespace {

constexpr std::int64_t kDefaultTile = 64;  // what Helion assumes before it tunes
constexpr std::int64_t kLargestTile = std::int64_t{1} << 24;

using BySymbol = std::map<std::string, fx::SymInt, std::less<>>;

/// Replaces symbols; what becomes numbers is evaluated. The depth of expressions is bounded by
/// kMaxMadeSymExprDepth.
fx::SymInt substituted(const fx::SymExprPtr& expr, const BySymbol& by) {
  switch (expr->kind) {
    case fx::SymExpr::Kind::Integer: return expr->integer;
    case fx::SymExpr::Kind::Symbol: {
      const auto found = by.find(expr->name);
      return found != by.end() ? found->second : fx::SymInt(expr);
    }
    case fx::SymExpr::Kind::Call: break;
    default: return fx::SymInt(expr);
  }
  std::vector<fx::SymInt> operands;
  std::vector<fx::SymExprPtr> expressions;
  bool isNumber = true;
  for (const fx::SymExprPtr& operand : expr->operands) {
    operands.push_back(substituted(operand, by));
    isNumber &= operands.back().isStatic();
    expressions.push_back(operands.back().isStatic()
                              ? fx::SymExpr::integerOf(operands.back().value())
                              : operands.back().expr());
  }
  fx::SymExprPtr out = fx::SymExpr::call(expr->name, std::move(expressions));
  if (isNumber)
    if (const auto number = fx::evaluate(*out, {})) return *number;
  if (operands.empty() || (expr->name != "Add" && expr->name != "Mul"))
    return fx::SymInt(std::move(out));
  fx::SymInt sum = operands.front();
  for (std::size_t i = 1; i < operands.size(); ++i)
    sum = expr->name == "Add" ? sum + operands[i] : sum * operands[i];
  return sum;
}

class Sizing {
 public:
  Sizing(const BySymbol& by, const RunContext& context) : by_(by), context_(context) {}

  void apply(fx::Value& value) const {
    if (auto* list = std::get_if<fx::ValueList>(&value))
      for (fx::Value& part : *list) apply(part);
    if (auto* meta = std::get_if<fx::TensorMeta>(&value)) {
      for (fx::SymInt& size : meta->sizes) size = sized(size);
      for (fx::SymInt& stride : meta->strides) stride = sized(stride);
      meta->storageOffset = sized(meta->storageOffset);
    }
    auto* symbol = std::get_if<fx::SymValue>(&value);
    if (symbol == nullptr || symbol->kind != fx::SymKind::Int || !symbol->expr) return;
    const fx::SymInt size = sized(fx::SymInt(symbol->expr));
    if (size.isStatic()) symbol->constant = size.value(), symbol->expr = nullptr;
    else symbol->expr = size.expr();
  }

  fx::SymInt sized(const fx::SymInt& size) const {
    if (size.isStatic()) return size;
    context_.spend(Resource::Values, fx::costOf(*size.expr()), "the sizes of tiles");
    bool uses = false;
    fx::collectSymbols(*size.expr(), [&](const std::string& name) { uses |= by_.contains(name); });
    return uses ? substituted(size.expr(), by_) : size;
  }

 private:
  const BySymbol& by_;
  const RunContext& context_;
};

Result<> checkChosen(const fx::Kernel& kernel, const BlockSizes& chosen) {
  for (const auto& [symbol, size] : chosen) {
    const auto block =
        std::find_if(kernel.blocks.begin(), kernel.blocks.end(),
                     [&](const fx::KernelBlock& each) { return each.symbol == symbol; });
    if (block == kernel.blocks.end()) {
      std::vector<std::string> known;
      for (const fx::KernelBlock& each : kernel.blocks)
        if (!each.isReduction) known.push_back(each.symbol);
      return fail(ErrorCode::Usage, "the kernel has no block '" + symbol + "'; " +
                                        (known.empty() ? "it has none that can be chosen"
                                                       : "it has " + joined(known, ", ")));
    }
    if (block->isReduction)
      return fail(
          ErrorCode::Usage,
          "block '" + symbol + "' is a whole dimension of a tensor, so its size cannot be chosen");
    if (block->fixed && size != *block->fixed)
      return fail(ErrorCode::Usage, "block '" + symbol + "' has the size " +
                                        std::to_string(*block->fixed) + " in the kernel");
    if (size < 1 || size > kLargestTile)
      return fail(ErrorCode::Usage, "a block size of " + std::to_string(size) + " for '" + symbol +
                                        "' is out of range; choose one from 1 to " +
                                        std::to_string(kLargestTile));
  }
  return {};
}

/// The size of a tile that nobody chose, not more than the block has.
std::int64_t usualTile(const fx::KernelBlock& block) {
  const std::int64_t tile =
      std::clamp(std::min(block.hint.value_or(kDefaultTile), block.largest.value_or(kLargestTile)),
                 std::int64_t{1}, kLargestTile);
  if (!block.extent || !block.extent->isStatic()) return tile;
  return std::clamp(block.extent->value(), std::int64_t{1}, tile);
}

}  // namespace

Result<std::shared_ptr<const KernelPlan>> planKernel(const fx::ProgramPtr& program,
                                                     const std::shared_ptr<const fx::Kernel>& from,
                                                     const BlockSizes& chosen,
                                                     const RunContext& context) {
  const fx::Kernel& kernel = *from;
  FXS_CHECK(checkChosen(kernel, chosen));
  auto out = std::make_shared<KernelPlan>();
  out->kernel = from;
  out->recorded = program;
  BySymbol by;
  for (const fx::KernelBlock& block : kernel.blocks) {
    std::optional<std::int64_t>& tile = out->tiles.emplace_back();
    if (block.isReduction) {
      if (block.extent) by.emplace(block.symbol, *block.extent);
      continue;
    }
    const auto given = chosen.find(block.symbol);
    if (block.isFixed && given == chosen.end()) {
      // Where a tile begins depends on it, so that another size is another kernel.
      if (block.fixed && *block.fixed >= 1 && *block.fixed <= kLargestTile)
        tile = block.fixed, by.emplace(block.symbol, *tile);
      continue;
    }
    tile = given != chosen.end() ? given->second : usualTile(block);
    by.emplace(block.symbol, *tile);
  }
  // hl.grid runs over numbers, not tiles.
  for (const auto& [symbol, means] : kernel.symbols) {
    if (means.kind != fx::KernelSymbol::Kind::Grid) continue;
    const auto block = static_cast<std::size_t>(means.block);
    out->tiles[block] = 1;
    by.insert_or_assign(kernel.blocks[block].symbol, fx::SymInt(1));
    by.erase(symbol);
  }
  auto sized = std::make_shared<fx::Program>(*program);
  const Sizing sizing(by, context);
  for (fx::Node& node : sized->nodes) sizing.apply(node.val);
  usePyTorchOperators(*sized);
  useTensorsForNumbers(*sized);
  out->sized = std::move(sized);
  return std::shared_ptr<const KernelPlan>(std::move(out));
}

}  // namespace fxs::registry
