// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/python_changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/joined.h"
#include "diagnose/static_sizes.h"
#include "diagnose/table_functions.h"
#include "fx/call_structure.h"
#include "fx/python_source.h"
#include "fx/python_text.h"
#include "fx/single_call.h"
#include "fx/stride_symbols.h"
#include "fx/text.h"
#include "import/distinct_operations.h"
#include "import/torch_mlir_refusals.h"
#include "ops/schema.h"
#include "rewrite/decompose.h"
#include "rewrite/inline_contexts.h"
#include "rewrite/known_strides.h"
#include "rewrite/python_function.h"

namespace fxs::diagnose {
namespace {

/// Whether `name`, with or without an overload, is that of one of the targets.
bool isNamed(const std::string& name, const std::set<std::string>& targets) {
  return std::any_of(targets.begin(), targets.end(), [&](const std::string& target) {
    return target == name || target.starts_with(name + '.');
  });
}

/// A view of a copy. What replaces a call may be laid out otherwise, and PyTorch refuses a view
/// across dimensions that are not adjacent in memory.
std::string viewOfCopy(const std::string& target) {
  const std::string view = target.substr(0, target.rfind('.'));
  return "    return NotImplemented if self.is_contiguous() else " + view +
         "(self.contiguous(), size)\n";
}

constexpr std::string_view kOneCall =
    "a decomposition table replaces one call, and a change is for several together";

}  // namespace

Result<const std::vector<PythonChanges::Call>*> PythonChanges::callsOf(const RewritePlan& plan,
                                                                       const RunContext& context) {
  const std::pair kind(plan.staticSizes, plan.runDecompositions);
  if (const auto known = calls_.find(kind); known != calls_.end()) return &known->second;
  fx::ProgramPtr program = base_.user;
  if (plan.staticSizes) {
    FXS_TRY(program, withStaticSizes(program));
  }
  rewrite::RewriteOptions functional = base_.options;
  functional.decompositions =
      plan.runDecompositions ? rewrite::Decompositions::Default : rewrite::Decompositions::None;
  functional.decompose.clear();
  FXS_TRY(const auto rewritten, rewrite::rewrite(program, functional, context));
  program = rewritten->program;
  std::vector<Call> calls;
  for (const import::DistinctOperation& operation : import::distinctOperations(*program)) {
    auto alone = fx::singleCall(program, operation.first);
    if (!alone) continue;  // control flow, an assertion
    Call& call =
        calls.emplace_back(Call{std::move(*alone), program->node(operation.first).target, {}});
    for (const fx::NodeId id : operation.nodes)
      call.nodes.push_back(program->originOf(program->node(id)).id);
  }
  return &calls_.emplace(kind, std::move(calls)).first->second;
}

Result<std::vector<PythonDecomposition>> PythonChanges::with(
    const std::vector<const Change*>& changes, const RunContext& context) {
  const RewritePlan plan(base_, changes);
  rewrite::RewriteOptions options = plan.options;
  if (plan.runDecompositions) options.decompositions = rewrite::Decompositions::None;
  FXS_TRY(const std::vector<const rewrite::Rule*> rules,
          rewrite::chosenRules(rewrite::builtinRules(), options));
  FXS_TRY(const std::vector<Call>* calls, callsOf(plan, context));
  rewrite::Report report;
  fx::ProgramPtr byRules;
  const Rewriting rewriting = [&](const fx::ProgramPtr& alone) -> Result<fx::ProgramPtr> {
    report = {};
    FXS_TRY(fx::Program draft, rewrite::decompose(*alone, rules, report, context));
    FXS_TRY(byRules, rewrite::finish(std::move(draft), alone->original, context));
    return withRules(byRules, plan.rules, alone->original, context);
  };
  TableFunctions functions(rewriting);
  for (const Call& call : *calls) {
    FXS_TRY(const fx::ProgramPtr program, rewriting(call.alone));
    if (fx::dump(*program) == fx::dump(*call.alone)) {
      functions.keep(call.target);
      continue;
    }
    const bool isByRules = plan.rules.empty() || fx::dump(*program) == fx::dump(*byRules);
    functions.add({call.alone, program}, call.nodes,
                  isByRules ? report.rules : std::vector<const rewrite::Rule*>(),
                  std::ranges::any_of(report.rules, &rewrite::Rule::corrects));
  }
  leftOut_.clear();
  FXS_TRY(std::vector<PythonDecomposition> out, std::move(functions).take(leftOut_, context));
  if (out.empty()) return out;
  FXS_TRY(const fx::ProgramPtr changed, changedProgram(base_, changes, context));
  FXS_TRY(std::set<std::string> ofWrittenViews, addViewsOfCopies(out, changed));
  leftOut_.merge(ofWrittenViews);
  return out;
}

std::string PythonChanges::stop() const {
  for (const fx::Node& node : base_.user->nodes)
    if (node.op == fx::NodeOp::CallFunction && node.target.starts_with("higher_order.") &&
        node.target != import::kWhileLoop && !rewrite::isContextRegion(node.target))
      return "torch-mlir's importer does not accept " + node.target + " of the original";
  for (const fx::Node& node : base_.user->nodes)
    if (import::isViewOutsideAten(node))
      return "PyTorch does not make " + node.target + " of the original functional";
  if (const fx::Node* write = import::stridedWrite(*base_.user))
    return "PyTorch does not make a write to as_strided of a view functional: " + write->target;
  const RewritePlan plan(base_, {});
  if (plan.acrossNodes) return std::string(kOneCall);
  if (plan.keptSizes)
    return "a decomposition table replaces one call, and symbolic sizes are kept by calls that "
           "read other ones";
  return "";
}

Result<bool> PythonChanges::isRefused(const RunContext& context) {
  if (refused_) return *refused_;
  FXS_TRY(const auto rewritten, rewrite::rewrite(base_.user, base_.options, context));
  refused_ = !import::torchMlirRefusals(*rewritten->program, import::Form::Mended).empty();
  return *refused_;
}

Result<std::string> PythonChanges::scriptFor(const lower::OutputType& target,
                                             const std::vector<Change>& changes,
                                             const RunContext& context) {
  std::vector<const Change*> all;
  for (const Change& change : changes) all.push_back(&change);
  if (base_.parity || RewritePlan(base_, all).acrossNodes || !stop().empty()) return std::string();
  FXS_TRY(const bool refused, isRefused(context));
  if (refused) return std::string();
  PythonScript script{target};
  script.mends = mendsOf(*base_.user);
  for (const Change& change : changes) {
    script.exportAgain |= change.staticSizes;
    script.runDecompositions |= change.runDecompositions;
    script.backendLegal.insert(change.backendLegal.begin(), change.backendLegal.end());
  }
  FXS_TRY(script.decompositions, with(all, context));
  const auto isLeftOut = [&](const std::string& name) { return isNamed(name, leftOut_); };
  for (const Change& change : changes)
    if (std::any_of(change.decompose.begin(), change.decompose.end(), isLeftOut) ||
        std::any_of(change.rules.begin(), change.rules.end(),
                    [&](const rewrite::Rule& rule) { return isLeftOut(rule.target); }))
      return std::string();
  return script.text();
}

Result<fx::ProgramPtr> PythonChanges::programWithout(const std::set<std::string>& targets,
                                                     const RunContext& context) const {
  const auto isLeftOut = [&](const std::string& name) { return isNamed(name, targets); };
  RewriteBase base = base_;
  if (base.options.decompositions == rewrite::Decompositions::Essential) {
    base.options.decompositions = rewrite::Decompositions::None;
    for (const rewrite::Rule& rule : rewrite::builtinRules().rules())
      if (rule.essential) base.options.decompose.insert(rule.target);
  }
  std::erase_if(base.options.decompose, isLeftOut);
  for (Change& change : base.applied) {
    std::erase_if(change.decompose, isLeftOut);
    std::erase_if(change.rules, [&](const rewrite::Rule& rule) { return isLeftOut(rule.target); });
  }
  return changedProgram(base, {}, context);
}

namespace {

/// What a value may be a view or another name of, by the schema of its call; null for others.
const fx::Node* viewedBy(const fx::Program& program, const fx::Node& value) {
  const fx::NodeId* of = value.args.empty() ? nullptr : value.args.front().value.node();
  if (of == nullptr) return nullptr;
  if (value.target == fx::kGetitem) return &program.node(*of);
  const ops::Schema* schema = ops::SchemaTable::builtin().find(value.target);
  const bool isView = schema != nullptr && !schema->returns.empty() &&
                      schema->returns.front().alias != ops::Alias::None;
  return isView ? &program.node(*of) : nullptr;
}

/// Whether the program writes to one of these values, or to a view of it.
bool isWritten(const fx::Program& program, const std::vector<fx::NodeId>& values) {
  for (const fx::Node& node : program.nodes)
    for (const fx::NodeId written : import::writtenBy(node))
      for (const fx::Node* view = &program.node(written); view != nullptr;
           view = viewedBy(program, *view))
        if (std::ranges::binary_search(values, view->id)) return true;
  return false;
}

/// Whether these are calls of an operator in the main graph.
bool areMainCalls(const fx::Program& program, const std::string& target,
                  const std::vector<fx::NodeId>& views) {
  const std::vector<fx::NodeId>& main = program.main().nodes;
  return std::ranges::all_of(views, [&](fx::NodeId id) {
    return program.node(id).target == target && std::ranges::find(main, id) != main.end();
  });
}

/// Those of the user's views that PyTorch surely refuses in the changed program, whose calls in
/// `refused` it may refuse.
std::vector<fx::NodeId> surelyRefused(const fx::Program& changed,
                                      const std::vector<fx::NodeId>& refused,
                                      const std::vector<fx::NodeId>& views) {
  const rewrite::KnownStrides strides(changed);
  std::vector<fx::NodeId> out;
  for (const fx::NodeId id : refused) {
    const fx::Node& view = changed.node(id);
    const fx::NodeId users = changed.originOf(view).id;
    if (std::ranges::binary_search(views, users) && strides.of(*view.args.front().value.node()))
      out.push_back(users);
  }
  return out;
}

/// Removes those of the calls that these values are views of, and returns their operators.
std::set<std::string> removeViewed(std::vector<PythonDecomposition>& all,
                                   const fx::Program& program,
                                   const std::vector<fx::NodeId>& views) {
  std::set<fx::NodeId> viewed;
  for (const fx::NodeId id : views)
    for (const fx::Node* value = viewedBy(program, program.node(id)); value != nullptr;
         value = viewedBy(program, *value))
      viewed.insert(value->id);
  std::set<std::string> out;
  std::erase_if(all, [&](const PythonDecomposition& d) {
    const bool isViewed =
        std::ranges::any_of(d.nodes, [&](fx::NodeId id) { return viewed.contains(id); });
    if (isViewed) out.insert(d.target);
    return isViewed;
  });
  return out;
}

}  // namespace

Result<std::set<std::string>> addViewsOfCopies(std::vector<PythonDecomposition>& all,
                                               const fx::ProgramPtr& changed) {
  std::set<std::string> leftOut;
  std::vector<fx::NodeId> refused;
  rewrite::withReshapes(changed, refused);
  std::map<std::string, std::vector<fx::NodeId>> byTarget;
  for (const fx::NodeId id : refused) {
    const fx::Node& node = changed->node(id);
    // PyTorch makes a view of all others.
    const bool isOwn = node.target == "aten._unsafe_view.default";
    byTarget[isOwn ? node.target : "aten.view.default"].push_back(changed->originOf(node).id);
  }
  constexpr std::string_view kEnd = "    return NotImplemented\n";
  for (auto& [target, nodes] : byTarget) {
    if (const auto known = std::ranges::find(all, target, &PythonDecomposition::target);
        known != all.end()) {
      std::string& function = known->function;
      if (function.ends_with(kEnd))
        function.replace(function.size() - kEnd.size(), kEnd.size(), viewOfCopy(target));
      continue;
    }
    FXS_TRY(std::string function, rewrite::pythonFunction(target, viewOfCopy(target)));
    std::sort(nodes.begin(), nodes.end());
    const fx::Program& user = changed->original ? *changed->original : *changed;
    const bool areWritten = isWritten(user, nodes);
    if (areWritten) leftOut.merge(removeViewed(all, user, surelyRefused(*changed, refused, nodes)));
    const bool asReshape = !areWritten && areMainCalls(user, target, nodes);
    all.push_back({target, std::move(nodes), std::move(function), false, true, asReshape});
  }
  return leftOut;
}

Mends mendsOf(const fx::Program& program) {
  Mends out;
  out.loops = std::ranges::any_of(
      program.nodes, [](const fx::Node& node) { return node.target == import::kWhileLoop; });
  out.detached = std::ranges::any_of(program.nodes, [](const fx::Node& node) {
    const fx::TensorMeta* result = node.val.tensor();
    return node.target == "aten.detach_.default" && result != nullptr &&
           fx::elementCount(result->sizes) != fx::SymInt(1);
  });
  out.ranges =
      std::ranges::any_of(program.ranges, fx::isDerived) || !fx::strideSymbols(program).empty();
  out.guards = std::ranges::any_of(program.guards, fx::isGuardOfBase);
  return out;
}

std::vector<PythonDecomposition> decompositionsOf(const std::vector<PythonDecomposition>& all,
                                                  const std::vector<fx::NodeId>& nodes) {
  std::vector<PythonDecomposition> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](const PythonDecomposition& d) {
    return !d.isOfViews && std::any_of(nodes.begin(), nodes.end(), [&](fx::NodeId id) {
      return std::binary_search(d.nodes.begin(), d.nodes.end(), id);
    });
  });
  if (!out.empty())
    std::ranges::copy_if(all, std::back_inserter(out), &PythonDecomposition::isOfViews);
  return out;
}

