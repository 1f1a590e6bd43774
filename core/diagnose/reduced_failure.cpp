// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/reduced_failure.h"

#include <fmt/format.h>

#include "base/work_time.h"
#include "diagnose/engine_probe.h"
#include "diagnose/reduce_module.h"
#include "fx/cut.h"
#include "session/importing.h"

namespace fxs::diagnose {
namespace {

Question questionOf(const session::Snapshot& s, const lower::OutputType& target,
                    CommandRunner& runner, const RunContext& context) {
  Question question;
  question.user = s.capture->program;
  question.rewrite = session::rewriteOptionsOf(s.request, target);
  question.rewritten = !s.request.parity;
  question.import = session::importOptionsOf(s, context);
  question.lower = s.request.lower;
  question.lower.target = target;
  question.engine = *s.engine;
  question.runner = &runner;
  return question;
}

/// The failure at `node` or, if that is invalid, the first at any node, else the first; null if
/// there is none.
const Failure* failureAt(const std::vector<Failure>& failures, fx::NodeId node) {
  const Failure* any = nullptr;
  for (const Failure& failure : failures) {
    if (node.valid() ? failure.node == node : failure.node.valid()) return &failure;
    if (any == nullptr) any = &failure;
  }
  return node.valid() ? nullptr : any;
}

/// The program's failure at the node or, if another node fails first, the failure of the extracted
/// operation.
Result<Failure> chooseFailure(const Question& question, const Probe& probe, fx::NodeId node,
                              const RunContext& context) {
  std::vector<fx::ProgramPtr> candidates{question.user};
  const bool alone = node.valid() && question.user->node(node).op == fx::NodeOp::CallFunction;
  if (alone)
    if (auto cut = fx::cutNodes(question.user, {node})) candidates.push_back(*std::move(cut));
  FXS_TRY(const auto failures, probe(candidates, context));
  for (const auto& each : failures)
    if (const Failure* found = failureAt(each, node)) return *found;
  // A failure of the extracted operation belongs to its node, even if the engine names none.
  if (failures.size() == 2 && !failures[1].empty()) return failures[1].front();
  if (node.valid())
    return fail(ErrorCode::InvalidInput,
                "nothing fails at node '" + question.user->node(node).name + "'");
  return fail(ErrorCode::InvalidInput,
              fmt::format("the program reaches {}: there is no failure to reduce",
                          lower::name(question.lower.target)));
}

}  // namespace

Result<std::shared_ptr<const ReducedFailure>> reduce(const session::SnapshotPtr& snapshot,
                                                     const ReduceOptions& options,
                                                     const session::Environment& env,
                                                     const RunContext& context) {
  return guarded(snapshot->request.file, [&]() -> Result<std::shared_ptr<const ReducedFailure>> {
    const session::Snapshot& s = *snapshot;
    if (!s.imported || !s.engine || env.runner == nullptr)
      return fail(ErrorCode::Usage, "reducing requires a program that was imported with an engine");
    FXS_CHECK(session::requirePyTorchProgram(s, "reducing"));
    if (options.node.valid() && options.node.index() >= s.capture->program->nodes.size())
      return fail(ErrorCode::Usage, "no such node");
    const auto begin = std::chrono::steady_clock::now();
    WorkTime work(*env.runner);
    const TimeLimit budget(lower::grownWith(s.request.lower.limits.timeout, options.budget), work);
    const Question question = questionOf(s, options.target, work, context);
    const Probe probe = engineProbe(question);
    context.report({"determining how it fails", -1});
    FXS_TRY(const Failure failure, chooseFailure(question, probe, options.node, context));
    const ReductionOptions reduction{options.node.valid() ? options.node : failure.node, budget};
    auto out = std::make_shared<ReducedFailure>();
    out->signature = failure.signature;
    FXS_TRY(out->reduction,
            reduceProgram(question.user, failure.signature, probe, reduction, context));
    FXS_TRY(out->raw, rawOf(question, out->reduction.program, {}));
    out->minimal = out->raw;
    if (!out->raw.empty() && out->reduction.complete && !context.stop.stop_requested()) {
      const ModuleProbe modules = [&](const std::vector<std::string>& texts,
                                      const RunContext& run) {
        return failuresOf(question, texts, run);
      };
      context.report({"reducing the module", -1});
      FXS_TRY(out->minimal, reduceModule(out->raw, failure.signature, modules, budget, context));
    }
    out->seconds = std::chrono::steady_clock::now() - begin;
    const Reduction& r = out->reduction;
    const std::string tried =
        fmt::format("in {:.1f} s, trying {} programs", out->seconds.count(), r.tried);
    if (r.calls == r.originalCalls)
      out->statement = fmt::format("none of {} can be removed, {}", r.calls, tried);
    else
      out->statement =
          fmt::format("reduced from {} operations to {} {}", r.originalCalls, r.calls, tried);
    if (context.stop.stop_requested()) out->statement += "; stopped before it was minimal";
    else if (!r.complete || budget.isReached())
      out->statement +=
          "; whether more can be removed is not known: the time limit was reached, which --timeout "
          "raises";
    return std::shared_ptr<const ReducedFailure>(std::move(out));
  });
}

}  // namespace fxs::diagnose
