// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <istream>
#include <ostream>

#include "base/byte_source.h"
#include "base/joined.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/new_file.h"
#include "base/safe_text.h"
#include "command.h"
#include "engines/known_engines.h"
#include "lower/engine.h"
#include "variant_request.h"

namespace fxs::cli {
namespace {

constexpr const char* kProgram = "fxscope-cli";

/// What an MLIR module does not go through: the import from PyTorch and what comes before it.
constexpr std::array<std::string_view, 10> kImportOptions{
    "--as",   "--decompose", "--decompose-node", "--func-name",       "--keep-node",
    "--mode", "--rewritten", "--set-arg",        "--symbolic-shapes", "--weights"};

int usage(Console& console, const std::string& message) {
  if (console.clearProgress) console.clearProgress();
  console.err << kProgram << ": " << printable(message) << "\n";
  return kUsage;
}

std::string didYouMean(std::string_view wanted, const std::vector<std::string_view>& names) {
  const std::vector<std::string> near = nearest(wanted, names, 1);
  return near.empty() ? std::string() : "; did you mean '" + near.front() + "'?";
}

/// "PATH..", for help and messages.
std::string shownAs(const Positional& p) { return p.repeated ? p.name + ".." : p.name; }

/// The parser's name of a command, which may have no blank.
std::string parsedName(const Command& command) {
  std::string out = command.name;
  std::replace(out.begin(), out.end(), ' ', '-');
  return out;
}

/// The options of one command in the parser, and the parsed values.
struct Bound {
  const Command* command;
  CLI::App* app;
  std::vector<std::pair<Option, CLI::Option*>> options;
  std::vector<std::pair<Positional, CLI::Option*>> positionals;
};

Bound bind(CLI::App& parser, const Command& command) {
  Bound bound{&command, parser.add_subcommand(parsedName(command), command.summary), {}, {}};
  bound.app->set_help_flag("-h,--help", "print this help and exit");
  for (const Positional& p : command.positionals) {
    CLI::Option* o = bound.app->add_option(p.name, p.help);
    if (p.repeated) o->expected(-1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    else o->expected(1);
    bound.positionals.emplace_back(p, o);
  }
  const auto add = [&](const Option& option) {
    CLI::Option* o = option.value.empty() ? bound.app->add_flag(option.name, option.help)
                                          : bound.app->add_option(option.name, option.help);
    if (!option.value.empty()) {
      o->expected(1)->type_name(option.value)->allow_extra_args(false);
      o->multi_option_policy(option.repeated ? CLI::MultiOptionPolicy::TakeAll
                                             : CLI::MultiOptionPolicy::Throw);
    }
    bound.options.emplace_back(option, o);
  };
  for (const Option& option : optionsOf(command)) add(option);
  return bound;
}

Arguments found(const Bound& bound) {
  Arguments out;
  for (const auto& [positional, option] : bound.positionals)
    if (option->count() > 0) out.set(positional.name, option->results());
  for (const auto& [spec, option] : bound.options)
    if (option->count() > 0)
      out.set(spec.name, spec.value.empty() ? std::vector<std::string>{} : option->results());
  return out;
}

std::vector<std::string_view> optionNames(const Bound& bound) {
  std::vector<std::string_view> names{"--help"};
  for (const auto& [spec, option] : bound.options) names.push_back(spec.name);
  return names;
}

/// The message for an error of the parser.
std::string refused(const Bound& bound, const CLI::ParseError& error) {
  const std::string& name = bound.command->name;
  for (const std::string& extra : bound.app->remaining()) {
    if (extra.size() > 1 && extra[0] == '-') {
      const std::string option = extra.substr(0, extra.find('='));
      return "unknown option '" + option + "' of '" + name + "'" +
             didYouMean(option, optionNames(bound));
    }
  }
  if (!bound.app->remaining().empty())
    return "unexpected argument '" + bound.app->remaining().front() + "' of '" + name + "'";
  for (const auto& [spec, option] : bound.options) {
    if (spec.value.empty()) continue;
    if (error.get_name() == "ArgumentMismatch" && option->count() > 1)
      return "option '" + spec.name + "' may be given only once";
    if (std::string_view(error.what()).starts_with(spec.name + ":"))
      return "option '" + spec.name + "' needs a value: " + spec.name + " " + spec.value;
  }
  return std::string(error.what());
}

/// Adds the output types of --output-types.
Result<> addOutputTypes(const Arguments& arguments, Console& console) {
  lower::OutputTypes& types = console.environment.outputTypes;
  for (const std::string& file : arguments.all("--output-types")) {
    FXS_TRY(types, types.withFile(file, console.context));
  }
  return {};
}

int helpOf(const Bound& bound, Console& console) {
  if (const auto added = addOutputTypes(found(bound), console); !added)
    return reportError(added.error(), console);
  const Command& command = *bound.command;
  console.out << "Usage: " << kProgram << " " << command.name;
  for (const Positional& p : command.positionals)
    console.out << (p.required ? " " + shownAs(p) : " [" + shownAs(p) + "]");
  console.out << " [options]\n\n" << command.summary << "\n\n";
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Positional& p : command.positionals) rows.emplace_back(shownAs(p), p.help);
  for (const auto& [option, parsed] : bound.options)
    rows.emplace_back(option.name + (option.value.empty() ? "" : " " + option.value),
                      filledIn(option.help, console.environment.outputTypes));
  rows.emplace_back("--help", "print this help and exit");
  std::size_t width = 0;
  for (const auto& [left, right] : rows) width = std::max(width, left.size());
  for (const auto& [left, right] : rows)
    console.out << "  " << left << std::string(width - left.size() + 2, ' ') << right << "\n";
  return kDone;
}

int helpOf(const std::vector<Bound>& commands, Console& console) {
  console.out << "Usage: " << kProgram << " COMMAND ...\n\nCommands:\n";
  std::size_t width = 0;
  for (const Bound& b : commands) width = std::max(width, b.command->name.size());
  for (const auto& [group, title] : kGroups) {
    console.out << title << "\n";
    for (const Bound& b : commands)
      if (b.command->group == group)
        console.out << "  " << b.command->name
                    << std::string(width - b.command->name.size() + 2, ' ') << b.command->summary
                    << "\n";
  }
  console.out << "\n'" << kProgram
              << " COMMAND --help' lists a command's options; --version prints the version.\n"
              << "FILE may be '-' for standard input. Exit codes:";
  for (const auto& [code, meaning] : kExitCodes) {
    const std::string_view separator = code == kInput ? ";\n" : "; ";
    console.out << (code == kDone ? " " : separator) << code << " " << meaning;
  }
  console.out << ".\n";
  return kDone;
}

/// The default budget with the limits of --limit.
Result<std::shared_ptr<const Budget>> budgetFrom(const Arguments& arguments) {
  BudgetLimits limits;
  for (const std::string& limit : arguments.all("--limit")) {
    const std::size_t equals = std::min(limit.find('='), limit.size());
    const auto resource = resourceFrom(std::string_view(limit).substr(0, equals));
    if (!resource || equals == limit.size())
      return fail(ErrorCode::Usage,
                  "--limit: expected RESOURCE=AMOUNT, where RESOURCE is unpacked, nodes, values, "
                  "text, disk or seconds, got '" +
                      limit + "'");
    FXS_TRY(limits[*resource],
            limitAmountFrom(*resource, std::string_view(limit).substr(equals + 1)));
  }
  return std::make_shared<const Budget>(limits);
}

/// Reads standard input to its end, within the budget, since it may be endless.
std::string standardInput(Console& console) {
  constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
  std::string out;
  while (console.in) {
    spendJsonText(kChunkBytes, "standard input", console.context);
    const std::size_t before = out.size();
    out.resize(before + kChunkBytes);
    console.in.read(out.data() + before, kChunkBytes);
    out.resize(before + static_cast<std::size_t>(console.in.gcount()));
  }
  return out;
}

/// Whether the command prints MLIR, a graph or JSON.
bool printsCode(std::string_view command, const Arguments& arguments) {
  if (arguments.has("--json") || arguments.has("--graph") || arguments.get("-o") == "-")
    return true;
  if (command == "registry") return !arguments.has("-o") && !arguments.has("--coverage");
  return command == "import" || command == "completion" || command == "man";
}

/// By --color and --wide. False for another value of --color.
bool setLayout(std::string_view command, const Arguments& arguments, Console& console) {
  const std::string when = arguments.get("--color").value_or("auto");
  if (when == "always") console.layout.colours = true;
  if (when == "never") console.layout.colours = false;
  console.layout.wide = arguments.has("--wide");
  console.isCode = printsCode(command, arguments);
  return when == "auto" || when == "always" || when == "never";
}

/// Asks on a terminal; elsewhere nobody agrees.
bool agreesToFetchEngine(Console& console) {
  if (!console.context.report || ::isatty(STDIN_FILENO) != 1) return false;
  console.err << "the engine that lowers MLIR, torch-mlir-opt " << lower::pinnedEngineVersion()
              << ", is not installed; fetch it now (80 MB)? [Y/n]\n";
  std::string answer;
  if (!std::getline(console.in, answer)) return false;
  return answer.empty() || answer == "y" || answer == "Y" || answer == "yes";
}

/// At its first use, the pinned engine is fetched, as by `engine fetch`, if the user agrees.
Result<> fetchMissingEngine(const Bound& bound, const Arguments& arguments, Console& console) {
  const bool runsEngine =
      arguments.get("--tool").value_or("engine") == "engine" &&
      std::any_of(bound.options.begin(), bound.options.end(),
                  [](const auto& option) { return option.first.name == "--timeout"; });
  if (!runsEngine || !session::engineGivenOrInstalled(console.environment).empty()) return {};
  if (!arguments.has("--yes") && !agreesToFetchEngine(console)) return {};
  FXS_CHECK(engines::fetchEngine("", "", console.environment, console.context));
  return {};
}

int dispatch(const Bound& bound, Console& console) {
  const Arguments arguments = found(bound);
  for (const auto& [positional, option] : bound.positionals)
    if (positional.required && option->count() == 0)
      return usage(console, "'" + bound.command->name + "' needs " + positional.name + " (" +
                                positional.help + ")");
  if (const auto engine = arguments.get("--engine")) {
    if (engine->empty()) return usage(console, "option '--engine' needs a value: --engine ENGINE");
    console.environment.enginePath = *engine;
  }
  if (!setLayout(bound.command->name, arguments, console))
    return usage(console, "option '--color': '" + *arguments.get("--color") +
                              "' is not auto, always or never");
  if (auto budget = budgetFrom(arguments)) console.context.budget = *std::move(budget);
  else return reportError(budget.error(), console);
  const Result<int> ended = guarded(bound.command->name, [&]() -> Result<int> {
    FXS_CHECK(addOutputTypes(arguments, console));
    FXS_CHECK(fetchMissingEngine(bound, arguments, console));
    if (arguments.get("FILE") == "-") console.environment.stdinText = standardInput(console);
    return bound.command->run(arguments, console);
  });
  const int code = ended ? *ended : reportError(ended.error(), console);
  if (console.clearProgress) console.clearProgress();
  return code;
}

}  // namespace

const std::vector<Option>& sharedOptions() {
  static const std::vector<Option> options{
      {"--engine", "ENGINE",
       "engine to use: a name of 'engine list', or the path of a torch-mlir-opt (default: "
       "$FXSCOPE_ENGINE, then the one that "
       "'engine fetch' or ./run installed)"},
      {"--yes", "", "fetch the engine without a question if none is installed"},
      {"--model", "NAME",
       "model to open when the archive holds several, or number of the part of an MLIR file"},
      {"--program", "FILE",
       "of an MLIR module, or of the output of an MLIR tool: the .pt2 that it was made from, which "
       "has the nodes that locations name by name or line of Python (default for a module: the "
       ".pt2 of its name beside it)"},
      {"--timings", "", "print the time of each phase to standard error"},
      {"--color",
       "WHEN",
       "colours: auto (default: on a terminal, unless NO_COLOR is set), always or never",
       false,
       {"auto", "always", "never"}},
      {"--wide", "", "on a terminal, do not cut lines of code at its width"},
      {"--limit", "RESOURCE=AMOUNT",
       "resource limit for the input: unpacked, text, disk (bytes), nodes, values or seconds, e.g. "
       "unpacked=200G",
       true},
      {"--output-types", "FILE,..",
       "user-defined output types, in the form of resources/output_types.json", true},
      {"--full-paths", "",
       "print full paths, including those of the engine and of Python files (default: relative to "
       "the model's folder, or the file name)"},
  };
  return options;
}

void Commands::add(Command command) {
  // What is asked for first, how the answer is given last.
  constexpr std::array<std::string_view, 3> kFirst{"--to", "--via", "--node"};
  constexpr std::array<std::string_view, 3> kLast{"--format", "--json", "-o"};
  const auto rankOf = [&](const Option& option) {
    const auto* first = std::find(kFirst.begin(), kFirst.end(), option.name);
    if (first != kFirst.end()) return first - kFirst.begin();
    const auto* last = std::find(kLast.begin(), kLast.end(), option.name);
    return static_cast<std::ptrdiff_t>(kFirst.size()) +
           (last == kLast.end() ? 0 : 1 + (last - kLast.begin()));
  };
  std::stable_sort(command.options.begin(), command.options.end(),
                   [&](const Option& a, const Option& b) { return rankOf(a) < rankOf(b); });
  commands_.push_back(std::move(command));
}

std::vector<Option> optionsOf(const Command& command) {
  std::vector<Option> out = command.options;
  for (const Option& shared : sharedOptions())
    if (std::none_of(command.options.begin(), command.options.end(),
                     [&](const Option& own) { return own.name == shared.name; }))
      out.push_back(shared);
  return out;
}

std::string filledIn(std::string help, const lower::OutputTypes& types) {
  std::vector<std::string> parameters;
  for (const lower::Parameter& each : types.parameters())
    parameters.push_back(each.name + " (" + each.help + "; default: " + each.value + ")");
  const std::pair<std::string_view, std::string> lists[] = {
      {"${output-types}", lower::listed(types.all(), " or ")},
      {"${parameters}", joined(parameters)}};
  for (const auto& [mark, list] : lists)
    if (const std::size_t at = help.find(mark); at != std::string::npos)
      help.replace(at, mark.size(), list);
  return help;
}

std::optional<std::string> Arguments::get(std::string_view option) const {
  const auto at = values_.find(std::string(option));
  if (at == values_.end() || at->second.empty()) return std::nullopt;
  return at->second.back();
}

std::vector<std::string> Arguments::all(std::string_view option) const {
  std::vector<std::string> out;
  const auto at = values_.find(std::string(option));
  if (at == values_.end()) return out;
  for (const std::string& value : at->second)
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      if (end > begin) out.push_back(value.substr(begin, end - begin));
      begin = end + 1;
    }
  return out;
}