namespace {

/// Where what is added to the table begins in its line.
constexpr std::size_t kColumn = 50;

/// "{aten.diff.default: aten_diff}", in as many lines as it has items if it is not short.
std::string bracketed(const std::vector<std::string>& items, std::string_view brackets) {
  const std::string begin(1, brackets.front()), end(1, brackets.back());
  std::string line = begin + joined(items) + end;
  if (kColumn + line.size() <= fx::kPythonColumns) return line;
  return begin + "\n    " + joined(items, ",\n    ") + ",\n" + end;
}

}  // namespace

bool PythonScript::uses(std::string_view word) const {
  return std::any_of(
      decompositions.begin(), decompositions.end(),
      [&](const PythonDecomposition& d) { return d.function.find(word) != std::string::npos; });
}

std::string PythonScript::nameOf(const std::string& op) const {
  return namesAten() ? fx::pythonTarget(op) : "torch.ops." + op;
}

std::set<std::string> PythonScript::ofPytorchTable() const {
  std::set<std::string> out = byTable;
  for (const PythonDecomposition& d : decompositions)
    if (d.function.empty()) out.insert(d.target);
  return out;
}

std::string PythonScript::table() const {
  std::string functions;
  std::vector<std::string> entries;
  for (const PythonDecomposition& d : decompositions) {
    if (d.function.empty() || d.asReshape) continue;
    functions += "\n\n" + d.function;
    entries.push_back(nameOf(d.target) + ": " + rewrite::pythonFunctionName(d.target));
  }
  std::string out = functions;
  if (!byDefault.empty()) out += "\ndefault = torch.export.default_decompositions()";
  out += std::string(functions.empty() ? "" : "\n") +
         "\ndecomposition_table = get_decomposition_table()";
  for (const std::string& op : byDefault)
    entries.push_back(nameOf(op) + ": default[" + nameOf(op) + "]");
  if (!entries.empty()) out += " | " + bracketed(entries, "{}");
  std::vector<std::string> names;
  for (const std::string& op : ofPytorchTable()) names.push_back(nameOf(op));
  if (!names.empty()) out += " | get_decompositions(" + bracketed(names, "[]") + ")";
  return out + "\n";
}

