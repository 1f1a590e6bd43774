// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/graph_driver.h"

#include <algorithm>

#include "base/byte_source.h"
#include "base/fd.h"
#include "base/new_file.h"
#include "lower/engine_run.h"
#include "session/importing.h"
#include "session/registry.h"

namespace fxs::session {
namespace {

using registry::DriverFile;

/// Weights one after the other, each read by itself.
Result<DriverFile> writePacked(const registry::PackedArgument& packed, const Snapshot& snapshot,
                               const std::string& path, const RunContext& context) {
  const read::Capture& capture = *snapshot.capture;
  DriverFile out{path, 0, false};
  NewFile file(path);
  FXS_CHECK(file.open());
  for (const registry::PackedPart& part : packed.parts) {
    const std::vector<fx::Weight>& weights = capture.program->weights;
    const auto weight = std::find_if(weights.begin(), weights.end(),
                                     [&](const fx::Weight& w) { return w.fqn == part.target; });
    if (weight == weights.end() || !capture.weights || !weight->readable)
      return fail(ErrorCode::Unsupported,
                  "no " + path + ": the bytes of '" + part.target + "' are not in the file");
    FXS_TRY(const std::string bytes, capture.weights->read(*weight, kWeightBytes, context));
    context.spend(Resource::Disk, bytes.size(), part.target);
    if (const int code = writeAll(file.fd(), bytes); code != 0)
      return tl::unexpected<Error>(writeError(path, code));
    out.bytes += bytes.size();
    if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  }
  FXS_CHECK(file.keepAs(path));
  return out;
}

}  // namespace

Result<std::vector<DriverFile>> writeGraphDriver(const Snapshot& snapshot,
                                                 const std::string& folder,
                                                 const Environment& environment,
                                                 const RunContext& context) {
  const DirectResult& result = *snapshot.direct;
  const registry::DirectLowering& lowering = *result.lowering;
  const std::string function = snapshot.request.registries->options.functionName;
  FXS_TRY(const std::vector<registry::NamedText> texts, registry::driverTexts(lowering, function));
  std::vector<DriverFile> out;
  for (const registry::NamedText& each : texts) {
    DriverFile file{folder + "/" + each.file, 0, false};
    std::string text = each.text;
    if (result.engine) {
      lower::EngineRun run =
          lower::printModule(*result.engine, text, lower::Printing::Plain,
                             snapshot.request.lower.limits, *environment.runner, context);
      if (run.outcome == lower::RunOutcome::Cancelled) return tl::unexpected<Error>(cancelled());
      if (run.outcome == lower::RunOutcome::Failed)
        return fail(ErrorCode::InvalidInput, "the engine rejects " + each.file + ": " +
                                                 run.err.substr(0, run.err.find('\n')));
      file.isVerified = run.outcome == lower::RunOutcome::Ok;
      if (file.isVerified) text = std::move(run.out);
    }
    file.bytes = text.size();
    FXS_CHECK(writeWholeFile(file.path, text));
    out.push_back(std::move(file));
  }
  for (std::size_t i = 0; i < lowering.packing.size(); ++i) {
    FXS_TRY(DriverFile file, writePacked(lowering.packing[i], snapshot,
                                         folder + "/arg" + std::to_string(i) + ".data", context));
    out.push_back(std::move(file));
  }
  return out;
}

}  // namespace fxs::session