std::vector<std::string> Arguments::raw(std::string_view option) const {
  const auto at = values_.find(std::string(option));
  return at == values_.end() ? std::vector<std::string>{} : at->second;
}

void Console::write(std::string_view answer) {
  if (!layout.colours || styled == nullptr) {
    out << answer;
    return;
  }
  out.flush();
  if (clearProgress) clearProgress();
  *styled << answer;
}

void Console::flush() {
  out.flush();
  if (styled != nullptr) styled->flush();
}

int reportError(const Error& error, Console& console) {
  if (console.clearProgress) console.clearProgress();
  console.err << kProgram << ": " << toString(error) << "\n";
  switch (error.code) {
    case ErrorCode::Usage: return kUsage;
    case ErrorCode::InvalidInput:
    case ErrorCode::Unsupported:
    case ErrorCode::NotFound:
    case ErrorCode::Io: return kInput;
    case ErrorCode::EngineFailed:
    case ErrorCode::Timeout: return kEngine;
    case ErrorCode::Cancelled: return kCancelled;
    case ErrorCode::DiskFull: return kDiskFull;
    case ErrorCode::Internal: return kInternal;
  }
  return kInternal;
}

Error ofOption(Error error) {
  if (error.code == ErrorCode::Io) error.code = ErrorCode::Usage;
  return error;
}

