// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli bundle: writes a failure or a wrong result as a zip to share, and replays it.
#include "bundle/bundle.h"

#include <ostream>

#include "bundle_words.h"
#include "command.h"
#include "lower_request.h"
#include "report/line.h"
#include "run_request.h"
#include "variant_request.h"

namespace fxs::cli {
namespace {

/// The shared options, except --weights, which has a value here.
std::vector<Option> bundleOptions() {
  std::vector<Option> options =
      withLoweringOptions(withNodeOptions(withRunOptions({fromOption(), skipPassOption()})));
  std::erase_if(options, [](const Option& option) { return option.name == "--weights"; });
  const std::vector<Option> own{
      {"--to", "TYPE", "${output-types}; case and -/_ do not matter"},
      {"-o", "OUT",
       "zip file to write, or a directory, in which the file is named after its content"},
      {"--node", "N", "operation to reproduce (default: the first that blocks the program)"},
      {"--reduce", "", "reduce the program to a part that fails in the same way"},
      {"--wrong", "",
       "reproduce a wrong result instead: the smallest part found that computes it, with its "
       "values"},
      {"--python", "PATH",
       "with --wrong: Python interpreter with PyTorch (auto: python3), which computes what is "
       "expected"},
      {"--weights",
       "WHICH",
       "none (default), used (default with --wrong) or all; none still keeps constants that "
       "engines fold",
       false,
       {"none", "used", "all"}},
      {"--decompose", "OP,..", "also decompose these operators, where a decomposition exists",
       true}};
  options.insert(options.begin(), own.begin(), own.end());
  return options;
}

Result<bundle::BundleOptions> exportOptionsFrom(const Arguments& arguments) {
  bundle::BundleOptions options;
  options.path = arguments.get("-o").value_or("");
  if (options.path.empty() || options.path == "-")
    return fail(ErrorCode::Usage, "'bundle' requires -o OUT: a zip file to write, or a directory");
  const bool isWrong = arguments.has("--wrong");
  FXS_TRY(options.weights, bundle::bundleWeightsFrom(
                               arguments.get("--weights").value_or(isWrong ? "used" : "none")));
  options.reduce = arguments.has("--reduce");
  options.describe = bundleTexts;
  numbers::CompareOptions compare;
  compare.python = arguments.get("--python").value_or("");
  FXS_CHECK(setRunOptions(compare, arguments));
  if (isWrong) options.wrong = compare;
  for (const std::string_view option : {"--python", "--inputs", "--size"})
    if (!isWrong && arguments.has(option))
      return fail(ErrorCode::Usage, "option '" + std::string(option) + "' requires --wrong");
  if (isWrong && asksForVariant(arguments))
    return fail(ErrorCode::Usage, "options '--from' and '--skip-pass' cannot be used with --wrong");
  if (isWrong && arguments.has("--node"))
    return fail(ErrorCode::Usage,
                "option '--node' cannot be used with --wrong, which finds the operation by "
                "comparing values");
  return options;
}

Result<int> runBundle(const Arguments& arguments, Console& console) {
  FXS_TRY(session::Request request, lowerRequestFrom("bundle", arguments, console));
  request.import.embedWeights = false;
  FXS_TRY(bundle::BundleOptions options, exportOptionsFrom(arguments));
  if (options.wrong) {
    request.normalize = false;
    request.askEngine = true;
  }
  FXS_TRY(const auto lowered, runTo(options.wrong ? session::Phase::Import : session::Phase::Lower,
                                    request, arguments, console));
  if (const auto name = arguments.get("--node")) {
    FXS_TRY(options.node, nodeNamed(*lowered->capture->program, *name));
  }
  const auto made = bundle::exportBundle(lowered, options, console.environment, console.context);
  // The input was read, so an I/O error now is about OUT.
  if (!made) return tl::unexpected<Error>(ofOption(made.error()));
  console.out << report::line("{}: {} bytes, {} of {} operations\nfailure: {}\n{}{}\n", made->path,
                              made->bytes, made->callNodes, made->originalCallNodes,
                              made->signature, made->reproduces ? "replayed after unpacking: " : "",
                              made->statement);
  if (!made->removed.empty())
    console.out
        << "removed as private or unneeded (private data in other forms is not detected):\n";
  for (const std::string& removed : made->removed) console.out << report::line("  {}\n", removed);
  if (!made->isKnown) return kEngine;
  return made->reproduces ? kDone : kFindings;
}

}  // namespace

void registerBundle(Commands& commands);
void registerBundle(Commands& commands) {
  commands.add(
      {"bundle",
       "write a reproducer of a failure or a wrong result: one zip file, replayed to verify it",
       {{"FILE", "a .pt2, an MLIR module, or - for standard input"}},
       bundleOptions(),
       reporting<runBundle>,
       Group::Share});
}

}  // namespace fxs::cli
