// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower_request.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/byte_source.h"
#include "base/nearest.h"
#include "diagnose/beyond_torch_mlir.h"
#include "mode.h"
#include "routes/routes.h"

namespace fxs::cli {
namespace {

/// Parses a positive number with an optional letter of `units`: "90", "1.5m". The result is in the
/// first unit.
Result<double> quantity(const std::string& option, const std::string& text, std::string_view units,
                        const std::vector<double>& factors, const std::string& example) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const std::size_t unit = rest.empty() ? 0 : units.find(rest[0]);
  if (error != std::errc() || !(number > 0) || number > 1e9 || rest.size() > 1 ||
      unit == std::string_view::npos)
    return fail(ErrorCode::Usage,
                "option '" + option + "': '" + text + "' is not a positive " + example);
  return number * factors[unit];
}

/// The output type of --pass-pipeline, which follows `targets`; those themselves without it.
Result<std::vector<lower::OutputType>> withPipeline(std::vector<lower::OutputType> targets,
                                                    const Arguments& arguments,
                                                    const lower::OutputTypes& types) {
  const auto pipeline = arguments.get("--pass-pipeline");
  if (!pipeline && arguments.has("--tool"))
    return fail(ErrorCode::Usage, "--tool requires --pass-pipeline");
  if (!pipeline) return targets;
  if (targets.size() > 1)
    return fail(ErrorCode::Usage, "--pass-pipeline can follow one output type only");
  FXS_TRY(const lower::StageTool tool, toolFrom(arguments));
  FXS_TRY(const lower::OutputType type,
          lower::pipelineType(*pipeline, tool,
                              targets.empty() ? types.all().front() : targets.front()));
  return std::vector{type};
}

}  // namespace

Result<lower::StageTool> toolFrom(const Arguments& arguments) {
  lower::StageTool tool;
  const auto named = arguments.get("--tool");
  if (!named) return tool;
  tool.program = *named;
  if (tool.isPath()) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(*named, ignored))
      return fail(ErrorCode::Usage, "option '--tool': " + *named + ": no such file");
    tool.program = std::filesystem::absolute(*named, ignored).string();
    tool.isOpt = true;
  }
  if (!tool.runsPasses())
    return fail(ErrorCode::Usage,
                "option '--tool': '" + *named +
                    "' is not engine, mlir-opt-22, iree-opt, or the path of a program");
  return tool;
}

Option setOption() {
  return {"--set", "NAME=VALUE",
          "set a parameter of the output type or of --pass-pipeline: ${parameters}", true};
}

std::vector<Option> withNodeOptions(std::vector<Option> own) {
  const std::vector<Option> shared{
      {"--set-arg", "NODE.ARG=VALUE",
       "set an argument of a node to another value, written as `inspect --graph` prints it "
       "(softmax.dim=0); the types recorded in the program stay",
       true},
      {"--decompose-node", "NODE,..", "also decompose these nodes", true},
      {"--keep-node", "NODE,..", "apply no decomposition to these nodes", true}};
  own.insert(own.end(), shared.begin(), shared.end());
  return own;
}

Result<> readNodeOptions(const Arguments& arguments, rewrite::RewriteOptions& options) {
  for (const std::string& text : arguments.raw("--set-arg")) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::size_t dot = text.rfind('.', equals);
    if (equals + 1 >= text.size() || dot == std::string::npos || dot == 0 || dot + 1 == equals)
      return fail(ErrorCode::Usage,
                  "option '--set-arg': expected NODE.ARG=VALUE, got '" + text + "'");
    options.arguments[{text.substr(0, dot), text.substr(dot + 1, equals - dot - 1)}] =
        text.substr(equals + 1);
  }
  for (const std::string& node : arguments.all("--decompose-node"))
    options.decomposeNodes.insert(node);
  for (const std::string& node : arguments.all("--keep-node")) options.keepNodes.insert(node);
  return {};
}

Result<> checkNodeOptions(const session::Request& request) {
  const rewrite::RewriteOptions& options = request.rewrite;
  const bool isAny =
      !options.arguments.empty() || !options.decomposeNodes.empty() || !options.keepNodes.empty();
  if (!isAny || request.route == &session::kPipelines) return {};
  return fail(ErrorCode::Usage,
              "--set-arg, --decompose-node and --keep-node change what the pipelines lower: leave "
              "out --via and --fix");
}

std::vector<Option> withLoweringOptions(std::vector<Option> own) {
  const std::vector<Option> shared{
      {"--pass-pipeline", "PIPELINE",
       "run this pass pipeline, such as 'builtin.module(cse,canonicalize)', after --to, or on the "
       "program as imported; ${tile=8} in it is a parameter"},
      {"--tool", "TOOL", kToolHelp},
      setOption(),
      {"--mode",
       "MODE",
       "import mode: lowering (default), frozen or program (mutation as in import_program)",
       false,
       {"lowering", "frozen", "program"}},
      {"--weights", "",
       "pass the weights' data to the engine (default: resource handles without data)"},
      {"--extra-library", "FILE",
       "MLIR file that declares operations legal in the torch stage (extra-library of "
       "torchdynamo-export-to-torch-backend-pipeline)"},
      {"--backend-legal-ops", "OP,..",
       "operations that the torch stage must not decompose (aten.softmax.int)", true},
      {"--func-name", "NAME", "name of the function (default: main)"},
      {"--symbolic-shapes", "", "import symbolic shape expressions (not supported by any backend)"},
      {"--no-non-finites", "",
       "do not let backends emit non-finite constants (allow-non-finites=false)"},
      {"--timeout", "TIME",
       "time limit per stage, in seconds, or minutes with m (default: 120); waiting for a "
       "processor does not count"},
      {"--memory", "SIZE",
       "address space limit of the engine, in MiB, or GiB with G (default: 8G)"}};
  own.insert(own.end(), shared.begin(), shared.end());
  return own;
}

