// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/module_source.h"

#include <filesystem>

#include "base/byte_source.h"
#include "module/described_program.h"
#include "read/read.h"

namespace fxs::session {
namespace {

/// "" if there is none.
std::string programBeside(const std::string& file) {
  std::filesystem::path beside(file);
  if (beside.extension() != ".mlir") return {};
  beside.replace_extension(".pt2");
  std::error_code ignored;
  return std::filesystem::is_regular_file(beside, ignored) ? beside.string() : std::string();
}

Result<read::Capture> readSource(const std::string& file, const RunContext& context) {
  FXS_TRY(auto source, openFile(file));
  return read::readCapture(std::move(source), file, {}, context);
}

}  // namespace

Result<> describeModule(read::Capture& module, const Request& request, const RunContext& context) {
  const bool isGiven = !request.read.program.empty();
  if (!isGiven && !module::hasOwnLocations(*module.module)) return {};
  const std::string file = isGiven ? request.read.program : programBeside(request.file);
  if (file.empty()) return {};
  const auto source = readSource(file, context);
  if (!source && (isGiven || endsAll(source.error()))) return tl::unexpected<Error>(source.error());
  if (!source) return {};
  auto described = module::describedBy(*source->program, *module.program, *module.module);
  if (!described && !isGiven) return {};
  module.notes.push_back(described ? "modules and lines of Python are those of " + file
                                   : "no location names a node or a line of " + file);
  if (described) module.program = std::move(described);
  return {};
}

}  // namespace fxs::session
