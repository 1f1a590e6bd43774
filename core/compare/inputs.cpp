#include "compare/inputs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/joined.h"
#include "compare/guards.h"
#include "compare/input_rules.h"
#include "compare/random.h"

namespace fxs::compare {
namespace {

using Draw = InputRule::Draw;
using tensor::Tensor;

constexpr std::uint64_t kOneInZero = 32;   // floats that are exactly 0
constexpr std::uint64_t kOneInMasked = 4;  // elements that a mask takes out
constexpr double kFarBelow = -10'000;      // exp() of it is 0, and half types can hold it
constexpr double kLeastDivisor = 0.125;
constexpr std::int64_t kMostSolved = 4096;  // values of s0 that are tried for a size such as s0//2
constexpr std::uint64_t kMostPermuted = std::uint64_t{1} << 22;

DType dtypeOf(const fx::SymValue& symbol) {
  return symbol.kind == fx::SymKind::Int ? DType::Int64 : symbol.kind == fx::SymKind::Bool ? DType::Bool : DType::Float64;
}

std::int64_t rowLength(const std::vector<std::int64_t>& sizes) { return sizes.empty() ? 1 : std::max<std::int64_t>(sizes.back(), 1); }

/// Draws the elements of one input.
class Elements {
 public:
  Elements(const InputRule& rule, DType dtype, const std::vector<std::int64_t>& sizes, std::uint64_t count, Random random)
      : rule_(rule), dtype_(dtype), sizes_(sizes), values_(count * (isComplex(dtype) ? 2 : 1)), random_(random) {}

  std::vector<double> draw() && {
    switch (rule_.draw) {
      case Draw::Normal: normal(); break;
      case Draw::Uniform: uniform(); break;
      case Draw::Integers: integers(); break;
      case Draw::Mask: mask(); break;
      case Draw::AdditiveMask: additiveMask(); break;
      case Draw::Offsets: offsets(); break;
    }
    if (rule_.isSorted) sortRows();
    return std::move(values_);
  }

 private:
  void normal() {
    for (double& value : values_) {
      value = random_.normal();
      const bool isZero = random_.below(kOneInZero) == 0;
      if (isZero && !rule_.isNonzero) value = 0;
      if (rule_.isNonzero) value += value < 0 ? -kLeastDivisor : kLeastDivisor;
    }
    if (values_.size() < 4) return;
    // Also a small tensor has a zero and both signs.
    values_[0] = std::abs(values_[0]);
    values_[1] = -std::abs(values_[1]);
    if (!rule_.isNonzero) values_[2 + random_.below(values_.size() - 2)] = 0;
  }
  void uniform() {
    for (double& value : values_) value = rule_.min + (rule_.max - rule_.min) * random_.uniform();
  }

  void integers() {
    const auto count = static_cast<std::uint64_t>(rule_.max - rule_.min) + 1;
    if (!rule_.distinctAlong) {
      for (double& value : values_) value = rule_.min + static_cast<double>(random_.below(count));
      return;
    }
    // Lines of elements that should differ: all of them, or those along one dimension.
    const std::size_t along = *rule_.distinctAlong;
    const bool isEverywhere = along >= sizes_.size() || values_.size() <= count;
    const std::uint64_t length = isEverywhere ? values_.size() : static_cast<std::uint64_t>(sizes_[along]);
    std::uint64_t stride = 1;
    for (std::size_t i = along + 1; !isEverywhere && i < sizes_.size(); ++i) stride *= static_cast<std::uint64_t>(sizes_[i]);
    std::vector<std::uint64_t> places;
    for (std::uint64_t i = 0; i < values_.size(); ++i) {
      if ((i / stride) % length != 0) continue;
      permute(places, count);
      for (std::uint64_t k = 0; k < length; ++k) values_[i + k * stride] = rule_.min + static_cast<double>(places[k % places.size()]);
    }
  }
  /// 0 .. count-1 in random order; of a large `count` only the first.
  void permute(std::vector<std::uint64_t>& places, std::uint64_t count) {
    places.resize(std::min(count, kMostPermuted));
    std::iota(places.begin(), places.end(), std::uint64_t{0});
    for (std::uint64_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[random_.below(i)]);
  }

