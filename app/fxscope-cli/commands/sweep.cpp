// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli sweep: every program under some paths, lowered and diagnosed; a JSON line for each
// program and output type.
#include "sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <ostream>
#include <set>

#include "base/counted.h"
#include "base/sha256.h"
#include "command.h"
#include "lower_request.h"
#include "report/line.h"
#include "sweep/results.h"

namespace fxs::cli {
namespace {

/// What is counted for standard output and the exit code.
struct Tally {
  std::map<std::string, std::pair<std::size_t, std::size_t>> types;  // lower, all
  bool known = false;  // of any program, whether it lowers

  void add(const sweep::Line& line) {
    auto& [lowers, all] = types[line.to];
    lowers += line.status == sweep::Status::Ok;
    known |= line.status != sweep::Status::Timeout && line.status != sweep::Status::Abandoned;
    ++all;
  }
};

/// The lines of an interrupted sweep that stand: those of a program whose file, engine and options
/// are the same, if it has all of them. A program is swept as a whole, so that its lines do not
/// depend on where a sweep was stopped.
class KeptLines {
 public:
  KeptLines(const std::vector<sweep::ProgramFile>& programs, const sweep::SweepOptions& options,
            sweep::OptionTexts described, const lower::Engine& engine)
      : options_(options), described_(std::move(described)), engine_(engine) {
    for (const sweep::ProgramFile& program : programs)
      programs_.emplace(program.name, Known{program.path, {}, {}});
  }

  /// Usage if a line is of another sweep.
  Result<> look(const std::string& path, const sweep::Shard& shard, Console& console) {
    const auto bytes = openFile(path);
    if (!bytes)
      return bytes.error().code == ErrorCode::NotFound
                 ? Result<>()
                 : Result<>(tl::unexpected<Error>(bytes.error()));
    sweep::ResultsReader reader(*bytes, path, sweep::Torn::Drop);
    bool any = false, ours = false;
    for (;;) {
      FXS_TRY(const auto read, reader.next(console.context));
      if (!read) break;
      const sweep::Line& line = read->line;
      const auto isOther = [&](const std::string& message) {
        return fail(ErrorCode::Usage,
                    path + ":" + std::to_string(read->number) + ": is of another sweep (" +
                        message + "); resume with the same arguments, or write to another file");
      };
      if (!sweep::isIn(shard, line.program)) return isOther("of another shard");
      if (!isAsked(line.to)) return isOther("to " + line.to);
      any = true;
      const auto known = programs_.find(line.program);
      if (known == programs_.end()) continue;
      ours = true;
      console.context.report({"looking at " + line.program, -1});
      if (isSame(line, known->second)) known->second.types.insert(line.to);
    }
    if (any && !ours)
      return fail(ErrorCode::Usage, path +
                                        ": has no line of a program under these paths; resume with "
                                        "the same paths, or write to another file");
    return {};
  }
  bool isComplete(const std::string& program) const {
    const auto known = programs_.find(program);
    return known != programs_.end() && known->second.types.size() == options_.targets.size();
  }

 private:
  struct Known {
    std::string path, sha256;
    std::set<std::string> types;
  };

  bool isAsked(const std::string& type) const {
    return std::any_of(
        options_.targets.begin(), options_.targets.end(),
        [&](const lower::OutputType& target) { return lower::name(target) == type; });
  }
  bool isSame(const sweep::Line& line, Known& known) const {
    if (line.engineSha256 != engine_.sha256 || line.options != described_.at(line.to) ||
        line.fxscope != options_.version)
      return false;
    if (known.sha256.empty()) {
      const auto bytes = openFile(known.path);
      if (!bytes) return false;
      known.sha256 = sha256OfFile(known.path).value_or(std::string());
    }
    return !known.sha256.empty() && line.sha256 == known.sha256;
  }

