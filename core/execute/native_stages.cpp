// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute/native_stages.h"

#include <algorithm>

#include "lower/output_types.h"
#include "lower/trace_plan.h"

namespace fxs::execute {
namespace {

/// A stage in those of the variants that it has.
lower::StageSpec stageIn(std::string_view outputType, const Variants& variants) {
  lower::StageSpec stage = (*lower::OutputTypes::builtin().from(outputType))->stage;
  for (const std::string_view variant : variants) {
    const bool has = std::any_of(stage.variants.begin(), stage.variants.end(),
                                 [&](const auto& each) { return each.name == variant; });
    if (has) stage = lower::inVariant(std::move(stage), variant);
  }
  return stage;
}

}  // namespace

std::string llvmPipeline(const Variants& variants) {
  return lower::concatenated(
      {stageIn("loops", variants).pipeline, stageIn("llvm-dialect", variants).pipeline});
}

std::vector<std::string> translateArguments() { return stageIn("llvm-ir", {}).tool.arguments; }

std::vector<std::string> clangArguments(const Variants& variants) {
  constexpr std::size_t kShort = 2;  // -x ir -S -o -
  std::vector<std::string> out = stageIn("assembly", variants).tool.arguments;
  std::erase_if(out, [](const std::string& argument) {
    return argument.size() <= kShort || argument.front() != '-';
  });
  return out;
}

std::vector<std::string> ireeArguments() {
  return lower::OutputTypes::builtin().arguments("iree-target");
}

std::string toDispatches() {
  const std::vector<std::string> all = stageIn("iree-flow", {}).tool.arguments;
  return *std::find_if(all.begin(), all.end(), [](const std::string& argument) {
    return argument.starts_with("--compile-to=");
  });
}

}  // namespace fxs::execute
