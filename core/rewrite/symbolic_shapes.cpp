// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/symbolic_shapes.h"

#include <algorithm>
#include <array>
#include <span>

#include "rewrite/transcription.h"

namespace fxs::rewrite {

using fx::Argument;
using fx::SymInt;
using Shape = std::vector<SymInt>;

namespace {

/// Terms of one sum of ones: a sum of these sums counts to its square, and one more to its cube.
constexpr std::int64_t kCountedAtOnce = 64;

constexpr std::array<std::string_view, 53> kElementwise{"add",
                                                        "sub",
                                                        "mul",
                                                        "div",
                                                        "rsub",
                                                        "eq",
                                                        "ne",
                                                        "lt",
                                                        "le",
                                                        "gt",
                                                        "ge",
                                                        "where",
                                                        "logical_and",
                                                        "logical_or",
                                                        "logical_not",
                                                        "logical_xor",
                                                        "bitwise_and",
                                                        "bitwise_or",
                                                        "bitwise_not",
                                                        "bitwise_xor",
                                                        "masked_fill",
                                                        "neg",
                                                        "exp",
                                                        "log",
                                                        "abs",
                                                        "sqrt",
                                                        "rsqrt",
                                                        "tanh",
                                                        "sigmoid",
                                                        "relu",
                                                        "reciprocal",
                                                        "floor",
                                                        "ceil",
                                                        "minimum",
                                                        "maximum",
                                                        "clamp",
                                                        "clamp_min",
                                                        "clamp_max",
                                                        "pow",
                                                        "clone",
                                                        "contiguous",
                                                        "alias",
                                                        "detach",
                                                        "dropout",
                                                        "to",
                                                        "_to_copy",
                                                        "convert_element_type",
                                                        "sign",
                                                        "cos",
                                                        "sin",
                                                        "erf",
                                                        "gelu",
                                                        "silu"};

constexpr std::array<std::string_view, 4> kSoftmax{"softmax", "_softmax", "_safe_softmax",
                                                   "log_softmax"};

Tensor inferred(Emitter& e, const Tensor& x, const Shape& sizes) {
  fx::ArgumentList shape;
  const bool isSymbolic = symbolicCount(sizes) == 1;
  for (const SymInt& size : sizes) {
    Emitter::require(!isSymbolic || !size.isStatic() || size.value() > 0);
    shape.emplace_back(size.isStatic() ? size.value() : std::int64_t{-1});
  }
  const Tensor whole = isContiguousCopy(e, x) ? x : e.contiguousCopy(x);
  return e.op("aten.view.default", {whole.value, std::move(shape)}, x.dtype(), sizes);
}

/// For each dimension of a shape, that of another with the same elements; none for one of size 1.
using Plan = std::vector<std::optional<std::size_t>>;

/// std::nullopt unless the shapes differ by dimensions of size 1 only.
std::optional<Plan> planOf(const Shape& from, const Shape& to) {
  Plan plan;
  std::size_t next = 0;
  for (const SymInt& size : to) {
    if (size == SymInt(1)) {
      plan.emplace_back(std::nullopt);
      continue;
    }
    while (next < from.size() && from[next] == SymInt(1)) ++next;
    if (next == from.size() || from[next] != size) return std::nullopt;
    plan.emplace_back(next++);
  }
  while (next < from.size() && from[next] == SymInt(1)) ++next;
  return next == from.size() ? std::optional(plan) : std::nullopt;
}

Shape shapeBy(const Plan& plan, const Shape& sizes) {
  Shape out;
  for (const auto& dim : plan) out.push_back(dim ? sizes[*dim] : SymInt(1));
  return out;
}

bool isPacketOf(std::span<const std::string_view> packets, std::string_view target) {
  const std::string packet(packetOf(target));
  return std::find(packets.begin(), packets.end(), packet) != packets.end();
}

/// Emits what computes a tensor once more, in a shape without or with other dimensions of size 1: a
/// reshape infers only one size.
class OtherRank {
 public:
  explicit OtherRank(Emitter& e) : e_(e) {}

