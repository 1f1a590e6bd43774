// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The interface of a command of fxscope-cli: name, options as data, and a function. Each command is
// one file in commands/, collected by the build; only cli.cpp uses the argument parser. A command
// writes its output to `out` and returns an ExitCode.
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/run_context.h"
#include "base/terminal_text.h"
#include "option.h"
#include "report/source_location.h"
#include "session/session.h"

namespace fxs::cli {

enum ExitCode : int {
  kDone = 0,
  kFindings = 1,
  kUsage = 2,
  kInput = 3,
  kEngine = 4,
  kDiskFull = 5,
  kInternal = 70,
  kCancelled = 130
};
/// What each says, in the order of --help and the manual.
inline constexpr std::pair<ExitCode, const char*> kExitCodes[] = {
    {kDone, "success"},
    {kFindings, "findings stop the program"},
    {kUsage, "usage error"},
    {kInput, "the input cannot be read"},
    {kEngine, "not known: the engine is missing, cannot be run, was killed, or reached a limit"},
    {kDiskFull, "the disk is full"},
    {kInternal, "internal error"},
    {kCancelled, "interrupted"}};

using app::Option;
struct Positional {
  std::string name;  ///< "FILE"
  std::string help;
  bool required = true;
  bool repeated = false;                  ///< one or more
  std::vector<std::string> choices = {};  ///< as of an Option
};

class Arguments {
 public:
  bool has(std::string_view option) const { return values_.contains(std::string(option)); }
  std::optional<std::string> get(std::string_view option) const;
  /// Every value of a repeated option, split at commas.
  std::vector<std::string> all(std::string_view option) const;
  /// Every value as it was given, such as the paths of a repeated positional.
  std::vector<std::string> raw(std::string_view option) const;
  void set(std::string option, std::vector<std::string> values) {
    values_[std::move(option)] = std::move(values);
  }
  const std::map<std::string, std::vector<std::string>>& given() const { return values_; }

 private:
  std::map<std::string, std::vector<std::string>> values_;  // positionals by their upper-case name
};

struct Console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  session::Environment
      environment;           ///< with the engine of --engine (the last one) or $FXSCOPE_ENGINE
  RunContext context;        ///< reports progress to stderr if it is a terminal; SIGINT and SIGTERM
                             ///< request a stop
  std::string layoutWorker;  ///< path of fxscope-layout
  std::string rasterWorker;  ///< path of fxscope-raster, which may be missing
  std::function<void()> clearProgress;  ///< erases the progress line before other output to the
                                        ///< terminal; may be empty
  TextLayout layout = {};               ///< of the answer
  bool isCode = false;             ///< the answer is code: lines are cut, where others are broken
  std::ostream* styled = nullptr;  ///< where escape sequences pass

  /// A text that was escaped and made for `layout`.
  void write(std::string_view answer);
  void flush();  ///< shows what was written, before what takes long
};

/// What one wants to do, in the order of --help.
enum class Group : std::uint8_t { Look, Lower, Why, Mend, Numbers, Passes, Share, SetUp };
inline constexpr std::pair<Group, const char*> kGroups[] = {
    {Group::Look, "open and look"},    {Group::Lower, "lower"},
    {Group::Why, "find out why"},      {Group::Mend, "mend"},
    {Group::Numbers, "check numbers"}, {Group::Passes, "passes and tests"},
    {Group::Share, "share"},           {Group::SetUp, "set up"}};

struct Command {
  std::string name;  ///< one word, or two: "sweep report"
  std::string summary;
  std::vector<Positional> positionals;
  std::vector<Option>
      options;  ///< in addition to sharedOptions() and --help, unless one of their names
  int (*run)(const Arguments&, Console&);
  Group group = Group::Look;
};

/// The command's own options, then those of every command.
std::vector<Option> optionsOf(const Command&);
/// The options of every command.
const std::vector<Option>& sharedOptions();
/// `help` of an option with the names of the output types, and their parameters, filled in.
std::string filledIn(std::string help, const lower::OutputTypes&);

class Commands {
 public:
  void add(Command);  ///< with its options in the order of all commands
  const std::vector<Command>& commands() const { return commands_; }

 private:
  std::vector<Command> commands_;
};
void registerAllCommands(Commands&);

/// Writes "fxscope-cli: <message>" to `err` and returns the exit code for the error.
int reportError(const Error&, Console&);
/// The function of a command that may end with an error, which is reported.
template <Result<int> (*command)(const Arguments&, Console&)>
int reporting(const Arguments& arguments, Console& console) {
  const Result<int> done = command(arguments, console);
  return done ? *done : reportError(done.error(), console);
}
/// The error of writing to the path of an option: unless the disk is full, it is the option's, not
/// the input's.
Error ofOption(Error);
/// Writes a file that an option names. Usage if it cannot be written, DiskFull.
Result<> writeOutput(const std::string& path, const std::string& bytes);
/// Creates the folder that an option names, if it is missing. Errors as of writeOutput().
Result<> makeOutputFolder(const std::string& path);
/// A Request from FILE (`-` is stdin) and from those of --model, --decompose, --func-name and
/// --symbolic-shapes that are given.
session::Request requestFrom(const Arguments&);
/// Calls start() and advance(). With --timings writes the time of each phase to `err`, one per
/// line: "import 12.3 ms".
Result<session::SnapshotPtr> runTo(session::Phase, session::Request, const Arguments&, Console&);
/// How output names files: relative to the model's folder if below it, else by file name; in full
/// with --full-paths.
report::Paths pathsOf(const Arguments&, const std::string& model);
/// The console's layout; a file given by `-o` has none.
TextLayout layoutOfAnswer(const Arguments&, const Console&);
/// Writes a text that was made for layoutOfAnswer() as writeAnswer() does.
Result<> writeText(const Arguments&, const std::string& text, Console&);
/// Writes to the file given by `-o`, as writeOutput() does, else to `out`.
Result<> writeAnswer(const Arguments&, std::string_view answer, Console&);

/// Parses the arguments, without the program name, and runs the command. Returns an ExitCode.
int runCli(const std::vector<std::string>& argv, Console&);

}  // namespace fxs::cli
