// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The symbolic sizes of a program: each expression, such as "2*s27 + 1", becomes a symbol of the
// OpBuilder. Its value is computed with arith operations on `index` from what the symbols are:
// sizes of the program's inputs, integer inputs, and what nodes return.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fx/program.h"
#include "registry/op_builder.h"

namespace fxs::registry {

class SymbolicSizes {
 public:
  explicit SymbolicSizes(OpBuilder& emit) : emit_(emit) {}
  SymbolicSizes(const SymbolicSizes&) = delete;
  SymbolicSizes& operator=(const SymbolicSizes&) = delete;

  /// The size itself, or the symbol of its expression.
  std::int64_t of(const fx::SymInt&);
  /// Whether all symbols have values.
  bool knows(const fx::SymExpr&) const;
  /// Declares that a value of a tensor or integer type is what the program records, which tells
  /// symbols that were not known before.
  void learn(const fx::Value& recorded, const Value& value);
  /// Computes the sizes of a recorded value, or the value of an integer, at this place in the text;
  /// what is not known yet is left out.
  void write(const fx::Value& recorded);
  /// The symbol of a recorded integer; nullopt of other values.
  std::optional<std::int64_t> integer(const fx::Value& recorded);

 private:
  struct Known {
    fx::SymExprPtr expr;
    std::int64_t size;
  };
  /// A symbol is `scale * symbol + offset` of dimension `dim` of a tensor, or of an integer (dim
  /// -1).
  struct Source {
    Value value;
    std::int64_t dim = -1, scale = 1, offset = 0;
  };

  void learn(const fx::SymExprPtr&, const Value& value, std::int64_t dim);
  void write(std::int64_t size, const fx::SymExprPtr&);
  std::optional<Value> compute(const fx::SymExpr&);
  std::optional<Value> computeCall(const fx::SymExpr&);
  Value read(const Source&);
  Value binary(std::string_view op, const Value& a, const Value& b);

  OpBuilder& emit_;
  std::vector<Known> known_;
  std::map<std::string, std::int64_t> byText_;
  std::map<std::string, Source> sources_;
};

}  // namespace fxs::registry