  Tensor of(const Tensor& x, const Plan& plan) {
    const Shape sizes = shapeBy(plan, x.meta.sizes);
    if (sizes == x.meta.sizes) return x;
    if (symbolicCount(sizes) <= 1) return inferred(e_, x, sizes);
    const fx::Node* producer = e_.context().producer(x.value);
    Emitter::require(producer != nullptr && producer->op == fx::NodeOp::CallFunction);
    const fx::Node node = *producer;  // emitting moves nodes
    if (isElementwise(node.target)) return elementwise(node, x, plan);
    if (isPacketOf(kSoftmax, node.target)) return softmax(node, x, plan);
    if (node.target == "aten.permute.default" || node.target == "aten.transpose.int")
      return permuted(node, x, plan);
    if (node.target == "aten.matmul.default" || node.target == "aten.bmm.default")
      return product(node, sizes);
    if (node.target == "aten.sum.dim_IntList") return kept(node, x, plan);
    const Tensor self = operand(node, "self");
    const auto through = planOf(self.meta.sizes, sizes);
    Emitter::require(through && self.meta.sizes != x.meta.sizes && isView(node.target));
    return of(self, *through);
  }

 private:
  static bool isView(std::string_view target) {
    static constexpr std::array<std::string_view, 9> kViews{
        "view",    "reshape", "_unsafe_view", "unsqueeze", "squeeze",
        "flatten", "view_as", "reshape_as",   "unflatten"};
    return isPacketOf(kViews, target);
  }

  Tensor operand(const fx::Node& node, std::string_view name) {
    const Argument value = argumentOf(node, name);
    const fx::TensorMeta* known = e_.context().tensor(value);
    Emitter::require(known != nullptr);
    return {value, *known};
  }

  Tensor emitted(const fx::Node& node, std::vector<fx::NodeArgument> args, const Tensor& x,
                 const Plan& plan) {
    const fx::TensorMeta meta = e_.meta(x.dtype(), shapeBy(plan, x.meta.sizes));
    return {e_.context().callValue(node.target, std::move(args), meta), meta};
  }

  Tensor elementwise(const fx::Node& node, const Tensor& x, const Plan& plan) {
    std::vector<fx::NodeArgument> args = node.args;
    for (fx::NodeArgument& argument : args) {
      const fx::TensorMeta* known = e_.context().tensor(argument.value);
      if (known == nullptr || known->rank() == 0) continue;
      const Tensor part{argument.value, *known};
      const std::size_t missing = x.rank() - part.rank();
      Plan own;
      for (const auto& dim : plan)
        own.push_back(dim && *dim >= missing ? std::optional(*dim - missing) : std::nullopt);
      argument.value = of(part, own).value;
    }
    return emitted(node, std::move(args), x, plan);
  }

  Tensor softmax(const fx::Node& node, const Tensor& x, const Plan& plan) {
    const Tensor self = operand(node, "self");
    const Argument dim = argumentOf(node, "dim");
    Emitter::require(dim.integer() != nullptr);
    const std::size_t along = e_.dim(*dim.integer(), self);
    const auto at = std::find(plan.begin(), plan.end(), std::optional(along));
    Emitter::require(at != plan.end());
    std::vector<fx::NodeArgument> args = node.args;
    for (fx::NodeArgument& argument : args) {
      if (argument.name == "self") argument.value = of(self, plan).value;
      if (argument.name == "dim") argument.value = std::int64_t{at - plan.begin()};
    }
    return emitted(node, std::move(args), x, plan);
  }

  /// A sum that keeps its one dimension, in place of another of size 1.
  Tensor kept(const fx::Node& node, const Tensor& x, const Plan& plan) {
    const Argument dims = argumentOf(node, "dim");
    Emitter::require(argumentOf(node, "keepdim") == Argument(true) && dims.list() != nullptr &&
                     dims.list()->size() == 1 && dims.list()->front().integer() != nullptr);
    const Tensor self = operand(node, "self");
    Plan own = plan;
    const auto unit = std::find_if(own.begin(), own.end(), [&](const auto& dim) {
      return !dim || x.meta.sizes[*dim] == SymInt(1);
    });
    Emitter::require(unit != own.end());
    *unit = e_.dim(*dims.list()->front().integer(), self);
    const Tensor out = e_.sum(of(self, own), {static_cast<std::size_t>(unit - own.begin())}, true);
    Emitter::require(out.dtype() == x.dtype());
    return out;
  }

