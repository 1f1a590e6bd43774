#include "session/engines.h"

#include "base/safe_text.h"
#include "engines/bisect.h"

namespace fxs::session {
namespace {

/// `from` is imported, or lowered to another output type, with whose stages this one may begin.
Result<SnapshotPtr> loweredTo(const SnapshotPtr& from, const lower::OutputType& type, const Environment& env, const RunContext& context) {
  context.report({"lowering to " + std::string(lower::name(type)) + " with " + printable(engines::labelOf(*from->engine)), -1});
  RunContext quiet = context;
  quiet.report = [](const Progress&) {};
  Request request = from->request;
  request.lower.target = type;
  FXS_TRY(auto lowered, advance(retarget(from, std::move(request)), Phase::Lower, env, quiet));
  if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  return lowered;
}

engines::Outcome outcomeOf(const Snapshot& s) { return engines::outcomeOf(*s.lowering, s.findings(), s.keepsContract()); }

}  // namespace

Result<std::vector<lower::Engine>> enginesNamed(const std::vector<std::string>& names, const Environment& env, const RunContext& context) {
  std::vector<lower::Engine> out;
  for (const std::string& name : names) {
    Environment own = env;
    own.enginePath = name;
    FXS_TRY(out.emplace_back(), engineOf(own, context));
  }
  return out;
}

Result<std::shared_ptr<const engines::SideBySide>> lowerSideBySide(const SnapshotPtr& start, const std::vector<lower::OutputType>& types,
                                                                   std::vector<lower::Engine> all, const Environment& env,
                                                                   const RunContext& context) {
  auto out = std::make_shared<engines::SideBySide>();
  out->engines = std::move(all);
  out->sameAs = engines::repeated(out->engines);
  FXS_TRY(const SnapshotPtr rewritten, advance(start, Phase::Rewrite, env, context));
  std::vector<SnapshotPtr> programs(out->engines.size());  // one for engines that are the same program
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (out->sameAs[i]) continue;
    FXS_TRY(programs[i], advance(withEngine(rewritten, out->engines[i]), Phase::Import, env, context));
  }
  for (const lower::OutputType& type : types) {
    engines::TypeOutcomes& outcomes = out->types.emplace_back();
    outcomes.type = type;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      if (out->sameAs[i]) {
        programs[i] = programs[*out->sameAs[i]];
        outcomes.outcomes.push_back(outcomes.outcomes[*out->sameAs[i]]);
      } else {
        FXS_TRY(programs[i], loweredTo(programs[i], type, env, context));
        outcomes.outcomes.push_back(outcomeOf(*programs[i]));
      }
      if (i == 0) continue;
      engines::Step& step = outcomes.steps.emplace_back(engines::Step{i - 1, i, {}});
      if (programs[i] == programs[i - 1]) continue;
      const auto side = [](const SnapshotPtr& s) { return engines::Side{*s->lowering, s->origins}; };
      step.stages = engines::changesBetween(side(programs[i - 1]), side(programs[i]), context);
      if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    }
  }
  return std::shared_ptr<const engines::SideBySide>(std::move(out));
}

Result<SnapshotPtr> lowerWithEngine(const SnapshotPtr& from, const std::string& engine, const Environment& env, const RunContext& context) {
  FXS_TRY(const std::vector<lower::Engine> named, enginesNamed({engine}, env, context));
  FXS_TRY(const SnapshotPtr imported, advance(withEngine(from, named.front()), Phase::Import, env, context));
  return loweredTo(imported, from->request.lower.target, env, context);
}

Result<EngineBisection> bisectEngines(const SnapshotPtr& start, const lower::OutputType& type, std::vector<lower::Engine> all,
                                      const Environment& env, const RunContext& context) {
  EngineBisection out;
  out.type = type;
  out.engines = std::move(all);
  out.sameAs = engines::repeated(out.engines);
  out.outcomes.resize(out.engines.size());
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < out.engines.size(); ++i)
    if (i == 0 || out.engines[i].sha256 != out.engines[i - 1].sha256) distinct.push_back(i);
  FXS_TRY(const SnapshotPtr rewritten, advance(start, Phase::Rewrite, env, context));
  const auto lowers = [&](std::size_t i) -> Result<bool> {
    const std::size_t same = out.sameAs[i].value_or(i);
    if (!out.outcomes[same]) {
      FXS_TRY(const SnapshotPtr imported, advance(withEngine(rewritten, out.engines[same]), Phase::Import, env, context));
      FXS_TRY(const SnapshotPtr lowered, loweredTo(imported, type, env, context));
      FXS_CHECK(lower::ensureAnswered(*lowered->lowering));
      out.outcomes[same] = outcomeOf(*lowered);
      out.ran.push_back(same);
    }
    return out.outcomes[same]->lowers();
  };
  FXS_TRY(const bool before, lowers(0));
  if (distinct.size() > 1) {
    FXS_TRY(const auto first, engines::firstThatDiffers(distinct.size(), [&](std::size_t i) -> Result<bool> {
              FXS_TRY(const bool now, lowers(distinct[i]));
              return now != before;
            }));
    if (first) out.first = distinct[*first];
  }
  for (std::size_t i = 0; i < out.engines.size(); ++i)
    if (out.sameAs[i]) out.outcomes[i] = out.outcomes[*out.sameAs[i]];
  return out;
}

}  // namespace fxs::session
