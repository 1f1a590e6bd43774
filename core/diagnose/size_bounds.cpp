// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/size_bounds.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "diagnose/static_sizes.h"

namespace fxs::diagnose {
namespace {

/// Above it, what is computed beyond the size is not worth it.
constexpr std::int64_t kGreatest = std::int64_t{1} << 20;

/// Makes a size that its values decide on, without a bound of its own.
bool isNumber(const fx::Node& node) {
  return node.target == "aten.item.default" || node.target == "aten._local_scalar_dense.default" ||
         node.target == "aten.bincount.default";
}

/// The symbol that an expression is; "" for another form.
std::string symbolOf(const fx::SymInt& size) {
  if (size.isStatic() || size.expr()->kind != fx::SymExpr::Kind::Symbol) return {};
  return isUnbacked(size.expr()->name) ? size.expr()->name : std::string();
}
std::string symbolOf(const fx::Value& value) {
  const fx::SymValue* symbol = value.symbol();
  return symbol != nullptr && symbol->expr ? symbolOf(fx::SymInt(symbol->expr)) : std::string();
}

class BoundFinder {
 public:
  explicit BoundFinder(const fx::Program& program) : program_(program) {}

  Result<SizeBounds> run() {
    for (const fx::Node& node : program_.nodes) FXS_CHECK(seeSizes(node));
    for (const fx::Node& node : program_.nodes) {
      seeCount(node);
      seeNumber(node);
    }
    for (const fx::Node& node : program_.nodes) seeSlice(node);
    for (const fx::RangeConstraint& range : program_.ranges)
      if (range.max && numbers_.contains(range.symbol)) limit(range.symbol, *range.max);
    for (const auto& [symbol, node] : of_) {
      const auto found = out_.bounds.find(symbol);
      if (found == out_.bounds.end() || found->second.most > kGreatest || found->second.most < 1)
        return fail(ErrorCode::Unsupported,
                    "the size " + symbol + " of '" + node + "' has no upper bound");
    }
    findUnchecked();
    return std::move(out_);
  }

 private:
  Result<> seeSizes(const fx::Node& node) {
    std::string other;
    forEachDim(node.val, [&](const fx::SymInt& size) {
      if (const std::string symbol = symbolOf(size); !symbol.empty()) {
        of_.emplace(symbol, node.name);
        if (node.graph != program_.main().id) other = symbol;
      } else if (!size.isStatic()) {
        fx::collectSymbols(*size.expr(), [&](const std::string& s) {
          if (isUnbacked(s)) other = size.text();
        });
      }
    });
    if (other.empty()) return {};
    return fail(ErrorCode::Unsupported,
                "no upper bound is given to the size " + other + " of '" + node.name + "'");
  }
  static void forEachDim(const fx::Value& value,
                         const std::function<void(const fx::SymInt&)>& visit) {
    if (const fx::TensorMeta* tensor = value.tensor()) {
      for (const fx::SymInt& size : tensor->sizes) visit(size);
    } else if (const fx::ValueList* items = value.list()) {
      for (const fx::Value& item : *items) forEachDim(item, visit);
    }
  }

  void seeCount(const fx::Node& node) {
    const fx::TensorMeta* rows = node.val.tensor();
    if (node.target != "aten.nonzero.default" || rows == nullptr || rows->rank() != 2) return;
    const fx::NodeId* mask = node.args.empty() ? nullptr : node.args.front().value.node();
    const fx::TensorMeta* of = mask == nullptr ? nullptr : program_.node(*mask).val.tensor();
    const std::string symbol = symbolOf(rows->sizes[0]);
    if (of == nullptr || symbol.empty()) return;
    if (const fx::SymInt count = fx::elementCount(of->sizes); count.isStatic()) {
      limit(symbol, count.value());
      out_.bounds[symbol].isCount = true;
    }
  }
  void seeNumber(const fx::Node& node) {
    if (!isNumber(node)) return;
    const fx::TensorMeta* counts = node.val.tensor();
    const bool isSize = counts != nullptr && counts->rank() == 1;
    const std::string symbol = isSize ? symbolOf(counts->sizes[0]) : symbolOf(node.val);
    if (of_.contains(symbol)) numbers_.insert(symbol);
  }
  /// The end of a slice is at most the size of what is sliced.
  void seeSlice(const fx::Node& node) {
    const bool isNarrow = node.target == "aten.narrow.default";
    if (!isNarrow && node.target != "aten.slice.Tensor") return;
    const fx::TensorMeta* out = node.val.tensor();
    const fx::NodeId* self = node.args.empty() ? nullptr : node.args.front().value.node();
    const fx::TensorMeta* in = self == nullptr ? nullptr : program_.node(*self).val.tensor();
    if (out == nullptr || in == nullptr || in->rank() != out->rank()) return;
    const fx::NodeArgument* start = node.find("start");
    const std::int64_t* from = start == nullptr ? nullptr : start->value.integer();
    for (std::size_t d = 0; d < out->rank(); ++d)
      if (const std::string symbol = symbolOf(out->sizes[d]);
          numbers_.contains(symbol) && in->sizes[d].isStatic())
        limit(symbol, in->sizes[d].value() - (from != nullptr && *from > 0 ? *from : 0));
  }

  void limit(const std::string& symbol, std::int64_t most) {
    const auto [at, isNew] = out_.bounds.emplace(symbol, SizeBound{most, false});
    if (!isNew) at->second.most = std::min(at->second.most, most);
  }

  void findUnchecked() {
    for (const fx::Node& node : program_.nodes) {
      const fx::SymExprPtr condition = fx::assertedBy(program_, node);
      if (!condition) continue;
      bool ofNumber = false;
      fx::collectSymbols(*condition,
                         [&](const std::string& s) { ofNumber |= numbers_.contains(s); });
      std::string text = fx::infix(*condition);
      if (ofNumber &&
          std::find(out_.unchecked.begin(), out_.unchecked.end(), text) == out_.unchecked.end())
        out_.unchecked.push_back(std::move(text));
    }
  }

  const fx::Program& program_;
  std::map<std::string, std::string> of_;  // a node with it, by symbol
  std::set<std::string> numbers_;          // symbols that are read from a tensor
  SizeBounds out_;
};

}  // namespace

std::map<std::string, std::int64_t> SizeBounds::numbers() const {
  std::map<std::string, std::int64_t> out;
  for (const auto& [symbol, bound] : bounds) out[symbol] = bound.most;
  return out;
}

std::vector<std::string> sizeSymbols(const fx::TensorMeta& tensor) {
  std::vector<std::string> out;
  for (const fx::SymInt& size : tensor.sizes) out.push_back(symbolOf(size));
  return out;
}

bool dependsOn(const fx::Value& value, const SizeBounds& sizes) {
  if (const fx::TensorMeta* tensor = value.tensor()) {
    const std::vector<std::string> symbols = sizeSymbols(*tensor);
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](const std::string& s) { return sizes.bounds.contains(s); });
  }
  if (const fx::ValueList* items = value.list())
    return std::any_of(items->begin(), items->end(),
                       [&](const fx::Value& item) { return dependsOn(item, sizes); });
  const fx::SymValue* symbol = value.symbol();
  bool any = false;
  if (symbol != nullptr && symbol->expr)
    fx::collectSymbols(*symbol->expr,
                       [&](const std::string& s) { any |= sizes.bounds.contains(s); });
  return any;
}

Result<SizeBounds> sizeBoundsOf(const fx::Program& program) { return BoundFinder(program).run(); }

}  // namespace fxs::diagnose
