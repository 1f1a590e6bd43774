#include "diagnose/lower_kept.h"

#include "contract/contract.h"

namespace fxs::diagnose {
namespace {

void judge(const std::vector<std::string>& modules, const lower::OutputType& target, const fx::Program& program,
           std::vector<lower::BatchResult>& results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    lower::BatchResult& result = results[i];
    if (!result.ok()) continue;
    std::vector<fx::Finding> findings = contract::errorsIn(*target.operator->(), modules[i], result.text, program);
    if (findings.empty()) continue;
    result.status = lower::StageStatus::Failed;
    result.words = findings.front().message;
    result.failureIr = std::move(result.text);
    result.text.clear();
    result.findings = std::move(findings);
  }
}

}  // namespace

Result<std::vector<lower::BatchResult>> lowerKept(const std::vector<std::string>& modules, const fx::Program& program,
                                                  const lower::Engine& engine, const lower::LowerOptions& options, CommandRunner& runner,
                                                  const RunContext& context) {
  FXS_TRY(auto results, lower::lowerBatch(modules, program, engine, options, runner, context));
  judge(modules, options.target, program, results);
  return results;
}

Result<std::vector<std::vector<lower::BatchResult>>> lowerKept(const std::vector<std::string>& modules,
                                                               const std::vector<lower::OutputType>& targets, const fx::Program& program,
                                                               const lower::Engine& engine, const lower::LowerOptions& options,
                                                               CommandRunner& runner, const RunContext& context) {
  FXS_TRY(auto results, lower::lowerBatch(modules, targets, program, engine, options, runner, context));
  for (std::size_t t = 0; t < targets.size(); ++t) judge(modules, targets[t], program, results[t]);
  return results;
}

std::vector<fx::Finding> breachesOf(const lower::Lowering& lowering, const std::string& raw, const fx::Program& program) {
  if (!lowering.ok() || lowering.stages.empty()) return {};
  return contract::errorsIn(*lowering.target.operator->(), raw, lowering.stages.back().text, program);
}

}  // namespace fxs::diagnose
