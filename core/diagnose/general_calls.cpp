// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/general_calls.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnose/static_sizes.h"
#include "fx/text.h"
#include "rewrite/draft.h"

namespace fxs::diagnose {
namespace {

/// Replacements of more nodes are not tried with other sizes.
constexpr std::size_t kMostNodes = 200;
constexpr int kStatic = -1;
constexpr int kMoreRanks = 2;
constexpr std::int64_t kOther = 2;  // the size of a dimension that the call does not have
constexpr std::array<DType, 4> kFloats{DType::Float32, DType::Float64, DType::Float16,
                                       DType::BFloat16};

/// The dimensions from the outermost in memory; in their order if elements are not dense.
std::vector<std::size_t> orderInMemory(const fx::TensorMeta& meta) {
  const auto sizes = fx::staticSizes(meta.sizes), strides = fx::staticSizes(meta.strides);
  const bool isKnown = sizes && strides && meta.strides != fx::contiguousStrides(meta.sizes);
  if (const auto order = isKnown ? fx::orderInMemory(*sizes, *strides) : std::nullopt)
    return *order;
  std::vector<std::size_t> inTurn(meta.rank());
  std::iota(inTurn.begin(), inTurn.end(), 0);
  return inTurn;
}

/// The tensor with these sizes, in the same order in memory.
fx::TensorMeta resized(fx::TensorMeta meta, std::vector<fx::SymInt> sizes,
                       const std::vector<std::size_t>& order) {
  std::vector<fx::SymInt> inOrder;
  for (const std::size_t d : order) inOrder.push_back(sizes[d]);
  const std::vector<fx::SymInt> dense = fx::contiguousStrides(inOrder);
  for (std::size_t i = 0; i < order.size(); ++i) meta.strides[order[i]] = dense[i];
  meta.sizes = std::move(sizes);
  return meta;
}

/// A call and its replacement, and what of them has been tried.
class Generalization {
 public:
  Generalization(const rewrite::ReplacedCall& call, const Rewriting& rewriting,
                 const RunContext& context)
      : call_(call), rewriting_(rewriting), context_(context) {}

  Result<rewrite::ReplacedCall> run();

 private:
  using Classes = std::vector<int>;  ///< of `sizes_`: equal numbers for one symbol, or kStatic
  struct Other {
    int ranks = 0;  ///< added to each
    DType floats = DType::Unknown;
  };
  bool canBeOther();
  Result<std::optional<rewrite::ReplacedCall>> rewritten(const Classes&, const Other&);
  /// With symbols in these places, if it is the call again with their numbers; else std::nullopt.
  Result<std::optional<rewrite::ReplacedCall>> with(const Classes&);
  Result<Classes> mostSymbols();
  Result<bool> isWrittenAs(const std::string& text, const Classes&, const Other&);
  Result<bool> isOfAnyRank(const rewrite::ReplacedCall&, const Classes&);
  Result<bool> isOfAnyFloat(const rewrite::ReplacedCall&, const Classes&);

