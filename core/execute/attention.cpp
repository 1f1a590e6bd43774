// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute/attention.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "base/joined.h"
#include "mlir/text/function_types.h"
#include "mlir/text/module.h"

namespace fxs::execute {
namespace {

/// The tensor types in `: tensor<..>, tensor<..>`.
std::vector<std::string_view> tensorTypesIn(std::string_view text) {
  constexpr std::string_view kTensor = "tensor<";
  std::vector<std::string_view> out;
  for (std::size_t at = text.find(kTensor); at != std::string_view::npos;
       at = text.find(kTensor, at)) {
    const std::size_t end = std::min(text.find('>', at) + 1, text.size());
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

/// The attributes of `tm_tensor.attention {scale = 1.0 : f64} ins(..`, in braces; "" without any.
std::string_view attributesIn(std::string_view text) {
  const std::size_t ins = std::min(text.find("ins("), text.size()), begin = text.find('{');
  return begin >= ins ? std::string_view()
                      : text.substr(begin + 1, text.substr(0, ins).rfind('}') - begin - 1);
}

/// The number in `scale = 1.0 : f64`; std::nullopt for anything else.
std::optional<double> scaleIn(std::string_view attributes) {
  constexpr std::string_view kScale = "scale = ", kType = " : f64";
  if (!attributes.starts_with(kScale) || !attributes.ends_with(kType)) return std::nullopt;
  const std::string number(
      attributes.substr(kScale.size(), attributes.size() - kScale.size() - kType.size()));
  char* end = nullptr;
  const double scale = std::strtod(number.c_str(), &end);
  return end == number.c_str() + number.size() && std::isfinite(scale) ? std::optional(scale)
                                                                       : std::nullopt;
}

/// One attention as operations of linalg. The dimensions are those of the batch, then m (rows of
/// the query), then n (rows of the key).
class Expansion {
 public:
  struct Operand {
    std::string_view name;
    mlir::TensorType type;
    std::string_view text;  ///< of the type
  };

  /// `scale`: of the scores, if it is not 1 / sqrt(size).
  Expansion(std::vector<Operand> operands, std::optional<double> scale, std::string result,
            std::string prefix, std::string location)
      : operands_(std::move(operands)),
        given_(scale),
        result_(std::move(result)),
        prefix_(std::move(prefix)),
        location_(std::move(location)),
        batch_(operands_[0].type.sizes.size() - 2),
        exact_(operands_[0].type.element == "f64" ? "f64" : "f32") {}

  std::string text() {
    for (std::size_t d = 0; d < batch_; ++d) sizes_.push_back(sizeOf(0, d));
    const Size m = sizeOf(0, batch_), n = sizeOf(1, batch_), e = sizeOf(2, batch_ + 1);
    const Tensor zeros = filled({m, n}, "0.0"), none = filled({m}, lowest());
    // Dimension numbers of the maps: those of the batch, then m, n and a last one.
    const std::string query = map({0, 2}), key = map({1, 2}), scores = map({0, 1}), row = map({0}),
                      value = map({1, 2}), out = map({0, 2});
    const Tensor product = generic({{operands_[0].name, operands_[0].text, query},
                                    {operands_[1].name, operands_[1].text, key}},
                                   zeros, scores, 3, "parallel,parallel,reduction", multiplyAdd());
    const Tensor scaled = scale(product, zeros, scores);
    const Tensor most =
        generic({{scaled.name, scaled.type, scores}}, none, row, 2, "parallel,reduction",
                {fmt::format("%_r = arith.maximumf %_a0, %_o : {}", exact_)});
    const Tensor powers = generic({{scaled.name, scaled.type, scores}, {most.name, most.type, row}},
                                  zeros, scores, 2, "parallel,parallel",
                                  {fmt::format("%_s = arith.subf %_a0, %_a1 : {}", exact_),
                                   fmt::format("%_r = math.exp %_s : {}", exact_)});
    const Tensor sums =
        generic({{powers.name, powers.type, scores}}, filled({m}, "0.0"), row, 2,
                "parallel,reduction", {fmt::format("%_r = arith.addf %_a0, %_o : {}", exact_)});
    const Tensor mixed =
        generic({{powers.name, powers.type, scores}, {operands_[2].name, operands_[2].text, value}},
                filled({m, e}, "0.0"), out, 3, "parallel,reduction,parallel", multiplyAdd());
    const std::string outer = map({0, 1});
    const std::string_view element = operands_[2].type.element;
    std::vector<std::string> divide{
        fmt::format("%_{} = arith.divf %_a0, %_a1 : {}", element == exact_ ? "r" : "d", exact_)};
    if (element != exact_)
      divide.push_back(fmt::format("%_r = arith.truncf %_d : {} to {}", exact_, element));
    const Operand& given = operands_.back();
    generic({{mixed.name, mixed.type, outer}, {sums.name, sums.type, row}},
            {std::string(given.name), std::string(given.text)}, outer, 2, "parallel,parallel",
            divide, result_);
    return out_;
  }

 private:
  struct Size {
    std::string number, value;  ///< "5" or "?", and then the value
  };
  struct Tensor {
    std::string name, type;
  };
  struct Input {
    std::string_view name, type;
    std::string map;
  };

  /// Minus infinity.
  const char* lowest() const { return exact_ == "f64" ? "0xFFF0000000000000" : "0xFF800000"; }
  std::string fresh() { return fmt::format("%{}_{}", prefix_, count_++); }
  void line(const std::string& text) { out_ += text + location_ + "\n"; }

  Size sizeOf(std::size_t operand, std::size_t dimension) {
    const Operand& of = operands_[operand];
    if (const std::int64_t size = of.type.sizes[dimension]; size != mlir::kDynamic)
      return {std::to_string(size), {}};
    const std::string index = fresh(), size = fresh();
    line(fmt::format("{} = arith.constant {} : index", index, dimension));
    line(fmt::format("{} = tensor.dim {}, {} : {}", size, of.name, index, of.text));
    return {"?", size};
  }

  Tensor filled(const std::vector<Size>& last, const char* with) {
    std::vector<Size> all = sizes_;
    all.insert(all.end(), last.begin(), last.end());
    std::vector<std::string> numbers, dynamic;
    for (const Size& size : all) {
      numbers.push_back(size.number + "x");
      if (!size.value.empty()) dynamic.push_back(size.value);
    }
    const std::string type = fmt::format("tensor<{}{}>", joined(numbers, ""), exact_);
    const std::string number = fresh(), empty = fresh(), out = fresh();
    line(fmt::format("{} = arith.constant {} : {}", number, with, exact_));
    line(fmt::format("{} = tensor.empty({}) : {}", empty, joined(dynamic), type));
    line(fmt::format("{} = linalg.fill ins({} : {}) outs({} : {}) -> {}", out, number, exact_,
                     empty, type, type));
    return {out, type};
  }

  /// Of the dimensions of the batch and some of those that follow.
  std::string map(const std::vector<std::size_t>& last) const {
    std::vector<std::string> out;
    for (std::size_t d = 0; d < batch_; ++d) out.push_back(fmt::format("d{}", d));
    for (const std::size_t d : last) out.push_back(fmt::format("d{}", batch_ + d));
    return joined(out);
  }

  /// The product of %_a0 and %_a1 added to %_o.
  std::vector<std::string> multiplyAdd() const {
    return {fmt::format("%_p = arith.mulf %_a0, %_a1 : {}", exact_),
            fmt::format("%_r = arith.addf %_p, %_o : {}", exact_)};
  }

  Tensor scale(const Tensor& product, const Tensor& zeros, const std::string& scores) {
    const Size length = sizeOf(0, batch_ + 1);
    const std::string factor = fresh();
    if (given_ || length.value.empty()) {
      const double number = given_ ? *given_ : 1 / std::sqrt(std::stod(length.number));
      line(fmt::format("{} = arith.constant {:.17e} : {}", factor, number, exact_));
    } else {
      const std::string integer = fresh(), real = fresh();
      line(fmt::format("{} = arith.index_cast {} : index to i64", integer, length.value));
      line(fmt::format("{} = arith.sitofp {} : i64 to {}", real, integer, exact_));
      line(fmt::format("{} = math.rsqrt {} : {}", factor, real, exact_));
    }
    std::vector<Input> inputs{{product.name, product.type, scores}};
    std::vector<std::string> body{fmt::format("%_r = arith.mulf %_a0, {} : {}", factor, exact_)};
    if (operands_.size() > 4) {
      inputs.push_back({operands_[3].name, operands_[3].text, scores});
      body = {fmt::format("%_p = arith.mulf %_a0, {} : {}", factor, exact_)};
      if (operands_[3].type.element == kFlag) {
        body.push_back(fmt::format("%_l = arith.constant {} : {}", lowest(), exact_));
        body.push_back(fmt::format("%_r = arith.select %_a1, %_p, %_l : {}", exact_));
      } else {
        body.push_back(fmt::format("%_r = arith.addf %_p, %_a1 : {}", exact_));
      }
    }
    return generic(inputs, zeros, scores, 2, "parallel,parallel", body);
  }

  /// `body` computes %_r from %_a0, .. in the exact type and %_o; a result of another type is
  /// converted by it.
  Tensor generic(const std::vector<Input>& inputs, const Tensor& init, const std::string& outMap,
                 std::size_t dimensions, std::string_view kinds,
                 const std::vector<std::string>& body, std::string name = {}) {
    if (name.empty()) name = fresh();
    std::vector<std::string> all, maps, iterators, names, types, arguments;
    for (std::size_t d = 0; d < batch_ + dimensions; ++d) all.push_back(fmt::format("d{}", d));
    for (std::size_t d = 0; d < batch_; ++d) iterators.emplace_back("\"parallel\"");
    for (std::size_t at = 0; at <= kinds.size();) {
      const std::size_t end = std::min(kinds.find(',', at), kinds.size());
      iterators.push_back(fmt::format("\"{}\"", kinds.substr(at, end - at)));
      at = end + 1;
    }
    const auto affine = [&](const std::string& map) {
      maps.push_back(fmt::format("affine_map<({}) -> ({})>", joined(all), map));
    };
    std::vector<std::string> before;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      affine(inputs[i].map);
      names.emplace_back(inputs[i].name);
      types.emplace_back(inputs[i].type);
      const std::string_view element = mlir::tensorType(inputs[i].type)->element;
      const bool isExact = element == exact_ || element == kFlag;
      arguments.push_back(fmt::format("%_{}{}: {}", isExact ? "a" : "b", i, element));
      if (!isExact)
        before.push_back(fmt::format("%_a{} = arith.extf %_b{} : {} to {}", i, i, element, exact_));
    }
    affine(outMap);
    const std::string element(mlir::tensorType(init.type)->element);
    arguments.push_back("%_o: " + element);
    out_ += fmt::format(
        "{} = linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} ins({} : {}) outs({} "
        ": {}) {{\n^bb0({}):\n",
        name, joined(maps), joined(iterators), joined(names), joined(types), init.name, init.type,
        joined(arguments));
    for (const std::vector<std::string>* part : {&std::as_const(before), &body})
      for (const std::string& each : *part) line(each);
    line("linalg.yield %_r : " + element);
    line(fmt::format("}} -> {}", init.type));
    return {name, init.type};
  }

  static constexpr std::string_view kFlag = "i1";
  const std::vector<Operand> operands_;  ///< query, key, value, the mask if there is one, and what
                                         ///< the result is written to
  const std::optional<double> given_;
  const std::string result_, prefix_, location_;
  const std::size_t batch_;  ///< dimensions
  const std::string exact_;  ///< the type that is computed in
  std::vector<Size> sizes_;  ///< of the batch
  std::size_t count_ = 0;
  std::string out_;
};

}  // namespace

Result<std::string> withAttentionExpanded(std::string_view text) {
  const mlir::Module module(text);
  std::string out;
  std::size_t at = 0, count = 0;
  for (std::uint32_t i = 0; i < module.ops.size(); ++i) {
    const mlir::OpId id(i);
    if (module.nameOf(id) != "tm_tensor.attention") continue;
    const mlir::Op& op = module.op(id);
    const auto uses = module.operandsOf(id);
    const std::vector<std::string_view> types = tensorTypesIn(op.head.of(text));
    std::vector<Expansion::Operand> operands;
    for (std::size_t u = 0; u < uses.size() && u < types.size(); ++u)
      if (const auto type = mlir::tensorType(types[u]); type && type->sizes.size() > 2)
        operands.push_back({uses[u].text.of(text), *type, types[u]});
    // Its result has the last type.
    if ((operands.size() != 4 && operands.size() != 5) || operands.size() != uses.size() ||
        types.size() != uses.size() + 1 || op.results.size() != 1)
      return fail(ErrorCode::Unsupported,
                  "tm_tensor.attention is printed in a form that is not known");
    const std::string_view attributes = attributesIn(op.head.of(text));
    const std::optional<double> scale = scaleIn(attributes);
    if (!attributes.empty() && !scale)
      return fail(ErrorCode::Unsupported, "attributes of tm_tensor.attention that are not known: " +
                                              std::string(attributes));
    const std::string location = op.location.begin == op.location.end
                                     ? std::string()
                                     : fmt::format(" loc({})", op.location.of(text));
    const std::string result(module.value(mlir::ValueId(op.results.begin)).name.of(text));
    out.append(text.substr(at, op.text.begin - at));
    out += Expansion(std::move(operands), scale, result,
                     fmt::format("fxscope_attention_{}", count++), location)
               .text();
    at = op.text.end;
  }
  return out.append(text.substr(at));
}

}  // namespace fxs::execute