bool PythonScript::hasReshapes() const {
  return std::ranges::any_of(decompositions, &PythonDecomposition::asReshape);
}

std::string PythonScript::reshapedViews() const {
  std::string out = "\n\ndef reshape_views(program):\n";
  for (const PythonDecomposition& d : decompositions)
    if (d.asReshape)
      out += "    for node in program.graph.find_nodes(op=\"call_function\", target=" +
             nameOf(d.target) + "):\n        node.target = " + nameOf("aten.reshape.default") +
             "\n";
  return out;
}

/// The statements that return the leaves as forward() does.
std::string PythonScript::putBack(const std::string& leaves) const {
  const auto tree = fx::leavesOf(structure);
  if (!tree || tree->count != results.size()) return "    return " + leaves + "\n";
  return "    tree = torch.utils._pytree.treespec_loads(" + fx::pythonRepr(structure) +
         ")\n    return torch.utils._pytree.tree_unflatten(" + leaves + ", tree)\n";
}

/// Functions that leave out the constants among the results of a program, and put them back.
std::string PythonScript::withoutConstants() const {
  std::vector<std::string> texts;
  for (const std::string& result : results)
    texts.push_back(result.empty() ? "next(values)" : result);
  return "\n\ndef leave_out_constants(program):\n"
         "    output, signature = program.graph.output_node(), program.graph_signature\n"
         "    kept = [i for i, value in enumerate(output.args[0]) if isinstance(value, "
         "torch.fx.Node)]\n"
         "    output.args = (tuple(output.args[0][i] for i in kept),)\n"
         "    output.meta[\"val\"] = tuple(value.meta[\"val\"] for value in output.args[0])\n"
         "    signature.output_specs = [signature.output_specs[i] for i in kept]\n"
         "    tree = torch.utils._pytree.tree_structure(tuple(signature.user_outputs))\n"
         "    program.module_call_graph[0].signature.out_spec = tree\n"
         "    program.graph_module.recompile()\n"
         "\n\ndef results(values):\n"
         "    \"\"\"The results of forward(), from what the lowered program returns.\"\"\"\n"
         "    values = iter(values)\n" +
         putBack("[" + joined(texts) + "]");
}

