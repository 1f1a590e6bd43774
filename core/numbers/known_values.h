// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is known of the values of a compared program by name, from its inputs and PyTorch's values
// of its nodes.
#include <optional>
#include <string>

#include "compare/comparison.h"
#include "session/session.h"

namespace fxs::numbers {

class KnownValues {
 public:
  /// Of the user's program for one choice of inputs. Takes a comparison that kept its values;
  /// refers to its arguments.
  KnownValues(const fx::Program& user, const compare::Comparison& comparison, std::size_t inputs,
              const RunContext& context)
      : user_(user), comparison_(comparison), inputs_(inputs), context_(context) {}

  const compare::Inputs& inputs() const { return comparison_.inputs[inputs_]; }
  /// Of an input or a node; std::nullopt if it is not known, as of every node without PyTorch.
  std::optional<tensor::Tensor> find(const std::string& name) const;

 private:
  const fx::Program& user_;
  const compare::Comparison& comparison_;
  const std::size_t inputs_;
  const RunContext& context_;
};

}  // namespace fxs::numbers
