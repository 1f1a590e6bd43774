// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creation, parts and conjugation of complex numbers, elementwise.
#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

bool isComplexType(const TensorType& type) { return type.element.starts_with("complex<"); }
/// "f32" of "complex<f32>".
std::string partOf(std::string_view element) {
  return std::string(element.substr(8, element.size() - 9));
}

Value created(OpBuilder& emit, const Value& re, const Value& im, const std::string& type) {
  const std::vector<Value> parts{re, im};
  return emit.ops("complex.create", parts, std::span(&type, 1)).front();
}
Value part(OpBuilder& emit, std::string_view op, const Value& x) {
  const std::string type = partOf(x.type);
  return emit.ops(op, std::span(&x, 1), std::span(&type, 1)).front();
}

Handled fromParts(Call& call, std::string_view first, std::string_view second,
                  const std::function<std::pair<Value, Value>(const Arith&, Elements)>& parts) {
  FXS_TAKE(a, call.operand(first));
  FXS_TAKE(b, call.operand(second));
  FXS_TAKE(result, call.result());
  const DType dtype = call.dtypeOf(call.argument(first));
  if (!isComplexType(result) || a.tensor.element != partOf(result.element) ||
      b.tensor.element != a.tensor.element)
    return refuse("parts of " + a.type + " and " + b.type + " do not combine to " + result.text());
  const std::vector<Value> inputs{a, b};
  return Values{pointwise(call.emit, result, inputs, [&](Elements x) {
    const auto [re, im] = parts(Arith(call.emit, dtype), x);
    return created(call.emit, re, im, result.element);
  })};
}

Handled complexOfParts(Call& call) {
  return fromParts(call, "real", "imag",
                   [](const Arith&, Elements x) { return std::pair(x[0], x[1]); });
}
Handled polar(Call& call) {
  return fromParts(call, "abs", "angle", [](const Arith& arith, Elements x) {
    return std::pair(arith.mul(x[0], arith.function("cos", x[1])),
                     arith.mul(x[0], arith.function("sin", x[1])));
  });
}

Handled imaginary(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  if (!isComplexType(self.tensor)) return refuse(self.type + " has no imaginary part");
  return Values{pointwise(call.emit, result, std::span(&self, 1),
                          [&](Elements x) { return part(call.emit, "complex.im", x[0]); })};
}

Handled conjugate(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  if (!isComplexType(self.tensor)) return Values{self};
  return Values{pointwise(call.emit, result, std::span(&self, 1), [&](Elements x) {
    const Value im = part(call.emit, "complex.im", x[0]);
    const Value turned =
        call.emit.ops("arith.negf", std::span(&im, 1), std::span(&im.type, 1)).front();
    return created(call.emit, part(call.emit, "complex.re", x[0]), turned, x[0].type);
  })};
}

/// [..] of complex numbers <-> [.., 2] of their parts.
Handled viewAsReal(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  if (!isComplexType(self.tensor)) return refuse(self.type + " has no parts");
  return Values{generate(call.emit, result, [&](Elements at) {
    const Value x = extract(call.emit, self, at.first(at.size() - 1));
    const Arith counts(call.emit, DType::Int64);
    return counts.select(counts.compare(Relation::Equal, at.back(), index(call.emit, 0)),
                         part(call.emit, "complex.re", x), part(call.emit, "complex.im", x));
  })};
}

Handled viewAsComplex(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  if (!isComplexType(result)) return refuse(self.type + " holds no pairs");
  return Values{complexOf(call.emit, self)};
}

}  // namespace

void registerLinalgComplex(Registries& registries) {
  registries.add("linalg", {"ComplexOp"}, complexOfParts);
  registries.add("linalg", {"PolarOp"}, polar);
  registries.add("linalg", {"ImagOp"}, imaginary);
  registries.add("linalg", {"ConjOp"}, conjugate);
  registries.add("linalg", {"ViewAsRealOp"}, viewAsReal);
  registries.add("linalg", {"ViewAsComplexOp"}, viewAsComplex);
  registries.anySizes("linalg", {"ComplexOp", "PolarOp", "ImagOp", "ConjOp", "ViewAsRealOp"});
}

}  // namespace fxs::registry
