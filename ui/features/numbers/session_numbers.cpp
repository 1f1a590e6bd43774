// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons and measurements by the session.
#include "engines/fetch_executors.h"
#include "features/numbers/times_presenter.h"
#include "numbers/compare.h"
#include "session/numbers_presenter.h"
#include "session/toolbox.h"

namespace fxs::ui {

Comparer sessionComparer(session::Environment environment) {
  return [environment = std::move(environment)](
             const session::SnapshotPtr& snapshot, const std::vector<lower::OutputType>& targets,
             const std::string& python,
             const std::function<void(const compare::ComparisonPtr&)>& onPart,
             const RunContext& context) {
    numbers::CompareOptions options;
    options.targets = targets;
    options.python = python;
    options.onPart = onPart;
    return numbers::compare(snapshot, options, environment, context);
  };
}

Measurer sessionMeasurer(session::Environment environment) {
  return [environment = std::move(environment)](const session::SnapshotPtr& snapshot,
                                                const RunContext& context) {
    return numbers::measureDispatches(snapshot, snapshot->request.lower.target, environment,
                                      context);
  };
}

QString missingExecutors(const session::Environment& environment) {
  if (environment.runner == nullptr) return "no executor is installed";
  const execute::Executors executors = execute::executorsFor(
      session::toolsOf(environment), environment.temporaryDir, *environment.runner);
  return executors.all.empty() ? text(executors.missing) : QString();
}

ExecutorFetcher sessionExecutorFetcher(session::Environment environment) {
  return [environment = std::move(environment)](const RunContext& context) {
    return engines::fetchExecutors(environment, context);
  };
}

}  // namespace fxs::ui
