// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "lower/lower.h"
#include "lower/stopped.h"

namespace fxs::lower {
namespace {

void replaceAll(std::string& text, std::string_view mark, std::string_view with) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + with.size()))
    text.replace(at, mark.size(), with);
}

}  // namespace

std::string_view name(StageStatus status) {
  switch (status) {
    case StageStatus::Ok: return "ok";
    case StageStatus::Failed: return "failed";
    case StageStatus::Crashed: return "crashed";
    case StageStatus::Timeout: return "timeout";
    case StageStatus::Unknown: return "unknown";
    case StageStatus::Skipped: break;
  }
  return "skipped";
}

Result<std::vector<StageSpec>> filledStages(const LowerOptions& options) {
  if (options.extraLibrary.find_first_of(" \t\n\"'{}(),") != std::string::npos)
    return fail(ErrorCode::Usage, "extra library '" + options.extraLibrary +
                                      "': a pass pipeline cannot contain a path with spaces, "
                                      "quotes, commas or brackets; rename it");
  for (const std::string& op : options.backendLegalOps)
    if (op.empty() ||
        op.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") !=
            std::string::npos)
      return fail(
          ErrorCode::Usage,
          "'" + op + "' is not an operation name; expected a name such as aten.softmax.int");
  std::string legal;
  for (const std::string& op : options.backendLegalOps)
    legal += (legal.empty() ? " backend-legal-ops=" : ",") + op;
  std::vector<StageSpec> out = stagesFor(options.target);
  for (StageSpec& stage : out) {
    if (const auto own = options.pipelines.find(stage.id); own != options.pipelines.end()) {
      stage.pipeline = own->second;
      stage.survey.clear();
      stage.converts = false;
    }
    for (std::string* pipeline : {&stage.pipeline, &stage.survey}) {
      replaceAll(*pipeline, "${extra-library}", options.extraLibrary);
      replaceAll(*pipeline, "${backend-legal-ops}", legal);
      replaceAll(*pipeline, "${allow-non-finites}", options.allowNonFinites ? "true" : "false");
    }
  }
  return out;
}

bool isKnown(const std::vector<StageResult>& stages) {
  return std::all_of(stages.begin(), stages.end(), [](const StageResult& stage) {
    return isKnown(stage.status) || stage.status == StageStatus::Skipped;
  });
}

bool wasStopped(const Lowering& lowering) {
  return std::any_of(lowering.stages.begin(), lowering.stages.end(), [](const StageResult& stage) {
    return stage.status == StageStatus::Skipped && stage.message == kStopped;
  });
}

Result<> ensureAnswered(const Lowering& lowering) {
  for (const StageResult& stage : lowering.stages)
    if (stage.status == StageStatus::Unknown && !stage.findings.empty() &&
        isNoAnswer(stage.findings.front()))
      return fail(ErrorCode::EngineFailed, stage.findings.front().message);
  return {};
}

bool Lowering::ok() const {
  return std::all_of(stages.begin(), stages.end(),
                     [](const StageResult& s) { return s.status == StageStatus::Ok; });
}

}  // namespace fxs::lower
