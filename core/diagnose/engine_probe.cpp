// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/engine_probe.h"

#include "contract/lower_kept.h"
#include "fx/origins.h"

namespace fxs::diagnose {
namespace {

/// The engine's input for a candidate, or why there is none.
struct Prepared {
  std::string raw;
  std::vector<Failure> failures;  ///< before the engine
};

void addErrors(const std::vector<fx::Finding>& findings, const std::string& stage,
               std::vector<Failure>& out) {
  for (const fx::Finding& finding : findings)
    if (finding.severity == fx::Severity::Error)
      out.push_back({{stage, "", finding.kind, finding.op, finding.target}, finding.node});
}

Result<Prepared> prepare(const Question& question, const fx::ProgramPtr& candidate,
                         const RunContext& context) {
  Prepared out;
  RunContext quiet;
  quiet.stop = context.stop;
  fx::ProgramPtr program = candidate;
  if (question.rewritten) {
    const auto rewritten = rewrite::rewrite(fx::withOwnOrigins(candidate), question.rewrite, quiet);
    if (!rewritten && endsAll(rewritten.error())) return tl::unexpected<Error>(rewritten.error());
    if (!rewritten) return out;
    addErrors((*rewritten)->findings, "rewrite", out.failures);
    for (Failure& failure : out.failures) failure.node = fx::usersNode(failure.node, candidate);
    program = fx::inUsersTerms((*rewritten)->program, candidate, question.user);
  }
  const auto imported = import::importProgram(*program, question.import, quiet);
  if (!imported && endsAll(imported.error())) return tl::unexpected<Error>(imported.error());
  if (!imported) return out;
  addErrors((*imported)->findings, "raw", out.failures);
  if (out.failures.empty()) out.raw = (*imported)->text;
  return out;
}

}  // namespace

Result<std::string> rawOf(const Question& question, const fx::ProgramPtr& candidate,
                          const RunContext& context) {
  FXS_TRY(Prepared prepared, prepare(question, candidate, context));
  return std::move(prepared.raw);
}

Result<std::vector<std::vector<Failure>>> failuresOf(const Question& question,
                                                     const std::vector<std::string>& modules,
                                                     const RunContext& context) {
  RunContext quiet;
  quiet.stop = context.stop;
  FXS_TRY(const auto results, contract::lowerKept(modules, *question.user, question.engine,
                                                  question.lower, *question.runner, quiet));
  std::vector<std::vector<Failure>> out(modules.size());
  for (std::size_t i = 0; i < modules.size(); ++i)
    for (const fx::Finding& finding : results[i].findings)
      if (lower::isNoAnswer(finding)) return fail(ErrorCode::EngineFailed, finding.message);
      else if (finding.severity == fx::Severity::Error)
        out[i].push_back(
            {{results[i].stage, results[i].pass, finding.kind, finding.op, finding.target},
             finding.node});
  return out;
}

Probe engineProbe(const Question& question) {
  return [&question](const std::vector<fx::ProgramPtr>& candidates,
                     const RunContext& context) -> Result<std::vector<std::vector<Failure>>> {
    std::vector<std::vector<Failure>> out(candidates.size());
    std::vector<std::string> modules;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
      FXS_TRY(Prepared prepared, prepare(question, candidates[i], context));
      out[i] = std::move(prepared.failures);
      if (prepared.raw.empty()) continue;
      asked.push_back(i);
      modules.push_back(std::move(prepared.raw));
    }
    FXS_TRY(auto failures, failuresOf(question, modules, context));
    for (std::size_t k = 0; k < asked.size(); ++k) out[asked[k]] = std::move(failures[k]);
    return out;
  };
}

}  // namespace fxs::diagnose