  std::vector<std::size_t> orderOf(const fx::Node& node, const Tensor& self) {
    std::vector<std::size_t> order = allDims(self);
    if (node.target == "aten.permute.default") {
      const Argument dims = argumentOf(node, "dims");
      Emitter::require(dims.list() != nullptr && dims.list()->size() == order.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        Emitter::require((*dims.list())[i].integer() != nullptr);
        order[i] = e_.dim(*(*dims.list())[i].integer(), self);
      }
      return order;
    }
    const Argument a = argumentOf(node, "dim0"), b = argumentOf(node, "dim1");
    Emitter::require(a.integer() != nullptr && b.integer() != nullptr);
    std::swap(order[e_.dim(*a.integer(), self)], order[e_.dim(*b.integer(), self)]);
    return order;
  }

  /// The dimensions in the order that they have before the permutation, those of size 1 first.
  Tensor permuted(const fx::Node& node, const Tensor& x, const Plan& plan) {
    const Tensor self = operand(node, "self");
    Emitter::require(self.rank() == x.rank());
    const std::vector<std::size_t> order = orderOf(node, self);
    std::vector<std::size_t> dims;
    for (const auto& dim : plan)
      if (dim) dims.push_back(order[*dim]);
    std::sort(dims.begin(), dims.end());
    Plan before(plan.size() - dims.size());
    for (const std::size_t dim : dims) before.emplace_back(dim);
    const Tensor moved = of(self, before);
    std::vector<std::size_t> back;
    std::size_t unit = 0;
    for (const auto& dim : plan) {
      const auto at = dim ? std::find(before.begin(), before.end(), std::optional(order[*dim]))
                          : before.begin() + static_cast<std::ptrdiff_t>(unit++);
      back.push_back(static_cast<std::size_t>(at - before.begin()));
    }
    return e_.permute(moved, back);
  }

  Tensor product(const fx::Node& node, const Shape& sizes) {
    const bool isBatched = node.target == "aten.bmm.default";
    const Tensor out =
        flatProduct(e_, operand(node, "self"), operand(node, isBatched ? "mat2" : "other"));
    Emitter::require(out.meta.sizes == sizes);
    return out;
  }

