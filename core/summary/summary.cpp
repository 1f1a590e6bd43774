// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "summary/summary.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "fx/module_path.h"
#include "fx/shared_weights.h"
#include "mlir/text/module.h"
#include "summary/saturating.h"

namespace fxs::summary {
namespace {

constexpr std::size_t kMostFrames = 1000;  ///< of a module stack that are counted

bool isCall(const fx::Node& node) {
  return node.op == fx::NodeOp::CallFunction || node.op == fx::NodeOp::CallMethod ||
         node.op == fx::NodeOp::CallModule;
}

/// Nothing if there are none.
void addFlops(std::optional<FlopTotal>& total, const fx::Node& node,
              const std::vector<Flops>& flops) {
  if (flops.empty()) return;
  if (!total) total.emplace();
  total->add(flops[node.id.index()]);
}

std::vector<OperatorTotal> operatorsOf(const fx::Program& program,
                                       const std::vector<Flops>& flops) {
  std::map<std::string_view, OperatorTotal> byTarget;
  for (const fx::Node& node : program.nodes) {
    if (!isCall(node) || node.target == fx::kGetitem) continue;
    OperatorTotal& total = byTarget[node.target];
    total.nodes.push_back(node.id);
    addFlops(total.flops, node, flops);
  }
  std::vector<OperatorTotal> out;
  for (auto& [target, total] : byTarget) {
    total.target = target;
    out.push_back(std::move(total));
  }
  std::stable_sort(out.begin(), out.end(), [](const OperatorTotal& a, const OperatorTotal& b) {
    return a.nodes.size() > b.nodes.size();
  });
  return out;
}

void addFlops(const fx::Program& program, const std::vector<Flops>& flops, Summary& out) {
  std::map<std::pair<std::string_view, FlopStanding>, std::size_t> unknown;
  out.flops.emplace();
  for (const fx::Node& node : program.nodes) {
    const Flops& own = flops[node.id.index()];
    out.flops->add(own);
    if (!name(own.standing).empty()) ++unknown[{node.target, own.standing}];
  }
  for (const auto& [of, calls] : unknown)
    out.unknownFlops.push_back({std::string(of.first), of.second, calls});
}

/// Collects the modules on the stacks of nodes.
class Modules {
 public:
  explicit Modules(const fx::Program& program) : program_(program) { add({}, "", 0); }

  std::vector<ModuleTotal> total(const std::vector<Flops>& flops, const RunContext& context) && {
    for (const fx::Node& node : program_.nodes) {
      if (!isCall(node)) continue;
      const std::vector<std::size_t>& modules = around(node);
      context.spend(Resource::Values, modules.size(), "the modules");
      for (const std::size_t module : modules) {
        out_[module].nodes.push_back(node.id);
        addFlops(out_[module].flops, node, flops);
      }
    }
    addParameters(context);
    return std::move(out_);
  }

 private:
  std::size_t add(const std::string& path, std::string_view type, std::size_t depth) {
    const auto [at, isNew] = byPath_.try_emplace(path, out_.size());
    if (isNew) out_.push_back({path, std::string(type), depth, {}, 0, 0, std::nullopt});
    return at->second;
  }

  /// Indices of the modules around a node, the root first; parsed once per distinct text.
  const std::vector<std::size_t>& around(const fx::Node& node) {
    const auto text = program_.meta(node, "nn_module_stack").value_or(std::string_view());
    const auto [entry, isNew] = byStack_.try_emplace(text);
    if (!isNew) return entry->second;
    std::vector<std::size_t>& modules = entry->second;
    modules.push_back(0);
    std::vector<fx::ModuleFrame> frames = fx::modulesOf(program_, node);
    if (frames.size() > kMostFrames) frames.resize(kMostFrames);
    for (const fx::ModuleFrame& frame : frames) {
      const std::string_view type = std::string_view(frame.type).substr(frame.type.rfind('.') + 1);
      if (frame.path.empty()) {
        out_[0].type = type;
        continue;
      }
      const std::size_t module = add(frame.path, type, modules.size());
      if (std::find(modules.begin(), modules.end(), module) == modules.end())
        modules.push_back(module);
    }
    for (std::size_t i = 1; i < modules.size(); ++i)
      parent_.try_emplace(modules[i], modules[i - 1]);
    return modules;
  }

