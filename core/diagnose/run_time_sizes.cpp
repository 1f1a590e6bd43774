// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/run_time_sizes.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

#include "contract/lower_kept.h"
#include "diagnose/static_sizes.h"
#include "fx/cut.h"
#include "fx/module_path.h"

namespace fxs::diagnose {
namespace {

/// The symbols of sizes, and of a scalar that is computed from them.
std::set<std::string> unbackedIn(const fx::Value& value) {
  std::set<std::string> out;
  const auto see = [&](const std::string& symbol) {
    if (isUnbacked(symbol)) out.insert(symbol);
  };
  forEachSize(value, [&](const fx::SymInt& size) {
    if (!size.isStatic()) fx::collectSymbols(*size.expr(), see);
  });
  if (const fx::SymValue* symbol = value.symbol(); symbol != nullptr && symbol->expr)
    fx::collectSymbols(*symbol->expr, see);
  return out;
}

/// Equal for calls of one operator at one Python line; without a line, in one module.
std::string placeOf(const fx::Program& program, const fx::Node& node) {
  std::string out = node.target + '\n';
  const std::vector<fx::StackFrame> stack = fx::stackOf(program, node);
  if (const fx::StackFrame* line = fx::userFrame(stack))
    return out + line->file + ':' + std::to_string(line->line);
  const std::vector<fx::ModuleFrame> modules = fx::modulesOf(program, node);
  return modules.empty() ? out : out + modules.back().path;
}

/// What the modules of all nodes end with: "block_sparse_moe", "layers.3"; "" for the root, and if
/// they have nothing in common.
std::string commonModule(const fx::Program& program, const std::vector<fx::NodeId>& nodes) {
  std::string common;
  for (const fx::NodeId node : nodes) {
    const std::vector<fx::ModuleFrame> modules = fx::modulesOf(program, program.node(node));
    const std::string path = modules.empty() ? "" : "." + modules.back().path;
    if (node == nodes.front()) common = path;
    while (!path.ends_with(common)) common.erase(0, std::max<std::size_t>(common.find('.', 1), 1));
  }
  std::size_t begin = common.rfind('.');
  while (begin != std::string::npos && begin > 0 && begin + 1 < common.size() &&
         std::isdigit(static_cast<unsigned char>(common[begin + 1])) != 0)
    begin = common.rfind('.', begin - 1);
  return begin == std::string::npos ? std::string() : common.substr(begin + 1);
}

std::string nameOf(const fx::Program& program, const std::vector<fx::NodeId>& nodes) {
  constexpr std::string_view kDefault = ".default";
  std::string out = program.node(nodes.front()).target;
  if (out.ends_with(kDefault)) out.resize(out.size() - kDefault.size());
  const std::string module = commonModule(program, nodes);
  return module.empty() ? out : out + " in " + module;
}

/// The call that makes the value: that of a getitem makes its tuple.
const fx::Node& makerOf(const fx::Program& program, const fx::Node& node) {
  if (node.target != fx::kGetitem || node.args.empty()) return node;
  const fx::NodeId* tuple = node.args.front().value.node();
  return tuple == nullptr ? node : program.node(*tuple);
}

/// What is computed from nothing is given from outside, as an input is: a block size of a kernel.
bool hasOperands(const fx::Node& call) {
  bool any = false;
  for (const fx::NodeArgument& argument : call.args)
    fx::forEachNode(argument.value, [&](fx::NodeId) { any = true; });
  return any;
}

/// Whether it only has sizes and numbers computed from them, which are constants with numbers.
bool isOnNumbers(const fx::Program& program, const fx::Node& call) {
  if (call.val.symbol() != nullptr) return true;
  bool any = false, all = std::holds_alternative<fx::NoneValue>(call.val);
  for (const fx::NodeArgument& argument : call.args)
    fx::forEachNode(argument.value, [&](fx::NodeId used) {
      any = true;
      all = all && program.node(used).val.symbol() != nullptr;
    });
  return any && all;
}

/// The user's program as it is rewritten with numbers in place of the sizes.
Result<fx::ProgramPtr> rewrittenWithNumbers(const RewriteBase& base, const RunTimeSizes& sizes,
                                            const RunContext& context) {
  FXS_TRY(fx::ProgramPtr program, withNumbers(base.user, sizes.numbers()));
  if (base.parity) return program;
  FXS_TRY(const auto rewritten, rewrite::rewrite(program, base.options, context));
  return rewritten->program;
}

/// What becomes of a user's node, as a module; "" if nothing is left of it.
Result<std::string> moduleOf(const Subject& subject, const fx::ProgramPtr& program, fx::NodeId node,
                             const RunContext& context) {
  std::set<fx::NodeId> calls = callsFrom(*program, {node});
  std::erase_if(calls, [&](fx::NodeId id) { return program->node(id).val.symbol() != nullptr; });
  if (calls.empty()) return std::string();
  FXS_TRY(const fx::ProgramPtr cut, fx::cutNodes(program, {calls.begin(), calls.end()}));
  FXS_TRY(const auto imported, subject.importOf(*cut, context));
  return imported->text;
}

void take(const lower::BatchResult& result, fx::NodeId node, SizeDependence& out) {
  out.message.clear();
  out.withNumbers = WithNumbers::Lowers;
  if (result.ok()) return;
  const auto isOwn = [&](const fx::Finding& f) {
    return f.severity == fx::Severity::Error && (f.node == node || !f.node.valid());
  };
  const auto reason = std::find_if(result.findings.begin(), result.findings.end(), isOwn);
  const bool isElsewhere = reason == result.findings.end() && !result.findings.empty();
  out.withNumbers = result.isKnown() && !isElsewhere ? WithNumbers::Fails : WithNumbers::NotKnown;
  if (reason != result.findings.end()) out.message = reason->message;
  else out.message = isElsewhere ? "what it is computed from fails" : "the engine gave no reason";
}

/// Lowers nodes of the user's program with numbers in place of the sizes, each once.
class NumberedRuns {
 public:
  NumberedRuns(const Subject& subject, const RunContext& context)
      : subject_(subject), context_(context) {}

