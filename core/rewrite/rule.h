#pragma once
// A decomposition: one call node -> other nodes. One file under rules/ each (a file may hold closely related targets).
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fx/builder.h"
#include "fx/finding.h"
#include "fx/program.h"

namespace fxs::rewrite {

/// The program being written, as a rule sees it. Values are given as Arguments (a node or a constant); each op's result
/// shape, dtype and strides are the rule's to state: it knows them.
class RuleContext {
 public:
  virtual ~RuleContext() = default;
  /// The argument of the matched node by schema name, defaults filled in; None when it has none.
  virtual fx::Argument argument(std::string_view name) const = 0;
  /// What a node argument's value is; null when it is not a tensor node.
  virtual const fx::TensorMeta* tensor(const fx::Argument&) const = 0;
  /// The matched node's own recorded value(s): result 0 of a single-result op.
  virtual const fx::TensorMeta* result(std::size_t index = 0) const = 0;
  /// Emits a call with arguments by schema name, with the given result; returns it as an argument.
  virtual fx::Argument call(std::string_view target, std::vector<fx::NodeArgument> args, fx::TensorMeta result) = 0;
  virtual fx::Argument callValue(std::string_view target, std::vector<fx::NodeArgument> args, fx::Value result) = 0;
  /// Part `index` of a tuple node.
  virtual fx::Argument getitem(const fx::Argument& of, std::size_t index) = 0;
  virtual const fx::Node& matched() const = 0;
  /// A size of a tensor as an argument: a constant, or a sym_size node.
  virtual fx::Argument size(const fx::Argument& tensor, std::int64_t dim) = 0;
  /// Asked before a loop whose length the matched node gives: throws Abandoned when so many nodes are more than the budget has left.
  virtual void expectNodes(std::uint64_t count) const = 0;
};

class Emitter;
/// The values that replace a node's results (one per result), or nothing when the node is not of a form the rule handles.
using Results = std::optional<std::vector<fx::Argument>>;

struct Rule {
  std::string target;                      ///< "aten.squeeze.dims"
  std::string reason;                      ///< one line: what it becomes and why
  bool essential = false;                  ///< applied always, else on request
  std::function<Results(Emitter&)> apply;  ///< written with an Emitter of the matched node (rewrite/emit.h)
  std::string id = {};                     ///< "decompose:aten.squeeze.dims"; by default from the target, without ".default"
};

class RewriteRules {
 public:
  void add(Rule rule);
  /// The same for several targets.
  void addEach(std::initializer_list<std::string_view> targets, std::string_view reason, bool essential,
               const std::function<Results(Emitter&)>& apply);
  const std::vector<Rule>& rules() const { return rules_; }

 private:
  std::vector<Rule> rules_;
};
void registerAllRewriteRules(RewriteRules&);
/// Every decomposition there is, sorted by target: for --help, completion and "did you mean".
const RewriteRules& builtinRules();

}  // namespace fxs::rewrite