  /// The called module that has a parameter, by its name.
  std::size_t ownerOf(std::string_view fqn, const RunContext& context) const {
    for (std::size_t dot = fqn.rfind('.'); dot != std::string_view::npos && dot > 0;
         dot = fqn.rfind('.', dot - 1)) {
      context.spend(Resource::Values, 1 + dot / 16, fqn);
      if (const auto at = byPath_.find(std::string(fqn.substr(0, dot))); at != byPath_.end())
        return at->second;
    }
    return 0;
  }

  void addParameters(const RunContext& context) {
    std::vector<std::set<std::string>> seen(out_.size());
    for (const fx::Weight& weight : program_.weights) {
      if (!weight.isParameter) continue;
      const std::string view = fx::storedView(weight);
      const std::uint64_t elements = weight.elements();
      const std::uint64_t bytes =
          saturatingProduct(elements, static_cast<std::uint64_t>(facts(weight.dtype).bytes));
      for (std::size_t module = ownerOf(weight.fqn, context);; module = parent_.at(module)) {
        context.spend(Resource::Values, 1 + view.size() / 16, weight.fqn);
        ModuleTotal& total = out_[module];
        if (view.empty() || seen[module].insert(view).second) {
          total.parameters = saturatingSum(total.parameters, elements);
          total.parameterBytes = saturatingSum(total.parameterBytes, bytes);
        }
        if (module == 0) break;
      }
    }
  }

  const fx::Program& program_;
  std::vector<ModuleTotal> out_;
  std::unordered_map<std::string, std::size_t> byPath_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> byStack_;
  std::unordered_map<std::size_t, std::size_t> parent_;  ///< the module of its first call
};

std::vector<DialectCount> countedDialects(const mlir::Module& module) {
  std::map<std::string_view, std::size_t> counts;
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const std::string_view name = module.nameOf(mlir::OpId::of(i));
    if (name != "builtin.module") ++counts[name.substr(0, name.find('.'))];
  }
  std::vector<DialectCount> out;
  for (const auto& [dialect, operations] : counts)
    out.push_back({std::string(dialect), operations});
  std::stable_sort(out.begin(), out.end(), [](const DialectCount& a, const DialectCount& b) {
    return a.operations > b.operations;
  });
  return out;
}

/// "@main" of the operations that are named like functions.
std::vector<std::string> functionsOf(const mlir::Module& module) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::OpId id = mlir::OpId::of(i);
    if (!module.nameOf(id).ends_with(".func")) continue;
    const std::string_view head = module.op(id).head.of(module.text);
    const std::size_t at = head.find('@');
    if (at == std::string_view::npos) continue;
    const std::string_view symbol = head.substr(at);
    out.emplace_back(symbol.substr(0, symbol.find_first_of("( {")));
  }
  return out;
}

}  // namespace

void FlopTotal::add(const Flops& own) {
  flops = saturatingSum(flops, own.count);
  if (own.standing == FlopStanding::Counted) ++counted;
  if (!name(own.standing).empty()) ++unknown;
}

Summary summarize(const read::Capture& capture, const RunContext& context) {
  const fx::Program& program = *capture.program;
  Summary out;
  std::vector<Flops> flops;
  if (!capture.module && !capture.kernel) {
    flops = flopsOf(program);
    addFlops(program, flops, out);
  }
  out.stored = storedOf(program);
  out.activations = activationsOf(program);
  out.operators = operatorsOf(program, flops);
  out.modules = Modules(program).total(flops, context);
  for (const ModuleTotal& module : out.modules)
    out.moduleDepth = std::max(out.moduleDepth, module.depth);
  if (capture.module) {
    const mlir::Module module(capture.module->text);
    out.dialects = countedDialects(module);
    out.functions = functionsOf(module);
  }
  return out;
}

std::vector<Became> becameOf(const lower::Lowering& lowering) {
  std::vector<Became> out;
  for (const lower::StageResult& stage : lowering.stages) {
    if (stage.ir().empty()) continue;
    const mlir::Module module(stage.ir(), stage.irForm());
    Became became{stage.id, stage.text.empty(), 0, {}};
    for (std::size_t i = 0; i < module.ops.size(); ++i)
      if (module.nameOf(mlir::OpId::of(i)) != "builtin.module") ++became.operations;
    if (stage.irForm() == mlir::TextForm::Mlir) became.dialects = countedDialects(module);
    out.push_back(std::move(became));
  }
  return out;
}

}  // namespace fxs::summary
