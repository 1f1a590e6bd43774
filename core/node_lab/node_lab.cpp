// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/node_lab.h"

#include <algorithm>
#include <set>

#include "contract/lower_kept.h"
#include "fx/origins.h"
#include "lower/engine_run.h"
#include "mlir/text/without_locations.h"
#include "module/module_parts.h"
#include "module/source_module.h"
#include "node_lab/inline.h"
#include "session/importing.h"

namespace fxs::node_lab {
namespace {

std::string locationOf(const fx::Program& user, fx::NodeId node) {
  return "\"" + user.node(node).name + "\"(\"fx\":" + std::to_string(node.index()) + ":0)";
}

/// The function of `module` inlined into a caller whose arguments are named after the node's
/// operands.
Result<std::string> inlinedInto(const std::string& functionName, const std::string& module,
                                const NodeLowering& lowered, const fx::Program& user) {
  FXS_TRY(const Signature signature, signatureOf(module, functionName));
  std::vector<Argument> arguments;
  std::size_t next = 0;
  for (const std::string& type : signature.arguments) {
    // Arguments are the placeholders in order, without constants.
    const fx::Program& program = *lowered.extracted.program;
    const fx::InputSpec* input = next < program.inputs.size() ? &program.inputs[next++] : nullptr;
    const fx::Node* placeholder = input != nullptr ? &program.node(input->node) : nullptr;
    arguments.push_back(
        {placeholder != nullptr ? placeholder->name : "", type,
         placeholder != nullptr ? locationOf(user, program.originOf(*placeholder).id) : ""});
  }
  const std::string location = locationOf(user, lowered.node);
  Composition caller("caller", arguments);
  FXS_TRY(const auto results,
          caller.inlineCall({module, functionName, user.node(lowered.node).name, location},
                            std::vector(caller.arguments())));
  return std::move(caller).finish(results, location);
}

/// An operation of a module, as a function of that operation.
Result<std::shared_ptr<const NodeLowering>> lowerOperation(const session::Snapshot& s,
                                                           fx::NodeId node,
                                                           const lower::OutputType& target,
                                                           const session::Environment& env,
                                                           const RunContext& context) {
  const fx::Program& user = *s.capture->program;
  if (!node.valid() || node.index() >= user.nodes.size())
    return fail(ErrorCode::Usage, "the program has no such node");
  auto out = std::make_shared<NodeLowering>();
  out->node = node;
  out->raw = module::ModuleParts(s.capture->module->text, user).alone(node);
  if (out->raw.empty())
    return fail(
        ErrorCode::InvalidInput,
        "node '" + user.node(node).name +
            "' is no operation in the block of a function that can be a function by itself");
  FXS_TRY(const lower::Engine engine, session::engineFor(s, env, context));
  lower::LowerOptions options = s.request.lower;
  FXS_TRY(options.target, module::startingFrom(*s.capture->module, target, env.outputTypes));
  FXS_TRY(const read::Capture alone,
          module::openModule(mlir::withoutLocations(out->raw), s.request.file, {}, engine,
                             options.limits, *env.runner, context));
  out->program = out->extracted.program = alone.program;
  std::set<fx::NodeId> operands;
  for (const fx::NodeArgument& argument : user.node(node).args)
    fx::forEachNode(argument.value, [&](fx::NodeId id) {
      if (operands.insert(id).second) out->extracted.operands.push_back({id, 0});
    });
  out->extracted.results = {0};
  FXS_TRY(out->lowering, lower::lower(out->raw, user, engine, options, *env.runner, context));
  return std::shared_ptr<const NodeLowering>(std::move(out));
}

}  // namespace

Result<std::shared_ptr<const NodeLowering>> lowerNode(const session::Snapshot& s, fx::NodeId node,
                                                      const lower::OutputType& target,
                                                      const session::Environment& env,
                                                      const RunContext& context) {
  return guarded(s.request.file, [&]() -> Result<std::shared_ptr<const NodeLowering>> {
    if (!s.capture)
      return fail(ErrorCode::Usage, "lowering a node by itself requires a program that was read");
    if (s.capture->module) return lowerOperation(s, node, target, env, context);
    const fx::ProgramPtr user = session::valuedProgram(s, context);
    if (!node.valid() || node.index() >= user->nodes.size())
      return fail(ErrorCode::Usage, "the program has no such node");
    auto out = std::make_shared<NodeLowering>();
    out->node = node;
    FXS_TRY(out->extracted, programOf(user, node));
    out->program = out->extracted.program;
    if (!s.request.parity) {
      FXS_TRY(const auto rewritten,
              rewrite::rewrite(fx::withOwnOrigins(out->extracted.program),
                               session::rewriteOptionsOf(s.request, target), context));
      out->program = fx::inUsersTerms(rewritten->program, out->extracted.program, user);
      out->findings = rewritten->findings;
      for (fx::Finding& finding : out->findings)
        finding.node = fx::usersNode(finding.node, out->extracted.program);
    }
    FXS_TRY(const lower::Engine engine, session::engineFor(s, env, context));
    FXS_TRY(const auto registered, session::registeredOpsFor(*out->program, engine, env, context));
    import::ImportOptions importing = session::importOptionsOf(s, context);
    importing.registeredOps = &registered;
    importing.functionName = kMain;
    FXS_TRY(const auto imported, import::importProgram(*out->program, importing, context));
    out->findings.insert(out->findings.end(), imported->findings.begin(), imported->findings.end());
    out->raw = imported->text;
    const bool stopped =
        std::any_of(out->findings.begin(), out->findings.end(),
                    [](const fx::Finding& f) { return f.severity == fx::Severity::Error; });
    if (stopped) return std::shared_ptr<const NodeLowering>(std::move(out));

    lower::LowerOptions options = s.request.lower;
    options.target = target;
    FXS_TRY(out->lowering, lower::lower(out->raw, *user, engine, options, *env.runner, context));
    const std::vector<fx::Finding> breaches = contract::breachesOf(*out->lowering, out->raw, *user);
    if (!breaches.empty() || (!out->lowering->ok() && lower::isKnown(out->lowering->stages)))
      FXS_CHECK(contract::ensureHonest(engine, options, *env.runner, context));
    out->findings.insert(out->findings.end(), breaches.begin(), breaches.end());
    if (!out->lowering->ok() || !lower::keepsFunction(*target.operator->()))
      return std::shared_ptr<const NodeLowering>(std::move(out));
    const std::string& lowered = out->lowering->stages.back().text;
    auto inlined = inlinedInto(kMain, lowered, *out, *user);
    if (!inlined) {
      out->verifierSays = inlined.error().message;
      return std::shared_ptr<const NodeLowering>(std::move(out));
    }
    out->inlined = *std::move(inlined);
    const auto runs =
        lower::runEngine(engine, {""}, out->inlined, options.limits, *env.runner, context);
    out->verified = runs.front().outcome == lower::RunOutcome::Ok;
    if (!out->verified) out->verifierSays = runs.front().err;
    return std::shared_ptr<const NodeLowering>(std::move(out));
  });
}

}  // namespace fxs::node_lab