  void mask() {
    if (sizes_.empty()) {
      values_[0] = static_cast<double>(random_.below(2));
      return;
    }
    const auto length = static_cast<std::uint64_t>(rowLength(sizes_));
    for (std::uint64_t row = 0; row < values_.size(); row += length) {
      // With a causal mask, the first row attends to its first element only.
      values_[row] = 1;
      for (std::uint64_t i = 1; i < length; ++i) values_[row + i] = random_.below(kOneInMasked) == 0 ? 0 : 1;
      if (length > 1) values_[row + 1 + random_.below(length - 1)] = 0;
    }
  }
  void additiveMask() {
    const auto length = static_cast<std::uint64_t>(rowLength(sizes_));
    for (std::uint64_t i = 0; i < values_.size(); ++i) {
      values_[i] = random_.normal();
      const bool isMasked = random_.below(kOneInMasked) == 0;
      if (isMasked && i % length != 0) values_[i] = kFarBelow;
    }
  }
  void offsets() {
    const double count = static_cast<double>(values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = std::floor(static_cast<double>(i) * rule_.max / count);
  }

  void sortRows() {
    const auto length = static_cast<std::ptrdiff_t>(rowLength(sizes_));
    for (auto row = values_.begin(); row != values_.end(); row += length) std::sort(row, row + length);
  }

  const InputRule& rule_;
  DType dtype_;
  const std::vector<std::int64_t>& sizes_;
  std::vector<double> values_;
  Random random_;
};

Result<std::vector<std::int64_t>> sizesOf(const fx::Node& node, const fx::TensorMeta& meta, const Sizes& sizes) {
  std::vector<std::int64_t> out;
  for (const fx::SymInt& size : meta.sizes) {
    const auto value = size.isStatic() ? std::optional(size.value()) : fx::evaluate(*size.expr(), sizes);
    if (!value || *value < 0)
      return fail(ErrorCode::Unsupported, "input '" + node.name + "': its size " + size.text() + " cannot be computed");
    out.push_back(*value);
  }
  return out;
}

Result<Tensor> drawTensor(const fx::Node& node, const InputRule& rule, const Sizes& sizes, Random random, const RunContext& context) {
  const fx::TensorMeta& meta = *node.val.tensor();
  if (meta.dtype == DType::Unknown || meta.layout != Layout::Strided)
    return fail(ErrorCode::Unsupported, "input '" + node.name + "': " + meta.text() + " cannot be drawn, only dense tensors");
  FXS_TRY(std::vector<std::int64_t> dimensions, sizesOf(node, meta, sizes));
  const auto count = tensor::elementCount(dimensions);
  if (!count || *count > UINT64_MAX / 64)
    return fail(ErrorCode::Unsupported, "input '" + node.name + "': " + meta.text() + " is too large");
  // Elements are drawn as doubles.
  context.spend(Resource::Text, *count * (sizeof(double) + static_cast<std::uint64_t>(facts(meta.dtype).bytes)),
                "input '" + node.name + "'");
  std::vector<double> values = *count == 0 ? std::vector<double>() : Elements(rule, meta.dtype, dimensions, *count, random).draw();
  return tensor::tensorFrom(meta.dtype, std::move(dimensions), values);
}

Result<Tensor> drawNumber(const fx::Node& node, const Sizes& sizes, Random random) {
  const fx::SymValue& symbol = *node.val.symbol();
  if (symbol.kind == fx::SymKind::Float) return tensor::tensorFrom(DType::Float64, {}, {0.5 + random.uniform()});
  const auto value = fx::evaluate(*symbol.expr, sizes);
  if (!value)
    return fail(ErrorCode::Unsupported, "input '" + node.name + "': its value " + fx::infix(*symbol.expr) + " cannot be computed");
  return tensor::tensorFrom(dtypeOf(symbol), {}, {static_cast<double>(*value)});
}

Result<> checkUserInputs(const fx::Program& program) {
  for (const fx::InputSpec& spec : program.inputs) {
    const fx::Node& node = program.node(spec.node);
    if (spec.kind == fx::InputKind::CustomObject || std::holds_alternative<fx::CustomObject>(node.val))
      return fail(ErrorCode::Unsupported, "input '" + node.name + "' is a custom object, which cannot be given");
    if (spec.kind == fx::InputKind::UserInput && std::holds_alternative<fx::Unknown>(node.val))
      return fail(ErrorCode::Unsupported, "input '" + node.name + "': its type is not known");
  }
  return {};
}

// ---- From a file.

std::string storedType(const tensor::StoredTensor& stored) { return tensor::typeText(Tensor{stored.dtype, stored.sizes, {}}); }

/// Which tensor of a file belongs to which input.
Result<std::vector<const tensor::StoredTensor*>> matched(const fx::Program& program, const std::vector<const fx::Node*>& inputs,
                                                         const std::vector<tensor::StoredTensor>& stored, const std::string& label) {
  std::map<std::string_view, const tensor::StoredTensor*> byName;
  for (const tensor::StoredTensor& tensor : stored) byName.emplace(tensor.name, &tensor);
  // Arguments that are lists have several placeholders, and then names of arguments say nothing.
  const bool hasArgumentNames = program.inputNames.size() == inputs.size();
  std::vector<const tensor::StoredTensor*> out;
  std::string missing;
  bool anyFound = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    auto found = byName.find(inputs[i]->name);
    if (found == byName.end() && hasArgumentNames) found = byName.find(program.inputNames[i]);
    if (found == byName.end() && missing.empty()) missing = inputs[i]->name;
    anyFound |= found != byName.end();
    out.push_back(found == byName.end() ? nullptr : found->second);
  }
  if (missing.empty()) return out;
  if (!anyFound && stored.size() == inputs.size()) {
    for (std::size_t i = 0; i < stored.size(); ++i) out[i] = &stored[i];
    return out;
  }
  std::vector<std::string> names;
  for (const fx::Node* node : inputs) names.push_back(node->name);
  return fail(ErrorCode::Usage, label + ": there is no tensor '" + missing + "'; the inputs are " + joined(names));
}

/// The symbol of an expression that is not bound, if it is the only one.
std::optional<std::string> onlyUnbound(const fx::SymExpr& expr, const Sizes& bound) {
  std::set<std::string> unbound;
  fx::collectSymbols(expr, [&](const std::string& symbol) {
    if (!bound.contains(symbol)) unbound.insert(symbol);
  });
  return unbound.size() == 1 ? std::optional(*unbound.begin()) : std::nullopt;
}

/// Binds symbols to the sizes of a tensor: those that are sizes by themselves, else those whose value follows from an expression of them.
void bindSymbols(const fx::Node& node, const std::vector<std::int64_t>& sizes, bool isPlain, Sizes& bound, const RunContext& context) {
  const fx::TensorMeta* meta = node.val.tensor();
  for (std::size_t i = 0; meta != nullptr && i < std::min(meta->rank(), sizes.size()); ++i) {
    const fx::SymInt& size = meta->sizes[i];
    if (size.isStatic() || (size.expr()->kind == fx::SymExpr::Kind::Symbol) != isPlain) continue;
    const auto symbol = onlyUnbound(*size.expr(), bound);
    if (!symbol) continue;
    for (std::int64_t value = isPlain ? sizes[i] : 0; value <= std::max(sizes[i], kMostSolved); ++value) {
      context.spend(Resource::Values, 1, "the sizes of input '" + node.name + "'");
      bound[*symbol] = value;
      if (fx::evaluate(*size.expr(), bound) == sizes[i]) break;
      bound.erase(*symbol);
    }
  }
}

}  // namespace

Result<Inputs> drawInputs(const fx::Program& program, const Sizes& given, std::uint64_t seed, const RunContext& context) {
  FXS_CHECK(checkUserInputs(program));
  FXS_TRY(std::vector<Sizes> choices, sizesToTry(program, given, context));
  Inputs out;
  out.sizes = std::move(choices.front());
  std::vector<std::string> unmet;
  const std::vector<InputRule> rules = inputRules(program, out.sizes, unmet, context);
  std::uint64_t stream = 0;
  auto rule = rules.begin();
  for (const fx::Node* node : givenInputs(program)) {
    const Random random(seed, stream++);
    if (node->val.tensor() == nullptr) {
      FXS_TRY(Tensor number, drawNumber(*node, out.sizes, random));
      out.tensors.push_back(std::move(number));
      continue;
    }
    FXS_TRY(Tensor tensor, drawTensor(*node, *rule, out.sizes, random, context));
    out.tensors.push_back(std::move(tensor));
    if (!rule->why.empty()) out.notes.push_back(node->name + ": " + rule->why);
    ++rule;
  }
  out.notes.insert(out.notes.end(), unmet.begin(), unmet.end());
  for (const std::string& guard : sizeConditions(program, context).unread) out.notes.push_back("a guard was not checked: " + guard);
  return out;
}

Result<Inputs> inputsFrom(const fx::Program& program, const tensor::TensorFile& file, const std::string& label, const RunContext& context) {
  FXS_CHECK(checkUserInputs(program));
  const std::vector<const fx::Node*> inputs = givenInputs(program);
  FXS_TRY(const auto stored, matched(program, inputs, file.tensors(), label));
  Inputs out;
  for (const bool isPlain : {true, false})
    for (std::size_t i = 0; i < inputs.size(); ++i) bindSymbols(*inputs[i], stored[i]->sizes, isPlain, out.sizes, context);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const fx::Node& node = *inputs[i];
    const auto wrong = [&](const std::string& expected) {
      return fail(ErrorCode::Usage, label + ": input '" + node.name + "': expected " + expected + ", got " + storedType(*stored[i]));
    };
    if (const fx::SymValue* symbol = node.val.symbol()) {
      if (stored[i]->dtype != dtypeOf(*symbol) || tensor::elementCount(stored[i]->sizes) != 1)
        return wrong("a single " + std::string(facts(dtypeOf(*symbol)).shortName));
    } else {
      const fx::TensorMeta& meta = *node.val.tensor();
      bool fits = meta.dtype == stored[i]->dtype && meta.rank() == stored[i]->sizes.size();
      for (std::size_t d = 0; d < meta.rank() && fits; ++d) {
        const auto size = meta.sizes[d].isStatic() ? std::optional(meta.sizes[d].value()) : fx::evaluate(*meta.sizes[d].expr(), out.sizes);
        fits = size == stored[i]->sizes[d];
      }
      if (!fits) return wrong(meta.text());
    }
    FXS_TRY(Tensor tensor, file.read(*stored[i], context.budget->left(Resource::Text), context));
    if (const fx::SymValue* symbol = node.val.symbol()) {
      tensor.sizes.clear();
      if (symbol->expr->kind == fx::SymExpr::Kind::Symbol && symbol->kind == fx::SymKind::Int)
        out.sizes.emplace(symbol->expr->name, static_cast<std::int64_t>(tensor::elementAt(tensor, 0)));
    }
    context.spend(Resource::Text, tensor.bytes.size(), label);
    out.tensors.push_back(std::move(tensor));
  }
  // Ranges and guards are checked as for sizes that the user gives.
  const auto allowed = sizesToTry(program, out.sizes, context);
  if (!allowed) return fail(allowed.error().code, label + ": " + allowed.error().message);
  out.sizes = allowed->front();
  return out;
}

}  // namespace fxs::compare
