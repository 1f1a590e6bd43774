// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/python_decompositions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/byte_source.h"
#include "base/joined.h"
#include "base/json.h"
#include "base/new_file.h"
#include "base/python_program.h"
#include "base/scratch_directory.h"
#include "diagnose/confirm.h"
#include "diagnose/python_changes.h"
#include "ops/schema.h"
#include "read/read.h"
#include "rewrite/rewrite.h"
#include "session/importing.h"
#include "write/pt2.h"

namespace fxs::resource {
std::string_view decomposeWithTorch();
}

namespace fxs::diagnose {
namespace {

/// It grows with the time limit of stages.
constexpr std::chrono::milliseconds kPatience{180'000};
constexpr std::uint64_t kOutput = std::uint64_t{16} << 20;

/// The Python script's answer for one operator.
struct Answer {
  std::string file, error;
  std::set<std::string> byDefault, byTable;  ///< as in PythonScript
};
struct Answers {
  std::string versions;  ///< "Python 3.11.2 with PyTorch 2.13.0"; "" if the script failed before
                         ///< reporting it
  std::map<std::string, Answer> of;
  std::string complaint;  ///< the last line of stderr
};

Answers answersIn(const Exit& exit) {
  Answers out;
  out.complaint = lastLineOf(exit.err);
  forEachAnswer(exit.out, [&](const Json& root) {
    if (const std::string torch = root.textOrEmpty("torch"); !torch.empty())
      out.versions = "Python " + root.textOrEmpty("python") + " with PyTorch " + torch;
    const auto operators = [&](std::string_view key) {
      std::set<std::string> names;
      if (const auto member = root.find(key))
        for (const Json item : *member)
          if (const auto name = item.asString();
              name && ops::SchemaTable::builtin().find(*name) != nullptr)
            names.emplace(*name);
      return names;
    };
    if (const std::string op = root.textOrEmpty("op"); !op.empty())
      out.of[op] = {root.textOrEmpty("file"), root.textOrEmpty("error"), operators("default"),
                    operators("table")};
  });
  return out;
}

/// Whether the file is a regular file directly in the folder. Symbolic links are refused, because
/// they may lead elsewhere.
bool isWithin(const std::string& folder, const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path path(file);
  return path.parent_path() == folder && std::filesystem::symlink_status(path, ignored).type() ==
                                             std::filesystem::file_type::regular;
}

/// Surveys a decomposed program for one target: finds what still blocks it, by the user's
/// operators.
class Again {
 public:
  Again(const DiagnosedType& type, const session::Environment& env, const RunContext& context)
      : s_(*type.snapshot), subject_(type.subject), env_(env), context_(context) {}

  Result<> open(const std::string& file) {
    FXS_TRY(auto capture, read::openCapture(file, {}, context_));
    user_ = capture.program;
    FXS_TRY(const auto rewritten,
            rewrite::rewrite(user_, session::rewriteOptionsOf(s_.request), context_));
    again_ = subject_;
    again_.program = rewritten->program;
    again_.user = user_.get();
    again_.rewriteFindings = rewritten->findings;
    again_.import.weights = nullptr;
    FXS_TRY(registered_, session::registeredOpsFor(*again_.program, *s_.engine, env_, context_));
    again_.import.registeredOps = &registered_;
    FXS_TRY(imported_, import::importProgram(*again_.program, again_.import, context_));
    return {};
  }

  struct Left {
    std::map<std::string, std::size_t> blocked;  // nodes by operator
    TargetDiagnosis target;
  };
  Result<Left> survey(const lower::OutputType& target) const {
    FXS_TRY(Survey survey, diagnose::survey(again_, {target}, context_));
    std::vector<std::string> notes;
    Left left;
    FXS_TRY(left.target,
            confirm(again_, target, *imported_, nullptr, survey.entries, notes, context_));
    for (const BlockedEntry& entry : survey.entries)
      left.blocked[entry.blocked.fxTarget] += entry.blocked.nodes.size();
    return left;
  }

 private:
  const session::Snapshot& s_;
  const Subject& subject_;
  const session::Environment& env_;
  const RunContext& context_;
  fx::ProgramPtr user_;
  Subject again_;
  std::set<std::string, std::less<>> registered_;
  std::shared_ptr<const import::Imported> imported_;
};

std::string changeOf(const std::string& op) {
  return "decompose " + op + " with PyTorch's decomposition table";
}

/// By another change than another output type.
bool isHelped(const Blocked& entry) {
  return std::any_of(entry.experiments.begin(), entry.experiments.end(), [](const Experiment& x) {
    return x.outcome == Outcome::Passed && x.proof != Proof::Disproved &&
           !x.id.starts_with("target:");
  });
}

Experiment experimentFor(const std::string& op, const Answer& answer,
                         const lower::OutputType& target) {
  Experiment x;
  x.id = kTorchDecompose;
  x.change = changeOf(op);
  if (!answer.error.empty()) return x;
  PythonScript script{target};
  script.byDefault = answer.byDefault;
  script.byTable = answer.byTable;
  if (!script.isEmpty()) x.python = x.snippet = script.text();
  x.language = "python";
  return x;
}

/// Sets the outcome of the decomposition for one entry. `others`: number of nodes in other entries
/// of its target, by operator. It fails if the decomposition adds nodes of a blocked operator, even
/// of one that was already blocked in the program.
Result<> judge(Experiment& x, const Again& again, const lower::OutputType& target,
               const std::map<std::string, std::size_t>& others) {
  FXS_TRY(const Again::Left left, again.survey(target));
  std::set<std::string> more;
  for (const auto& [op, nodes] : left.blocked)
    if (const auto known = others.find(op); known == others.end() || nodes > known->second)
      more.insert(op);
  if (!more.empty()) {
    x.outcome = Outcome::Failed;
    x.message = "its decomposition is also blocked: " + joined(more);
    return {};
  }
  x.outcome = Outcome::Passed;
  const bool rest = left.target.lowers || left.target.restLowers.value_or(false);
  x.withPlaceholders = !left.target.lowers;
  x.proof = rest ? Proof::Proved : Proof::Disproved;
  x.proofMessage = "PyTorch decomposed the whole program, and it ";
  if (left.target.lowers) x.proofMessage += "lowers";
  else if (rest)
    x.proofMessage += "lowers with the other blocked operations replaced by placeholders";
  else x.proofMessage += "stops: " + left.target.restMessage;
  return {};
}

Result<std::string> notRun(const Error& error) {
  if (endsAll(error)) return tl::unexpected<Error>(error);
  return "not run: " + error.message;
}

/// Adds the experiment with what Python made of the program to each entry of an operator.
Result<> tryAnswer(const std::string& op, const Answer& answer, std::string problem,
                   DiagnosedType& type, const session::Environment& env,
                   const RunContext& context) {
  std::vector<BlockedEntry>& entries = type.entries;
  if (std::none_of(entries.begin(), entries.end(),
                   [&](const auto& entry) { return entry.blocked.fxTarget == op; }))
    return {};
  Again again(type, env, context);
  if (problem.empty())
    if (const auto opened = again.open(answer.file); !opened) {
      if (endsAll(opened.error())) return tl::unexpected<Error>(opened.error());
      problem = opened.error().message;
    }
  std::map<std::string, std::size_t> others;
  for (const BlockedEntry& other : entries)
    if (other.blocked.fxTarget != op) others[other.blocked.fxTarget] += other.blocked.nodes.size();
  for (BlockedEntry& entry : entries) {
    if (entry.blocked.fxTarget != op) continue;
    Experiment x = experimentFor(op, answer, type.target());
    x.outcome = Outcome::Failed;
    x.message = problem;
    if (problem.empty()) FXS_CHECK(judge(x, again, type.target(), others));
    const auto isBetter = [&](const Experiment& known) {
      return known.proof == Proof::Proved ||
             (known.outcome == Outcome::Passed && x.outcome != Outcome::Passed) ||
             (x.proof != Proof::Proved && known.outcome == x.outcome);
    };
    auto& experiments = entry.blocked.experiments;
    experiments.insert(std::find_if_not(experiments.begin(), experiments.end(), isBetter),
                       std::move(x));
  }
  return {};
}

/// PyTorch's operators among the blocked operations.
std::set<std::string> blockedOperators(const std::vector<DiagnosedType>& types) {
  std::set<std::string> out;
  for (const DiagnosedType& type : types)
    for (const BlockedEntry& entry : type.entries)
      if (std::count(entry.blocked.fxTarget.begin(), entry.blocked.fxTarget.end(), '.') == 2)
        out.insert(entry.blocked.fxTarget);
  return out;
}

/// `folder`: the only one that the answers' files may be in.
Result<> tryAnswers(const Answers& answers, const std::string& folder,
                    std::vector<DiagnosedType>& types, const session::Environment& env,
                    const RunContext& context) {
  for (const auto& [op, answer] : answers.of) {
    std::string problem = answer.error;
    if (problem.empty() && !isWithin(folder, answer.file))
      problem = "the Python helper returned a file outside its folder";
    for (DiagnosedType& type : types) FXS_CHECK(tryAnswer(op, answer, problem, type, env, context));
  }
  return {};
}

}  // namespace

void noteUntriedDecompositions(std::vector<DiagnosedType>& types) {
  for (DiagnosedType& type : types)
    for (BlockedEntry& entry : type.entries) {
      const std::string& op = entry.blocked.fxTarget;
      const bool isDecomposed = rewrite::isDecomposedByDefault(op) || rewrite::isNeverKept(op);
      if (!isDecomposed || isHelped(entry.blocked)) continue;
      Experiment x;
      x.id = kTorchDecompose;
      x.change = changeOf(op);
      x.message = "it takes a Python with PyTorch: --python auto";
      entry.blocked.experiments.push_back(std::move(x));
    }
}

bool isLeftToPython(const Blocked& entry) {
  const auto isOpen = [](const Experiment& x) {
    return x.id == kTorchDecompose && x.outcome == Outcome::NotRun;
  };
  return !isHelped(entry) &&
         std::any_of(entry.experiments.begin(), entry.experiments.end(), isOpen);
}

Result<std::string> tryPythonDecompositions(const std::string& python,
                                            std::vector<DiagnosedType>& types,
                                            const session::Environment& env,
                                            const RunContext& context) {
  const std::set<std::string> targets = blockedOperators(types);
  if (targets.empty()) return std::string("not needed: no blocked operation is a PyTorch operator");
  const std::string shown = python == "auto" ? "python3" : python;
  const auto program = findProgram(shown, env.searchPath);
  if (!program) return "none: " + program.error().message;
  const auto directory =
      ScratchDirectory::make(env.temporaryDir, "the program that Python decomposes");
  if (!directory) return notRun(directory.error());
  const auto bytes = write::pt2Bytes(*types.front().snapshot->capture->program, {}, context);
  if (!bytes) return "not run: the program cannot be written to a file: " + bytes.error().message;
  const std::string file = directory->file("program.pt2"),
                    answersTo = directory->file("decomposed");
  std::error_code error;
  if (!std::filesystem::create_directory(answersTo, error))
    return notRun(writeError(answersTo, error.value()));
  if (const auto written = writeWholeFile(file, *bytes); !written) return notRun(written.error());

  context.report({"running PyTorch's decompositions", -1});
  std::vector<std::string> arguments{file, answersTo};
  arguments.insert(arguments.end(), targets.begin(), targets.end());
  Command command = pythonProgram(*program, std::string(resource::decomposeWithTorch()),
                                  std::move(arguments), {file}, answersTo);
  command.timeout =
      lower::grownWith(types.front().snapshot->request.lower.limits.timeout, kPatience);
  command.outputLimit = kOutput;
  const auto exit = env.runner->run(command, context.stop);
  if (!exit) {
    if (endsAll(exit.error())) return tl::unexpected<Error>(exit.error());
    return "none: " + exit.error().message;
  }
  const Answers answers = answersIn(*exit);
  const std::string late =
      exit->reason == ExitReason::TimedOut
          ? fmt::format("did not end in {} s; raise --timeout", command.timeout.count() / 1000)
          : "";
  if (answers.versions.empty())
    return "none: " + shown + (late.empty() ? ": " + answers.complaint : " " + late);

  FXS_CHECK(tryAnswers(answers, answersTo, types, env, context));
  return answers.versions + " (" + shown + ")" +
         (late.empty() ? "" : ", which " + late + "; what it did not decompose is not known");
}

}  // namespace fxs::diagnose