  const rewrite::ReplacedCall& call_;
  const Rewriting& rewriting_;
  const RunContext& context_;
  std::vector<std::int64_t> sizes_;  ///< of the inputs, one after the other
  std::string text_;                 ///< of `call_`
};

bool Generalization::canBeOther() {
  const fx::Program& program = *call_.call;
  if (call_.replacement->nodes.size() > kMostNodes) return false;
  for (const fx::Node& node : program.nodes) {
    if (node.op == fx::NodeOp::Output) continue;
    // A size of a result may be known only at run time.
    const auto isOther = [&](const fx::Value& value) {
      const fx::TensorMeta* meta = value.tensor();
      return meta != nullptr && (node.op != fx::NodeOp::Placeholder || meta->isStaticShape());
    };
    const fx::ValueList* parts = node.val.list();
    if (parts != nullptr ? !std::ranges::all_of(*parts, isOther) : !isOther(node.val)) return false;
    if (node.op != fx::NodeOp::Placeholder) continue;
    for (const fx::SymInt& size : node.val.tensor()->sizes) sizes_.push_back(size.value());
  }
  return true;
}

fx::SymInt symbolOf(const std::string& name, std::int64_t value) {
  return fx::SymInt(fx::SymExpr::symbol(name), value);
}

/// The value with a symbol for each size, which no other value has: rewriting that reads one of
/// them has no tensor to read it of.
fx::Value unknownSizes(const fx::Value& value, int ranks, int& next) {
  if (const fx::ValueList* parts = value.list()) {
    fx::ValueList out;
    for (const fx::Value& part : *parts) out.push_back(unknownSizes(part, ranks, next));
    return out;
  }
  fx::TensorMeta meta = *value.tensor();
  const auto unknown = [&](std::int64_t size) {
    return symbolOf("r" + std::to_string(next++), size);
  };
  std::vector<fx::SymInt> sizes;
  if (ranks == 0) {
    for (const fx::SymInt& size : meta.sizes)
      sizes.push_back(size.isStatic() ? unknown(size.value()) : size);
    const std::vector<std::size_t> order = orderInMemory(meta);
    return resized(std::move(meta), std::move(sizes), order);
  }
  for (int left = static_cast<int>(meta.rank()) + ranks; left > 0; --left)
    sizes.push_back(unknown(kOther));
  meta.strides = fx::contiguousStrides(sizes);
  meta.sizes = std::move(sizes);
  return meta;
}

DType floatOf(const fx::Value& value) {
  const fx::TensorMeta* meta = value.tensor();
  return meta != nullptr && isFloating(meta->dtype) ? meta->dtype : DType::Unknown;
}

void setFloats(fx::Value& value, DType from, DType to) {
  if (auto* meta = std::get_if<fx::TensorMeta>(&value); meta != nullptr && meta->dtype == from)
    meta->dtype = to;
  if (auto* parts = std::get_if<fx::ValueList>(&value))
    for (fx::Value& part : *parts) setFloats(part, from, to);
}

Result<std::optional<rewrite::ReplacedCall>> Generalization::rewritten(const Classes& classes,
                                                                       const Other& other) {
  auto twin = std::make_shared<fx::Program>(*call_.call);
  DType floats = DType::Unknown;
  int next = 0;
  std::size_t at = 0;
  for (fx::Node& node : twin->nodes) {
    if (node.op == fx::NodeOp::Output) continue;
    if (node.op != fx::NodeOp::Placeholder) {
      node.val = unknownSizes(node.val, other.ranks, next);
      continue;
    }
    fx::TensorMeta meta = *node.val.tensor();
    if (floats == DType::Unknown) floats = floatOf(node.val);
    std::vector<fx::SymInt> sizes;
    for (std::size_t d = 0; d < meta.rank(); ++d, ++at)
      sizes.push_back(classes[at] == kStatic
                          ? fx::SymInt(sizes_[at])
                          : symbolOf("s" + std::to_string(classes[at]), sizes_[at]));
    if (other.ranks == 0) {
      node.val = resized(meta, std::move(sizes), orderInMemory(meta));
      continue;
    }
    if (other.ranks < 0) sizes.erase(sizes.begin(), sizes.begin() - other.ranks);
    for (int i = 0; i < other.ranks; ++i)
      sizes.insert(sizes.begin(), symbolOf("t" + std::to_string(next++), kOther));
    meta.strides = fx::contiguousStrides(sizes);
    meta.sizes = std::move(sizes);
    node.val = meta;
  }
  if (other.floats != DType::Unknown)
    for (fx::Node& node : twin->nodes) setFloats(node.val, floats, other.floats);
  if (!fx::verify(*twin)) return std::nullopt;
  auto replacement = rewriting_(twin);
  if (!replacement && replacement.error().code == ErrorCode::Cancelled)
    return tl::unexpected<Error>(replacement.error());
  if (!replacement || fx::dump(**replacement) == fx::dump(*twin)) return std::nullopt;
  return rewrite::ReplacedCall{std::move(twin), *std::move(replacement)};
}

Result<std::optional<rewrite::ReplacedCall>> Generalization::with(const Classes& classes) {
  FXS_TRY(std::optional<rewrite::ReplacedCall> twin, rewritten(classes, {}));
  if (!twin) return std::nullopt;
  std::map<std::string, std::int64_t> sizes = chosenSizes(*twin->replacement);
  std::erase_if(sizes, [](const auto& size) { return isUnbacked(size.first); });
  const auto numbers = withNumbers(twin->replacement, sizes);
  if (!numbers || !rewrite::pythonFunction({*twin})) return std::nullopt;
  const auto alone =
      rewrite::finish(**numbers, call_.call->original, context_, rewrite::Unused::All);
  if (!alone) return std::nullopt;
  const auto text = rewrite::pythonFunction({{call_.call, *alone}});
  if (!text || *text != text_) return std::nullopt;
  return twin;
}

/// Symbols for all sizes, each its own if that is possible. A size of 1 and equal ones may be what
/// the rewriting depends on.
Result<Generalization::Classes> Generalization::mostSymbols() {
  Classes all(sizes_.size());
  std::iota(all.begin(), all.end(), 0);
  const auto isTaken = [&](const Classes& classes) -> Result<bool> {
    FXS_TRY(const auto twin, with(classes));
    return twin.has_value();
  };
  FXS_TRY(bool taken, isTaken(all));
  if (taken) return all;
  Classes best(sizes_.size(), kStatic);
  std::map<std::int64_t, std::vector<std::size_t>> equal;
  for (std::size_t i = 0; i < sizes_.size(); ++i) equal[sizes_[i]].push_back(i);
  for (const auto& [value, members] : equal) {
    Classes tried = best;
    for (const std::size_t i : members) tried[i] = static_cast<int>(members.front());
    FXS_TRY(taken, isTaken(tried));
    if (taken) best = tried;
  }
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    if (best[i] == static_cast<int>(i)) continue;
    Classes tried = best;
    tried[i] = static_cast<int>(i);
    FXS_TRY(taken, isTaken(tried));
    if (taken) best = tried;
  }
  return best;
}

Result<bool> Generalization::isWrittenAs(const std::string& text, const Classes& classes,
                                         const Other& other) {
  FXS_TRY(std::optional<rewrite::ReplacedCall> twin, rewritten(classes, other));
  if (!twin) return false;
  twin->isOfAnyRank = other.ranks != 0;
  twin->isOfAnyFloat = other.floats != DType::Unknown;
  const auto written = rewrite::pythonFunction({*twin});
  return written && *written == text;
}

Result<bool> Generalization::isOfAnyRank(const rewrite::ReplacedCall& call,
                                         const Classes& classes) {
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (classes[i] != static_cast<int>(i)) return false;
  int least = std::numeric_limits<int>::max();
  for (const fx::Node& node : call.call->nodes)
    if (node.op == fx::NodeOp::Placeholder)
      least = std::min(least, static_cast<int>(node.val.tensor()->rank()));
  rewrite::ReplacedCall any = call;
  any.isOfAnyRank = true;
  FXS_TRY(const std::string text, rewrite::pythonFunction({any}));
  for (int ranks = -least; ranks <= kMoreRanks; ++ranks) {
    if (ranks == 0) continue;
    FXS_TRY(const bool same, isWrittenAs(text, classes, {ranks}));
    if (!same) return false;
  }
  return true;
}

Result<bool> Generalization::isOfAnyFloat(const rewrite::ReplacedCall& call,
                                          const Classes& classes) {
  DType floats = DType::Unknown;
  for (const fx::Node& node : call.call->nodes) {
    for (const fx::NodeArgument& argument : node.args)
      if (std::holds_alternative<DType>(argument.value)) return false;
    if (node.op != fx::NodeOp::Placeholder) continue;
    const DType own = floatOf(node.val);
    if (floats == DType::Unknown) floats = own;
    if (own != DType::Unknown && own != floats) return false;
  }
  if (floats == DType::Unknown) return false;
  rewrite::ReplacedCall any = call;
  any.isOfAnyFloat = true;
  FXS_TRY(const std::string text, rewrite::pythonFunction({any}));
  for (const DType dtype : kFloats) {
    if (dtype == floats) continue;
    FXS_TRY(const bool same, isWrittenAs(text, classes, {0, dtype}));
    if (!same) return false;
  }
  return true;
}

Result<rewrite::ReplacedCall> Generalization::run() {
  if (!canBeOther()) return call_;
  const auto text = rewrite::pythonFunction({call_});
  if (!text) return call_;
  text_ = *text;
  FXS_TRY(const Classes classes, mostSymbols());
  FXS_TRY(std::optional<rewrite::ReplacedCall> general, with(classes));
  if (!general) return call_;
  FXS_TRY(const bool isOfAnyRank, this->isOfAnyRank(*general, classes));
  FXS_TRY(general->isOfAnyFloat, isOfAnyFloat(*general, classes));
  general->isOfAnyRank = isOfAnyRank;
  general->isGeneral = true;
  return *std::move(general);
}

}  // namespace

Result<rewrite::ReplacedCall> generalized(const rewrite::ReplacedCall& call,
                                          const Rewriting& rewriting, const RunContext& context) {
  return Generalization(call, rewriting, context).run();
}

}  // namespace fxs::diagnose
