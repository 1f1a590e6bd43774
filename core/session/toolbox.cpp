// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/toolbox.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace fxs::session {
namespace {

struct StageProgram {
  std::string_view name;
  std::string execute::Tools::* path;
  const char* remedy;           ///< if it is not installed
  bool startsPrograms = false;  ///< such as a linker
};
constexpr std::array<StageProgram, 7> kStagePrograms{{
    {"iree-compile", &execute::Tools::ireeCompile,
     "'fxscope-cli engine fetch --numbers' installs it", true},
    {"iree-opt", &execute::Tools::ireeOpt, "'fxscope-cli engine fetch --numbers' installs it"},
    {"mlir-opt-22", &execute::Tools::mlirOpt, "Debian's package mlir-22-tools contains it"},
    {"mlir-translate-22", &execute::Tools::mlirTranslate,
     "Debian's package mlir-22-tools contains it"},
    {"clang-22", &execute::Tools::clang, "Debian's package clang-22 contains it", true},
    {"llc-22", &execute::Tools::llc, "Debian's package llvm-22 contains it"},
    {"FileCheck-22", &execute::Tools::fileCheck, "Debian's package llvm-22-tools contains it"},
}};

Result<lower::FoundTool> toolNamed(const execute::Tools& tools, std::string_view name) {
  const auto* known = std::find_if(kStagePrograms.begin(), kStagePrograms.end(),
                                   [&](const StageProgram& each) { return each.name == name; });
  if (known == kStagePrograms.end())
    return fail(ErrorCode::NotFound, std::string(name) + " is not a program that fxscope knows");
  lower::FoundTool out;
  out.path = tools.*known->path;
  out.startsPrograms = known->startsPrograms;
  if (out.path.empty())
    return fail(ErrorCode::NotFound, std::string(name) + " is not installed; " + known->remedy);
  if (name.starts_with("iree-")) {
    FXS_CHECK(execute::verifyIree(tools));
    out.reads = {std::filesystem::path(out.path).parent_path().string()};
  }
  return out;
}

}  // namespace

execute::Tools toolsOf(const Environment& env) {
  execute::Tools tools = execute::findTools(env.installedExecutors, env.searchPath);
  tools.cacheDir = env.cacheDir;
  return tools;
}

std::shared_ptr<const lower::Toolbox> toolboxOf(const Environment& env) {
  Environment installed;
  installed.installedExecutors = env.installedExecutors;
  installed.searchPath = env.searchPath;
  installed.cacheDir = env.cacheDir;
  return std::make_shared<const lower::Toolbox>(
      lower::Toolbox{[installed = std::move(installed)](std::string_view name) {
                       return toolNamed(toolsOf(installed), name);
                     },
                     env.temporaryDir});
}

Result<std::vector<TestProgram>> testPrograms(const Environment& env, const RunContext& context) {
  std::vector<TestProgram> out(1);
  TestProgram& opt = out.front();
  opt.name = "torch-mlir-opt";
  auto engine = engineOf(env, context);
  if (!engine && endsAll(engine.error())) return tl::unexpected(engine.error());
  if (engine) opt.path = engine->path;
  else opt.message = engine.error().message;
  const execute::Tools tools = toolsOf(env);
  for (const auto& [name, program] :
       {std::pair("mlir-opt", "mlir-opt-22"), std::pair("FileCheck", "FileCheck-22")}) {
    auto found = toolNamed(tools, program);
    out.push_back({name, found ? found->path : "", found ? "" : found.error().message});
  }
  return out;
}

Result<lit::Settings> litSettings(const Environment& env, const lower::Limits& limits,
                                  const RunContext& context) {
  lit::Settings out;
  out.limits.timeout = limits.timeout;
  out.limits.memory = limits.memory;
  out.temporaryDir = env.temporaryDir;
  out.substitutions = {{"shlibext", ".so"}};
  FXS_TRY(const auto programs, testPrograms(env, context));
  for (const TestProgram& program : programs) {
    if (program.path.empty()) out.missing.emplace(program.name, program.message);
    else out.programs.emplace(program.name, program.path);
  }
  return out;
}

}  // namespace fxs::session
