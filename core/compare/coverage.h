// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which values an operator saw: kinds of values that separate right from wrong (operator_values.h)
// among the elements of its operands, in all sets of inputs. What it did not see was not tested
// there.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compare/error_scales.h"
#include "compare/operator_values.h"
#include "fx/program.h"

namespace fxs::compare {

/// The kinds of values among the elements; of a large tensor, of the first million.
Values valuesIn(const tensor::Tensor&);

/// By NodeId: whether the value is that of an input of the user's, or computed from one. Sizes are
/// numbers, which do not count.
std::vector<bool> dependOnInputs(const fx::Program&);

/// A comparison of two operands, in the main graph.
bool comparesElements(const fx::Node&);

/// Of a comparison's operands, broadcast: the difference of each pair of elements, until `visit`
/// says true. False if a value is not known, or the operands do not belong together.
bool forEachDifference(const fx::Node&, const NodeValue&, const std::function<bool(double)>& visit);

/// Calls of an operator none of whose operands had a value that separates right from wrong.
struct Unseen {
  Value value;
  std::string packet;  ///< "round"
  std::size_t calls = 0;
  bool operator==(const Unseen&) const = default;
};

/// A value that separates right from wrong at an operator, and of its calls how many saw it among
/// their operands.
struct Sight {
  std::string packet;  ///< "round"
  Value value;
  std::size_t calls = 0;  ///< that could be looked at
  std::size_t seen = 0;
  bool operator==(const Sight&) const = default;
};

class Coverage {
 public:
  explicit Coverage(const fx::Program&);

  /// The values of one set of inputs. Nodes of subgraphs are left out.
  void add(const NodeValue&);
  /// Leaves out what the inputs decide, such as NaN and infinity, operands that no input decides,
  /// and calls of which no values were known.
  std::vector<Unseen> unseen() const;
  /// Every separating value of every operator, also those that the inputs decide, by operator.
  std::vector<Sight> sights() const;

 private:
  struct OperandKinds {
    Values seen, applicable;
  };
  /// Returns the values that an operand can have.
  Values addOperands(const fx::Node& call, const Values& separating,
                     const std::function<OperandKinds(fx::NodeId)>& kindsOf);
  /// Returns whether the operands could be compared.
  bool addTies(const fx::Node& comparison, const NodeValue&);

  const fx::Program& program_;
  std::vector<bool> depends_;  // by node: on elements of inputs
  std::vector<Values> seen_;   // by call: among its operands, or not possible there
  std::vector<Values> saw_;    // by call: among its operands
  std::vector<bool> isKnown_;  // by call
};

}  // namespace fxs::compare
