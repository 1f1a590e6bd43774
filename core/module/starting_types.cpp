// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>

#include "base/joined.h"
#include "module/source_module.h"

namespace fxs::module {
namespace {

constexpr std::string_view kModuleTitle = "Module";

/// Whether a text of the output type may hold a module of these dialects.
bool mayHold(const lower::OutputTypeSpec& spec, const std::vector<std::string>& dialects) {
  if (!spec.contract || spec.contract->anyDialect) return false;
  const auto may = [&](const std::string& dialect) {
    const auto& left = spec.contract->left;
    const auto& warned = spec.contract->warned;
    return dialect == "func" || std::find(left.begin(), left.end(), dialect) != left.end() ||
           std::any_of(warned.begin(), warned.end(),
                       [&](const lower::WarnedDialect& each) { return each.dialect == dialect; });
  };
  return std::all_of(dialects.begin(), dialects.end(), may);
}

/// Whether the stage of a type, which is not the first, reads a module of these dialects. A stage
/// of the user's own that follows the import may read any.
bool canStart(const lower::OutputType& type, const std::vector<std::string>& dialects) {
  const bool followsImport = !(*type->after)->after;
  return type->readsAny || (followsImport && !type->file.empty()) ||
         mayHold(*type->after->operator->(), dialects);
}

/// The module itself, in place of what the importer writes.
lower::OutputType moduleType(const lower::OutputType& first, const std::string& tool) {
  lower::OutputTypeSpec spec = *first.operator->();
  spec.stage.title = kModuleTitle;
  spec.stage.tool.program = tool;
  spec.contract.reset();
  return lower::OutputType(std::make_shared<const lower::OutputTypeSpec>(std::move(spec)));
}

}  // namespace

std::vector<lower::OutputType> startingTypes(const read::SourceModule& module,
                                             const lower::OutputTypes& all) {
  std::vector<lower::OutputType> out;
  for (const lower::OutputType& each : all.all())
    if (each->after && canStart(each, module.dialects)) out.push_back(each);
  return out;
}

Result<lower::OutputType> startingFrom(const read::SourceModule& module,
                                       const lower::OutputType& type,
                                       const lower::OutputTypes& all) {
  const std::vector<lower::OutputType> path = lower::pathTo(type);
  if (path.front()->stage.title == kModuleTitle) return type;
  lower::OutputType out = moduleType(path.front(), module.tool);
  // The first stage reads a module of any dialect.
  auto next = std::find_if(path.begin() + 1, path.end(),
                           [&](const auto& each) { return canStart(each, module.dialects); });
  if (path.size() > 1 && next == path.end()) {
    const std::vector<lower::OutputType> others = startingTypes(module, all);
    return fail(ErrorCode::Usage,
                fmt::format("output type '{}' cannot start from a module of {}; {}",
                            lower::name(type), joined(module.dialects, ", "),
                            others.empty() ? std::string("choose passes with --pass-pipeline")
                                           : "those that can: " + lower::listed(others, " and ")));
  }
  for (; next != path.end(); ++next) {
    lower::OutputTypeSpec spec = *next->operator->();
    spec.after = out;
    out = lower::OutputType(std::make_shared<const lower::OutputTypeSpec>(std::move(spec)));
  }
  return out;
}

}  // namespace fxs::module
