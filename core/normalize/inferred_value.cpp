// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Infers values of ATen calls that are missing in the file, where the result is certain. Results
// are row-major, as in PyTorch if every operand is.
#include <algorithm>
#include <string_view>

#include "normalize/values.h"
#include "ops/operators.h"
#include "ops/schema.h"
#include "ops/shapes.h"

namespace fxs::normalize {
namespace {

using fx::SymInt;
using fx::TensorMeta;
using Sizes = std::vector<SymInt>;

bool isRowMajor(const TensorMeta& t) {
  return t.layout == Layout::Strided && t.strides == fx::contiguousStrides(t.sizes);
}

class Call {
 public:
  Call(const Values& values, const fx::Node& node, const ops::Schema& schema)
      : values_(values), node_(node), schema_(schema) {}

  std::optional<Inferred> value() const {
    const std::string_view rule = ops::operatorNamed(schema_.packet).rule(ops::Rule::Value);
    const TensorMeta* self = tensor("self");
    if (rule == "size" && schema_.overload == "int") return size(self);
    if (rule == "linear") return linear();
    if (!self || self->layout != Layout::Strided) return std::nullopt;
    if (rule == "permutation") return permuted(*self);
    if (!isRowMajor(*self)) return std::nullopt;
    if (const fx::Argument* format = given("memory_format"); format && !format->isNone())
      return std::nullopt;
    return ofRowMajor(*self, rule);
  }

 private:
  std::optional<Inferred> ofRowMajor(const TensorMeta& self, std::string_view rule) const {
    if (rule == "like") return like(self);
    if (rule == "like-number") return self.dtype == DType::Bool ? std::nullopt : like(self);
    // Integers are promoted to floating point; floating operands keep their dtype.
    if (rule == "floating")
      return isFloating(self.dtype) && !isTrue("half_to_float") ? like(self) : std::nullopt;
    if (rule == "reshape") return viewed(self);
    if (rule == "truth")
      return elementwise(self, DType::Bool,
                         "a comparison is bool, with the broadcast shape of its operands");
    if (rule == "arithmetic") return arithmetic(self);
    return rule == "product" ? product(self, tensor("mat2")) : std::nullopt;
  }

  const fx::Argument* given(std::string_view name) const {
    for (const fx::NodeArgument& a : node_.args)
      if (a.name == name) return &a.value;
    return nullptr;
  }
  const TensorMeta* tensor(std::string_view name) const {
    const fx::Argument* a = given(name);
    const fx::NodeId* id = a ? a->node() : nullptr;
    return id ? values_.of(*id).tensor() : nullptr;
  }
  bool isTrue(std::string_view name) const {
    const fx::Argument* a = given(name);
    return a && std::holds_alternative<bool>(*a) && std::get<bool>(*a);
  }
  std::optional<std::int64_t> integer(std::string_view name) const {
    const fx::Argument* a = given(name);
    const std::int64_t* v = a ? a->integer() : nullptr;
    return v ? std::optional(*v) : std::nullopt;
  }
  static std::optional<std::size_t> dimension(std::optional<std::int64_t> dim, std::size_t rank) {
    return dim ? ops::wrapIndex(*dim, rank) : std::nullopt;
  }

  Inferred made(TensorMeta meta, std::string reason) const {
    meta.kind = fx::TensorKind::Fake;
    return {std::move(meta), "inferred-val", std::move(reason)};
  }
  Inferred rowMajor(const TensorMeta& self, Sizes sizes, DType dtype, std::string reason) const {
    TensorMeta meta = self;
    meta.dtype = dtype;
    meta.strides = fx::contiguousStrides(sizes);
    meta.sizes = std::move(sizes);
    meta.storageOffset = SymInt(0);
    if (dtype == DType::Bool) meta.requiresGrad = false;
    return made(std::move(meta), std::move(reason));
  }

  std::optional<Inferred> like(const TensorMeta& self) const {
    TensorMeta operand = self;
    if (schema_.packet == "detach") operand.requiresGrad = false;
    return rowMajor(operand, operand.sizes, operand.dtype,
                    schema_.fxName() + " returns a tensor like its operand");
  }

  std::optional<Inferred> size(const TensorMeta* self) const {
    const auto dim = self ? dimension(integer("dim"), self->rank()) : std::nullopt;
    if (!dim) return std::nullopt;
    const SymInt& of = self->sizes[*dim];
    fx::SymValue out;
    out.expr = of.expr();
    if (of.hint()) out.constant = *of.hint();
    return Inferred{std::move(out), "inferred-val", "the size of a known dimension"};
  }

  std::optional<Inferred> permuted(const TensorMeta& self) const {
    const std::string_view op = schema_.packet;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < self.rank(); ++i) order.push_back(i);
    if (op == "t") {
      if (self.rank() > 2) return std::nullopt;
      std::reverse(order.begin(), order.end());
    } else if (op == "transpose") {
      const auto a = dimension(integer("dim0"), self.rank()),
                 b = dimension(integer("dim1"), self.rank());
      if (!a || !b) return std::nullopt;
      std::swap(order[*a], order[*b]);
    } else {
      const fx::Argument* dims = given("dims");
      const fx::ArgumentList* list = dims ? dims->list() : nullptr;
      if (!list || list->size() != self.rank()) return std::nullopt;
      for (std::size_t i = 0; i < list->size(); ++i) {
        const std::int64_t* number = (*list)[i].integer();
        const auto at = number ? dimension(*number, self.rank()) : std::nullopt;
        if (!at) return std::nullopt;
        order[i] = *at;
      }
    }
    TensorMeta out = self;
    for (std::size_t i = 0; i < order.size(); ++i) {
      out.sizes[i] = self.sizes[order[i]];
      out.strides[i] = self.strides[order[i]];
    }
    return made(std::move(out), "a view with permuted dimensions");
  }

