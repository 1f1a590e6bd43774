// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/complex_pairs.h"

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <string_view>
#include <unordered_map>

#include "ops/promotion.h"
#include "rewrite/complex_parts.h"
#include "rewrite/draft.h"

namespace fxs::rewrite {
namespace {

Results combined(Emitter& e, const ComplexParts& parts) {
  const fx::TensorMeta result = e.result();
  e.require(isComplex(result.dtype));
  const DType real = ops::realType(result.dtype);
  ComplexParts cast{e.cast(parts.real, real), std::nullopt};
  if (parts.imaginary) cast.imaginary = e.cast(*parts.imaginary, real);
  return one(complexOf(e, cast, result.dtype));
}

Results pairsOf(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::Node* producer = e.context().producer(x.value);
  if (producer == nullptr || producer->target != "aten.view_as_complex.default" ||
      producer->args.size() != 1)
    return {};
  return std::vector<fx::Argument>{producer->args[0].value};
}

/// A tensor's parts, or a number's.
struct Factor {
  Operand real;
  std::optional<Operand> imaginary;
};
Factor factorOf(Emitter& e, std::string_view name) {
  const fx::Argument value = e.argument(name);
  if (!value.node()) {
    if (const auto* number = std::get_if<std::complex<double>>(&value))
      return {Operand(number->real()), Operand(number->imag())};
    e.require(std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value));
    return {Operand(value), std::nullopt};
  }
  const ComplexParts parts = partsOf(e, e.tensor(name));
  return {parts.real, parts.imaginary ? std::optional<Operand>(*parts.imaginary) : std::nullopt};
}

/// The tensor that an operand is, or a number as one.
Tensor asTensor(Emitter& e, const Operand& x, const Tensor& like) {
  return x.tensor() ? *x.tensor() : e.full({}, x.argument(), like.dtype());
}

bool isUnscaled(Emitter& e) { return isNumber(e.argument("alpha"), 1); }

template <bool minus>
Results sum(Emitter& e) {
  e.require(isComplex(e.result().dtype) && isUnscaled(e));
  const ComplexParts a = partsOf(e, e.tensor("self"));
  const Factor b = factorOf(e, "other");
  const Tensor real = minus ? e.sub(a.real, b.real) : e.add(a.real, b.real);
  if (!b.imaginary) return combined(e, {real, a.imaginary});
  if (a.imaginary)
    return combined(
        e, {real, minus ? e.sub(*a.imaginary, *b.imaginary) : e.add(*a.imaginary, *b.imaginary)});
  const Tensor own = asTensor(e, *b.imaginary, a.real);
  return combined(e, {real, minus ? e.neg(own) : own});
}

/// other - self.
Results difference(Emitter& e) {
  e.require(isComplex(e.result().dtype) && isUnscaled(e));
  const ComplexParts a = partsOf(e, e.tensor("self"));
  const Factor b = factorOf(e, "other");
  const Tensor real = e.sub(b.real, a.real);
  if (!b.imaginary) return combined(e, {real, e.neg(*a.imaginary)});
  return combined(e, {real, a.imaginary ? e.sub(*b.imaginary, *a.imaginary)
                                        : asTensor(e, *b.imaginary, a.real)});
}

Results product(Emitter& e) {
  e.require(isComplex(e.result().dtype));
  const ComplexParts a = partsOf(e, e.tensor("self"));
  const Factor b = factorOf(e, "other");
  if (!b.imaginary) return combined(e, {e.mul(a.real, b.real), e.mul(*a.imaginary, b.real)});
  if (!a.imaginary) return combined(e, {e.mul(a.real, b.real), e.mul(a.real, *b.imaginary)});
  return combined(e, {e.sub(e.mul(a.real, b.real), e.mul(*a.imaginary, *b.imaginary)),
                      e.add(e.mul(a.real, *b.imaginary), e.mul(*a.imaginary, b.real))});
}

/// 1 / (real + imaginary i).
ComplexParts inverse(Emitter& e, const ComplexParts& x) {
  const Tensor size = squaredAbs(e, x);
  return {e.div(x.real, size), e.div(e.neg(*x.imaginary), size)};
}

Results quotient(Emitter& e) {
  e.require(isComplex(e.result().dtype) && e.argument("rounding_mode").isNone());
  const ComplexParts a = partsOf(e, e.tensor("self"));
  const Factor b = factorOf(e, "other");
  if (!b.imaginary) return combined(e, {e.div(a.real, b.real), e.div(*a.imaginary, b.real)});
  const Tensor br = asTensor(e, b.real, a.real), bi = asTensor(e, *b.imaginary, a.real);
  const Tensor size = squaredAbs(e, {br, bi});
  if (!a.imaginary)
    return combined(e, {e.div(e.mul(a.real, br), size), e.div(e.neg(e.mul(a.real, bi)), size)});
  return combined(e, {e.div(e.add(e.mul(a.real, br), e.mul(*a.imaginary, bi)), size),
                      e.div(e.sub(e.mul(*a.imaginary, br), e.mul(a.real, bi)), size)});
}

Results matrixProduct(Emitter& e, std::string_view first, std::string_view second) {
  e.require(isComplex(e.result().dtype));
  const ComplexParts a = partsOf(e, e.tensor(first)), b = partsOf(e, e.tensor(second));
  const Tensor real = e.matmul(a.real, b.real);
  if (!b.imaginary) return combined(e, {real, e.matmul(*a.imaginary, b.real)});
  if (!a.imaginary) return combined(e, {real, e.matmul(a.real, *b.imaginary)});
  return combined(e, {e.sub(real, e.matmul(*a.imaginary, *b.imaginary)),
                      e.add(e.matmul(a.real, *b.imaginary), e.matmul(*a.imaginary, b.real))});
}
Results complexMatmul(Emitter& e) { return matrixProduct(e, "self", "other"); }
Results mm(Emitter& e) { return matrixProduct(e, "self", "mat2"); }

ComplexParts complexSelf(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(isComplex(x.dtype()));
  return partsOf(e, x);
}

Results conjugate(Emitter& e) {
  const ComplexParts x = complexSelf(e);
  return combined(e, {x.real, e.neg(*x.imaginary)});
}
Results realPart(Emitter& e) { return one(complexSelf(e).real); }
Results imaginaryPart(Emitter& e) { return one(*complexSelf(e).imaginary); }
Results size(Emitter& e) { return one(e.sqrt(squaredAbs(e, complexSelf(e)))); }
Results complexAngle(Emitter& e) {
  const ComplexParts x = complexSelf(e);
  return one(e.op("aten.atan2.default", {x.imaginary->value, x.real.value}, x.real.meta));
}
Results complexExponential(Emitter& e) {
  const ComplexParts x = complexSelf(e);
  const Tensor size = e.exp(x.real);
  return combined(
      e, {e.mul(size, e.unary("cos", *x.imaginary)), e.mul(size, e.unary("sin", *x.imaginary))});
}
Results complexReciprocal(Emitter& e) { return combined(e, inverse(e, complexSelf(e))); }
Results complexLogarithm(Emitter& e) {
  const ComplexParts x = complexSelf(e);
  const Tensor turn = e.op("aten.atan2.default", {x.imaginary->value, x.real.value}, x.real.meta);
  return combined(e, {e.mul(e.log(squaredAbs(e, x)), 0.5), turn});
}
/// cos and sin of both parts, with cosh and sinh of the other.
struct Waves {
  Tensor cos, sin, cosh, sinh;
};
Waves wavesOf(Emitter& e, const Tensor& turn, const Tensor& growth) {
  const Tensor up = e.exp(growth), down = e.exp(e.neg(growth));
  return {e.unary("cos", turn), e.unary("sin", turn), e.mul(e.add(up, down), 0.5),
          e.mul(e.sub(up, down), 0.5)};
}
Results complexCosine(Emitter& e) {
  const ComplexParts x = complexSelf(e);
  const Waves w = wavesOf(e, x.real, *x.imaginary);
  return combined(e, {e.mul(w.cos, w.cosh), e.neg(e.mul(w.sin, w.sinh))});
}
Results complexSine(Emitter& e) {
  const ComplexParts x = complexSelf(e);
  const Waves w = wavesOf(e, x.real, *x.imaginary);
  return combined(e, {e.mul(w.sin, w.cosh), e.mul(w.cos, w.sinh)});
}
Results complexSquare(Emitter& e) {
  const ComplexParts x = complexSelf(e);
  const Tensor cross = e.mul(x.real, *x.imaginary);
  return combined(e, {e.sub(e.square(x.real), e.square(*x.imaginary)), e.add(cross, cross)});
}
/// By squaring; negative exponents by the reciprocal.
Results complexPower(Emitter& e) {
  constexpr std::int64_t kMost = 64;
  ComplexParts x = complexSelf(e);
  const double exponent = e.number("exponent");
  const auto power = static_cast<std::int64_t>(std::clamp<double>(exponent, -kMost - 1, kMost + 1));
  e.require(static_cast<double>(power) == exponent && power != 0 && std::abs(power) <= kMost);
  const auto times = [&](const ComplexParts& a, const ComplexParts& b) {
    return ComplexParts{e.sub(e.mul(a.real, b.real), e.mul(*a.imaginary, *b.imaginary)),
                        e.add(e.mul(a.real, *b.imaginary), e.mul(*a.imaginary, b.real))};
  };
  if (power < 0) x = inverse(e, x);
  std::optional<ComplexParts> out;
  for (std::int64_t n = std::abs(power);; x = times(x, x)) {
    if (n & 1) out = out ? times(*out, x) : x;
    n >>= 1;
    if (n == 0) return combined(e, *out);
  }
}
template <bool equal>
Results comparison(Emitter& e) {
  const ComplexParts a = partsOf(e, e.tensor("self"));
  const Factor b = factorOf(e, "other");
  e.require(a.imaginary || b.imaginary);
  const char* relation = equal ? "eq" : "ne";
  const auto zeroIf = [](const std::optional<Operand>& part) {
    return part ? *part : Operand(0.0);
  };
  const Tensor real = e.compare(relation, a.real, b.real);
  const Tensor imaginary =
      a.imaginary ? e.compare(relation, *a.imaginary, zeroIf(b.imaginary))
                  : e.compare(relation, asTensor(e, *b.imaginary, a.real), Operand(0.0));
  return one(equal ? e.logicalAnd(real, imaginary) : e.logicalOr(real, imaginary));
}

/// A tensor of one number; `like` only gives its shape.
Results filled(Emitter& e, const std::complex<double>& number) {
  const fx::TensorMeta result = e.result();
  e.require(isComplex(result.dtype) && result.isStaticShape());
  const DType real = ops::realType(result.dtype);
  Sizes sizes;
  for (const fx::SymInt& size : result.sizes) sizes.push_back(Size::of(size.value()));
  return one(complexOf(e, {e.full(sizes, number.real(), real), e.full(sizes, number.imag(), real)},
                       result.dtype));
}
std::complex<double> complexNumber(Emitter& e, std::string_view name) {
  const fx::Argument value = e.argument(name);
  if (const auto* number = std::get_if<std::complex<double>>(&value)) return *number;
  return {e.number(name), 0};
}
Results filledWithValue(Emitter& e) { return filled(e, complexNumber(e, "fill_value")); }
Results scalarTensor(Emitter& e) { return filled(e, complexNumber(e, "s")); }
Results zeros(Emitter& e) { return filled(e, 0); }
Results ones(Emitter& e) { return filled(e, 1); }
Results fromParts(Emitter& e) { return combined(e, {e.tensor("real"), e.tensor("imag")}); }
Results fromPolar(Emitter& e) {
  const Tensor size = e.tensor("abs"), turn = e.tensor("angle");
  return combined(e, {e.mul(size, e.unary("cos", turn)), e.mul(size, e.unary("sin", turn))});
}
/// A cast from a real or complex type to a complex one, or from a complex one to a real one, which
/// drops the imaginary part.
Results cast(Emitter& e) {
  const Tensor x = e.tensor(e.matched().target.starts_with("prims.") ? "a" : "self");
  const DType dtype = e.result().dtype;
  if (isComplex(dtype)) return combined(e, partsOf(e, x));
  e.require(isComplex(x.dtype()) && dtype != DType::Bool);
  return one(e.cast(partsOf(e, x).real, dtype));
}

/// Says of a complex tensor what the program records, and would keep it.
Results knownAssertion(Emitter& e) {
  const Tensor x = e.tensor("a");
  const fx::Argument dtype = e.argument("dtype");
  e.require(isComplex(x.dtype()) && (dtype.isNone() || dtype == fx::Argument(x.dtype())));
  e.require(e.argument("size").isNone() && e.argument("stride").isNone());
  return std::vector<fx::Argument>{};
}

/// The argument with one part in place of each complex tensor. Other tensors are indices and masks.
fx::Argument partIn(Emitter& e, const fx::Argument& argument, bool imaginary) {
  if (const fx::ArgumentList* list = argument.list()) {
    fx::ArgumentList out;
    for (const fx::Argument& element : *list) out.push_back(partIn(e, element, imaginary));
    return out;
  }
  const fx::TensorMeta* meta = argument.node() ? e.context().tensor(argument) : nullptr;
  if (meta == nullptr) return argument;
  if (!isComplex(meta->dtype)) {
    e.require(!isFloating(meta->dtype));
    return argument;
  }
  const ComplexParts parts = partsOf(e, {argument, *meta});
  return imaginary ? parts.imaginary->value : parts.real.value;
}

/// A call that is linear and does the same to both parts.
Results onParts(Emitter& e) {
  const fx::Node& node = e.matched();
  const auto realOf = [&](const fx::Value& value) {
    const fx::TensorMeta* meta = value.tensor();
    e.require(meta != nullptr && isComplex(meta->dtype));
    fx::TensorMeta out = *meta;
    out.dtype = ops::realType(meta->dtype);
    out.strides = fx::contiguousStrides(out.sizes);
    return out;
  };
  const fx::ValueList* parts = node.val.list();
  fx::Value value = fx::Unknown{};
  if (parts != nullptr) {
    fx::ValueList list;
    for (const fx::Value& part : *parts) list.emplace_back(realOf(part));
    value = std::move(list);
  } else {
    value = realOf(node.val);
  }
  fx::Argument made[2];
  for (const bool imaginary : {false, true}) {
    std::vector<fx::NodeArgument> args = node.args;
    for (fx::NodeArgument& argument : args) argument.value = partIn(e, argument.value, imaginary);
    made[imaginary ? 1 : 0] = e.context().callValue(node.target, std::move(args), value);
  }
  const auto complexAt = [&](const fx::Argument& real, const fx::Argument& imaginary,
                             const fx::Value& result) {
    const fx::TensorMeta meta = realOf(result);
    return complexOf(e, {{real, meta}, Tensor{imaginary, meta}}, result.tensor()->dtype).value;
  };
  if (parts == nullptr) return std::vector<fx::Argument>{complexAt(made[0], made[1], node.val)};
  std::vector<fx::Argument> out;
  for (std::size_t i = 0; i < parts->size(); ++i)
    out.push_back(
        complexAt(e.context().getitem(made[0], i), e.context().getitem(made[1], i), (*parts)[i]));
  return out;
}

constexpr std::string_view kLinear[] = {
    "alias.default",
    "cat.default",
    "chunk.default",
    "clone.default",
    "contiguous.default",
    "detach.default",
    "diagonal.default",
    "expand.default",
    "flatten.using_ints",
    "flip.default",
    "gather.default",
    "index.Tensor",
    "index_select.default",
    "lift_fresh_copy.default",
    "mean.default",
    "mean.dim",
    "movedim.int",
    "narrow.default",
    "neg.default",
    "numpy_T.default",
    "mT.default",
    "permute.default",
    "repeat.default",
    "reshape.default",
    "roll.default",
    "select.int",
    "slice.Tensor",
    "split.Tensor",
    "split_with_sizes.default",
    "squeeze.default",
    "squeeze.dim",
    "squeeze.dims",
    "stack.default",
    "sum.default",
    "sum.dim_IntList",
    "t.default",
    "tile.default",
    "transpose.int",
    "tril.default",
    "triu.default",
    "unbind.int",
    "unflatten.int",
    "unfold.default",
    "unsqueeze.default",
    "_unsafe_view.default",
    "view.default",
    "where.self",
};

std::vector<Rule> makeRules() {
  std::vector<Rule> rules;
  const auto add = [&](std::initializer_list<std::string_view> names,
                       const decltype(Rule::apply)& apply) {
    for (const std::string_view name : names) {
      const std::string target =
          (name.find('.') == name.rfind('.') ? "aten." : "") + std::string(name);
      rules.push_back(
          {target, "becomes arithmetic on both parts", false, apply, "complex-as-pairs"});
    }
  };
  for (const std::string_view name : kLinear) add({name}, onParts);
  add({"view_as_real.default"}, pairsOf);
  add({"add.Tensor", "add.Scalar"}, sum<false>);
  add({"sub.Tensor", "sub.Scalar"}, sum<true>);
  add({"rsub.Tensor", "rsub.Scalar"}, difference);
  add({"eq.Tensor", "eq.Scalar"}, comparison<true>);
  add({"ne.Tensor", "ne.Scalar"}, comparison<false>);
  add({"_assert_tensor_metadata.default"}, knownAssertion);
  add({"reciprocal.default"}, complexReciprocal);
  add({"log.default"}, complexLogarithm);
  add({"cos.default"}, complexCosine);
  add({"sin.default"}, complexSine);
  add({"square.default"}, complexSquare);
  add({"pow.Tensor_Scalar"}, complexPower);
  add({"full.default", "full_like.default", "new_full.default"}, filledWithValue);
  add({"scalar_tensor.default"}, scalarTensor);
  add({"zeros.default", "zeros_like.default", "new_zeros.default"}, zeros);
  add({"ones.default", "ones_like.default", "new_ones.default"}, ones);
  add({"mul.Tensor", "mul.Scalar"}, product);
  add({"div.Tensor", "div.Scalar"}, quotient);
  add({"matmul.default"}, complexMatmul);
  add({"mm.default", "bmm.default"}, mm);
  add({"_conj.default", "conj.default", "conj_physical.default"}, conjugate);
  add({"resolve_conj.default", "resolve_neg.default"}, onParts);
  add({"real.default"}, realPart);
  add({"imag.default"}, imaginaryPart);
  add({"abs.default"}, size);
  add({"angle.default"}, complexAngle);
  add({"exp.default"}, complexExponential);
  add({"complex.default"}, fromParts);
  add({"polar.default"}, fromPolar);
  add({"aten.to.dtype", "aten._to_copy.default", "prims.convert_element_type.default"}, cast);
  return rules;
}

/// The placeholder's weight, if it is complex and nothing but aten.view_as_real reads it.
fx::Weight* pairedWeight(fx::Program& program, const fx::InputSpec& spec,
                         const std::vector<fx::NodeId>& users) {
  if (!isWeight(spec.kind)) return nullptr;
  const fx::TensorMeta* meta = program.node(spec.node).val.tensor();
  if (meta == nullptr || !isComplex(meta->dtype) || !meta->isStaticShape() || users.empty())
    return nullptr;
  for (const fx::NodeId user : users)
    if (program.node(user).target != "aten.view_as_real.default") return nullptr;
  const auto isTarget = [&](const auto& other) { return other.target == spec.target; };
  if (std::count_if(program.inputs.begin(), program.inputs.end(), isTarget) > 1) return nullptr;
  if (std::any_of(program.outputs.begin(), program.outputs.end(), isTarget))
    return nullptr;  // a buffer that is updated
  const auto weight = std::find_if(program.weights.begin(), program.weights.end(),
                                   [&](const fx::Weight& w) { return w.fqn == spec.target; });
  return weight != program.weights.end() && weight->dtype == meta->dtype &&
                 weight->sizes.size() == meta->rank()
             ? &*weight
             : nullptr;
}

}  // namespace

