// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/import.h"

#include <algorithm>

#include "import/function_importer.h"
#include "import/import_node.h"
#include "import/torch_mlir_refusals.h"

namespace fxs::import {
namespace {

/// Function names: the graphs' own, made unique as torch-mlir does it, by one counter for the
/// module.
void nameFunctions(ModuleState& module) {
  std::set<std::string> taken;
  std::size_t counter = 0;
  for (const fx::Graph& graph : module.program.graphs) {
    std::string name = graph.id.index() == 0 ? module.options.functionName : graph.name;
    while (!taken.insert(name).second) name = graph.name + "_" + std::to_string(counter++);
    module.functions[graph.id.index()].name = std::move(name);
  }
}

/// Which graphs become functions: all in the parity modes, else those that an imported node of such
/// a graph refers to.
std::vector<bool> wantedGraphs(const ModuleState& module) {
  const fx::Program& program = module.program;
  std::vector<bool> wanted(program.graphs.size(), module.isParity());
  wanted[0] = true;
  for (const fx::Graph& graph : program.graphs) {  // parents precede their subgraphs
    if (!wanted[graph.id.index()]) continue;
    for (const fx::NodeId id : graph.nodes) {
      if (!expressesSubgraphs(program.node(id).target)) continue;
      for (const fx::NodeArgument& argument : program.node(id).args)
        fx::forEachNode(argument.value, [&](fx::NodeId used) {
          const fx::GraphId subgraph = program.node(used).subgraph;
          if (subgraph.valid()) wanted[subgraph.index()] = true;
        });
    }
  }
  return wanted;
}

void reportUnread(ModuleState& module) {
  if (module.literals.unread().empty()) return;
  std::unordered_multimap<std::string_view, fx::NodeId> inputs;
  for (const fx::InputSpec& spec : module.program.inputs) inputs.emplace(spec.target, spec.node);
  for (const auto& [fqn, reason] : module.literals.unread()) {
    std::vector<fx::NodeId> nodes;
    for (auto [at, end] = inputs.equal_range(fqn); at != end; ++at) nodes.push_back(at->second);
    std::sort(nodes.begin(), nodes.end());
    for (const fx::NodeId node : nodes)
      module.note(module.program.node(node), fx::Severity::Note, "weight-not-read",
                  "weight '" + fqn + "' is a resource handle without data: " + reason);
  }
}

Result<> writeModule(ModuleState& module, Imported& out, const RunContext& context) {
  if (module.program.graphs.empty())
    return fail(ErrorCode::InvalidInput, "the program has no graph");
  nameFunctions(module);
  const std::vector<bool> wanted = wantedGraphs(module);
  out.text = "module {\n";
  // Subgraphs follow their parents, so in reverse order every callee is written before its caller.
  for (std::size_t i = module.program.graphs.size(); i-- > 0;) {
    if (!wanted[i]) continue;
    FunctionImporter function(module, module.program.graphs[i]);
    FXS_TRY(const std::string text, function.run(context));
    out.text += text;
    out.ops += function.written();
  }
  out.text += "}\n";
  module.literals.appendResources(out.text);
  return {};
}

}  // namespace

Result<std::shared_ptr<const Imported>> importProgram(const fx::Program& program,
                                                      const ImportOptions& options,
                                                      const RunContext& context) {
  if (options.embedWeights && !options.weights)
    return fail(ErrorCode::Usage,
                "weights cannot be embedded: the program was opened without their data");
  ModuleState module(program, options, context);
  auto out = std::make_shared<Imported>();
  FXS_CHECK(writeModule(module, *out, context));
  reportUnread(module);
  out->findings = std::move(module.findings);
  if (options.asTorchMlir) {
    const std::vector<fx::Finding> refused = torchMlirRefusals(program);
    out->findings.insert(out->findings.end(), refused.begin(), refused.end());
    if (auto missing = missingValues(program)) out->findings.push_back(*std::move(missing));
  }
  out->unregisteredOps.assign(module.unregistered.begin(), module.unregistered.end());
  out->registrationQueries.assign(module.asked.begin(), module.asked.end());
  return std::shared_ptr<const Imported>(std::move(out));
}

std::vector<std::string> wantedOps(const fx::Program& program, const RunContext& context) {
  // Uses the importer itself, so that the two cannot disagree.
  const ImportOptions options;
  ModuleState module(program, options, context);
  Imported scratch;
  if (!writeModule(module, scratch, context)) return {};
  return {module.asked.begin(), module.asked.end()};
}

}  // namespace fxs::import
