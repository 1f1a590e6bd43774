// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/text_runner.h"

#include <fmt/format.h>

#include "session/toolbox.h"

namespace fxs::numbers {

TextRunner::TextRunner(const session::Snapshot& snapshot, const RunOptions& options,
                       std::unique_ptr<WorkTime> work, execute::Executors executors,
                       ScratchDirectory folder, const RunContext& context)
    : snapshot_(snapshot),
      limits_(options.limits),
      dispatches_(options.dispatches),
      work_(std::move(work)),
      executors_(std::move(executors)),
      folder_(std::move(folder)),
      weights_(snapshot, folder_.path(), options.seed, context) {}

Result<std::unique_ptr<TextRunner>> TextRunner::make(const session::Snapshot& snapshot,
                                                     const RunOptions& options,
                                                     const session::Environment& env,
                                                     const RunContext& context) {
  if (!snapshot.imported || !snapshot.rewritten || !snapshot.engine || env.runner == nullptr)
    return fail(ErrorCode::Usage, "running requires a program that was imported with an engine");
  execute::Tools tools = session::toolsOf(env);
  tools.engine = snapshot.engine->path;
  FXS_TRY(ScratchDirectory folder,
          ScratchDirectory::make(env.temporaryDir, "the programs and values of a run"));
  auto work = std::make_unique<WorkTime>(*env.runner);
  execute::Executors executors = execute::executorsFor(tools, folder.path(), *work);
  if (executors.all.empty()) return fail(ErrorCode::Usage, executors.missing);
  return std::unique_ptr<TextRunner>(new TextRunner(
      snapshot, options, std::move(work), std::move(executors), std::move(folder), context));
}

std::vector<std::string> TextRunner::versions() const {
  std::vector<std::string> out;
  for (const auto& executor : executors_.all) out.push_back(executor->version());
  return out;
}

std::vector<std::string> TextRunner::notes() const {
  std::vector<std::string> out;
  if (!executors_.missing.empty()) out.push_back(executors_.missing);
  if (!weights_.drawn().empty())
    out.push_back(fmt::format("{} of the weights have no data in the file and were drawn",
                              weights_.drawn().size()));
  return out;
}

Result<Executed> TextRunner::run(execute::Executor& executor, const std::string& text,
                                 const compare::Inputs& inputs, bool checks,
                                 const RunContext& context) {
  Executed out;
  out.run.executor = executor.id();
  out.run.sizes = inputs.sizes;
  out.run.set = inputs.set;
  execute::Call call;
  call.text = text;
  const auto& module = snapshot_.capture->module;
  call.function = module ? module->function : snapshot_.request.import.functionName;
  for (const tensor::Tensor& input : inputs.tensors)
    call.arguments.push_back({input.dtype, input.sizes, input.bytes});
  call.resources = [this](std::string_view handle) { return weights_.at(handle); };
  call.checks = checks;
  call.dispatches = dispatches_;
  call.limits = limits_;
  auto executed = executor.execute(call, context);
  if (!executed) {
    const Error& error = executed.error();
    const bool aboutText = error.code == ErrorCode::Usage || error.code == ErrorCode::Unsupported ||
                           error.code == ErrorCode::InvalidInput;
    if (!aboutText) return tl::unexpected<Error>(error);
    // The text does not take what the program takes, or the executor cannot pass it: nothing was
    // run.
    out.run.outcome = execute::Outcome::NotSupported;
    out.run.message = error.message;
    return out;
  }
  execute::Execution& done = *executed;
  out.run.outcome = done.outcome;
  out.run.message = std::move(done.message);
  out.run.node = done.node;
  out.run.failed = std::move(done.failed);
  out.run.variants = done.variants;
  out.run.compileTime = done.compileTime;
  out.run.runTime = done.runTime;
  executorTime_ += done.compileTime + done.runTime;
  out.values = std::move(done.results);
  out.dispatches = std::move(done.dispatches);
  return out;
}

}  // namespace fxs::numbers