  Result<> add(const Result<fx::ProgramPtr>& program, fx::NodeId node) {
    const auto [at, isNew] = runs_.emplace(node, SizeDependence{});
    if (!isNew) return {};
    SizeDependence& run = at->second;
    if (isOnNumbers(*subject_.user, subject_.user->node(node))) {
      run.withNumbers = WithNumbers::Lowers;
      return {};
    }
    const auto module = program ? moduleOf(subject_, *program, node, context_)
                                : Result<std::string>(tl::unexpected<Error>(program.error()));
    if (!module) {
      if (endsAll(module.error())) return tl::unexpected<Error>(module.error());
      run.message = module.error().message;
    } else if (module->empty()) {
      run.withNumbers = WithNumbers::Lowers;
    } else {
      modules_.push_back(*module);
      nodes_.push_back(node);
    }
    return {};
  }
  Result<> run(const lower::OutputType& target) {
    lower::LowerOptions options = subject_.lower;
    options.target = target;
    FXS_TRY(const auto results, contract::lowerKept(modules_, *subject_.user, subject_.engine,
                                                    options, *subject_.runner, context_));
    for (std::size_t i = 0; i < nodes_.size(); ++i) take(results[i], nodes_[i], runs_[nodes_[i]]);
    return {};
  }
  /// What was found of the node, if it was run.
  void fill(fx::NodeId node, SizeDependence& out) const {
    const auto at = runs_.find(node);
    if (at == runs_.end()) return;
    out.withNumbers = at->second.withNumbers;
    out.message = at->second.message;
  }

