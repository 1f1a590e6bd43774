// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract/lower_kept.h"

#include <algorithm>
#include <optional>

#include "contract/contract.h"
#include "mlir/text/document.h"

namespace fxs::contract {
namespace {

/// A program that every engine lowers.
struct Control {
  const char* name;
  const char* raw;
  bool isDecomposed;  ///< in the torch stage
};
constexpr Control kControls[] = {
    {"a program that only returns its input",
     "module {\n"
     "  func.func @main(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {\n"
     "    return %arg0 : !torch.vtensor<[2,3],f32>\n"
     "  }\n"
     "}\n",
     false},
    {"a program of one addmm",
     "module {\n"
     "  func.func @main(%arg0: !torch.vtensor<[6],f32>, %arg1: !torch.vtensor<[5,7],f32>, "
     "%arg2: !torch.vtensor<[7,6],f32>) -> !torch.vtensor<[5,6],f32> {\n"
     "    %int1 = torch.constant.int 1\n"
     "    %0 = torch.aten.addmm %arg0, %arg1, %arg2, %int1, %int1 : !torch.vtensor<[6],f32>, "
     "!torch.vtensor<[5,7],f32>, !torch.vtensor<[7,6],f32>, !torch.int, !torch.int -> "
     "!torch.vtensor<[5,6],f32>\n"
     "    return %0 : !torch.vtensor<[5,6],f32>\n"
     "  }\n"
     "}\n",
     true}};

/// Whether any of the results breaks the contract of its output type.
bool judge(const std::vector<std::string>& modules, const lower::OutputType& target,
           const fx::Program& program, std::vector<lower::BatchResult>& results) {
  bool any = false;
  for (std::size_t i = 0; i < results.size(); ++i) {
    lower::BatchResult& result = results[i];
    if (!result.ok()) continue;
    std::vector<fx::Finding> findings =
        errorsIn(*target.operator->(), modules[i], result.text, program);
    if (findings.empty()) continue;
    result.status = lower::StageStatus::Failed;
    result.message = findings.front().message;
    result.failureIr = std::move(result.text);
    result.text.clear();
    result.findings = std::move(findings);
    any = true;
  }
  return any;
}

/// Whether each fails, as if the engine knew nothing else.
bool noneLowers(const std::vector<lower::BatchResult>& results) {
  return !results.empty() &&
         std::none_of(results.begin(), results.end(),
                      [](const lower::BatchResult& result) { return result.ok(); });
}

/// Whether a text has an operation of a dialect with a warning; texts are large, and few have one.
bool mayWarn(const lower::OutputTypeSpec& spec, const std::string& text) {
  return spec.contract && std::any_of(spec.contract->warned.begin(), spec.contract->warned.end(),
                                      [&](const lower::WarnedDialect& each) {
                                        return text.find(each.dialect + ".") != std::string::npos;
                                      });
}

}  // namespace

namespace {

/// What is wrong with how the engine lowers a control; "" if nothing is known to be.
Result<std::string> wrongWith(const Control& control, const lower::Engine& engine,
                              const lower::LowerOptions& options, CommandRunner& runner,
                              const RunContext& context) {
  const fx::Program nobody;
  FXS_TRY(const auto lowering, lower::lower(control.raw, nobody, engine, options, runner, context));
  FXS_CHECK(lower::ensureAnswered(*lowering));
  const std::vector<lower::StageResult>& stages = lowering->stages;
  if (control.isDecomposed && stages.size() > 1 &&
      stages[1].text.find("torch.aten.addmm") != std::string::npos)
    return std::string(control.name) + " is not changed in " + stages[1].id +
           ", which decomposes it";
  const std::vector<lower::OutputType> path = lower::pathTo(options.target);
  for (std::size_t i = 0; i < stages.size() && i < path.size(); ++i) {
    if (stages[i].status != lower::StageStatus::Ok || stages[i].form != mlir::TextForm::Mlir)
      continue;
    const mlir::Document raw(control.raw), text(stages[i].text);
    for (const Breach& breach : check(*path[i].operator->(), Promise(raw), textOf(text), nobody)) {
      // An operation that is left is said of its node.
      const bool isSaid = control.isDecomposed && breach.rule == Rule::Left;
      if (breach.finding.severity == fx::Severity::Error && !isSaid)
        return std::string(control.name) + " breaks the contract too: " + breach.finding.message;
    }
  }
  return std::string();
}

}  // namespace

Result<> ensureHonest(const lower::Engine& engine, const lower::LowerOptions& options,
                      CommandRunner& runner, const RunContext& context) {
  const std::vector<lower::OutputType> path = lower::pathTo(options.target);
  const bool isBuiltIn = std::all_of(
      path.begin(), path.end(), [](const lower::OutputType& type) { return type->file.empty(); });
  if (isBuiltIn && engine.sha256 == lower::pinnedEngineSha256()) return {};
  RunContext quiet;
  quiet.stop = context.stop;
  lower::LowerOptions plain;
  plain.target = options.target;
  plain.limits = options.limits;
  for (const Control& control : kControls) {
    if (control.isDecomposed && !isBuiltIn)
      continue;  // a pipeline of the user's may be for other programs
    FXS_TRY(const std::string wrong, wrongWith(control, engine, plain, runner, quiet));
    if (!wrong.empty())
      return fail(
          ErrorCode::EngineFailed,
          "output type " + std::string(lower::name(options.target)) + ": " + wrong +
              "; correct its pipeline or its contract, or pass another engine with --engine");
  }
  return {};
}

Result<std::vector<lower::BatchResult>> lowerKept(const std::vector<std::string>& modules,
                                                  const fx::Program& program,
                                                  const lower::Engine& engine,
                                                  const lower::LowerOptions& options,
                                                  CommandRunner& runner,
                                                  const RunContext& context) {
  FXS_TRY(auto results, lower::lowerBatch(modules, program, engine, options, runner, context));
  const bool anyBreach = judge(modules, options.target, program, results);
  if (anyBreach || noneLowers(results)) FXS_CHECK(ensureHonest(engine, options, runner, context));
  return results;
}

Result<std::vector<std::vector<lower::BatchResult>>> lowerKept(
    const std::vector<std::string>& modules, const std::vector<lower::OutputType>& targets,
    const fx::Program& program, const lower::Engine& engine, const lower::LowerOptions& options,
    CommandRunner& runner, const RunContext& context) {
  FXS_TRY(auto results,
          lower::lowerBatch(modules, targets, program, engine, options, runner, context));
  for (std::size_t t = 0; t < targets.size(); ++t) {
    if (!judge(modules, targets[t], program, results[t]) && !noneLowers(results[t])) continue;
    lower::LowerOptions own = options;
    own.target = targets[t];
    FXS_CHECK(ensureHonest(engine, own, runner, context));
  }
  return results;
}

std::vector<fx::Finding> breachesOf(const std::vector<lower::StageResult>& stages,
                                    const lower::OutputType& target, const std::string& raw,
                                    const fx::Program& program) {
  std::optional<const mlir::Document> imported;
  std::optional<const Promise> promise;
  std::vector<fx::Finding> out;
  for (const lower::OutputType& type : lower::pathTo(target)) {
    const auto stage =
        std::find_if(stages.begin(), stages.end(),
                     [&](const lower::StageResult& each) { return each.id == lower::name(type); });
    if (stage == stages.end() || stage->status != lower::StageStatus::Ok || stage->text.empty() ||
        stage->text == raw)
      continue;
    if (!promise) promise.emplace(imported.emplace(raw));
    const mlir::Document text(stage->text, std::vector<std::string>{}, stage->form);
    for (const Breach& breach : check(*type.operator->(), *promise, textOf(text), program))
      if (breach.finding.severity == fx::Severity::Error) out.push_back(breach.finding);
    if (!out.empty()) break;
  }
  return out;
}

std::vector<fx::Finding> breachesOf(const lower::Lowering& lowering, const std::string& raw,
                                    const fx::Program& program) {
  return breachesOf(lowering.stages, lowering.target, raw, program);
}

std::vector<fx::Finding> warningsOf(const lower::Lowering& lowering, const std::string& raw,
                                    const fx::Program& program, bool asTorchMlir) {
  std::vector<fx::Finding> out;
  for (const lower::OutputType& type : lower::pathTo(lowering.target)) {
    const auto stage =
        std::find_if(lowering.stages.begin(), lowering.stages.end(),
                     [&](const lower::StageResult& each) { return each.id == lower::name(type); });
    if (stage == lowering.stages.end() || stage->status != lower::StageStatus::Ok ||
        stage->form != mlir::TextForm::Mlir)
      continue;
    if (!asTorchMlir && !mayWarn(*type.operator->(), stage->text)) continue;
    for (fx::Finding& finding : findingsIn(*type.operator->(), raw, stage->text, program)) {
      if (finding.severity == fx::Severity::Error && !asTorchMlir) continue;
      finding.severity = std::min(finding.severity, fx::Severity::Warning);
      // A later text has what an earlier one has.
      const auto isKnown = [&](const fx::Finding& f) {
        return f.node == finding.node && f.op == finding.op && f.kind == finding.kind;
      };
      if (std::none_of(out.begin(), out.end(), isKnown)) out.push_back(std::move(finding));
    }
  }
  return out;
}

}  // namespace fxs::contract
