// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/json_parts.h"

namespace fxs::report {

JsonRule isOutputType() { return matches("^[a-z][a-z0-9-]{0,39}$"); }
JsonRule isSha256() { return matches("^[0-9a-f]{64}$"); }

std::vector<JsonSize> sizesOf(const std::vector<fx::SymInt>& sizes) {
  std::vector<JsonSize> out;
  for (const fx::SymInt& size : sizes)
    out.push_back(size.isStatic() ? JsonSize(size.value()) : JsonSize(size.text()));
  return out;
}

JsonForm<lower::Engine> engineForm(const Paths* paths) {
  using lower::Engine;
  return {{"path", [paths](const Engine& engine) { return paths->of(engine.path); }},
          {"version", &Engine::version},
          {"sha256", &Engine::sha256, isSha256()}};
}

JsonForm<fx::StackFrame> sourceForm(const Paths* paths) {
  using fx::StackFrame;
  return {{"file", [paths](const StackFrame& frame) { return paths->of(frame.file); }},
          {"line", &StackFrame::line},
          {"code", &StackFrame::code, nullIfEmpty}};
}

JsonForm<fx::Finding> findingForm(NodeContext context) {
  using fx::Finding;
  const auto position = [context](auto member) {
    return [context, member](const Finding& finding) {
      return sourceLocationOf(*context.program, finding.node).*member;
    };
  };
  const auto none = [](const Finding&) { return std::monostate(); };
  return JsonForm<Finding>{
      {"severity", &Finding::severity, JsonNames(fx::Severity::Error),
       "error: it stops the program"},
      {"node", &Finding::nodeName, nullIfEmpty, "of the user's graph"},
      {"target", &Finding::target, nullIfEmpty, "the node's own: aten.diff.default"},
      {"op", &Finding::op, nullIfEmpty, "the MLIR operation: torch.aten.diff"},
      {"stage", &Finding::stage, nullIfEmpty},
      {"pass", &Finding::pass, nullIfEmpty},
      {"kind", &Finding::kind,
       "not-functionalized, other-form, not-imported, not-registered, illegal-op, verifier, "
       "contract (of the torch backend, or of an output type), beyond-outputs, crash, timeout, "
       "memory, output, engine, edit; of registries unmapped, no-lowering, refused"},
      {"message", [context](const Finding& finding) { return context.paths->in(finding.message); }},
      {"source", position(&SourceLocation::line), sourceForm(context.paths)},
      {"module", position(&SourceLocation::module), nullIfEmpty, "path of the innermost module"},
      {"count", &Finding::count, atLeast(1), "nodes with the same cause"},
      {"tried", none, "patterns that were tried on it: what `diagnose` finds"},
      {"experiments", [](const Finding&) { return std::vector<std::string>(); }}}
      .named("finding");
}

JsonForm<diagnose::BeyondTorchMlir> beyondForm() {
  using diagnose::BeyondTorchMlir;
  /// With what was rewritten for any of them.
  using Outcome = std::pair<BeyondTorchMlir::Outcome, BeyondTorchMlir::Operators>;
  using Operator = BeyondTorchMlir::Operators::value_type;
  const JsonForm<Operator> operatorForm = {{"operator", &Operator::first},
                                           {"nodes", &Operator::second, atLeast(1)}};
  const auto own = [](const Outcome& outcome) {
    return outcome.first.operators == outcome.second ? nullptr : &outcome.first.operators;
  };
  const JsonForm<Outcome> outcomeForm = {
      {"to", [](const Outcome& outcome) { return lower::name(outcome.first.target); }},
      {"lowers", [](const Outcome& outcome) { return outcome.first.lowers; },
       "null: not known, because it takes too long or the engine gave no answer"},
      {"fails_at", [](const Outcome& outcome) { return outcome.first.failsAt; }, nullIfEmpty},
      {"operators", own, absentIfEmpty, operatorForm,
       "if not all of them are rewritten for this output type: those that are"}};
  const auto outcomes = [](const BeyondTorchMlir& beyond) {
    std::vector<Outcome> out;
    for (const auto& outcome : beyond.outcomes) out.emplace_back(outcome, beyond.operators());
    return out;
  };
  return {{"operators", &BeyondTorchMlir::operators, operatorForm},
          {"outcomes", outcomes, outcomeForm}};
}

}  // namespace fxs::report