std::string PythonScript::mendedSizes() const {
  std::string out;
  if (mends.guards)
    out +=
        "    program._guards_code = [guard for guard in program._guards_code if \"._base.\" not in "
        "guard]\n";
  if (mends.ranges && !exportAgain)
    out +=
        "    # A loaded program has ranges of sizes only, and one of a derived size as a symbol.\n"
        "    values = [node.meta.get(\"val\") for node in program.graph.nodes]\n"
        "    sizes = torch._guards.detect_fake_mode(values).shape_env\n"
        "    for symbol in [*sizes.backed_var_to_val, *sizes.var_to_range]:\n"
        "        if not symbol.is_Symbol:\n"
        "            sizes.var_to_range.pop(symbol, None)\n"
        "        elif symbol not in sizes.var_to_range:\n"
        "            sizes.constrain_symbol_range(symbol, 2, int_oo)\n";
  return out;
}

std::string PythonScript::mendedLoops() const {
  if (!mends.loops) return "";
  return "    for module in program.graph_module.modules():\n"
         "        if isinstance(module, torch.fx.GraphModule):\n"
         "            for loop in module.graph.find_nodes(op=\"call_function\", "
         "target=torch.ops.higher_order.while_loop):\n"
         "                # A loaded program has lists.\n"
         "                loop.args = tuple(tuple(a) if isinstance(a, list) else a for a in "
         "loop.args)\n";
}

