// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli lower: every stage up to an output type, which one failed, and at which nodes.
#include "report/lower.h"

#include <filesystem>
#include <ostream>

#include "base/counted.h"
#include "block_sizes.h"
#include "command.h"
#include "diagnose/beyond_torch_mlir.h"
#include "fix/fix.h"
#include "lower_request.h"
#include "lowering_path.h"
#include "node_lab/node_lab.h"
#include "report/line.h"
#include "session/linked_stages.h"
#include "session/registry.h"

namespace fxs::cli {
namespace {

Result<> writeDirectory(const std::string& directory, const lower::Lowering& lowering,
                        const std::string& json) {
  FXS_CHECK(makeOutputFolder(directory));
  // The last file says what the others are, so that none of an earlier run may stand beside them.
  const std::string last = "lower.json";
  std::vector<std::string> stale = report::staleLowerFiles(lowering);
  stale.push_back(last);
  std::error_code ignored;
  for (const std::string& name : stale) std::filesystem::remove(directory + "/" + name, ignored);
  for (const auto& [name, text] : report::lowerFiles(lowering))
    FXS_CHECK(writeOutput(directory + "/" + name, *text));
  return writeOutput(directory + "/" + last, json);
}

/// The snapshot, with stages composed of single-node lowerings.
Result<session::SnapshotPtr> lowerNodeByNode(const session::Request& request,
                                             const Arguments& arguments, World& world) {
  FXS_TRY(const auto rewritten, runTo(session::Phase::Rewrite, request, arguments, world));
  return node_lab::composeByNodes(rewritten, world.environment, world.context);
}

/// The snapshot, with one stage lowered by the registries. The output type chooses the primary
/// registry.
Result<session::SnapshotPtr> lowerDirectly(const session::Request& request,
                                           const Arguments& arguments, World& world) {
  session::DirectRequest direct;
  direct.options.functionName = request.import.functionName;
  direct.options.embedWeights = request.import.embedWeights;
  FXS_TRY(direct.blockSizes, blockSizesFrom(arguments));
  const std::vector<std::string>& registries = request.lower.target->registries;
  if (registries.empty()) {
    std::vector<lower::OutputType> written = world.environment.outputTypes.all();
    std::erase_if(written, [](const lower::OutputType& type) { return type->registries.empty(); });
    return fail(ErrorCode::Usage, "--via registry supports " + lower::listed(written, " or ") +
                                      "; choose one with --to");
  }
  direct.options.primary = registries.front();
  direct.options.fallbacks.assign(registries.begin() + 1, registries.end());
  FXS_TRY(const auto rewritten, runTo(session::Phase::Rewrite, request, arguments, world));
  FXS_TRY(const auto lowering,
          session::lowerByRegistries(rewritten, direct, world.environment, world.context));
  auto out = std::make_shared<session::Snapshot>(*rewritten);
  out->rewritten = lowering->rewritten;
  out->lowering = session::asLowering(*lowering, request.lower.target);
  FXS_CHECK(session::linkStages(*out, world.context));
  return session::SnapshotPtr(std::move(out));
}

/// The snapshot of the program that `fix` would write. What was changed goes to standard error.
Result<session::SnapshotPtr> fixedAndLowered(session::Request request, LoweringPath via,
                                             const Arguments& arguments, World& world) {
  if (via != LoweringPath::TorchMlir)
    return fail(ErrorCode::Usage, "--fix requires --via torch-mlir");
  request.askEngine = true;
  FXS_TRY(const auto imported, runTo(session::Phase::Import, request, arguments, world));
  fix::FixOptions options;
  options.targets = {request.lower.target};
  FXS_TRY(const auto fixed, fix::fix(imported, options, world.environment, world.context));
  if (world.clearProgress) world.clearProgress();
  for (const fix::FixedChange& change : fixed->changes)
    world.err << report::line("{} ({}): {}\n", change.fxTarget,
                              counted(change.nodes.size(), "node"), change.change);
  auto asked = std::make_shared<session::Snapshot>(*fixed->snapshot);
  asked->imported = nullptr;
  asked->registeredOps = nullptr;
  return session::advance(std::move(asked), session::Phase::Lower, world.environment,
                          world.context);
}

Result<session::SnapshotPtr> lowered(const session::Request& request, const Arguments& arguments,
                                     World& world) {
  if (arguments.has("--as") && (arguments.has("--fix") || arguments.has("--via")))
    return fail(ErrorCode::Usage,
                "--as torch-mlir lowers the whole program as it is: leave out --fix and --via");
  FXS_TRY(const LoweringPath via, loweringPathFrom(arguments.get("--via").value_or("torch-mlir")));
  if (arguments.has("--fix")) return fixedAndLowered(request, via, arguments, world);
  if (arguments.has("--block-size") && via != LoweringPath::Registry)
    return fail(ErrorCode::Usage, "--block-size requires --via registry");
  if (via == LoweringPath::TorchMlir)
    return runTo(session::Phase::Lower, request, arguments, world);
  if (via == LoweringPath::Registry) return lowerDirectly(request, arguments, world);
  if (!lower::keepsFunction(*request.lower.target.operator->()))
    return fail(ErrorCode::Usage,
                "--via nodes requires an output type that keeps the program's function");
  if (request.import.mode != import::Mode::Lowering || request.import.symbolicShapes)
    return fail(ErrorCode::Usage,
                "--via nodes requires --mode lowering, without --symbolic-shapes");
  return lowerNodeByNode(request, arguments, world);
}

/// Unless the options lower in another way than torch-mlir, or ask for the last stage only.
Result<std::optional<diagnose::BeyondTorchMlir>> beyondTorchMlir(
    const session::SnapshotPtr& snapshot, const Arguments& arguments, World& world) {
  if (arguments.has("--fix") || arguments.has("--via") || arguments.get("-o") == "-" ||
      world.context.stop.stop_requested())
    return std::nullopt;
  auto found = diagnose::beyondTorchMlir({snapshot}, world.environment, world.context);
  if (!found && !endsAll(found.error())) return std::nullopt;
  return found;
}

Result<int> runLower(const Arguments& arguments, World& world) {
  FXS_TRY(const session::Request request, lowerRequestFrom("lower", arguments, world));
  FXS_TRY(const session::SnapshotPtr done, lowered(request, arguments, world));
  const lower::Lowering& lowering = *done->lowering;
  const std::vector<fx::Finding> findings = done->findings();
  const auto directory = arguments.get("-o");
  const report::Paths paths = pathsOf(arguments, request.file);
  FXS_TRY(const auto beyond, beyondTorchMlir(done, arguments, world));
  const report::LowerReport answer{paths.of(request.file),
                                   lowering,
                                   done->origins,
                                   findings,
                                   *done->capture->program,
                                   directory && *directory != "-",
                                   true,
                                   paths,
                                   beyond ? &*beyond : nullptr};
  if (answer.files) FXS_CHECK(writeDirectory(*directory, lowering, report::lowerJson(answer)));
  if (directory == "-") {
    world.out << lowering.stages.back().text;
    if (!report::isOk(answer)) world.err << report::lowerText(answer);
  } else {
    world.out << (arguments.has("--json") ? report::lowerJson(answer) : report::lowerText(answer));
  }
  if (world.context.stop.stop_requested()) return kCancelled;
  if (!lower::isKnown(lowering.stages) ||
      std::any_of(findings.begin(), findings.end(), lower::isNoAnswer))
    return kEngine;
  return report::isOk(answer) ? kDone : kFindings;
}

}  // namespace

void registerLower(Commands& commands);
void registerLower(Commands& commands) {
  commands.add({"lower",
                "lower through every stage up to an output type, and show what stopped where",
                {{"FILE", "a .pt2, or - for standard input"}},
                withLoweringOptions(
                    {{"--to", "TYPE", "${output-types}; case and -/_ do not matter"},
                     {"--via",
                      "LOWERING",
                      "lowering path: torch-mlir (default: the whole program through its "
                      "pipelines), nodes (each node separately, then composed) or "
                      "registry (directly through op registries)",
                      false,
                      {"torch-mlir", "nodes", "registry"}},
                     blockSizeOption(),
                     {"--as",
                      "torch-mlir",
                      "do what torch_mlir.fx.export_and_import does with this file and no more: "
                      "its decompositions, its importer",
                      false,
                      {"torch-mlir"}},
                     {"--fix", "", "first apply what makes it lower, as the command fix does"},
                     {"--decompose", "OP,..",
                      "also decompose these operators, where a decomposition exists (aten.gelu, "
                      "aten.gelu.default)",
                      true},
                     {"-o", "DIR",
                      "write each stage to DIR as NN-stage.mlir (.ll, .s), the IR at a failure, "
                      "and lower.json; - writes the last stage to standard "
                      "output"},
                     {"--json", "", "print JSON (resources/schemas/lower.schema.json)"}}),
                reporting<runLower>});
}

}  // namespace fxs::cli
