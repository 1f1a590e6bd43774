// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The values of all nodes: as found, or inferred if the file has none and the result is certain. A
// tensor is inferred only if the operator's schema and the operands determine it: sizes that are
// known to broadcast, dtypes that need no promotion, row-major operands. Other values stay unknown.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::normalize {

/// A value that is not in the file, with the rule that inferred it and the reason why it is
/// certain.
struct Inferred {
  fx::Value val;
  std::string rule;  ///< "tuple-element" or "inferred-val"
  std::string reason;
};

class Values {
 public:
  /// Inferred values are spent from `context`, which must outlive this object.
  Values(const fx::Program& program, const RunContext& context)
      : program_(program), context_(context) {}

  const fx::Program& program() const { return program_; }
  const RunContext& context() const { return context_; }
  /// Infers the values of all nodes, in order.
  void inferAll();
  /// Infers the value of one node and of the nodes it depends on.
  void inferFor(const fx::Node&);

  /// The value, found or inferred; Unknown if neither.
  const fx::Value& of(fx::NodeId id) const {
    const auto found = inferred_.find(id);
    return found == inferred_.end() ? program_.node(id).val : found->second.val;
  }
  const Inferred* inferred(fx::NodeId id) const {
    const auto found = inferred_.find(id);
    return found == inferred_.end() ? nullptr : &found->second;
  }

 private:
  void infer(const fx::Node&);
  const fx::Weight* weight(std::string_view fqn);

  const fx::Program& program_;
  const RunContext& context_;
  std::map<fx::NodeId, Inferred> inferred_;
  std::unordered_map<std::string_view, const fx::Weight*> weights_;  // by name; filled on first use
};

/// Infers the result of an operator call from its schema and operands; std::nullopt if it is not
/// certain.
std::optional<Inferred> inferredByOperator(const Values&, const fx::Node&);

}  // namespace fxs::normalize
