// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Builds MLIR operations as text (mlir/text/generic_op_writer.h), each with the location of its FX
// node. Values are named %0, %1 ..; tensor types are structs, so that handlers compute shapes
// without parsing text.
//   %4 = "tosa.add"(%2, %3) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
//   loc("add"("fx":3:0))
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/run_context.h"
#include "mlir/text/generic_op_writer.h"
#include "mlir/text/quoted.h"
#include "ops/dtype.h"
#include "registry/sizes.h"

namespace fxs::registry {

/// A ranked tensor with signless elements, as in TOSA and linalg: `tensor<2x3xf32>`.
struct TensorType {
  Sizes sizes;
  std::string element;  ///< "f32", "i64", "i1", "complex<f32>"; see elementOf()
  std::string text()
      const;  ///< with the numbers of symbolic sizes, "tensor<?0x3xf32>"; see printedType()
  std::int64_t rank() const { return static_cast<std::int64_t>(sizes.size()); }
  std::int64_t elements() const;  ///< throws BadSizes if it is symbolic
  bool isStatic() const;          ///< no size is symbolic
  bool isEmpty() const;           ///< a size is 0
  /// Throws BadSizes if the sizes exceed the limits of sizes.h.
  void check() const;
  bool isFloat() const;    ///< f16, bf16, f32, f64 ..
  bool isInteger() const;  ///< i8 .. i64; not i1
  bool isBool() const { return element == "i1"; }
  friend bool operator==(const TensorType&, const TensorType&) = default;
};
/// "f32" for Float32, "i64" for Int64, "i1" for Bool, "i8" for UInt8 (signless; use the DType to
/// tell them apart); "" if MLIR has none.
std::string elementOf(DType);

/// An SSA value. `type` is its type as TensorType::text() has it; `tensor` is filled in if it is a
/// tensor.
struct Value {
  std::string name;  ///< "%4", "%4#1"
  std::string type;
  TensorType tensor;
};

std::vector<std::string> typesOf(std::span<const Value> values);

/// One element of a constant, in the domain of its element type.
using Scalar = std::variant<bool, std::int64_t, double, std::complex<double>>;

class OpBuilder {
 public:
  OpBuilder() = default;
  OpBuilder(const OpBuilder&) = delete;
  OpBuilder& operator=(const OpBuilder&) = delete;

  /// Charges the written text to the budget of `context`, which must outlive the builder.
  void spendFrom(const RunContext& context) { context_ = &context; }
  /// Charges text that is stored elsewhere to the same budget.
  void spend(std::size_t bytes) const {
    if (context_ != nullptr) context_->spend(Resource::Text, bytes, node_);
  }

  /// Sets the location of the following operations to the node with this name and index.
  void setLocation(std::string_view nodeName, std::size_t nodeIndex);

  /// `attributes`: the properties, without `<{` and `}>`. Throws BadSizes if `result` fails
  /// TensorType::check().
  Value op(std::string_view name, std::initializer_list<Value> operands, const TensorType& result,
           std::string_view attributes = {});
  Value op(std::string_view name, std::span<const Value> operands, const TensorType& result,
           std::string_view attributes = {});
  /// For several results, or result types other than tensors (`index`, `!tosa.shape<2>`).
  std::vector<Value> ops(std::string_view name, std::span<const Value> operands,
                         std::span<const std::string> resultTypes,
                         std::string_view attributes = {});

  /// An operation with regions: begin, for each region beginRegion (its block arguments) ..
  /// endRegion, then finish.
  struct Open;
  Open begin(std::string_view name, std::span<const Value> operands,
             std::span<const std::string> resultTypes, std::string_view attributes = {});
  std::vector<Value> beginRegion(Open&, std::span<const std::string> argumentTypes);
  void endRegion(Open&);
  std::vector<Value> finish(Open&);

  /// A constant with a `dense<..>` payload: a splat if `values` has one element, otherwise one
  /// value per element. `op`: "tosa.const" or "arith.constant".
  Value constant(const TensorType&, std::span<const Scalar> values,
                 std::string_view op = "tosa.const");
  Value splat(const TensorType& type, Scalar value, std::string_view op = "tosa.const") {
    return constant(type, std::span(&value, 1), op);
  }
  /// A scalar `arith.constant` of type "index", "i64", "f32" ..; a complex number is created from
  /// two.
  Value scalar(std::string_view type, Scalar);
  /// A new symbolic size, and its value of type `index`; without a name when nothing needs it, or
  /// not yet.
  std::int64_t symbol(const Value& index = {});
  void setSymbol(std::int64_t size, const Value& index);
  bool hasValue(std::int64_t size) const;
  /// A size as a value of type `index`. Throws BadSizes for a symbolic one without a value.
  Value index(std::int64_t size);
  /// The values of the symbolic sizes in a list, the operands of tensor.empty and its like.
  std::vector<Value> symbolsIn(const Sizes&);

  /// A `tosa.const_shape`; the sizes may be empty.
  Value shape(const Sizes&);

  /// The symbol of a function of these types that is defined elsewhere; declarations() declares it.
  /// "name", or "name_1" .. for further types.
  std::string external(std::string_view name, std::span<const Value> operands,
                       std::span<const std::string> resultTypes);
  /// The external functions, as operations of the module.
  std::string declarations() const;

  /// Appends `count` operations as text: whole lines with their locations, from a template.
  void lines(std::string_view text, std::size_t count) {
    spend(text.size());
    writer_.lines(text, count);
  }

  std::size_t ops() const { return writer_.count(); }
  const std::string& location() const { return writer_.location(); }  ///< ` loc("add"("fx":3:0))`
  const std::string& text() const { return out_; }

  /// rollback() discards everything written after the mark, for handlers that refuse halfway.
  using Mark = mlir::GenericOpWriter::Mark;
  Mark mark() const { return writer_.mark(); }
  void rollback(const Mark& mark) { writer_.rollback(mark); }

 private:
  std::vector<Value> head(std::string_view name, std::span<const Value> operands,
                          std::span<const std::string> resultTypes, std::string_view attributes);
  void signature(std::span<const Value> operands, std::span<const std::string> resultTypes);
  const RunContext* context_ = nullptr;
  std::string out_, node_;
  std::vector<Value> symbols_;
  struct External {
    std::string name, type, symbol;
  };
  std::vector<External> externals_;  ///< in the order of their first calls
  mlir::GenericOpWriter writer_{out_, 2, "%b"};
};
struct OpBuilder::Open {
  std::vector<Value> operands;
  std::vector<std::string> resultTypes;
  std::vector<Value> results;
  std::size_t regions = 0;
};

using mlir::quoted;
/// A line that a module with these operations begins with: torch-mlir-opt loads math and affine
/// only together with linalg, of which it is an unused alias. "" if they have no operation of math.
std::string_view loadingLine(std::string_view operations);
/// ` loc("add"("fx":3:0))`
std::string locationText(std::string_view nodeName, std::size_t nodeIndex);
/// `type` as MLIR has it, "tensor<?x3xf32>" of "tensor<?0x3xf32>"; for texts with such types, too.
std::string printedType(std::string_view type);
/// Parses what TensorType::text() gives; nullopt for any other type.
std::optional<TensorType> parseTensorType(std::string_view text);
/// `dense<..>` for that type: a splat if `values` has one element, `dense<>` if the type has no
/// elements.
std::string denseText(const TensorType&, std::span<const Scalar> values);

/// An element as printed inside `dense<..>`: "1.5", "0x7FC00000", "true", "(1.0,2.0)".
std::string elementText(Scalar, std::string_view elementType);

}  // namespace fxs::registry
