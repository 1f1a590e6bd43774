// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs texts of one snapshot's program with the installed executors: inputs, weights, and a folder
// for what they write.
#include <optional>
#include <string>
#include <vector>

#include "base/scratch_directory.h"
#include "base/work_time.h"
#include "compare/comparison.h"
#include "numbers/run.h"
#include "numbers/weight_file.h"

namespace fxs::numbers {

/// A text as one executor ran it.
struct Executed {
  compare::Run run;  ///< without results
  std::vector<tensor::Tensor> values;
  execute::Dispatches dispatches;
};

class TextRunner {
 public:
  /// Usage if there is no executor, or if the snapshot, which outlives it, was not imported with an
  /// engine.
  static Result<std::unique_ptr<TextRunner>> make(const session::Snapshot&, const RunOptions&,
                                                  const session::Environment&, const RunContext&);

  const std::vector<execute::ExecutorPtr>& executors() const { return executors_.all; }
  std::vector<std::string> versions() const;
  /// What the user should know: an executor that is missing, weights that were drawn.
  std::vector<std::string> notes() const;
  /// What executors took to compile and to run so far.
  std::chrono::duration<double> executorTime() const { return executorTime_; }
  /// Of the executors.
  const WorkTime& work() const { return *work_; }

  /// `checks`: with run-time verification of sizes. A text that cannot be called with the inputs is
  /// NotSupported, for that reason.
  Result<Executed> run(execute::Executor&, const std::string& text, const compare::Inputs&,
                       bool checks, const RunContext&);

 private:
  TextRunner(const session::Snapshot&, const RunOptions&, std::unique_ptr<WorkTime>,
             execute::Executors, ScratchDirectory, const RunContext&);

  const session::Snapshot& snapshot_;
  const execute::Limits limits_;
  const bool dispatches_;
  const std::unique_ptr<WorkTime> work_;
  const execute::Executors executors_;
  const ScratchDirectory folder_;
  WeightFile weights_;
  std::chrono::duration<double> executorTime_{0};
};

}  // namespace fxs::numbers
