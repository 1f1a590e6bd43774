// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/findings.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "mlir/text/document.h"

namespace fxs::lower {
namespace {

constexpr std::size_t kMessage = 400;

/// Torch dialect operations that every backend converts together with their users, left over only
/// because those are.
bool isInnocent(std::string_view op) {
  return op.starts_with("torch.constant.") || op == "torch.prim.ListConstruct" ||
         op == "torch.prim.ListUnpack" || op == "torch.prim.If.yield" ||
         op == "torch.prim.Loop.condition";
}
/// Weights are left over with their users, but may also be of a type that the backend does not
/// have.
bool isLiteral(std::string_view op) {
  return op == "torch.vtensor.literal" || op == "torch.tensor.literal";
}
bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string oneLine(std::string_view text) {
  std::string out(text.substr(0, std::min(text.find('\n'), text.size())));
  // Remove the operation that the engine appends; location and name are known.
  if (const std::size_t at = out.find(": %");
      contains(out, "failed to legalize") && at != std::string::npos)
    out.resize(at);
  if (out.size() > kMessage) out = out.substr(0, kMessage) + " ..";
  return out;
}

fx::Finding at(const fx::Program& program, fx::NodeId node, std::string_view name) {
  fx::Finding f;
  if (node.valid() && node.index() < program.nodes.size()) {
    f = fx::findingAt(program, program.node(node), {}, {});
  } else {
    f.nodeName = std::string(name);
  }
  return f;
}

std::string nameOf(const fx::Finding& f, std::string_view op) {
  return f.target.empty() ? std::string(op) : f.target;
}

/// The message for an operation that a stage does not support.
void explainIllegal(fx::Finding& f, const StageSpec& stage) {
  if (f.op == "torch.symbolic_int" || f.op == "torch.bind_symbolic_shape") {
    f.message = f.op +
                ": symbolic shape expressions are not supported by any backend; lower without "
                "--symbolic-shapes";
    return;
  }
  if (f.op == "torch.copy.to_vtensor" || f.op == "torch.copy.to_tensor" ||
      f.op == "torch.overwrite.tensor.contents") {
    f.message = nameOf(f, f.op) + ": " + stage.title +
                " does not support mutable tensors; use lowering mode, which returns the new value";
    return;
  }
  if (f.kind == "not-registered") {
    f.message = nameOf(f, f.op) + ": " + f.op +
                " is not registered in the engine's torch dialect; rewrite it in the model, or "
                "declare it legal with --extra-library";
  } else {
    f.message = nameOf(f, f.op) + ": no pattern of " + stage.title + " lowers " + f.op +
                " in this form; rewrite it in the model, or choose another output type";
  }
}

std::string kindOf(const mlir::EngineDiagnostic& d) {
  if (contains(d.message, "unregistered operation") || contains(d.message, "is unknown") ||
      d.op == "torch.operator")
    return "not-registered";
  if (contains(d.message, "failed to legalize") || d.message.starts_with("unimplemented"))
    return "illegal-op";
  if (contains(d.message, "contract")) return "contract";
  // A text that does not parse; and as MLIR's verifier says it: "'tosa.cast' op illegal, ..",
  // "operand #0 does not dominate this use".
  if ((d.located && !d.node.valid() && d.nodeName.empty()) ||
      (d.message.starts_with('\'') && contains(d.message, "' op ")) ||
      contains(d.message, "does not dominate this use"))
    return "verifier";
  return "refused";
}

fx::Finding ofDiagnostic(const mlir::EngineDiagnostic& d, const std::string& pass,
                         const StageSpec& stage, const fx::Program& program) {
  fx::Finding f = at(program, d.node, d.nodeName);
  f.op = d.op;
  f.stage = stage.id;
  f.pass = pass;
  f.kind = kindOf(d);
  if (d.op == "torch.operator") {
    // The operation's own name is in the text that follows: <{name = "torch.aten.diff"}>.
    const std::size_t name = d.message.find("name = \"");
    if (name != std::string::npos)
      f.op = d.message.substr(name + 8, d.message.find('"', name + 8) - name - 8);
  }
  if ((f.kind == "illegal-op" && contains(d.message, "failed to legalize")) ||
      f.kind == "not-registered")
    explainIllegal(f, stage);
  else f.message = (f.target.empty() ? "" : f.target + ": ") + oneLine(d.message);
  return f;
}

/// The IR at the failing pass; "" if the engine printed none.
std::string_view failedDump(const EngineRun& run) {
  const auto& dumps = run.log.dumps;
  const auto failed = std::find_if(dumps.rbegin(), dumps.rend(),
                                   [](const mlir::DumpedIr& dump) { return dump.header.failed; });
  return failed == dumps.rend() ? std::string_view() : failed->ir;
}

/// Whether other findings, if there are any, say more than the error.
bool saysLessThanOthers(const mlir::EngineDiagnostic& error, std::string_view pass) {
  return (isFinalPass(pass) && contains(error.message, "failed to legalize")) ||
         contains(error.message, "does not conform to the");
}

std::vector<fx::Finding> unregisteredIn(std::string_view ir, const std::string& pass,
                                        const StageSpec& stage, const fx::Program& program) {
  std::vector<fx::Finding> out = leftovers(ir, pass, stage, program);
  std::erase_if(out, [](const fx::Finding& f) { return f.kind != "not-registered"; });
  return out;
}

}  // namespace

std::vector<fx::Finding> leftovers(std::string_view ir, const std::string& pass,
                                   const StageSpec& stage, const fx::Program& program) {
  std::vector<fx::Finding> out;
  const mlir::Document document(ir);
  std::vector<mlir::OpId> suspects;
  bool others = false;
  for (std::size_t i = 0; i < document.module.ops.size(); ++i) {
    const std::string_view name = document.module.nameOf(mlir::OpId::of(i));
    if (!name.starts_with("torch.") || isInnocent(name)) continue;
    suspects.push_back(mlir::OpId::of(i));
    others = others || !isLiteral(name);
  }
  for (const mlir::OpId id : suspects) {
    const std::string_view name = document.module.nameOf(id);
    if (others && isLiteral(name)) continue;
    const std::vector<fx::NodeId> nodes = document.nodesOf(id);
    fx::Finding f = at(program, nodes.empty() ? fx::NodeId{} : nodes.front(), {});
    const std::string_view other = mlir::operatorNameOf(document.lineOf(id));
    f.op = std::string(other.empty() ? name : other);
    f.stage = stage.id;
    f.pass = pass;
    f.kind = other.empty() ? "illegal-op" : "not-registered";
    explainIllegal(f, stage);
    out.push_back(std::move(f));
  }
  std::vector<fx::Finding> unique;
  merge(unique, std::move(out));
  return unique;
}

bool isFinalPass(std::string_view pass) {
  return contains(pass, "finalizing") || contains(pass, "verify") || contains(pass, "Finalizing") ||
         contains(pass, "Verify");
}

std::vector<fx::Finding> findingsOf(const EngineRun& run, const StageSpec& stage,
                                    const fx::Program& program, bool extraLibrary) {
  const std::string& pass = run.log.failingPass;
  const std::string_view dump = failedDump(run);
  std::vector<fx::Finding> out, more;
  bool outsideKnown = false;
  // A backend's last conversion reports the first unsupported operation, usually a constant; the
  // operations left over are more useful.
  if (isFinalPass(pass)) out = leftovers(dump, pass, stage, program);
  for (const mlir::EngineDiagnostic& d : run.log.diagnostics) {
    if (d.severity != "error") continue;
    const bool any = !out.empty() || !more.empty();
    if (any && saysLessThanOthers(d, pass)) continue;
    fx::Finding f = ofDiagnostic(d, pass, stage, program);
    // The torch stage stops at the first operation outside the dialect; all of them are in the
    // dump.
    if (f.kind == "not-registered" && !extraLibrary && !outsideKnown) {
      outsideKnown = true;
      std::ranges::move(unregisteredIn(dump, pass, stage, program), std::back_inserter(more));
    }
    more.push_back(std::move(f));
  }
  merge(out, std::move(more));
  if (out.empty()) {
    fx::Finding f;
    f.stage = stage.id;
    f.pass = pass;
    f.kind = "engine";
    f.message = run.program + " " + run.message + " without giving a reason";
    out.push_back(std::move(f));
  }
  countCauses(out);
  return out;
}

std::vector<fx::Finding> toolFindings(const EngineRun& run, const StageSpec& stage,
                                      const fx::Program& program) {
  std::vector<fx::Finding> out;
  for (const mlir::EngineDiagnostic& d : run.log.diagnostics) {
    if (d.severity != "error") continue;
    fx::Finding f = at(program, d.node, d.nodeName);
    f.op = d.op;
    f.stage = stage.id;
    f.kind = "tool";
    f.message = (f.target.empty() ? "" : f.target + ": ") + run.program + ": " + oneLine(d.message);
    merge(out, {std::move(f)});
  }
  if (out.empty()) {
    fx::Finding f;
    f.stage = stage.id;
    f.kind = "tool";
    f.message = run.program + " " + run.message;
    out.push_back(std::move(f));
  }
  countCauses(out);
  return out;
}

fx::Finding stageFinding(const EngineRun& run, const LastAction& last, const StageSpec& stage,
                         const fx::Program& program) {
  fx::Finding f = at(program, last.node, {});
  f.op = last.op;
  f.stage = stage.id;
  f.pass = run.log.failingPass;
  std::string where;
  if (!f.pass.empty()) where += " in " + f.pass;
  if (!last.pattern.empty()) {
    const std::size_t scope = last.pattern.find(
        "::",
        last.pattern.rfind("anonymous") == std::string::npos ? 0 : last.pattern.rfind("anonymous"));
    where += ", while " + last.pattern.substr(scope == std::string::npos ? 0 : scope + 2) +
             " rewrote " + last.op;
    if (!f.nodeName.empty()) where += " of " + f.nodeName;
  }
  switch (run.outcome) {
    case RunOutcome::TimedOut:
      f.kind = "timeout";
      f.message = run.program + " " + run.message + where +
                  "; raise --timeout, or rewrite this part of the model";
      break;
    case RunOutcome::OutOfMemory:
      f.kind = "memory";
      f.message = run.program + " " + run.message + where +
                  "; raise --memory, or rewrite this part of the model";
      break;
    case RunOutcome::OutputLimit:
      f.kind = "output";
      f.message = run.program + " " + run.message + where;
      break;
    case RunOutcome::Killed:
      f.kind = "engine";
      f.message = run.program + " " + run.message + where +
                  ", as the system does when memory runs out; run it again";
      break;
    case RunOutcome::NoEngine:
      f.kind = "engine";
      f.message =
          run.program + " " + run.message +
          (stage.tool.isEngine() ? "; pass another with --engine"
                                 : "; correct the stage's tool in the file that defines it");
      break;
    case RunOutcome::NoTool:
      f.kind = "engine";
      f.message = run.argv.empty() ? run.message
                                   : run.program + " " + run.message +
                                         "; correct the stage's tool in the file that defines it";
      break;
    default:
      f.kind = "crash";
      f.message = run.program + " " + run.message + where + ", which is a bug in " + run.program +
                  "; rewrite this part of the model to work around it";
  }
  return f;
}

void offerDecompositions(std::vector<fx::Finding>& findings,
                         const std::function<bool(std::string_view)>& decomposable) {
  if (!decomposable) return;
  for (fx::Finding& f : findings)
    if ((f.kind == "illegal-op" || f.kind == "not-registered") && !f.target.empty() &&
        decomposable(f.target))
      f.message += "; a built-in decomposition exists: --decompose " + f.target;
}

void countCauses(std::vector<fx::Finding>& findings) {
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> counts;
  const auto key = [](const fx::Finding& f) { return std::tuple(f.kind, f.op, f.target); };
  for (const fx::Finding& f : findings) ++counts[key(f)];
  for (fx::Finding& f : findings) f.count = counts[key(f)];
}

void merge(std::vector<fx::Finding>& into, std::vector<fx::Finding> more) {
  const auto key = [](const fx::Finding& f) { return std::tuple(f.node, f.op, f.kind); };
  std::set<std::tuple<fx::NodeId, std::string, std::string>> known;
  for (const fx::Finding& f : into) known.insert(key(f));
  for (fx::Finding& f : more)
    if (known.insert(key(f)).second) into.push_back(std::move(f));
}

}  // namespace fxs::lower
