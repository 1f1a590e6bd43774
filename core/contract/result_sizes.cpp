// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract/result_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "contract/example_sizes.h"

namespace fxs::contract {
namespace {

/// Added to sizes to tell symbols apart: every small number divides it, so that sizes that must be
/// multiples stay so.
constexpr std::int64_t kBetweenSymbols = 2520;

using Symbols = std::map<std::string, std::int64_t>;

std::optional<std::vector<std::int64_t>> sizesWith(const Symbols& symbols,
                                                   const std::vector<fx::SymInt>& sizes) {
  std::vector<std::int64_t> out;
  for (const fx::SymInt& size : sizes) {
    const auto value = fx::evaluate(size, symbols);
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  return out;
}

/// Another number for each symbol, in the same order; the same ones where their ranges do not allow
/// it.
Symbols distinguished(const Symbols& exported, const fx::Program& program) {
  std::vector<std::pair<std::int64_t, std::string>> bySize;
  for (const auto& [name, size] : exported) bySize.emplace_back(size, name);
  std::sort(bySize.begin(), bySize.end());
  Symbols out;
  std::int64_t added = 0;
  for (const auto& [size, name] : bySize) {
    added += kBetweenSymbols;
    const auto range = std::find_if(program.ranges.begin(), program.ranges.end(),
                                    [&](const fx::RangeConstraint& r) { return r.symbol == name; });
    std::int64_t other = 0;
    if (__builtin_add_overflow(size, added, &other) ||
        (range != program.ranges.end() && range->max && other > *range->max))
      return exported;
    out.emplace(name, other);
  }
  return out;
}

std::string written(const Symbols& symbols) {
  std::string out;
  for (const auto& [name, size] : symbols)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name, size);
  return out;
}

/// Whether a node writes to its operand: then the function's result is what it wrote to, of which
/// the operand may be a view.
bool writes(const fx::Node& node) {
  const std::string_view target = node.target;
  const std::string_view name = target.substr(0, target.rfind('.'));
  return name.ends_with('_') && !name.ends_with("__");
}

class Comparison {
 public:
  Comparison(const mlir::Module& module, const mlir::Function& function, const Promise& promise,
             const fx::Program& user, const GivenSizes& given)
      : module_(module), function_(function), promise_(promise), user_(user), given_(given) {}

  std::vector<WrongSize> run() {
    Symbols exported;
    for (std::size_t i = 0; i < promise_.signature().arguments.size(); ++i) {
      const fx::TensorMeta* meta =
          tensorOf(promise_.argumentNode(i), promise_.signature().arguments[i]);
      arguments_.push_back(meta);
      if (meta == nullptr) continue;
      for (const fx::SymInt& size : meta->sizes)
        if (!size.isStatic() && size.expr()->kind == fx::SymExpr::Kind::Symbol && size.hint())
          exported.try_emplace(size.expr()->name, *size.hint());
    }
    if (exported.empty()) return {};
    compare(exported);
    compare(distinguished(exported, user_));
    return std::move(out_);
  }

 private:
  /// The tensor of a node in the user's program; null if the RAW module has another type there.
  const fx::TensorMeta* tensorOf(fx::NodeId node, std::string_view type) const {
    const fx::TensorMeta* meta =
        node.valid() && node.index() < user_.nodes.size() ? user_.node(node).val.tensor() : nullptr;
    const auto promised = mlir::tensorType(type);
    if (meta == nullptr || !promised || meta->rank() != promised->sizes.size()) return nullptr;
    for (std::size_t d = 0; d < meta->rank(); ++d)
      if (promised->sizes[d] != kDynamic &&
          promised->sizes[d] != meta->sizes[d].hint().value_or(promised->sizes[d]))
        return nullptr;
    return meta;
  }

  void compare(const Symbols& symbols) {
    std::map<mlir::ValueId, std::vector<std::int64_t>> given;
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      if (arguments_[i] != nullptr)
        if (auto sizes = sizesWith(symbols, arguments_[i]->sizes))
          given.emplace(function_.argumentValues[i], *std::move(sizes));
    ExampleSizes text(module_, std::move(given));
    for (std::size_t i = 0; i < promise_.signature().results.size(); ++i)
      if (!seen_.contains(i)) compareResult(i, text, symbols);
  }

  void compareResult(std::size_t result, ExampleSizes& text, const Symbols& symbols) {
    const std::string_view type = promise_.signature().results[result];
    const fx::TensorMeta* meta = tensorOf(promise_.resultNode(result), type);
    if (meta == nullptr || writes(user_.node(promise_.resultNode(result)))) return;
    const auto promised = mlir::tensorType(type);
    for (std::size_t d = 0; d < meta->rank(); ++d) {
      const auto wanted = fx::evaluate(meta->sizes[d], symbols);
      const auto found = wanted && promised->sizes[d] == kDynamic
                             ? text.size(function_.resultValues[result], d)
                             : std::nullopt;
      if (!found || found == wanted || found == given_.of(meta->sizes[d])) continue;
      out_.push_back({result, d, *found, *wanted, written(symbols)});
      seen_.insert(result);
      return;
    }
  }

  const mlir::Module& module_;
  const mlir::Function& function_;
  const Promise& promise_;
  const fx::Program& user_;
  const GivenSizes& given_;
  std::vector<const fx::TensorMeta*> arguments_;
  std::set<std::size_t> seen_;
  std::vector<WrongSize> out_;
};

}  // namespace

std::vector<WrongSize> wrongSizes(const mlir::Module& module, const Promise& promise,
                                  const fx::Program& user, const GivenSizes& given) {
  if (promise.functionName().empty()) return {};
  const auto function = mlir::functionIn(module, promise.functionName());
  if (!function || function->argumentValues.size() != promise.signature().arguments.size() ||
      function->resultValues.size() != promise.signature().results.size())
    return {};
  return Comparison(module, *function, promise, user, given).run();
}

}  // namespace fxs::contract
