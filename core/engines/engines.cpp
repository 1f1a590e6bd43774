// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engines/engines.h"

#include "base/safe_text.h"
#include "engines/bisect.h"

namespace fxs::engines {
namespace {

/// `from` is imported, or lowered to another output type, with whose stages this one may begin.
Result<session::SnapshotPtr> loweredTo(const session::SnapshotPtr& from,
                                       const lower::OutputType& type,
                                       const session::Environment& env, const RunContext& context) {
  context.report({"lowering to " + std::string(lower::name(type)) + " with " +
                      printable(labelOf(*from->engine)),
                  -1});
  RunContext quiet = context;
  quiet.report = [](const Progress&) {};
  session::Request request = from->request;
  request.lower.target = type;
  FXS_TRY(auto lowered, session::advance(session::retarget(from, std::move(request)),
                                         session::Phase::Lower, env, quiet));
  if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  return lowered;
}

Outcome outcomeOf(const session::Snapshot& s) {
  return engines::outcomeOf(*s.lowering, s.findings(), s.keepsContract());
}

}  // namespace

Result<std::vector<lower::Engine>> enginesNamed(const std::vector<std::string>& names,
                                                const session::Environment& env,
                                                const RunContext& context) {
  std::vector<lower::Engine> out;
  for (const std::string& name : names) {
    session::Environment own = env;
    own.enginePath = name;
    FXS_TRY(out.emplace_back(), session::engineOf(own, context));
  }
  return out;
}

Result<std::shared_ptr<const SideBySide>> lowerSideBySide(
    const session::SnapshotPtr& start, const std::vector<lower::OutputType>& types,
    std::vector<lower::Engine> all, const session::Environment& env, const RunContext& context) {
  auto out = std::make_shared<SideBySide>();
  out->engines = std::move(all);
  out->sameAs = repeated(out->engines);
  FXS_TRY(const session::SnapshotPtr rewritten,
          session::advance(start, session::Phase::Rewrite, env, context));
  std::vector<session::SnapshotPtr> programs(
      out->engines.size());  // one for engines that are the same program
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (out->sameAs[i]) continue;
    FXS_TRY(programs[i], session::advance(session::withEngine(rewritten, out->engines[i]),
                                          session::Phase::Import, env, context));
  }
  for (const lower::OutputType& type : types) {
    TypeOutcomes& outcomes = out->types.emplace_back();
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
      Step& step = outcomes.steps.emplace_back(Step{i - 1, i, {}});
      if (programs[i] == programs[i - 1]) continue;
      const auto side = [](const session::SnapshotPtr& s) {
        return Side{*s->lowering, s->origins};
      };
      step.stages = changesBetween(side(programs[i - 1]), side(programs[i]), context);
      if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    }
  }
  return std::shared_ptr<const SideBySide>(std::move(out));
}

Result<session::SnapshotPtr> lowerWithEngine(const session::SnapshotPtr& from,
                                             const std::string& engine,
                                             const session::Environment& env,
                                             const RunContext& context) {
  FXS_TRY(const std::vector<lower::Engine> named, enginesNamed({engine}, env, context));
  FXS_TRY(const session::SnapshotPtr imported,
          session::advance(session::withEngine(from, named.front()), session::Phase::Import, env,
                           context));
  return loweredTo(imported, from->request.lower.target, env, context);
}

Result<EngineBisection> bisectEngines(const session::SnapshotPtr& start,
                                      const lower::OutputType& type, std::vector<lower::Engine> all,
                                      const session::Environment& env, const RunContext& context) {
  EngineBisection out;
  out.type = type;
  out.engines = std::move(all);
  out.sameAs = repeated(out.engines);
  out.outcomes.resize(out.engines.size());
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < out.engines.size(); ++i)
    if (i == 0 || out.engines[i].sha256 != out.engines[i - 1].sha256) distinct.push_back(i);
  FXS_TRY(const session::SnapshotPtr rewritten,
          session::advance(start, session::Phase::Rewrite, env, context));
  const auto lowers = [&](std::size_t i) -> Result<bool> {
    const std::size_t same = out.sameAs[i].value_or(i);
    if (!out.outcomes[same]) {
      FXS_TRY(const session::SnapshotPtr imported,
              session::advance(session::withEngine(rewritten, out.engines[same]),
                               session::Phase::Import, env, context));
      FXS_TRY(const session::SnapshotPtr lowered, loweredTo(imported, type, env, context));
      FXS_CHECK(lower::ensureAnswered(*lowered->lowering));
      out.outcomes[same] = outcomeOf(*lowered);
      if (const Outcome& outcome = *out.outcomes[same]; !isKnown(outcome))
        return fail(ErrorCode::EngineFailed, "whether the program lowers with " +
                                                 out.engines[same].path +
                                                 " is not known: " + outcome.message);
      out.ran.push_back(same);
    }
    return out.outcomes[same]->lowers();
  };
  FXS_TRY(const bool before, lowers(0));
  if (distinct.size() > 1) {
    FXS_TRY(const auto first, firstThatDiffers(distinct.size(), [&](std::size_t i) -> Result<bool> {
              FXS_TRY(const bool now, lowers(distinct[i]));
              return now != before;
            }));
    if (first) out.first = distinct[*first];
  }
  for (std::size_t i = 0; i < out.engines.size(); ++i)
    if (out.sameAs[i]) out.outcomes[i] = out.outcomes[*out.sameAs[i]];
  return out;
}

}  // namespace fxs::engines
