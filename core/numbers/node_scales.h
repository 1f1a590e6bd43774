// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The sizes of terms that cancel on the way to the values of a compared program's nodes
// (compare/error_scales.h), from PyTorch's values, or without PyTorch from those of a lowered text
// with its inner values as results.
#include <cstddef>
#include <map>
#include <vector>

#include "numbers/first_difference.h"

namespace fxs::numbers {

/// Refers to its arguments.
class NodeScales {
 public:
  NodeScales(const session::Snapshot& snapshot, const ComparedProgram& program,
             const std::vector<compare::Inputs>& inputs, const ExpectedResults& expected,
             FirstDifference& values, const RunContext& context)
      : s_(snapshot),
        c_(program),
        inputs_(inputs),
        expected_(expected),
        values_(values),
        context_(context) {}

  /// tensor::JudgeOptions::scale of a node of the imported program. Computed for all nodes when it
  /// is asked for the first time.
  double of(std::size_t inputs, fx::NodeId node);

 private:
  std::vector<double> compute(std::size_t inputs);
  std::optional<tensor::Tensor> given(const fx::Program&, std::size_t inputs,
                                      const fx::Node& placeholder) const;

  const session::Snapshot& s_;
  const ComparedProgram& c_;
  const std::vector<compare::Inputs>& inputs_;
  const ExpectedResults& expected_;
  FirstDifference& values_;
  const RunContext& context_;
  std::map<std::size_t, std::vector<double>>
      scales_;  ///< by inputs; by the user's node with PyTorch, else by the imported program's
};

}  // namespace fxs::numbers
