#include "session/toolbox.h"

#include <filesystem>

namespace fxs::session {
namespace {

Result<lower::FoundTool> toolNamed(const execute::Tools& tools, std::string_view name) {
  lower::FoundTool out;
  if (name == "iree-compile") {
    out.path = tools.ireeCompile;
    out.startsPrograms = true;  // its linker
  } else if (name == "mlir-opt-22") {
    out.path = tools.mlirOpt;
  } else if (name == "mlir-translate-22") {
    out.path = tools.mlirTranslate;
  } else if (name == "clang-22") {
    out.path = tools.clang;
    out.startsPrograms = true;
  } else if (name == "llc-22") {
    out.path = tools.llc;
    if (out.path.empty()) return fail(ErrorCode::NotFound, "llc-22 is not installed; Debian's package llvm-22 contains it");
  }
  if (out.path.empty()) return fail(ErrorCode::NotFound, std::string(name) + " is not installed; './run --numbers' installs it");
  if (name == "iree-compile") {
    FXS_CHECK(execute::verifyIree(tools));
    out.reads = {std::filesystem::path(out.path).parent_path().string()};
  }
  return out;
}

}  // namespace

std::shared_ptr<const lower::Toolbox> toolboxOf(const Environment& env) {
  execute::Tools tools = env.numbers;
  tools.cacheDir = env.cacheDir;
  return std::make_shared<const lower::Toolbox>(
      lower::Toolbox{[tools = std::move(tools)](std::string_view name) { return toolNamed(tools, name); }, env.temporaryDir});
}

}  // namespace fxs::session
