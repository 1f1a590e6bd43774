// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli registry: direct lowering to MLIR by a chain of op registries, and its coverage.
#include "session/registry.h"

#include <ostream>

#include "base/nearest.h"
#include "block_sizes.h"
#include "command.h"
#include "registry/stub.h"
#include "report/registry.h"
#include "session/graph_driver.h"

namespace fxs::cli {
namespace {

Result<registry::Arguments> argumentsFrom(const std::string& text) {
  std::vector<std::string_view> names;
  for (const auto form :
       {registry::Arguments::Lowering, registry::Arguments::Buddy, registry::Arguments::Packed}) {
    if (registry::name(form) == text) return form;
    names.push_back(registry::name(form));
  }
  const std::vector<std::string> close = nearest(text, names, 1);
  return fail(ErrorCode::Usage, "unknown argument convention '" + text + "'; " +
                                    (close.empty() ? "expected lowering, buddy or packed"
                                                   : "did you mean '" + close.front() + "'?"));
}

registry::Grouping groupingFrom(const std::vector<std::string>& words) {
  registry::Grouping out;
  for (const auto by : {registry::GroupBy::All, registry::GroupBy::Module, registry::GroupBy::Node})
    if (words.size() == 1 && registry::name(by) == words.front()) out.by = by;
  if (out.by == registry::GroupBy::None && !words.empty()) out = {registry::GroupBy::From, words};
  return out;
}

Result<std::shared_ptr<const session::DirectRequest>> directRequestFrom(
    const Arguments& arguments) {
  session::DirectRequest request;
  registry::DirectOptions& options = request.options;
  if (const auto name = arguments.get("--func-name")) options.functionName = *name;
  if (const auto primary = arguments.get("--primary")) {
    options.primary = *primary;
    // With another primary, TOSA is the first fallback.
    options.fallbacks.insert(options.fallbacks.begin(), "tosa");
  }
  if (arguments.has("--fallback")) options.fallbacks = arguments.all("--fallback");
  if (const auto form = arguments.get("--arguments")) {
    FXS_TRY(options.arguments, argumentsFrom(*form));
  }
  options.grouping = groupingFrom(arguments.all("--groups"));
  if (arguments.get("--graph-driver")) {
    // As Buddy's import scripts have it.
    if (!arguments.get("--func-name")) options.functionName = "forward";
    if (options.grouping.by == registry::GroupBy::None)
      options.grouping.by = registry::GroupBy::All;
    options.arguments = registry::Arguments::Packed;
  }
  options.embedWeights = arguments.has("--weights") || arguments.get("--graph-driver");
  for (const std::string& path : arguments.all("--registry")) {
    auto user = session::userRegistry(path);
    if (!user && user.error().code != ErrorCode::InvalidInput)
      return fail(ErrorCode::Usage, "option '--registry': " + user.error().message);
    if (!user) return tl::unexpected<Error>(user.error());
    options.user.push_back(*std::move(user));
  }
  FXS_TRY(request.blockSizes, blockSizesFrom(arguments));
  return std::make_shared<const session::DirectRequest>(std::move(request));
}

/// Says so if there is nothing to write.
Result<> writeStub(const std::string& path, const session::DirectResult& result, Console& console) {
  const std::string text = registry::stubRegistry(*result.lowering, *result.rewritten->program);
  if (!text.empty()) return writeOutput(path, text);
  console.err << "fxscope-cli: " << path << " is not written: registries know every operator\n";
  return {};
}

Result<std::vector<registry::DriverFile>> graphDriverFiles(const Arguments& arguments,
                                                           const session::Snapshot& snapshot,
                                                           Console& console) {
  const auto folder = arguments.get("--graph-driver");
  if (!folder || !snapshot.direct->ok()) return std::vector<registry::DriverFile>{};
  FXS_CHECK(makeOutputFolder(*folder));
  auto files = session::writeGraphDriver(snapshot, *folder, console.environment, console.context);
  if (!files) return tl::unexpected<Error>(ofOption(files.error()));
  return files;
}

Result<int> runRegistry(const Arguments& arguments, Console& console) {
  session::Request request = requestFrom(arguments);
  request.route = &session::kRegistries;
  FXS_TRY(request.registries, directRequestFrom(arguments));
  FXS_TRY(const session::SnapshotPtr snapshot,
          runTo(session::Phase::Lower, std::move(request), arguments, console));
  const session::DirectResult& result = *snapshot->direct;
  const std::vector<fx::Finding> findings = result.findings();
  const auto file = arguments.get("-o");
  const bool toFile = file && *file != "-";
  const report::Paths paths = pathsOf(arguments, snapshot->capture->label);
  FXS_TRY(std::vector<registry::DriverFile> driver,
          graphDriverFiles(arguments, *snapshot, console));
  const report::RegistryReport answer{paths.of(snapshot->capture->label),
                                      *result.lowering,
                                      *result.rewritten->program,
                                      *snapshot->capture->program,
                                      result.decomposed,
                                      findings,
                                      result.verified,
                                      result.notVerified,
                                      toFile ? paths.of(*file) : "",
                                      arguments.has("--coverage"),
                                      paths,
                                      std::move(driver)};
  const bool toAnswer =
      toFile || arguments.has("--coverage") || arguments.get("--graph-driver").has_value();
  const TextLayout layout = toAnswer ? console.layout : TextLayout{};
  const std::string said =
      arguments.has("--json") ? report::registryJson(answer) : report::registryText(answer, layout);
  if (const auto stub = arguments.get("--stub")) FXS_CHECK(writeStub(*stub, result, console));
  if (toFile) FXS_CHECK(writeAnswer(arguments, result.lowering->text, console));
  if (arguments.has("--json")) {
    console.out << said;
  } else if (toAnswer) {
    console.write(said);
  } else {
    console.out << result.lowering->text;
    if (!result.ok()) console.err << said;
  }
  return result.ok() ? kDone : kFindings;
}

}  // namespace

void registerRegistry(Commands& commands);
void registerRegistry(Commands& commands) {
  commands.add(
      {"registry",
       "lower directly to MLIR through op registries, and show which registry lowered which node",
       {{"FILE", "a .pt2, or - for standard input"}},
       {{"--primary",
         "R",
         "primary registry: tosa (default), linalg, math, func or a user registry",
         false,
         {"tosa", "linalg", "math", "func"}},
        {"--fallback",
         "R,..",
         "fallback registries, in order (default: tosa,linalg,math,func)",
         true,
         {"tosa", "linalg", "math", "func"}},
        {"--registry", "FILE",
         "user registry (.fxreg), consulted first unless --primary or --fallback names it", true},
        {"--stub", "OUT.fxreg",
         "write a user registry that calls an external function for each operator that no registry "
         "knows"},
        {"--decompose", "OP,..",
         "also decompose these operators; operators without a handler are always decomposed, where "
         "a decomposition exists",
         true},
        {"--arguments",
         "FORM",
         "function arguments: lowering (default: weights are constants), buddy (parameters, "
         "buffers, inputs) or packed "
         "(parameters in one tensor per element type)",
         false,
         {"lowering", "buddy", "packed"}},
        {"--groups",
         "HOW",
         "split main into functions that it calls: all (one), module (one for each submodule), "
         "node, or names of the nodes at which one begins",
         true,
         {"all", "module", "node"}},
        {"--graph-driver", "DIR",
         "write to DIR what Buddy's builds take: forward.mlir (memrefs), subgraph0.mlir .. and "
         "arg0.data ..; --arguments is packed, and --groups is all by default"},
        {"--weights", "",
         "embed the weights' data at the end of the module (default: resource handles without "
         "data)"},
        blockSizeOption(),
        {"--func-name", "NAME", "name of the function (default: main)"},
        {"--coverage", "", "print which registry lowered each node instead of the module"},
        {"--json", "", "print the coverage as JSON (resources/schemas/registry.schema.json)"},
        {"-o", "OUT", "write the module to OUT, and a summary to standard output"}},
       reporting<runRegistry>,
       Group::Lower});
}

}  // namespace fxs::cli