  static std::optional<std::int64_t> elementsOf(const Sizes& staticSizes) {
    std::int64_t elements = 1;
    for (const SymInt& size : staticSizes)
      if (__builtin_mul_overflow(elements, size.value(), &elements)) return std::nullopt;
    return elements;
  }

  /// The argument of a view.
  struct Shape {
    Sizes sizes;
    std::optional<std::size_t> rest;  ///< the position of -1
    std::int64_t named = 1;           ///< the product of the other sizes
  };
  static std::optional<Shape> shapeOf(const fx::ArgumentList& list) {
    Shape out;
    for (const fx::Argument& item : list) {
      const std::int64_t* number = item.integer();
      if (!number || *number < -1 || *number == 0) return std::nullopt;
      if (*number == -1) {
        if (out.rest) return std::nullopt;
        out.rest = out.sizes.size();
      } else if (__builtin_mul_overflow(out.named, *number, &out.named)) {
        return std::nullopt;
      }
      out.sizes.emplace_back(*number);
    }
    return out;
  }

  /// Static sizes only; at most one -1, which is computed from a static operand.
  std::optional<Inferred> viewed(const TensorMeta& self) const {
    const fx::Argument* size = given(schema_.packet == "reshape" ? "shape" : "size");
    const fx::ArgumentList* list = size ? size->list() : nullptr;
    if (!list || !self.isStaticShape()) return std::nullopt;
    const std::optional<std::int64_t> elements = elementsOf(self.sizes);
    std::optional<Shape> shape = shapeOf(*list);
    if (!elements || !shape) return std::nullopt;
    if (shape->rest) {
      if (*elements % shape->named != 0) return std::nullopt;
      shape->sizes[*shape->rest] = SymInt(*elements / shape->named);
    } else if (*elements != shape->named) {
      return std::nullopt;
    }
    TensorMeta out = self;
    out.strides = fx::contiguousStrides(shape->sizes);
    out.sizes = std::move(shape->sizes);
    return made(std::move(out), "a view of a row-major tensor");
  }

  std::optional<Inferred> elementwise(const TensorMeta& self, DType dtype,
                                      std::string reason) const {
    const fx::Argument* other = given("other");
    if (!other || !other->node()) return rowMajor(self, self.sizes, dtype, std::move(reason));
    const fx::Value& value = values_.of(*other->node());
    if (value.symbol()) return rowMajor(self, self.sizes, dtype, std::move(reason));
    const TensorMeta* right = value.tensor();
    if (!right || !isRowMajor(*right)) return std::nullopt;
    auto sizes = ops::broadcastShapes(self.sizes, right->sizes);
    if (!sizes) return std::nullopt;
    return rowMajor(self, *std::move(sizes), dtype, std::move(reason));
  }

  /// Whether the result is of the tensor's type: of floating tensors with a number, of integers
  /// with an integer, of tensors of one dtype.
  bool keepsType(const TensorMeta& self, const fx::Argument& other) const {
    const fx::Value* value = other.node() ? &values_.of(*other.node()) : nullptr;
    if (value && value->tensor()) return value->tensor()->dtype == self.dtype;
    const fx::SymValue* symbol = value ? value->symbol() : nullptr;
    if (isFloating(self.dtype))
      return symbol || other.integer() || std::holds_alternative<double>(other) ||
             std::holds_alternative<bool>(other);
    return other.integer() || (symbol && symbol->kind == fx::SymKind::Int);
  }

  /// Without promotion.
  std::optional<Inferred> arithmetic(const TensorMeta& self) const {
    const fx::Argument* other = given("other");
    if (!other || self.dtype == DType::Bool || self.dtype == DType::Unknown ||
        given("rounding_mode"))
      return std::nullopt;
    if ((schema_.packet == "div" && !isFloating(self.dtype)) || !keepsType(self, *other))
      return std::nullopt;
    auto out = elementwise(self, self.dtype, "operands of one dtype, broadcast");
    const TensorMeta* right = tensor("other");
    if (out && right && right->requiresGrad) std::get<TensorMeta>(out->val).requiresGrad = true;
    return out;
  }

  std::optional<Inferred> product(const TensorMeta& self, const TensorMeta* right) const {
    const std::size_t rank = schema_.packet == "mm" ? 2 : 3;
    if (!right || self.rank() != rank || right->rank() != rank || right->dtype != self.dtype)
      return std::nullopt;
    Sizes sizes = self.sizes;
    sizes.back() = right->sizes.back();
    return rowMajor(self, std::move(sizes), self.dtype, "a matrix product");
  }

  std::optional<Inferred> linear() const {
    const TensorMeta* input = tensor("input");
    const TensorMeta* weight = tensor("weight");
    if (!input || !weight || input->rank() == 0 || weight->rank() != 2 ||
        weight->dtype != input->dtype || !isRowMajor(*input))
      return std::nullopt;
    Sizes sizes = input->sizes;
    sizes.back() = weight->sizes.front();
    auto out = rowMajor(*input, std::move(sizes), input->dtype, "a linear layer");
    std::get<TensorMeta>(out.val).requiresGrad = input->requiresGrad || weight->requiresGrad;
    return out;
  }

  const Values& values_;
  const fx::Node& node_;
  const ops::Schema& schema_;
};

}  // namespace

std::optional<Inferred> inferredByOperator(const Values& values, const fx::Node& node) {
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  if (!schema || schema->ns != "aten" || schema->isMutable || schema->returns.size() != 1)
    return std::nullopt;
  return Call(values, node, *schema).value();
}

}  // namespace fxs::normalize