Result<> writeOutput(const std::string& path, const std::string& bytes) {
  auto written = writeWholeFile(path, bytes);
  if (!written) return tl::unexpected<Error>(ofOption(std::move(written).error()));
  return {};
}

Result<> makeOutputFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return tl::unexpected<Error>(ofOption(writeError(path, error.value())));
  return {};
}

session::Request requestFrom(const Arguments& arguments) {
  session::Request request;
  request.normalize = false;  // only `normalize` needs that phase
  request.file = arguments.get("FILE").value_or("");
  request.read.model = arguments.get("--model").value_or("");
  request.read.program = arguments.get("--program").value_or("");
  for (const std::string& target : arguments.all("--decompose"))
    request.rewrite.decompose.insert(target);
  if (const auto name = arguments.get("--func-name")) request.import.functionName = *name;
  request.import.symbolicShapes = arguments.has("--symbolic-shapes");
  return request;
}

Result<session::SnapshotPtr> runTo(session::Phase phase, session::Request request,
                                   const Arguments& arguments, Console& console) {
  session::SnapshotPtr from = session::start(std::move(request));
  for (const std::string_view option : kImportOptions) {
    if (!arguments.has(option)) continue;
    FXS_TRY(from,
            session::advance(from, session::Phase::Read, console.environment, console.context));
    FXS_CHECK(session::requirePyTorchProgram(*from, option));
  }
  if (phase >= session::Phase::Lower && asksForVariant(arguments)) {
    FXS_TRY(from, variantOf(std::move(from), arguments, console));
  }
  auto done = session::advance(std::move(from), phase, console.environment, console.context);
  if (done && arguments.has("--timings")) {
    if (console.clearProgress) console.clearProgress();
    for (const session::Timing& timing : (*done)->timings)
      console.err << fmt::format("{} {:.1f} ms\n", session::name(timing.phase),
                                 timing.seconds.count() * 1000);
  }
  return done;
}