std::string PythonScript::imports() const {
  std::string out;
  if (uses("math.")) out += "import math\n";
  if (uses("operator.")) out += "import operator\n";
  if (exportAgain || !results.empty() || hasTable() || mends.loops || mends.ranges)
    out += "import torch\n";
  if (!ofPytorchTable().empty()) out += "from torch._decomp import get_decompositions\n";
  if (mends.ranges && !exportAgain) out += "from torch.utils._sympy.numbers import int_oo\n";
  return out + "from torch_mlir import fx\n";
}

std::string PythonScript::text() const {
  if (!target->file.empty()) return "";
  std::string out = imports(), options;
  if (hasTable()) {
    out += "from torch_mlir.extras.fx_decomp_util import get_decomposition_table\n";
    if (namesAten()) out += "\naten = torch.ops.aten\n";
    out += table();
    options += ", decomposition_table=decomposition_table";
  }
  if (!backendLegal.empty()) {
    std::vector<std::string> names;
    for (const std::string& op : backendLegal) names.push_back(fx::pythonRepr(op));
    options += ", backend_legal_ops=[" + joined(names) + "]";
  }
  if (hasReshapes()) out += reshapedViews();
  if (!results.empty()) out += withoutConstants();
  out += fmt::format("\n\ndef lower(program, output_type=\"{}\"):\n", lower::name(target));
  out += mendedSizes();
  if (exportAgain && mends.detached)
    out +=
        "    for node in program.graph.find_nodes(op=\"call_function\", "
        "target=torch.ops.aten.detach_.default):\n"
        "        node.target = torch.ops.aten.detach.default\n";
  if (exportAgain)
    out +=
        "    program = torch.export.export(program.module(), *program.example_inputs)  # without "
        "dynamic_shapes\n";
  out += mendedLoops();
  if (hasReshapes()) out += "    reshape_views(program)\n";
  if (!results.empty()) out += "    leave_out_constants(program)\n";
  const std::string given = runDecompositions ? "program.run_decompositions()" : "program";
  return out + "    return fx.export_and_import(" + given + ", output_type=output_type" + options +
         ")\n";
}

}  // namespace fxs::diagnose
