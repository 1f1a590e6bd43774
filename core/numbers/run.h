// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs what a program was lowered to, stage by stage, with every executor that is installed; and
// measures how long its nodes take.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "session/session.h"

namespace fxs::numbers {

struct RunOptions {
  std::vector<lower::OutputType> targets;  ///< at least one, without duplicates
  std::string inputsFile;                  ///< .npy, .npz or safetensors; "" to draw inputs
  std::uint64_t seed = 0;
  std::optional<compare::InputSetKind>
      set;  ///< of what is drawn; all kinds if it is not given, of a single run the ordinary one
  std::size_t round = 0;  ///< of that set, where one is run
  compare::Sizes sizes;   ///< symbolic sizes that the user fixed
  execute::Limits limits;
  bool dispatches = false;  ///< measure the dispatches of each stage, where the executor has them
};

/// A stage that was run, and the values of its results.
struct StageRun {
  std::string stage;
  compare::Run run;
  std::vector<tensor::Tensor> values;  ///< of the results, in order; empty unless it ran
};
struct RunResult {
  compare::Inputs inputs;
  std::vector<std::string> inputNames;  ///< of `inputs`
  std::vector<std::string> names;       ///< of the results
  std::string via;                      ///< name of the route
  std::vector<std::string> executors;
  std::vector<StageRun> stages;
  bool reached = true;  ///< every output type was reached, by texts that keep their contracts
                        ///< (contract/contract.h)
  bool isKnown = true;  ///< whether every output type was reached is known
  std::vector<std::string> notes;
};
/// Runs every stage up to each output type, by the request's route. Usage if there is no executor,
/// or if the snapshot was not imported with an engine.
Result<std::shared_ptr<const RunResult>> runStages(const session::SnapshotPtr&, const RunOptions&,
                                                   const session::Environment&, const RunContext&);

/// How long what an executor runs as one takes, of a program at an output type.
struct DispatchTimes {
  lower::OutputType to;
  std::string executor;                       ///< "IREE 3.13.0"
  std::vector<compare::Dispatch> dispatches;  ///< longest first, at least one
};
/// Usage if no executor that measures is installed; Unsupported, with the reason, if the program
/// does not lower or run.
Result<std::shared_ptr<const DispatchTimes>> measureDispatches(const session::SnapshotPtr&,
                                                               const lower::OutputType&,
                                                               const session::Environment&,
                                                               const RunContext&);

}  // namespace fxs::numbers