  Emitter& e_;
};

/// A vector of that size, whatever its elements are.
Tensor anyVectorOf(Emitter& e, const SymInt& size) {
  const auto found = e.context().tensorOfSize(size);
  Emitter::require(found.has_value());
  const fx::TensorMeta* known = e.context().tensor(found->first);
  Emitter::require(known != nullptr);
  const Tensor x{found->first, *known};
  if (fx::elementCount(x.meta.sizes) == size) return viewed(e, x, {size});
  if (symbolicCount(x.meta.sizes) > 1) {
    std::vector<std::size_t> others = allDims(x);
    std::erase(others, found->second);
    return e.amax(x, others, false);
  }
  std::vector<std::size_t> order = allDims(x);
  std::erase(order, found->second);
  order.push_back(found->second);
  SymInt rest = 1;
  for (std::size_t d = 0; d < x.rank(); ++d)
    if (d != found->second) rest = rest * x.meta.sizes[d];
  const Tensor rows = viewed(e, e.permute(x, order), {rest, size});
  const Tensor row = e.op("aten.embedding.default", {rows.value, e.arange(0, 1).value}, x.dtype(),
                          {SymInt(1), size});
  return viewed(e, row, {size});
}

/// False everywhere: no number is less than itself.
Tensor falseOf(Emitter& e, const SymInt& size) {
  if (size.isStatic()) return e.full({Size::of(size.value())}, false, DType::Bool);
  const Tensor x = anyVectorOf(e, size);
  return e.compare("lt", x, x);
}

Tensor atDim(Emitter& e, const Tensor& vector, std::size_t dim, std::size_t rank) {
  Shape shape(rank, SymInt(1));
  shape[dim] = vector.meta.sizes[0];
  return viewed(e, vector, shape);
}

/// By a choice among all places of a static dimension, which takes that of one of size 1.
Tensor chosenAt(Emitter& e, const Tensor& x, std::size_t dim, std::size_t unit,
                const Tensor& index) {
  std::vector<std::size_t> order = allDims(x);
  std::swap(order[dim], order[unit]);
  const Tensor places = atDim(e, e.arange(Size::of(x.meta.sizes[dim].value())), unit, x.rank());
  const Tensor isChosen = e.compare("eq", atDim(e, index, dim, x.rank()), places);
  return e.sum(e.where(isChosen, e.permute(x, order), e.zeros({}, x.dtype())), {unit}, true);
}

/// How many elements a sum of `count` of those before each, `apart` from each other, and itself is.
Tensor summedBefore(Emitter& e, const Tensor& line, std::int64_t count, std::int64_t apart) {
  const Tensor ones = e.full(sizesOf({1, 1, 1, count}), 1.0, DType::Float32);
  const Tensor kernel = e.pad(ones, {0, count - 1}, 0);
  const auto pair = [](std::int64_t a, std::int64_t b) { return fx::ArgumentList{a, b}; };
  return e.op("aten.convolution.default",
              {line.value, kernel.value, fx::None{}, pair(1, 1), pair(0, (count - 1) * apart),
               pair(1, apart), false, pair(0, 0), std::int64_t{1}},
              DType::Float32, line.meta.sizes);
}

}  // namespace

std::size_t symbolicCount(const Shape& sizes) {
  return static_cast<std::size_t>(std::count_if(
      sizes.begin(), sizes.end(), [](const SymInt& size) { return !size.isStatic(); }));
}

bool isContiguousCopy(Emitter& e, const Tensor& x) {
  const fx::Node* producer = e.context().producer(x.value);
  return producer != nullptr && producer->target == "aten.clone.default" &&
         argumentOf(*producer, "memory_format") == Argument(MemoryFormat::Contiguous);
}

bool isElementwise(std::string_view target) { return isPacketOf(kElementwise, target); }

Tensor viewed(Emitter& e, const Tensor& x, const Shape& sizes) {
  if (sizes == x.meta.sizes) return x;
  if (symbolicCount(sizes) <= 1) return inferred(e, x, sizes);
  const auto plan = planOf(x.meta.sizes, sizes);
  Emitter::require(plan.has_value());
  return OtherRank(e).of(x, *plan);
}

Tensor broadcastTo(Emitter& e, const Tensor& x, const Shape& sizes) {
  Emitter::require(sizes.size() >= x.rank());
  Shape full(sizes.size() - x.rank(), SymInt(1));
  full.insert(full.end(), x.meta.sizes.begin(), x.meta.sizes.end());
  if (full == sizes) return viewed(e, x, sizes);
  std::optional<Tensor> never;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (full[d] == sizes[d]) continue;
    Emitter::require(full[d] == SymInt(1));
    const Tensor grown = atDim(e, falseOf(e, sizes[d]), d, sizes.size());
    never = never ? e.logicalOr(*never, grown) : grown;
  }
  return e.where(*never, e.zeros({}, x.dtype()), viewed(e, x, full));
}

Tensor selectedAt(Emitter& e, const Tensor& x, std::size_t dim, const Tensor& index) {
  if (x.dtype() == DType::Bool)
    return e.compare("ne", selectedAt(e, e.cast(x, DType::Int64), dim, index), std::int64_t{0});
  Shape sizes = x.meta.sizes;
  sizes[dim] = index.meta.sizes[0];
  const auto unit = std::find(x.meta.sizes.begin(), x.meta.sizes.end(), SymInt(1));
  if (symbolicCount(sizes) > 1 && unit != x.meta.sizes.end() && x.meta.sizes[dim].isStatic() &&
      (isIntegral(x.dtype()) || isFloating(x.dtype())) && x.meta.sizes[dim] != SymInt(1))
    return chosenAt(e, x, dim, static_cast<std::size_t>(unit - x.meta.sizes.begin()), index);
  std::vector<std::size_t> order = allDims(x), back;
  std::erase(order, dim);
  order.insert(order.begin(), dim);
  for (std::size_t d = 0; d < order.size(); ++d)
    back.push_back(
        static_cast<std::size_t>(std::find(order.begin(), order.end(), d) - order.begin()));
  const Tensor first = e.permute(x, order);
  Shape rest(first.meta.sizes.begin() + 1, first.meta.sizes.end());
  const Tensor table = viewed(e, first, {first.meta.sizes[0], fx::elementCount(rest)});
  const Tensor taken = e.op("aten.embedding.default", {table.value, index.value}, x.dtype(),
                            {index.meta.sizes[0], table.meta.sizes[1]});
  rest.insert(rest.begin(), index.meta.sizes[0]);
  const Tensor out = e.permute(viewed(e, taken, rest), back);
  return e.contiguousCopy(out);
}