 private:
  const Subject& subject_;
  const RunContext& context_;
  std::map<fx::NodeId, SizeDependence> runs_;
  std::vector<std::string> modules_;
  std::vector<fx::NodeId> nodes_;  // of `modules_`
};

bool isAlike(const std::optional<SizeDependence>& a, const std::optional<SizeDependence>& b) {
  if (!a || !b) return !a && !b;
  return a->source == b->source && a->makes == b->makes && a->withNumbers == b->withNumbers;
}

/// The entry, or one for each way in which its forms depend on sizes.
std::vector<BlockedEntry> split(const Subject& subject, BlockedEntry entry,
                                const std::vector<std::optional<SizeDependence>>& forms) {
  std::vector<BlockedEntry> out;
  const bool isOne = std::all_of(forms.begin(), forms.end(),
                                 [&](const auto& form) { return isAlike(form, forms.front()); });
  if (isOne) {
    if (!forms.empty()) entry.blocked.sizes = forms.front();
    out.push_back(std::move(entry));
    return out;
  }
  for (std::size_t f = 0; f < forms.size(); ++f) {
    BlockedEntry own = entryOf(subject, entry.blocked.target, std::move(entry.forms[f]));
    own.blocked.sizes = forms[f];
    const auto same = std::find_if(out.begin(), out.end(), [&](const BlockedEntry& known) {
      return isAlike(known.blocked.sizes, forms[f]);
    });
    if (same == out.end()) out.push_back(std::move(own));
    else join(*same, std::move(own));
  }
  return out;
}

bool isOfOperation(const Blocked& blocked) {
  // A write is refused before sizes matter; a result of the program is an output, not a call.
  return blocked.kind != Kind::NotFunctional && blocked.kind != Kind::NotATensor;
}

}  // namespace

RunTimeSizes::RunTimeSizes(const fx::Program& user, const RunContext& context) {
  std::vector<std::set<std::string>> symbols;  // by node
  std::set<std::string> ofTensors;             // not only of a number
  for (const fx::Node& node : user.nodes) {
    const std::set<std::string>& own = symbols.emplace_back(unbackedIn(node.val));
    context.spend(Resource::Values, 1 + own.size(), node.name);
    if (node.val.symbol() == nullptr) ofTensors.insert(own.begin(), own.end());
  }
  if (ofTensors.empty()) return;
  byNode_.resize(user.nodes.size());
  const std::map<std::string, std::size_t> sourceOf = addSources(user, symbols, ofTensors);
  for (const auto& [symbol, number] : chosenSizes(user))
    if (sourceOf.contains(symbol)) numbers_[symbol] = number;
  std::vector<std::optional<std::size_t>> first(user.nodes.size());  // source of a node's symbols
  for (std::size_t i = 0; i < symbols.size(); ++i)
    for (const std::string& symbol : symbols[i])
      if (const auto at = sourceOf.find(symbol); at != sourceOf.end())
        first[i] = std::min(first[i].value_or(at->second), at->second);
  for (const fx::Node& node : user.nodes) {
    std::optional<SizeDependence>& own = byNode_[node.id.index()];
    const auto see = [&](fx::NodeId id) {
      const std::optional<std::size_t>& source = first[id.index()];
      if (source && (!own || (!own->makes && *source < own->source))) own = SizeDependence{*source};
    };
    see(node.id);
    for (const fx::NodeArgument& argument : node.args) fx::forEachNode(argument.value, see);
  }
}

/// The source of each symbol that has one, by the first node with it.
std::map<std::string, std::size_t> RunTimeSizes::addSources(
    const fx::Program& user, const std::vector<std::set<std::string>>& symbols,
    const std::set<std::string>& ofTensors) {
  std::map<std::string, std::size_t> sourceOf, sourceAt;  // by symbol; by place
  std::set<std::string> ofInputs;
  for (const fx::Node& node : user.nodes)
    for (const std::string& symbol : symbols[node.id.index()]) {
      if (!ofTensors.contains(symbol) || ofInputs.contains(symbol) || sourceOf.contains(symbol))
        continue;
      const fx::Node& maker = makerOf(user, node);
      if (maker.op == fx::NodeOp::Placeholder || !hasOperands(maker)) {
        ofInputs.insert(symbol);
        continue;
      }
      const auto [at, isNew] = sourceAt.emplace(placeOf(user, maker), sources_.size());
      if (isNew) sources_.emplace_back();
      sources_[at->second].symbols.push_back(symbol);
      sources_[at->second].nodes.push_back(maker.id);
      sourceOf[symbol] = at->second;
      byNode_[maker.id.index()] = SizeDependence{at->second, true};
    }
  for (SizeSource& source : sources_) {
    std::sort(source.nodes.begin(), source.nodes.end());
    source.nodes.erase(std::unique(source.nodes.begin(), source.nodes.end()), source.nodes.end());
    std::sort(source.symbols.begin(), source.symbols.end(),
              [](const std::string& a, const std::string& b) {
                return std::pair(a.size(), a) < std::pair(b.size(), b);
              });
    source.name = nameOf(user, source.nodes);
  }
  return sourceOf;
}

std::optional<SizeDependence> RunTimeSizes::of(fx::NodeId node) const {
  return node.index() < byNode_.size() ? byNode_[node.index()] : std::nullopt;
}

Result<> findSizeDependence(const Subject& subject, const RunTimeSizes& sizes,
                            const RewriteBase& base, std::vector<BlockedEntry>& entries,
                            const RunContext& context) {
  if (sizes.empty() || entries.empty()) return {};
  context.report({"lowering operations with numbers in place of their sizes", -1});
  const auto program = rewrittenWithNumbers(base, sizes, context);
  if (!program && endsAll(program.error())) return tl::unexpected<Error>(program.error());
  NumberedRuns runs(subject, context);
  const auto nodeOf = [&](const BlockedForm& form) {
    return subject.userNode(form.operation.first);
  };
  for (const BlockedEntry& entry : entries)
    for (const BlockedForm& form : entry.forms)
      if (const auto own = sizes.of(nodeOf(form)); own && !own->makes)
        FXS_CHECK(runs.add(program, nodeOf(form)));
  FXS_CHECK(runs.run(entries.front().blocked.target));
  std::vector<BlockedEntry> out;
  for (BlockedEntry& entry : entries) {
    std::vector<std::optional<SizeDependence>> forms(entry.forms.size());
    for (std::size_t f = 0; isOfOperation(entry.blocked) && f < forms.size(); ++f) {
      const fx::NodeId node = nodeOf(entry.forms[f]);
      forms[f] = sizes.of(node);
      if (forms[f]) runs.fill(node, *forms[f]);
    }
    std::vector<BlockedEntry> parts = split(subject, std::move(entry), forms);
    std::move(parts.begin(), parts.end(), std::back_inserter(out));
  }
  std::stable_sort(out.begin(), out.end(), [](const BlockedEntry& a, const BlockedEntry& b) {
    return a.blocked.nodes.front() < b.blocked.nodes.front();
  });
  entries = std::move(out);
  return {};
}

void findSizeDependenceOfWhole(const RunTimeSizes& sizes, std::vector<BlockedEntry>& entries) {
  for (BlockedEntry& entry : entries) {
    Blocked& b = entry.blocked;
    if (!entry.forms.empty() || b.nodes.empty() || !isOfOperation(b)) continue;
    const bool all = std::all_of(b.nodes.begin(), b.nodes.end(),
                                 [&](fx::NodeId node) { return sizes.of(node).has_value(); });
    if (!all) continue;
    b.sizes = sizes.of(b.nodes.front());
    b.sizes->message = "it fails only in the whole program";
  }
}

fx::NodeId sliceAtRunTime(const fx::Program& program) {
  const auto isAtRunTime = [&](const fx::NodeArgument& argument) {
    const fx::NodeId* bound = argument.value.node();
    return bound != nullptr && (argument.name == "start" || argument.name == "end") &&
           !unbackedIn(program.node(*bound).val).empty();
  };
  for (const fx::Node& node : program.nodes)
    if (node.target == "aten.slice.Tensor" && std::ranges::any_of(node.args, isAtRunTime))
      return node.id;
  return {};
}

}  // namespace fxs::diagnose
