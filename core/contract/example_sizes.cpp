// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract/example_sizes.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/number_from.h"
#include "mlir/text/function_types.h"

namespace fxs::contract {
namespace {

constexpr int kMaxDepth = 64;

/// An operation and its operand that gives sizes of its result.
struct SizeSource {
  std::string_view op;
  std::size_t operand;
};
/// .. a tensor of the same size.
constexpr std::array<SizeSource, 4> kSameSize{{{"tensor.cast", 0},
                                               {"torch.tensor_static_info_cast", 0},
                                               {"tensor.insert_slice", 1},
                                               {"tensor.insert", 1}}};
/// .. the first of the sizes that are not static.
constexpr std::array<SizeSource, 3> kSizes{
    {{"tensor.empty", 0}, {"tensor.generate", 0}, {"tensor.expand_shape", 1}}};
/// .. a shape.
constexpr std::array<SizeSource, 3> kShape{{{"tensor.reshape", 1},
                                            {"stablehlo.dynamic_reshape", 1},
                                            {"stablehlo.dynamic_broadcast_in_dim", 1}}};

template <std::size_t Count>
std::optional<std::size_t> sourceIn(const std::array<SizeSource, Count>& sources,
                                    std::string_view op) {
  for (const SizeSource& source : sources)
    if (source.op == op) return source.operand;
  return std::nullopt;
}

/// The parts of a list whose `[` ends before `at`, which is moved behind its `]`; of nested lists,
/// theirs.
std::vector<std::string_view> itemsIn(std::string_view head, std::size_t& at) {
  std::vector<std::string_view> items;
  std::size_t depth = 1, from = at;
  bool nested = false;
  for (; at < head.size() && depth > 0; ++at) {
    const char c = head[at];
    if (c == '[' && depth == 1) nested = true, from = at + 1;
    if (c == '[') ++depth;
    if (c == ']') --depth;
    const bool endsInner = nested && c == ']' && depth == 1;
    const bool endsItem = !nested && (depth == 0 || (c == ',' && depth == 1));
    if (!endsInner && !endsItem) continue;
    const std::string_view item = trimmed(head.substr(from, at - from));
    if (nested || !item.empty()) items.push_back(item);
    from = at + 1;
  }
  return items;
}

/// Lists of `[a, b]` in the head of an operation, nested ones as one list of their parts: "[[0, 1],
/// [2]]" is {"0, 1", "2"}.
std::vector<std::vector<std::string_view>> listsIn(std::string_view head) {
  std::vector<std::vector<std::string_view>> out;
  for (std::size_t at = head.find('['); at != std::string_view::npos; at = head.find('[', at))
    out.push_back(itemsIn(head, ++at));
  return out;
}

/// The place of a dimension among those that are `?`.
std::size_t dynamicIndex(const mlir::TensorType& type, std::size_t dimension) {
  return static_cast<std::size_t>(
      std::count(type.sizes.begin(), type.sizes.begin() + static_cast<std::ptrdiff_t>(dimension),
                 mlir::kDynamic));
}

/// The result of an operation of the dialect arith on sizes; std::nullopt if it is not known.
std::optional<std::int64_t> arithmetic(std::string_view op, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (op == "arith.addi")
    return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  if (op == "arith.subi")
    return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  if (op == "arith.muli")
    return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  if (op == "arith.maxsi") return std::max(a, b);
  if (op == "arith.minsi") return std::min(a, b);
  if (a < 0 || b <= 0) return std::nullopt;  // sizes and their divisors
  if (op == "arith.floordivsi" || op == "arith.divsi") return a / b;
  if (op == "arith.ceildivsi") return a / b + (a % b != 0 ? 1 : 0);
  return std::nullopt;
}

}  // namespace

std::optional<mlir::ValueId> ExampleSizes::operand(mlir::OpId op, std::size_t index) const {
  const auto operands = module_.operandsOf(op);
  return index < operands.size() && operands[index].value.valid()
             ? std::optional(operands[index].value)
             : std::nullopt;
}

ExampleSizes::Number ExampleSizes::size(mlir::ValueId tensor, std::size_t dimension, int depth) {
  if (!tensor.valid() || depth > kMaxDepth) return std::nullopt;
  if (const auto given = arguments_.find(tensor); given != arguments_.end())
    return dimension < given->second.size() ? Number(given->second[dimension]) : std::nullopt;
  const auto [known, isNew] = sizes_.try_emplace({tensor, dimension});
  if (!isNew) return known->second;
  const Number found = sizeOfResult(tensor, dimension, depth + 1);
  return sizes_[{tensor, dimension}] = found;
}

ExampleSizes::Number ExampleSizes::sizeOfResult(mlir::ValueId tensor, std::size_t dimension,
                                                int depth) {
  const auto type = mlir::tensorType(module_.typeOf(tensor).of(module_.text));
  if (!type || dimension >= type->sizes.size()) return std::nullopt;
  if (type->sizes[dimension] != mlir::kDynamic) return type->sizes[dimension];
  const mlir::Value& value = module_.value(tensor);
  if (value.kind != mlir::ValueKind::Result) return std::nullopt;
  const std::string_view name = module_.nameOf(value.op);
  if (const auto source = sourceIn(kSameSize, name)) {
    const auto from = operand(value.op, *source);
    return from ? size(*from, dimension, depth) : std::nullopt;
  }
  if (const auto source = sourceIn(kSizes, name))
    return numberAt(value.op, *source + dynamicIndex(*type, dimension), depth);
  if (const auto source = sourceIn(kShape, name)) {
    const auto shape = operand(value.op, *source);
    return shape ? fromShape(*shape, dimension, depth) : std::nullopt;
  }
  if (name == "tensor.collapse_shape") return collapsed(value.op, dimension, depth);
  if (name == "tensor.extract_slice") return sliced(value.op, dimension, type->sizes.size(), depth);
  if (name.starts_with("linalg.")) return fromOuts(value.op, value.index, dimension, depth);
  return std::nullopt;
}

ExampleSizes::Number ExampleSizes::fromOuts(mlir::OpId id, std::size_t result,
                                            std::size_t dimension, int depth) {
  const mlir::Op& op = module_.op(id);
  const std::size_t outs = op.head.of(module_.text).rfind("outs(");
  const auto operands = module_.operandsOf(id);
  if (outs == std::string_view::npos) return std::nullopt;
  for (const mlir::Operand& each : operands) {
    if (each.text.begin < op.head.begin + outs || result-- > 0) continue;
    return each.value.valid() ? size(each.value, dimension, depth) : std::nullopt;
  }
  return std::nullopt;
}

ExampleSizes::Number ExampleSizes::collapsed(mlir::OpId id, std::size_t dimension, int depth) {
  const auto from = operand(id, 0);
  const auto lists = listsIn(module_.op(id).head.of(module_.text));
  if (!from || lists.empty() || dimension >= lists.front().size()) return std::nullopt;
  std::int64_t product = 1;
  std::string_view group = lists.front()[dimension];
  while (!group.empty()) {
    const std::size_t comma = std::min(group.find(','), group.size());
    const Number source = numberFrom<std::int64_t>(trimmed(group.substr(0, comma)));
    const Number part = source && *source >= 0
                            ? size(*from, static_cast<std::size_t>(*source), depth)
                            : std::nullopt;
    if (!part || __builtin_mul_overflow(product, *part, &product)) return std::nullopt;
    group.remove_prefix(std::min(comma + 1, group.size()));
  }
  return product;
}

ExampleSizes::Number ExampleSizes::sliced(mlir::OpId id, std::size_t dimension, std::size_t rank,
                                          int depth) {
  const auto lists = listsIn(module_.op(id).head.of(module_.text));  // offsets, sizes, strides
  if (lists.size() < 3 || lists[1].size() != rank) return std::nullopt;
  const std::string_view wanted = lists[1][dimension];
  if (const Number fixed = numberFrom<std::int64_t>(wanted)) return fixed;
  const auto isName = [](std::string_view item) { return item.starts_with('%'); };
  const auto position =
      std::count_if(lists[0].begin(), lists[0].end(), isName) +
      std::count_if(lists[1].begin(), lists[1].begin() + static_cast<std::ptrdiff_t>(dimension),
                    isName);
  return numberAt(id, 1 + static_cast<std::size_t>(position), depth);
}

/// An element of a shape that is a tensor.
ExampleSizes::Number ExampleSizes::fromShape(mlir::ValueId shape, std::size_t dimension,
                                             int depth) {
  const mlir::Value& value = module_.value(shape);
  if (value.kind != mlir::ValueKind::Result || module_.nameOf(value.op) != "tensor.from_elements")
    return std::nullopt;
  return numberAt(value.op, dimension, depth);
}

ExampleSizes::Number ExampleSizes::number(mlir::ValueId id, int depth) {
  if (!id.valid() || depth > kMaxDepth || module_.value(id).kind != mlir::ValueKind::Result)
    return std::nullopt;
  const auto [known, isNew] = numbers_.try_emplace(id);
  if (!isNew) return known->second;
  const Number found = numberOf(module_.value(id).op, depth + 1);
  return numbers_[id] = found;
}

ExampleSizes::Number ExampleSizes::numberAt(mlir::OpId id, std::size_t index, int depth) {
  const auto from = operand(id, index);
  return from ? number(*from, depth) : std::nullopt;
}

ExampleSizes::Number ExampleSizes::constant(mlir::OpId id) const {
  std::string_view head = module_.op(id).head.of(module_.text);
  const std::size_t at = head.find("arith.constant ");
  if (at == std::string_view::npos) return std::nullopt;
  head.remove_prefix(at + 15);
  return numberFrom<std::int64_t>(head.substr(0, head.find(' ')));
}

ExampleSizes::Number ExampleSizes::numberOf(mlir::OpId id, int depth) {
  const std::string_view name = module_.nameOf(id);
  if (name == "arith.constant") return constant(id);
  if (name == "tensor.dim") {
    const auto tensor = operand(id, 0);
    const Number dimension = numberAt(id, 1, depth);
    return tensor && dimension && *dimension >= 0
               ? size(*tensor, static_cast<std::size_t>(*dimension), depth)
               : std::nullopt;
  }
  if (name == "arith.index_cast" || name == "arith.extsi" || name == "arith.trunci")
    return numberAt(id, 0, depth);
  if (!name.starts_with("arith.")) return std::nullopt;
  const Number a = numberAt(id, 0, depth), b = numberAt(id, 1, depth);
  return a && b ? arithmetic(name, *a, *b) : std::nullopt;
}

}  // namespace fxs::contract
