// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Comparisons made by hand: of tosa, where node 2 is the first that differs, and others of any
// output type that agree.
#include "compare/comparison.h"
#include "output_type.h"

namespace fxs::ui {

inline tensor::Difference differenceOf(tensor::Verdict verdict, double units, std::string words) {
  tensor::Difference made;
  made.verdict = verdict;
  made.kind = verdict == tensor::Verdict::Same ? tensor::Kind::None : tensor::Kind::WrongElements;
  made.units = units;
  made.l2 = units * 1e-7;
  made.elements = 4;
  made.wrong = verdict == tensor::Verdict::Same ? 0 : 1;
  if (made.wrong) made.worst = {{{0, 1}, 1.5, 1.25}};
  made.message = std::move(words);
  return made;
}

/// One executor's run: of result "add", and of another that is not compared.
inline compare::Run madeRun(std::size_t inputs, compare::InputSetKind set, bool differs) {
  compare::Run run;
  run.executor = "iree";
  run.inputs = inputs;
  run.sizes = {{"s0", 3}};
  run.set = set;
  run.outcome = execute::Outcome::Ran;
  compare::ResultComparison result;
  result.node = fx::NodeId::of(3);
  result.name = "add";
  result.type = "f32[2, 2]";
  result.compared = true;
  result.difference = differenceOf(differs ? tensor::Verdict::Differs : tensor::Verdict::Same,
                                   differs ? 999 : 0, differs ? "1 of 4 elements" : "equal");
  run.results.push_back(result);
  result.compared = false;
  result.reason = "it depends on random numbers";
  run.results.push_back(result);
  return run;
}

/// Two sets of inputs, of which the second one differs; llvm runs neither.
inline compare::ComparisonPtr madeComparison(const std::string& type, bool differs) {
  auto made = std::make_shared<compare::Comparison>();
  made->reference = "PyTorch 2.13.0";
  made->executors = {"IREE 3.13.0", "LLVM 22"};
  made->inputs.push_back({{{"s0", 3}}, {}, {"x: drawn"}});
  made->inputs.push_back({{{"s0", 3}}, {}, {}, compare::InputSetKind::Edges, 1});
  made->notes = {"1 of the weights was drawn"};
  compare::TargetComparison& target = made->targets.emplace_back();
  target.to = test::outputType(type);
  target.verdict = differs ? compare::TargetVerdict::Differs : compare::TargetVerdict::Same;
  for (const bool isEdges : {false, true}) {
    target.runs.push_back(madeRun(isEdges, made->inputs[isEdges].set, differs && isEdges));
    compare::Run refused;
    refused.executor = "llvm";
    refused.inputs = isEdges;
    refused.sizes = {{"s0", 3}};
    refused.set = made->inputs[isEdges].set;
    refused.message = "LLVM 22 does not lower the dialect torch";
    target.runs.push_back(refused);
  }
  if (!differs) return made;
  target.message = "iree and llvm agree on it";
  target.nodes = {{fx::NodeId::of(1), differenceOf(tensor::Verdict::Same, 0, "equal"), 0, {}, {}},
                  {fx::NodeId::of(2),
                   differenceOf(tensor::Verdict::Differs, 99'999, "1 of 4 elements"),
                   0,
                   {},
                   {}},
                  {fx::NodeId::of(3),
                   differenceOf(tensor::Verdict::Differs, 999, "1 of 4 elements"),
                   99'999,
                   {},
                   {}}};
  target.first =
      compare::First{fx::NodeId::of(2), type, "convert-torch-to-tosa", "1 of 4 elements", true, {}};
  return made;
}

}  // namespace fxs::ui