Result<fx::ProgramPtr> withRealWeights(const fx::ProgramPtr& program, const fx::ProgramPtr& user,
                                       const RunContext& context) {
  fx::Program draft = *program;
  const std::vector<std::vector<fx::NodeId>> users = fx::usersOf(draft);
  std::unordered_map<fx::NodeId, fx::NodeId>
      same;  // view_as_real nodes, and the placeholders that they now are
  for (const fx::InputSpec& spec : draft.inputs) {
    fx::Weight* weight = pairedWeight(draft, spec, users[spec.node.index()]);
    if (weight == nullptr) continue;
    weight->dtype = ops::realType(weight->dtype);
    weight->sizes.push_back(2);
    for (std::int64_t& stride : weight->strides) stride *= 2;
    weight->strides.push_back(1);
    weight->storageOffset *= 2;
    fx::TensorMeta meta = *draft.node(spec.node).val.tensor();
    meta.dtype = weight->dtype;
    meta.sizes.emplace_back(2);
    meta.strides = fx::contiguousStrides(meta.sizes);
    draft.nodes[spec.node.index()].val = meta;
    for (const fx::NodeId view : users[spec.node.index()]) same.emplace(view, spec.node);
  }
  if (same.empty()) return program;
  const auto renamed = [&](fx::NodeId id) -> fx::Argument {
    const auto found = same.find(id);
    return found == same.end() ? id : found->second;
  };
  for (fx::Node& node : draft.nodes)
    for (fx::NodeArgument& argument : node.args)
      argument.value = fx::mapNodes(argument.value, renamed);
  for (fx::OutputSpec& output : draft.outputs) output.value = fx::mapNodes(output.value, renamed);
  return finish(std::move(draft), user, context);
}

const std::vector<Rule>& complexPairRules() {
  static const std::vector<Rule> rules = makeRules();
  return rules;
}

}  // namespace fxs::rewrite