report::Paths pathsOf(const Arguments& arguments, const std::string& model) {
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::absolute(model, ignored).parent_path();
  return {arguments.has("--full-paths"), model == "-" || ignored ? std::string() : folder.string()};
}

TextLayout layoutOfAnswer(const Arguments& arguments, const Console& console) {
  return arguments.get("-o").value_or("-") == "-" ? console.layout : TextLayout{};
}

Result<> writeText(const Arguments& arguments, const std::string& text, Console& console) {
  const auto path = arguments.get("-o");
  if (path && *path != "-") return writeOutput(*path, text);
  console.write(text);
  return {};
}

Result<> writeAnswer(const Arguments& arguments, std::string_view answer, Console& console) {
  const auto path = arguments.get("-o");
  if (!path || *path == "-") {
    console.out << answer;
    return {};
  }
  return writeOutput(*path, std::string(answer));
}

int runCli(const std::vector<std::string>& argv, Console& console) {
  Commands commands;
  registerAllCommands(commands);
  CLI::App parser("", kProgram);
  parser.set_help_flag();
  std::vector<Bound> bound;
  bound.reserve(commands.commands().size());
  std::vector<std::string_view> names;
  for (const Command& command : commands.commands()) {
    bound.push_back(bind(parser, command));
    names.push_back(command.name);
  }
  if (argv.empty())
    return usage(console, "no command given; '" + std::string(kProgram) + " --help' lists them");
  const std::string& first = argv.front();
  if (first == "--help" || first == "-h" || first == "help") return helpOf(bound, console);
  if (first == "--version") {
    console.out << kProgram << " " << FXS_VERSION << "\n";
    return kDone;
  }
  const auto named = [&](const std::string& name) {
    return std::find_if(bound.begin(), bound.end(),
                        [&](const Bound& b) { return b.command->name == name; });
  };
  auto chosen = argv.size() > 1 ? named(first + " " + argv[1]) : bound.end();
  const std::size_t wordCount = chosen == bound.end() ? 1 : 2;
  if (wordCount == 1) chosen = named(first);
  if (chosen == bound.end()) {
    if (first.starts_with("-"))
      return usage(console,
                   "unknown option '" + first + "'" + didYouMean(first, {"--help", "--version"}));
    return usage(console, "unknown command '" + first + "'" + didYouMean(first, names));
  }
  try {
    std::vector<std::string> reversed(
        argv.rbegin(),
        argv.rend() - static_cast<std::ptrdiff_t>(wordCount));  // as the parser expects them
    chosen->app->parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return helpOf(*chosen, console);
  } catch (const CLI::ParseError& error) {
    return usage(console, refused(*chosen, error));
  }
  return dispatch(*chosen, console);
}

}  // namespace fxs::cli
