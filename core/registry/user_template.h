#pragma once
// One parsed entry of a user's registry: an operator with its conditions and its body, and its instantiation for a call.
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "registry/handler.h"

namespace fxs::registry {

enum class FactKind : std::uint8_t { Constant, Float, Type, Element, Shape, Rank, Size };
/// `${size x -1}`: what of which argument; `argument` is "result" for a result.
struct Fact {
  FactKind kind = FactKind::Constant;
  std::string argument;
  std::int64_t number = 0;  ///< of a size the dimension, of a result its index
};
struct LocalName {
  std::string name;
};  ///< %name that the body defines
struct OperandName {
  std::string name;
};  ///< %name of an argument
using Piece = std::variant<std::string, Fact, LocalName, OperandName>;

struct BodyLine {
  std::vector<Piece> pieces;
  bool isWhole = true;  ///< an operation ends here, followed by a location
  bool isOp = true;     ///< an operation begins here
};

enum class ConditionKind : std::uint8_t { Float, Integer, Bool, Constant, None, SameType, Rank, Size, Element };
struct Condition {
  ConditionKind kind;
  std::string argument, other;  ///< `other` of same_type
  std::int64_t dim = 0;
  std::string relation;  ///< "==" ..; "" where there is none
  std::int64_t number = 0;
  std::string element;
  std::string text;  ///< as written
};

struct Template {
  std::string op;  ///< FX target or op class
  std::vector<std::string> arguments;
  std::vector<Condition> conditions;
  std::vector<BodyLine> body;
  std::vector<Piece> returned;  ///< LocalName or OperandName each
};

/// The node's results, emitted by the template; refused with the condition that the call does not meet.
Handled expand(const Template&, Call&);

}  // namespace fxs::registry
