#pragma once
// One command of fxscope-cli: its name, its flags as data, and what it does. One file under commands/ each, collected by the
// build; only cli.cpp sees the argument parser. A command returns one of ExitCode and writes its answer to `out`.
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "report/source_location.h"
#include "session/session.h"

namespace fxs::cli {

/// The contract: 0 done; 1 done, and the program has findings that stop it; 2 usage; 3 the input could not be read;
/// 4 the engine is missing or could not be run. Beside the contract: 70 a fault of fxscope itself, 130 interrupted.
enum ExitCode : int { kDone = 0, kFindings = 1, kUsage = 2, kInput = 3, kEngine = 4, kInternal = 70, kCancelled = 130 };

struct Option {
  std::string name;       ///< "--to"
  std::string value;      ///< "TYPE"; "" for a switch
  std::string help;       ///< "${output-types}" in it stands for their names
  bool repeated = false;  ///< may be given several times; values are also split at commas
};
struct Positional {
  std::string name;  ///< "FILE"
  std::string help;
  bool required = true;
};

class Arguments {
 public:
  bool has(std::string_view option) const { return values_.contains(std::string(option)); }
  std::optional<std::string> get(std::string_view option) const;
  /// Every value of a repeated option, split at commas.
  std::vector<std::string> all(std::string_view option) const;
  void set(std::string option, std::vector<std::string> values) { values_[std::move(option)] = std::move(values); }

 private:
  std::map<std::string, std::vector<std::string>> values_;  // positionals under their upper-case name
};

struct World {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  session::Environment environment;     ///< the engine's path comes from --engine or FXSCOPE_ENGINE
  RunContext context;                   ///< progress goes to stderr when it is a terminal; SIGINT and SIGTERM request a stop
  std::string layoutWorker;             ///< path of fxscope-layout
  std::function<void()> clearProgress;  ///< takes the progress line off the terminal, before anything else is written there; may be empty
};

struct Command {
  std::string name;
  std::string summary;
  std::vector<Positional> positionals;
  std::vector<Option> options;  ///< --engine, --model, --timings, --limit, --full-paths and --help are every command's
  int (*run)(const Arguments&, World&);
};

class Commands {
 public:
  void add(Command c) { commands_.push_back(std::move(c)); }
  const std::vector<Command>& commands() const { return commands_; }

 private:
  std::vector<Command> commands_;
};
void registerAllCommands(Commands&);

/// The exit code that an Error means, and its text to `err` ("fxscope-cli: <message>").
int reportError(const Error&, World&);
/// The FILE of the arguments (`-` is stdin) as a Request, with the options that commands share as far as the command has
/// them: --model, --decompose, --func-name, --symbolic-shapes.
session::Request requestFrom(const Arguments&);
/// start() and advance(); with --timings what each phase took goes to `err`, a line each: "import 12.3 ms".
Result<session::SnapshotPtr> runTo(session::Phase, session::Request, const Arguments&, World&);
/// How answers name files: below the model's folder relative to it, else by name; in full with --full-paths.
report::Paths pathsOf(const Arguments&, const std::string& model);
/// Writes the answer to the file of `-o`, or to `out` when there is none. Usage when the file cannot be written.
Result<> writeAnswer(const Arguments&, std::string_view answer, World&);

/// Everything main() does apart from the process: parse, dispatch, print.
/// `argv` without the program's own name. Returns an ExitCode.
int runCli(const std::vector<std::string>& argv, World&);

}  // namespace fxs::cli