  const sweep::SweepOptions& options_;
  sweep::OptionTexts described_;
  const lower::Engine& engine_;
  std::map<std::string, Known> programs_;
};

/// "[3/12] a.pt2: tosa ok, stablehlo failed (aten.diff.default); 1.2 s"
std::string progressOf(std::size_t number, std::size_t all, const std::vector<sweep::Line>& lines) {
  std::string out = report::line("[{}/{}] {}:", number, all, lines.front().program);
  double seconds = lines.front().seconds.read + lines.front().seconds.diagnose;
  for (const sweep::Line& line : lines) {
    out += report::line(" {} {}", line.to, sweep::name(line.status));
    std::set<std::string> operators;
    for (const sweep::Blocker& blocker : line.blockers) operators.insert(blocker.fxTarget);
    if (!operators.empty())
      out += report::line(
          " ({}{})", *operators.begin(),
          operators.size() > 1 ? fmt::format(" and {} more", operators.size() - 1) : "");
    out += ',';
    seconds += line.seconds.lower;
  }
  out.back() = ';';
  return out + fmt::format(" {:.1f} s\n", seconds);
}

int endOf(const Tally& tally, bool toFile, Console& console) {
  bool lowers = true;
  for (const auto& [type, counts] : tally.types) {
    if (toFile)
      console.out << report::line("{}: {} of {} lower\n", type, counts.first,
                                  counted(counts.second, "program"));
    lowers = lowers && counts.first == counts.second;
  }
  if (lowers) return kDone;
  return tally.known ? kFindings : kEngine;
}

/// The file to append to; with --resume, with the lines that stand, which `tally` counts.
Result<sweep::ResultsFile> resultsFile(const std::string& path, const sweep::Shard& shard,
                                       KeptLines& kept, Tally& tally, const Arguments& arguments,
                                       Console& console) {
  if (!arguments.has("--resume")) return sweep::ResultsFile::create(path);
  FXS_CHECK(kept.look(path, shard, console));
  const auto keeps = [&](const sweep::Line& line) {
    if (!kept.isComplete(line.program)) return false;
    tally.add(line);
    return true;
  };
  return sweep::ResultsFile::resume(path, keeps, console.context);
}

Result<int> runSweep(const Arguments& arguments, Console& console) {
  FXS_TRY(const auto request, lowerRequestForTargets("sweep", arguments, console));
  const auto out = arguments.get("-o");
  if (!out)
    return fail(ErrorCode::Usage, "sweep: say where to write the results, with -o RESULTS.jsonl");
  const bool toFile = *out != "-";
  if (!toFile && arguments.has("--resume"))
    return fail(ErrorCode::Usage, "option '--resume' requires a file with -o, not standard output");
  FXS_TRY(const sweep::Shard shard, sweep::shardFrom(arguments.get("--shard").value_or("1/1")));

  sweep::SweepOptions options;
  options.base = request.first;
  options.base.normalize = false;
  options.targets = request.second;
  options.experiments = !arguments.has("--no-experiments");
  options.version = FXS_VERSION;
  std::error_code ignored;
  options.directory = std::filesystem::current_path(ignored).string();
  FXS_TRY(const auto described, sweep::sweepOptionTexts(options, console.context.budget->limits()));
  FXS_TRY(const lower::Engine engine, session::engineOf(console.environment, console.context));
  FXS_TRY(const auto programs, sweep::programsUnder(arguments.raw("PATH"), shard, console.context));

  KeptLines kept(programs, options, described, engine);
  Tally tally;
  std::optional<sweep::ResultsFile> file;
  if (toFile) {
    FXS_TRY(file, resultsFile(*out, shard, kept, tally, arguments, console));
  }
  std::vector<sweep::ProgramFile> left;
  std::copy_if(programs.begin(), programs.end(), std::back_inserter(left),
               [&](const sweep::ProgramFile& program) { return !kept.isComplete(program.name); });
  std::size_t number = 0;  // of the program
  const auto onProgram = [&](const sweep::ProgramFile& program,
                             const std::vector<sweep::Line>& lines) -> Result<> {
    while (programs[number].name != program.name) ++number;
    if (console.clearProgress) console.clearProgress();
    if (file) {
      FXS_CHECK(file->append(lines));
    } else {
      for (const sweep::Line& line : lines) console.out << sweep::lineText(line);
      if (!console.out.flush()) return tl::unexpected<Error>(cancelled());
    }
    for (const sweep::Line& line : lines) tally.add(line);
    console.err << progressOf(number + 1, programs.size(), lines);
    return {};
  };
  const auto swept = sweep::sweepPrograms(left, options, described, engine, console.environment,
                                          console.context, onProgram);
  if (!swept && !console.out) return kDiskFull;  // the caller says what happened to the output
  if (!swept) return tl::unexpected<Error>(swept.error());
  return endOf(tally, toFile, console);
}

}  // namespace

void registerSweep(Commands& commands);
void registerSweep(Commands& commands) {
  commands.add({"sweep",
                "lower and diagnose every program under some paths; a JSON line for each program "
                "and output type",
                {{"PATH", "a program, or a folder of programs with its subfolders", true, true}},
                withLoweringOptions(
                    {{"--to", "TYPE,..", "output types: ${output-types}", true},
                     {"-o", "RESULTS.jsonl",
                      "file to append the lines to (resources/schemas/sweep.schema.json); - is "
                      "standard output"},
                     {"--shard", "I/N",
                      "only part I of N, from 1; the parts of N runs together are all programs"},
                     {"--resume", "",
                      "go on with RESULTS.jsonl: keep its lines whose program, engine and options "
                      "are the same"},
                     {"--no-experiments", "", "report what blocks and why, without trying fixes"},
                     asOption(),
                     {"--decompose", "OP,..",
                      "decompose these operators first, where a decomposition exists", true}}),
                reporting<runSweep>,
                Group::Why});
}

}  // namespace fxs::cli
