// Any program through the registries, with its arguments in each order: every node is accounted for, and one that is not lowered has a
// reason.
#include "fuzz_input.h"
#include "fx/text.h"
#include "registry/direct_lowering.h"

using namespace fxs;

namespace {

void lower(const fx::Program& program, registry::DirectOptions options) {
  const auto lowering = registry::lowerByRegistries(program, options, RunContext{});
  fuzz::require(lowering.has_value(), "a program is lowered, in part at least");
  const registry::DirectLowering& result = **lowering;
  fuzz::require(result.coverage.size() == program.main().nodes.size(), "every node is accounted for");
  bool complete = true;
  std::size_t reasons = 0;
  for (const registry::NodeCoverage& node : result.coverage) {
    if (node.status == registry::CoverageStatus::Lowered || node.status == registry::CoverageStatus::Structural) continue;
    complete = false;
    ++reasons;
  }
  for (const fx::Finding& finding : result.findings)
    if (finding.severity == fx::Severity::Error) --reasons;
  fuzz::require(reasons == 0, "what is not lowered has a finding");
  fuzz::require(complete == result.complete, "complete means that every node is lowered");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto program = fx::graphFrom(fuzz::textOf(data, size));
  if (!program) return 0;
  registry::DirectOptions options;
  lower(**program, options);
  options.arguments = registry::Arguments::Packed;
  options.primary = "linalg";
  options.fallbacks = {"math", "func", "tosa"};
  lower(**program, options);
  return 0;
}
