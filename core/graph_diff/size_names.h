// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Names of symbolic sizes that two exports of one model have in common, whatever their symbols are
// called: a symbol is the dimension of an input that it is, an input that is a number, or else the
// operator whose result has it first.
#include <map>
#include <string>
#include <string_view>

#include "fx/program.h"

namespace fxs::graph_diff {

class SizeNames {
 public:
  explicit SizeNames(const fx::Program&);

  /// With these names: "f32[2, x.size(1)]", "2*x.size(0) + 1", "aten.nonzero.size(0)".
  fx::Value renamed(const fx::Value&) const;
  /// Of an expression as PyTorch prints it; "" if it has a symbol that no value has, as what export
  /// left behind, and if it is not an expression.
  std::string renamed(const std::string& expression) const;

 private:
  void addInputs(const fx::Program&);
  void addResults(const fx::Program&);
  /// Whether the expression has a symbol without a name.
  bool hasNew(const fx::SymExpr&) const;
  /// The symbols of an expression.
  void addWithin(const fx::SymExpr&, const std::string& place);
  fx::SymExprPtr renamed(const fx::SymExprPtr&) const;
  fx::SymInt renamed(const fx::SymInt&) const;

  std::map<std::string, std::string, std::less<>> names_;  ///< by symbol
};

}  // namespace fxs::graph_diff
