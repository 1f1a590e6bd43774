// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/status.h"

#include <array>

namespace fxs::sweep {
namespace {

constexpr std::array<std::string_view, kStatuses> kStatusNames{
    "ok", "breach", "failed", "crashed", "timeout", "unreadable", "abandoned"};

}  // namespace

std::string_view name(Status status) { return kStatusNames[static_cast<std::size_t>(status)]; }

Status statusOf(const lower::Lowering& lowering, bool right) {
  for (const lower::StageResult& stage : lowering.stages) switch (stage.status) {
      case lower::StageStatus::Ok:
      case lower::StageStatus::Skipped: break;
      case lower::StageStatus::Failed: return Status::Failed;
      case lower::StageStatus::Crashed: return Status::Crashed;
      case lower::StageStatus::Timeout: return Status::Timeout;
      case lower::StageStatus::Unknown: return Status::Abandoned;
    }
  return right ? Status::Failed : Status::Breach;
}

}  // namespace fxs::sweep
