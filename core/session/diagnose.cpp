#include "session/diagnose.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/joined.h"
#include "diagnose/confirm.h"
#include "diagnose/experiments.h"
#include "diagnose/explain_patterns.h"
#include "diagnose/lost_types.h"
#include "diagnose/survey.h"
#include "lower/pipeline_check.h"
#include "session/beyond_torch_mlir.h"
#include "session/importing.h"
#include "session/python_decompositions.h"
#include "session/wrong_results.h"

namespace fxs::session {
namespace {

diagnose::Subject subjectOf(const Snapshot& s, const Environment& env, const RunContext& context) {
  diagnose::Subject subject;
  subject.program = s.request.parity ? s.capture->program : s.rewritten->program;
  subject.user = s.capture->program.get();
  if (s.rewritten) subject.rewriteFindings = s.rewritten->findings;
  subject.import = importOptionsOf(s, context);
  subject.lower = s.request.lower;
  subject.engine = *s.engine;
  subject.runner = env.runner;
  return subject;
}

/// One line each: the model was exported in training mode; updates that this way of lowering leaves out.
std::vector<std::string> exportNotes(const diagnose::Subject& subject) {
  std::set<std::string> training, left;
  for (const fx::Node& node : subject.user->nodes)
    for (const char* name : {"train", "training"})
      if (const fx::NodeArgument* argument = node.find(name); argument != nullptr && argument->value == fx::Argument(true))
        training.insert(node.target);
  if (subject.import.mode == import::Mode::Program)
    for (const fx::OutputSpec& spec : subject.program->outputs)
      if (spec.kind == fx::OutputKind::BufferMutation || spec.kind == fx::OutputKind::ParameterMutation) left.insert(spec.target);
  std::vector<std::string> out;
  if (!training.empty())
    out.push_back("the model was exported in training mode (" + joined(training) + "); for inference, call model.eval() before the export");
  if (!left.empty())
    out.push_back("program mode leaves out the new value of " + joined(left) +
                  "; with --mode lowering it is returned, before the other results");
  return out;
}

std::vector<diagnose::SupportRow> supportOf(const fx::Program& user, const std::vector<lower::OutputType>& targets,
                                            const diagnose::Survey& survey) {
  std::map<std::string, std::vector<diagnose::SupportRow::Cell>> rows;
  std::vector<std::set<fx::NodeId>> blocked(targets.size()), wrong(targets.size());
  for (const diagnose::BlockedEntry& entry : survey.entries) {
    const auto t = static_cast<std::size_t>(std::find(targets.begin(), targets.end(), entry.blocked.target) - targets.begin());
    auto& nodes = entry.blocked.kind == diagnose::Kind::WrongResult ? wrong[t] : blocked[t];
    nodes.insert(entry.blocked.nodes.begin(), entry.blocked.nodes.end());
  }
  for (const fx::Node& node : user.nodes) {
    if (node.op != fx::NodeOp::CallFunction || node.target == fx::kGetitem) continue;
    std::vector<diagnose::SupportRow::Cell>& cells = rows[node.target];
    cells.resize(targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t) {
      ++cells[t].count;
      cells[t].blocked += blocked[t].contains(node.id);
      cells[t].wrong += wrong[t].contains(node.id);
      if (survey.unanswered[t].contains(node.id)) cells[t].known = false;
    }
  }
  std::vector<diagnose::SupportRow> out;
  for (auto& [target, cells] : rows) out.push_back({target, std::move(cells)});
  return out;
}

}  // namespace

Result<DiagnosisPtr> diagnose(const SnapshotPtr& snapshot, const DiagnoseOptions& options, const Environment& env,
                              const RunContext& context) try {
  const Snapshot& s = *snapshot;
  if (!s.imported || !s.engine || env.runner == nullptr || (!s.rewritten && !s.request.parity))
    return fail(ErrorCode::Usage, "a diagnosis requires a program that was imported with an engine");
  if (options.targets.empty()) return fail(ErrorCode::Usage, "a diagnosis requires at least one output type");
  for (const lower::OutputType& target : options.targets) {
    lower::LowerOptions chosen = s.request.lower;
    chosen.target = target;
    FXS_CHECK(lower::checkOutputType(chosen, *s.engine, *env.runner, context));
  }
  diagnose::Subject subject = subjectOf(s, env, context);
  FXS_TRY(const auto registered, registeredOpsFor(*subject.program, *s.engine, env, context));
  subject.import.registeredOps = &registered;

  context.report({"surveying operations", 0});
  FXS_TRY(diagnose::Survey survey, diagnose::survey(subject, options.targets, context));
  diagnose::Diagnosis out;
  out.engine = *s.engine;
  out.distinct = survey.distinct;
  out.python = options.withoutPython;
  out.notes = exportNotes(subject);
  if (std::string note = lower::otherEngineNote(*s.engine); !note.empty()) out.notes.push_back(std::move(note));
  out.notes.insert(out.notes.end(), survey.notes.begin(), survey.notes.end());
  const auto publish = [&] {
    out.blocked.clear();
    for (const diagnose::BlockedEntry& entry : survey.entries) out.blocked.push_back(entry.blocked);
    out.support = supportOf(*subject.user, options.targets, survey);
    return std::make_shared<const diagnose::Diagnosis>(out);
  };
  for (const lower::OutputType& target : options.targets) {
    const auto begin = std::chrono::steady_clock::now();
    const lower::Lowering* whole = s.lowering && s.lowering->target == target ? s.lowering.get() : nullptr;
    for (const auto& lowering : options.lowerings)
      if (lowering->target == target) whole = lowering.get();
    FXS_TRY(diagnose::TargetDiagnosis confirmed,
            diagnose::confirm(subject, target, s.imported->text, whole, survey.entries, out.notes, context));
    confirmed.seconds = std::chrono::steady_clock::now() - begin;
    out.targets.push_back(std::move(confirmed));
    if (options.onPart) options.onPart(publish());
  }
  bool stopped = false;
  // What the user allows for one run is allowed for all that explain it.
  const std::chrono::milliseconds limit = s.request.lower.limits.timeout;
  const std::chrono::milliseconds budget = limit.count() > 0 ? std::max(options.budget, limit) : std::chrono::hours(24);
  if (!options.fixesOnly && options.beyondTorchMlir) {
    FXS_TRY(out.beyond, beyondTorchMlir(snapshot, options.targets, env, context));
    if (out.beyond) out.notes.push_back(diagnose::sentence(*out.beyond));
  }
  FXS_CHECK(diagnose::findLostTypes(subject, survey.entries, context));
  if (const auto done = diagnose::explainPatterns(subject, survey.entries, budget / 4, out.notes, context); !done) {
    if (done.error().code != ErrorCode::Cancelled) return tl::unexpected<Error>(done.error());
    stopped = true;
  }
  if (options.experiments && !stopped) {
    diagnose::ExperimentOptions experiments;
    experiments.base = {s.capture->program, s.request.rewrite, s.request.parity, options.applied};
    experiments.fixesOnly = options.fixesOnly;
    experiments.onFixes = options.onFixes;
    experiments.file = s.request.file;
    experiments.elsewhere = env.outputTypes.backends();
    experiments.budget = budget;
    experiments.cacheDir = env.cacheDir;
    experiments.onPart = [&] {
      if (options.onPart) options.onPart(publish());
    };
    if (options.numbers && s.rewritten)
      experiments.computed = [&](const fx::ProgramPtr& changed, const std::set<std::string>& legal, const lower::OutputType& to) {
        return computedByChanged(s, subject, changed, legal, to, *options.numbers, env, context);
      };
    FXS_CHECK(diagnose::experiment(subject, survey.entries, out.targets, experiments, stopped, context));
  }
  if (options.experiments && !stopped && !options.python.empty()) {
    const auto python = tryPythonDecompositions(options.python, s, subject, survey.entries, env, context);
    if (python) out.python = *python;
    else if (python.error().code == ErrorCode::Cancelled) stopped = true;
    else return tl::unexpected<Error>(python.error());
  }
  if (options.numbers && !stopped) {
    const auto done = diagnoseResults(snapshot, *options.numbers, options, subject, survey.entries, out, env, context);
    if (!done && done.error().code != ErrorCode::Cancelled) return tl::unexpected<Error>(done.error());
    stopped = !done;
  }
  if (stopped) {
    out.complete = false;
    out.notes.emplace_back("cancelled: experiments that were not run are marked as such");
  }
  return publish();
} catch (...) {
  return abandoned(snapshot->request.file);
}

}  // namespace fxs::session
