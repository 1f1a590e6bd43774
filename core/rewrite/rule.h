// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A decomposition of one call node into other nodes. Each is one file in rules/, which may contain
// closely related targets.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fx/builder.h"
#include "fx/finding.h"
#include "fx/program.h"

namespace fxs::rewrite {

/// A rule's interface to the program under construction. Values are Arguments (a node or a
/// constant); the rule supplies the shape, dtype and strides of each result.
class RuleContext {
 public:
  virtual ~RuleContext() = default;
  /// An argument of the matched node by schema name, or its default; None if there is neither.
  virtual fx::Argument argument(std::string_view name) const = 0;
  /// The metadata of a tensor node; null for other arguments.
  virtual const fx::TensorMeta* tensor(const fx::Argument&) const = 0;
  /// A recorded result of the matched node; a single result has index 0.
  virtual const fx::TensorMeta* result(std::size_t index = 0) const = 0;
  /// Emits a call with arguments by schema name and returns its result.
  virtual fx::Argument call(std::string_view target, std::vector<fx::NodeArgument> args,
                            fx::TensorMeta result) = 0;
  virtual fx::Argument callValue(std::string_view target, std::vector<fx::NodeArgument> args,
                                 fx::Value result) = 0;
  /// Element `index` of a tuple node.
  virtual fx::Argument getitem(const fx::Argument& of, std::size_t index) = 0;
  virtual const fx::Node& matched() const = 0;
  /// The node that an argument is, in the program under construction; null for other arguments.
  virtual const fx::Node* producer(const fx::Argument&) const = 0;
  /// A size of a tensor as an argument: a constant, or a sym_size node.
  virtual fx::Argument size(const fx::Argument& tensor, std::int64_t dim) = 0;
  /// The first real tensor before the matched node that has this symbolic size, and its dimension.
  virtual std::optional<std::pair<fx::Argument, std::size_t>> tensorOfSize(
      const fx::SymInt&) const = 0;
  /// Call before a loop whose length the matched node determines: throws Abandoned if the budget
  /// does not allow `count` more nodes.
  virtual void expectNodes(std::uint64_t count) const = 0;
};

class Emitter;
struct Tensor;
/// The values that replace a node's results, one per result; std::nullopt if the rule does not
/// handle this form of the node.
using Results = std::optional<std::vector<fx::Argument>>;

struct Rule {
  std::string target;                      ///< "aten.squeeze.dims"
  std::string reason;                      ///< one line: the replacement and why
  bool essential = false;                  ///< applied by default, else on request
  std::function<Results(Emitter&)> apply;  ///< emits the replacement of the matched node
                                           ///< (rewrite/emit.h); empty for a step of its own
  std::string id =
      {};  ///< "decompose:aten.squeeze.dims"; by default from the target, without ".default"
  /// The body of a Python function of the target's parameters that does the same for every call
  /// that the rule takes; "" for none. It uses what rewrite::pythonFunction() does.
  std::string_view python = {};
  bool corrects = false;  ///< without it, the engine lowers the call and computes another result
  /// Of several rules with one id, the `python` of a greater one does what those of lesser ones do.
  int pythonLevel = 0;
  bool isPythonWhole = false;  ///< what `python` makes needs no further rule
};

class RewriteRules {
 public:
  void add(Rule rule);
  /// Adds one rule per target.
  void addEach(std::initializer_list<std::string_view> targets, std::string_view reason,
               bool essential, const std::function<Results(Emitter&)>& apply);
  /// Adds rules of a function of one real operand, `self`: `formula` of it in the type in which
  /// PyTorch computes the result. Integers are converted, and the half types computed in float32.
  void addFormula(std::initializer_list<std::string_view> targets, std::string_view reason,
                  bool essential, Tensor (*formula)(Emitter&, const Tensor&));
  const std::vector<Rule>& rules() const { return rules_; }

 private:
  std::vector<Rule> rules_;
};
void registerAllRewriteRules(RewriteRules&);
/// All decompositions, sorted by target; for --help, completion and "did you mean".
const RewriteRules& builtinRules();

}  // namespace fxs::rewrite
