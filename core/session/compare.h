#pragma once
// Runs what a program was lowered to and compares the results: with PyTorch's where a Python is given, otherwise the lowering paths with
// one another. Where results differ, finds the first node whose value does, the stage and the pass.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "session/session.h"

namespace fxs::session {

struct RunOptions {
  std::vector<lower::OutputType> targets;  ///< at least one, without duplicates
  std::string inputsFile;                  ///< .npy, .npz or safetensors; "" to draw inputs
  std::uint64_t seed = 0;
  compare::Sizes sizes;  ///< symbolic sizes that the user fixed
  execute::Limits limits;
};

/// A stage that was run: the values of its results.
struct StageRun {
  std::string stage;
  compare::Run run;
  std::vector<tensor::Tensor> values;  ///< of the results, in order; empty unless it ran
};
struct RunResult {
  compare::Inputs inputs;
  std::vector<std::string> executors;
  std::vector<StageRun> stages;
  std::vector<std::string> names;       ///< of the results
  std::vector<std::string> inputNames;  ///< of `inputs`
  bool reached = true;                  ///< every output type was reached
  std::vector<std::string> notes;
};
/// Runs every stage up to each output type with every executor. Usage if there is no executor, or the snapshot was not imported.
Result<std::shared_ptr<const RunResult>> runStages(const SnapshotPtr&, const RunOptions&, const Environment&, const RunContext&);

struct CompareOptions : RunOptions {
  std::string python;                                         ///< a path, "auto" for python3, or "" for none
  bool findFirst = true;                                      ///< look at nodes where results differ
  std::size_t choices = 4;                                    ///< of symbolic sizes, at most
  std::function<void(const compare::ComparisonPtr&)> onPart;  ///< called with each target that is done
};
Result<compare::ComparisonPtr> compare(const SnapshotPtr&, const CompareOptions&, const Environment&, const RunContext&);

}  // namespace fxs::session