Option viaOption(const std::vector<const session::Route*>& routes) {
  Option option{"--via", "LOWERING", "lowering path: ", false, {}};
  for (const session::Route* route : routes) {
    const bool isDefault = route == &session::kPipelines;
    option.help += std::string(option.choices.empty() ? "" : ", ") + std::string(route->name) +
                   (isDefault ? " (default: " : " (") + std::string(route->help) + ")";
    option.choices.emplace_back(route->name);
  }
  return option;
}

Result<lower::Limits> limitsFrom(const Arguments& arguments) {
  lower::Limits limits;
  if (const auto text = arguments.get("--timeout")) {
    FXS_TRY(const double seconds,
            quantity("--timeout", *text, "sm", {1, 60}, "time such as 120 (seconds) or 5m"));
    limits.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  }
  if (const auto text = arguments.get("--memory")) {
    FXS_TRY(const double mebibytes,
            quantity("--memory", *text, "MG", {1, 1024}, "size such as 4096 (MiB) or 8G"));
    limits.memory = static_cast<std::uint64_t>(mebibytes * 1024 * 1024);
  }
  return limits;
}

Result<session::Request> lowerRequestFrom(std::string_view command, const Arguments& arguments,
                                          const Console& console) {
  FXS_TRY(auto many, lowerRequestForTargets(command, arguments, console));
  if (many.second.size() > 1)
    return fail(ErrorCode::Usage,
                "'" + std::string(command) + "' expects one output type with --to");
  return std::move(many.first);
}

Option asOption() {
  return {"--as",
          "torch-mlir|run-decompositions",
          "do what torch_mlir.fx.export_and_import does with this file and no more: its "
          "decompositions, its importer; or with what program.run_decompositions() makes of it",
          false,
          {"torch-mlir", "run-decompositions"}};
}

Result<session::Request> requestAs(std::string_view as, session::Request request) {
  if (as == "torch-mlir") return diagnose::asTorchMlir(std::move(request));
  if (as == "run-decompositions")
    return diagnose::asTorchMlir(std::move(request), rewrite::Decompositions::RunDecompositions);
  return fail(ErrorCode::Usage,
              "option '--as': '" + std::string(as) + "' is not torch-mlir or run-decompositions");
}

Result<std::pair<session::Request, std::vector<lower::OutputType>>> lowerRequestForTargets(
    std::string_view command, const Arguments& arguments, const Console& console) {
  const lower::OutputTypes& types = console.environment.outputTypes;
  session::Request request = requestFrom(arguments);
  std::vector<lower::OutputType> targets;
  for (const std::string& to : arguments.all("--to")) {
    FXS_TRY(const lower::OutputType target, types.from(to));
    if (std::find(targets.begin(), targets.end(), target) == targets.end())
      targets.push_back(target);
  }
  FXS_TRY(targets, withPipeline(std::move(targets), arguments, types));
  if (targets.empty())
    return fail(ErrorCode::Usage, "'" + std::string(command) +
                                      "' needs --to TYPE: " + lower::listed(types.all(), " or "));
  FXS_TRY(targets, lower::withSettings(std::move(targets), arguments.raw("--set")));
  request.lower.target = targets.front();
  if (const auto mode = arguments.get("--mode")) {
    FXS_TRY(request.import.mode, modeFrom(*mode));
  }
  if (const auto as = arguments.get("--as")) {
    FXS_TRY(request, requestAs(*as, std::move(request)));
  }
  if (const auto via = arguments.get("--via")) {
    FXS_TRY(request.route, routes::named(*via));
  }
  request.import.embedWeights = arguments.has("--weights");
  request.lower.allowNonFinites = !arguments.has("--no-non-finites");
  for (const std::string& op : arguments.all("--backend-legal-ops"))
    request.lower.backendLegalOps.insert(op);
  if (const auto library = arguments.get("--extra-library")) {
    if (!std::filesystem::is_regular_file(*library))
      return fail(ErrorCode::Usage, "option '--extra-library': " + *library + ": no such file");
    request.lower.extraLibrary = *library;
  }
  FXS_TRY(request.lower.limits, limitsFrom(arguments));
  FXS_CHECK(readNodeOptions(arguments, request.rewrite));
  request.decomposeForTarget = true;
  return std::pair(std::move(request), std::move(targets));
}

Option knownOption() {
  return {"--known", "FILE",
          "faults that were reported, of your own, in the form of "
          "resources/engine/known_faults.json: named where an operation fails by one"};
}

Result<diagnose::KnownFaults> knownFaultsOf(const Arguments& arguments) {
  const auto file = arguments.get("--known");
  if (!file) return diagnose::KnownFaults::builtin();
  FXS_TRY(const std::string text, readWholeFile(*file, diagnose::KnownFaults::kMaxBytes));
  return diagnose::KnownFaults::from(text, *file);
}

Result<fx::NodeId> nodeNamed(const fx::Program& program, const std::string& name) {
  if (const fx::Node* node = program.findNode(name)) return node->id;
  std::vector<std::string_view> names;
  for (const fx::Node& node : program.nodes) names.push_back(node.name);
  const std::vector<std::string> near = nearest(name, names, 1);
  return fail(ErrorCode::Usage,
              "the program has no node '" + name + "'" +
                  (near.empty() ? std::string() : "; did you mean '" + near.front() + "'?"));
}

}  // namespace fxs::cli
