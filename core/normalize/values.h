#pragma once
// What every node's value is: as found, or inferred where the file has none and the answer is certain. A tensor is certain when
// the operator's schema and the operands leave one answer: sizes that are known to broadcast, dtypes that need no promotion,
// row-major operands. Nothing else is inferred: such a value stays unknown.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::normalize {

/// A value that the file does not have, with the rule that found it and why it is certain.
struct Inferred {
  fx::Value val;
  std::string rule;  ///< "tuple-element" or "inferred-val"
  std::string reason;
};

class Values {
 public:
  /// What is inferred is spent from the context, which outlives the values.
  Values(const fx::Program& program, const RunContext& context) : program_(program), context_(context) {}

  const fx::Program& program() const { return program_; }
  const RunContext& context() const { return context_; }
  /// Every node of the program, in order.
  void inferAll();
  /// One node and what it depends on.
  void inferFor(const fx::Node&);

  /// As found or inferred; Unknown when neither.
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

/// The value of an operator's call by its schema's meaning and the values of its operands; nothing when it is not certain.
std::optional<Inferred> inferredByOperator(const Values&, const fx::Node&);

}  // namespace fxs::normalize
