// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One parsed entry of a user's registry (an operator with its conditions and its body), and its
// expansion for a call.
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "registry/handler.h"

namespace fxs::registry {

enum class FactKind : std::uint8_t { Constant, Float, Type, Element, Shape, Rank, Size };
/// A property of an argument, `${size x -1}`; `argument` is "result" for a result.
struct Fact {
  FactKind kind = FactKind::Constant;
  std::string argument;
  std::int64_t number = 0;  ///< the dimension of a size, or the index of a result
};
struct LocalName {
  std::string name;
};  ///< `%name` of a value defined by the body
struct OperandName {
  std::string name;
};  ///< `%name` of a tensor argument
using Piece = std::variant<std::string, Fact, LocalName, OperandName>;

struct BodyLine {
  std::vector<Piece> pieces;
  bool isComplete = true;  ///< an operation ends on this line, and a location is appended
  bool isOp = true;        ///< an operation begins on this line
};

enum class ConditionKind : std::uint8_t {
  Float,
  Integer,
  Bool,
  Constant,
  None,
  SameType,
  Rank,
  Size,
  Element
};
struct Condition {
  ConditionKind kind;
  std::string argument, other;  ///< `other`: the second argument of same_type
  std::int64_t dim = 0;
  std::string relation;  ///< "==" ..; "" for predicates such as float(x)
  std::int64_t number = 0;
  std::string element;
  std::string text;  ///< as written
};

struct Template {
  std::string op;  ///< FX target or op class
  std::vector<std::string> arguments;
  std::vector<Condition> conditions;
  std::string external;  ///< instead of a body: the function, defined elsewhere, that is called
                         ///< with the tensors and numbers
  std::vector<BodyLine> body;
  std::vector<Piece> returned;  ///< each a LocalName or OperandName
};

/// Emits the body, or the call of the external function, for a call and returns the node's results.
/// Refused, naming the condition, if the call does not meet one.
Handled expand(const Template&, Call&);

}  // namespace fxs::registry