Tensor numbersOf(Emitter& e, const Tensor& flags, DType dtype) {
  return e.where(flags, e.full({}, fillValue(dtype, 1), dtype),
                 e.full({}, fillValue(dtype, 0), dtype));
}

Tensor onesOf(Emitter& e, const SymInt& size, DType dtype) {
  if (size.isStatic()) return e.full({Size::of(size.value())}, fillValue(dtype, 1), dtype);
  const Tensor never = falseOf(e, size);
  const auto number = [&](int value) { return e.full({}, fillValue(dtype, value), dtype); };
  return e.where(never, number(0), number(1));
}

Tensor positionsOf(Emitter& e, const SymInt& size, std::int64_t limit) {
  if (size.isStatic()) return e.arange(Size::of(size.value()));
  Emitter::require(limit > 0);
  Tensor count = viewed(e, onesOf(e, size, DType::Float32), {1, 1, 1, size});
  std::int64_t reached = 1;
  while (reached < limit) {
    const std::int64_t now = std::min(kCountedAtOnce, (limit + reached - 1) / reached);
    count = summedBefore(e, count, now, reached);
    reached *= now;
  }
  // As integers: how many are before each.
  const Tensor isBefore = e.compare("lt", viewed(e, count, {1, size}), viewed(e, count, {size, 1}));
  return e.sum(numbersOf(e, isBefore, DType::Int64), {1}, false);
}

Tensor sizeTensor(Emitter& e, const SymInt& size) {
  if (size.isStatic()) return e.full(sizesOf({1}), size.value(), DType::Int64);
  return e.sum(onesOf(e, size, DType::Int64), {0}, true);
}

SymInt numberOf(Emitter& e, const Argument& number) {
  if (const std::int64_t* known = number.integer()) return *known;
  const fx::Node* producer = e.context().producer(number);
  const fx::SymValue* symbol = producer == nullptr ? nullptr : producer->val.symbol();
  Emitter::require(symbol != nullptr && symbol->kind == fx::SymKind::Int && symbol->expr);
  return SymInt(symbol->expr);
}

Tensor numberTensor(Emitter& e, const Argument& number) {
  const SymInt size = numberOf(e, number);
  if (size.isStatic() || e.context().tensorOfSize(size)) return sizeTensor(e, size);
  const fx::Node* producer = e.context().producer(number);
  Emitter::require(producer != nullptr && producer->args.size() == 2);
  const fx::Node node = *producer;
  const auto side = [&](std::size_t i) { return numberTensor(e, node.args[i].value); };
  if (node.target == "_operator.add") return e.add(side(0), side(1));
  if (node.target == "_operator.sub") return e.sub(side(0), side(1));
  Emitter::require(node.target == "_operator.mul");
  return e.mul(side(0), side(1));
}

Tensor flatProduct(Emitter& e, const Tensor& a, const Tensor& b) {
  Emitter::require(a.rank() >= 3 && b.rank() >= 3);
  const auto lead = [](const Tensor& x) {
    return Shape(x.meta.sizes.begin(), x.meta.sizes.end() - 2);
  };
  const Shape both = Emitter::broadcastSizes(lead(a), lead(b));
  const auto flat = [&](const Tensor& x) {
    const SymInt &rows = x.meta.sizes[x.rank() - 2], &columns = x.meta.sizes.back();
    Shape full = both;
    full.insert(full.end(), {rows, columns});
    return viewed(e, broadcastTo(e, x, full), {fx::elementCount(both), rows, columns});
  };
  const Tensor left = flat(a), right = flat(b);
  return e.op("aten.bmm.default", {left.value, right.value}, a.dtype(),
              {left.meta.sizes[0], left.meta.sizes[1], right.meta.sizes[2]});
}

}  // namespace fxs::rewrite
