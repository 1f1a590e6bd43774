// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where the values of a lowered form begin to differ from what they should be: the first node, the
// stage and the pass.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "numbers/expected_results.h"
#include "numbers/operation_alone.h"

namespace fxs::numbers {

/// Refers to its arguments.
class FirstDifference {
 public:
  FirstDifference(session::SnapshotPtr snapshot, const ComparedProgram& program,
                  const std::vector<compare::Inputs>& inputs, const std::vector<LoweredForm>& forms,
                  const ExpectedResults& expected, TextRunner& runner,
                  const session::Environment& env, const RunContext& context)
      : snapshot_(std::move(snapshot)),
        s_(*snapshot_),
        c_(program),
        inputs_(inputs),
        forms_(forms),
        expectedResults_(expected),
        runner_(runner),
        env_(env),
        context_(context) {}

  /// Fills in `first` and `nodes` of a target that differs, whose form is forms[f], and `fault` if
  /// executors disagree: then `first` is where the values of those begin to differ that accuse it.
  /// A `first` with a node gets its pass. Returns what else the user should know, or "".
  Result<std::string> find(std::size_t f, compare::TargetComparison& target);
  /// Fills in `wrongOperations` of such a target, from PyTorch's values: operations whose values
  /// differ, or were not compared, are run by themselves, equal ones once. Returns as find() does.
  Result<std::string> findEvery(std::size_t f, compare::TargetComparison& target);

  struct Computed {
    std::string executor;
    tensor::Tensor value;
  };
  using NodeValues = std::map<fx::NodeId, std::vector<Computed>>;  ///< by node of the program
  /// The values of all nodes by the first form that can be lowered with them as results; none above
  /// 512 nodes.
  NodeValues computed(std::size_t inputs);

 private:
  using Differences = std::map<fx::NodeId, tensor::Difference>;

  Result<NodeValues> tapped(const LoweredForm&, const std::vector<fx::NodeId>& nodes,
                            std::size_t inputs);
  Result<NodeValues> witnessOf(std::size_t f, std::size_t inputs,
                               const std::vector<fx::NodeId>& nodes);
  std::vector<tensor::Tensor> expectedOf(std::size_t inputs, fx::NodeId node,
                                         const NodeValues& witness,
                                         const std::vector<Computed>& notAsked) const;
  std::optional<tensor::Difference> closest(std::size_t inputs, fx::NodeId node,
                                            const std::vector<Computed>& found,
                                            const std::vector<tensor::Tensor>& expected);
  Result<Differences> compareNodes(std::size_t f, std::size_t inputs,
                                   const std::vector<fx::NodeId>& nodes,
                                   const std::vector<std::string>& only);
  Result<Differences> compareAll(std::size_t f, std::size_t inputs,
                                 const std::vector<fx::NodeId>& nodes,
                                 const std::vector<std::string>& only);
  struct OperandErrors {
    double largest = 0;
    bool anyWrong = false;
  };
  OperandErrors errorsOfOperands(const Differences& found, fx::NodeId node) const;
  void addNodes(const Differences& found, compare::TargetComparison&);
  using KnownDifferences = std::map<fx::NodeId, const tensor::Difference*>;  // by the user's node
  fx::NodeId doubtful(const std::vector<fx::NodeId>& equal, const KnownDifferences&) const;
  struct Isolated {
    fx::ProgramPtr cut;
    compare::Inputs operands;
  };
  std::optional<Isolated> isolated(fx::NodeId node, std::size_t inputs) const;
  Result<OperationAlone> alone(fx::NodeId node, std::size_t inputs, const tensor::Tensor& expected,
                               const lower::OutputType&);
  Result<std::string> faultOf(std::size_t inputs, const compare::TargetComparison&);
  Result<std::string> findAssertion(std::size_t form, const compare::Run&,
                                    compare::TargetComparison&);
  Result<> runByItself(std::size_t f, std::size_t inputs, compare::TargetComparison&);
  bool isKept(const std::string& torchText, fx::NodeId userNode) const;
  std::optional<tensor::Tensor> valueByName(std::size_t inputs, const std::string& name) const;
  void findBreach(const trace::Trace&, const lower::OutputType&, compare::First&) const;
  Result<> findPass(std::size_t f, compare::TargetComparison&);

  const session::SnapshotPtr snapshot_;
  const session::Snapshot& s_;
  const ComparedProgram& c_;
  const std::vector<compare::Inputs>& inputs_;
  const std::vector<LoweredForm>& forms_;
  const ExpectedResults& expectedResults_;
  TextRunner& runner_;
  const session::Environment& env_;
  const RunContext& context_;
  std::map<fx::NodeId, tensor::Tensor> expected_;  ///< of the nodes that were compared
  struct NodeStatistics {
    tensor::Statistics found, expected;
  };
  std::map<fx::NodeId, NodeStatistics> statistics_;  ///< of the same nodes
  fx::NodeId firstNode_;                             ///< of the program
};

}  // namespace fxs::numbers
