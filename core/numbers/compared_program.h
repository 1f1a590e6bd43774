// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The imported program of a snapshot, whose lowered forms are compared, and what is known about its
// values in advance.
#include <cstdint>
#include <string>
#include <vector>

#include "compare/inputs.h"
#include "session/session.h"
#include "tensor/judge.h"

namespace fxs::numbers {

class ComparedProgram {
 public:
  /// The snapshot outlives it. `sizes`: of symbols, for the lengths of sums.
  ComparedProgram(const session::Snapshot&, const compare::Sizes& sizes);

  const fx::Program& user;
  const fx::ProgramPtr program;                    ///< the rewritten one
  const std::vector<fx::NodeId> results;           ///< its nodes; invalid for a constant
  const std::vector<const fx::OutputSpec*> specs;  ///< of the results
  const std::vector<bool> undetermined;            ///< by node
  const std::vector<fx::NodeId> valueOf;           ///< by the user's node: the node with its value

  /// The user's node of a node of `program`; invalid for an invalid one.
  fx::NodeId userNode(fx::NodeId id) const {
    return id.valid() ? program->originOf(program->node(id)).id : id;
  }
  const std::string& nameOf(fx::NodeId userNode) const { return user.node(userNode).name; }
  /// The name of a result among PyTorch's values (see Reference::values); "" for one that PyTorch
  /// does not return.
  std::string resultName(std::size_t result) const;
  /// By the rule, with what is known about the value of `node`, which may be invalid. `scale`: see
  /// tensor::JudgeOptions.
  tensor::Difference judged(const tensor::Tensor& found, const tensor::Tensor& expected,
                            fx::NodeId node, double scale = 0) const;

 private:
  const std::vector<DType> lowest_;
  const std::vector<bool> indices_;
  const std::vector<std::uint64_t> sums_;
};

}  // namespace fxs::numbers
