// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/direct_lowering.h"

#include <algorithm>

#include "base/nearest.h"
#include "registry/kernel/kernel_lowering.h"
#include "registry/program_lowering.h"

namespace fxs::registry {
namespace {

tl::unexpected<Error> unknownRegistry(const std::string& name, const DirectOptions& options) {
  std::vector<std::string_view> known;
  for (const Registry& builtin : builtinRegistries().all()) known.push_back(builtin.name);
  for (const auto& user : options.user) known.push_back(user->name);
  const std::vector<std::string> close = nearest(name, known, 1);
  std::string list;
  for (const std::string_view each : known) list += (list.empty() ? "" : ", ") + std::string(each);
  return fail(ErrorCode::Usage,
              "unknown registry '" + name + "'; " +
                  (close.empty() ? "there are " + list : "did you mean '" + close.front() + "'?"));
}

/// The registries in lookup order: user registries that the chain does not name come first.
Result<std::vector<const Registry*>> chainOf(const DirectOptions& options) {
  const auto userNamed = [&](std::string_view name) -> const Registry* {
    for (const auto& registry : options.user)
      if (registry->name == name) return registry.get();
    return nullptr;
  };
  std::vector<std::string> names{options.primary};
  for (const std::string& name : options.fallbacks)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);

  std::vector<const Registry*> out;
  for (const auto& registry : options.user)
    if (std::find(names.begin(), names.end(), registry->name) == names.end())
      out.push_back(registry.get());
  for (const std::string& name : names) {
    const Registry* registry = userNamed(name);
    if (registry == nullptr) registry = builtinRegistries().find(name);
    if (registry != nullptr) {
      out.push_back(registry);
      continue;
    }
    return unknownRegistry(name, options);
  }
  return out;
}

}  // namespace

std::string PackedArgument::text() const {
  std::string out = std::string(facts(dtype).shortName) + "[" + std::to_string(elements) + "]";
  for (const PackedPart& part : parts)
    out += (&part == &parts.front() ? ": " : ", ") + part.target + " at " +
           std::to_string(part.offset) + " (" + std::to_string(part.value.tensor.elements()) + ")";
  return out;
}

std::string_view name(Arguments arguments) {
  switch (arguments) {
    case Arguments::Lowering: return "lowering";
    case Arguments::Buddy: return "buddy";
    case Arguments::Packed: return "packed";
  }
  return "";
}

std::string_view name(CoverageStatus status) {
  switch (status) {
    case CoverageStatus::Lowered: return "lowered";
    case CoverageStatus::Unmapped: return "unmapped";
    case CoverageStatus::NoLowering: return "no-lowering";
    case CoverageStatus::Refused: return "refused";
    case CoverageStatus::Structural: return "structural";
  }
  return "";
}

Result<std::shared_ptr<const DirectLowering>> lowerByRegistries(const fx::Program& program,
                                                                const DirectOptions& options,
                                                                const RunContext& context) {
  if (program.graphs.empty()) return fail(ErrorCode::InvalidInput, "the program has no graph");
  if (options.embedWeights && !options.weights)
    return fail(ErrorCode::Usage,
                "weights cannot be embedded: the program was opened without their data");
  FXS_TRY(std::vector<const Registry*> chain, chainOf(options));
  const bool isGrouped = options.grouping.by != GroupBy::None;
  if (options.kernel && isGrouped)
    return fail(ErrorCode::Usage, "a Helion kernel is one function; it has no groups");
  if (options.kernel) return KernelLowering(program, options, std::move(chain)).run(context);
  FXS_TRY(auto whole, ProgramLowering(program, options, std::move(chain)).run(context));
  if (!isGrouped) return whole;
  const fx::Program& user = program.original ? *program.original : program;
  auto out = std::make_shared<DirectLowering>(*whole);
  FXS_TRY(out->grouped, grouped(whole->text, options.functionName, options.grouping, user));
  out->text = std::move(out->grouped.text);
  return std::shared_ptr<const DirectLowering>(std::move(out));
}

}  // namespace fxs::registry
