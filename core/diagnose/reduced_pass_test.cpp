// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/reduced_pass_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "diagnose/reduce_module.h"
#include "mlir/compare/hash.h"
#include "mlir/compare/op_keys.h"

namespace fxs::diagnose {
namespace {

constexpr std::chrono::seconds kMaxReducingTime{30};

/// How often each kind of operation is in a module: its own text, and the names of the operations
/// around it. What a function has of its own are the types of its arguments and results.
using OperationKinds = std::map<std::uint64_t, std::size_t>;

/// The kind of each operation; 0 for a function with a body and its return.
std::vector<std::uint64_t> kindsIn(const mlir::Module& module) {
  const mlir::Keys own = mlir::keysOf(module).own;
  std::vector<std::uint64_t> around(own.size()), out(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const mlir::OpId id = mlir::OpId::of(i), parent = module.op(id).parent;
    mlir::Hash path(parent.valid() ? around[parent.index()] : 0);
    path.add(module.nameOf(id));
    around[i] = path.value();
    mlir::Hash kind(parent.valid() ? around[parent.index()] : 0);
    kind.add(own[i]);
    const bool isFunction = module.nameOf(id) == "func.func" && !module.regionsOf(id).empty();
    out[i] = isFunction || module.nameOf(id) == "func.return" ? 0 : kind.value();
  }
  return out;
}

void addTypes(std::string_view of, const std::vector<std::string_view>& types,
              OperationKinds& out) {
  for (const std::string_view type : types) {
    mlir::Hash kind;
    kind.add(of);
    kind.add(type);
    ++out[kind.value()];
  }
}

OperationKinds countedKinds(const mlir::Module& module) {
  OperationKinds out;
  const std::vector<std::uint64_t> kinds = kindsIn(module);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] != 0) ++out[kinds[i]];
    else if (const auto function = mlir::functionOf(module, mlir::OpId::of(i))) {
      addTypes("argument", function->signature.arguments, out);
      addTypes("result", function->signature.results, out);
    }
  }
  return out;
}

/// What a pipeline does to a module: the kinds of operations of which it leaves fewer or more.
struct Effect {
  std::set<std::uint64_t> fewer, more;
  bool isEmpty() const { return fewer.empty() && more.empty(); }
  bool has(const Effect& other) const {
    return std::includes(fewer.begin(), fewer.end(), other.fewer.begin(), other.fewer.end()) &&
           std::includes(more.begin(), more.end(), other.more.begin(), other.more.end());
  }
};

void addLarger(const OperationKinds& a, const OperationKinds& b, std::set<std::uint64_t>& out) {
  for (const auto& [kind, count] : a)
    if (const auto found = b.find(kind); found == b.end() || found->second < count)
      out.insert(kind);
}

Effect effectOf(const std::string& input, const std::string& output) {
  const OperationKinds before = countedKinds(mlir::Module(input)),
                       after = countedKinds(mlir::Module(output));
  Effect out;
  addLarger(before, after, out.fewer);
  addLarger(after, before, out.more);
  return out;
}

/// The operations of which fewer are left: the first of each kind, and all of them.
std::vector<module::Kept> changedItems(const mlir::Module& module,
                                       const module::FunctionParts& function,
                                       const Effect& effect) {
  const std::vector<std::uint64_t> kinds = kindsIn(module);
  std::set<std::uint64_t> seen;
  module::Kept first, all;
  const std::vector<mlir::OpId>& operations = function.operations();
  for (std::size_t i = 0; i < operations.size(); ++i) {
    bool changes = false, isFirst = false;
    const std::size_t end = module.op(operations[i]).text.end;
    for (std::size_t k = operations[i].index();
         k < module.ops.size() && module.ops[k].text.begin < end; ++k) {
      if (!effect.fewer.contains(kinds[k])) continue;
      changes = true;
      isFirst |= seen.insert(kinds[k]).second;
    }
    if (changes) all.push_back(i);
    if (isFirst) first.push_back(i);
  }
  return {std::move(first), std::move(all)};
}

class PassTestReducer {
 public:
  PassTestReducer(const lit::PassTest& test, const lit::Settings& settings, CommandRunner& runner,
                  const RunContext& context)
      : test_(test), settings_(settings), work_(runner), context_(context) {}

  Result<ReducedPassTest> write() {
    FXS_TRY(const std::string input, outputOf(std::string(test_.module), {}));
    FXS_TRY(const std::string output, outputOf(input, test_.pipeline));
    if (input.empty() || output.empty()) return unreduced("the pipeline fails");
    wanted_ = effectOf(input, output);
    if (wanted_.isEmpty())
      return unreduced("the pipeline changes no operation that is known by itself");
    ModuleGoal goal;
    goal.test = [this](const std::vector<std::string>& modules) { return haveEffect(modules); };
    goal.guess = [this](const mlir::Module& module, const module::FunctionParts& function) {
      return changedItems(module, function, wanted_);
    };
    FXS_TRY(const std::string reduced,
            reduceModule(input, goal, TimeLimit(kMaxReducingTime, work_), context_));
    const std::size_t before = operationsIn(input), after = operationsIn(reduced);
    if (after == before) return unreduced("no operation can be left out");
    const auto text =
        lit::writePassTest({reduced, test_.program, test_.pipeline}, settings_, work_, context_);
    if (!text && endsAll(text.error())) return tl::unexpected<Error>(text.error());
    if (!text) return unreduced(text.error().message);
    return ReducedPassTest{*text, fmt::format("reduced from {} operations to {}", before, after)};
  }

 private:
  Result<std::string> outputOf(const std::string& module, const std::string& pipeline) {
    FXS_TRY(std::vector<std::string> out,
            lit::outputsOf(test_.program, pipeline, {module}, settings_, work_, context_));
    return std::move(out.front());
  }

  Result<std::vector<bool>> haveEffect(const std::vector<std::string>& modules) {
    context_.report({"reducing the test", -1});
    RunContext quiet;
    quiet.stop = context_.stop;
    FXS_TRY(const std::vector<std::string> outputs,
            lit::outputsOf(test_.program, test_.pipeline, modules, settings_, work_, quiet));
    std::vector<bool> out;
    for (std::size_t i = 0; i < modules.size(); ++i)
      out.push_back(outputs[i].find_first_not_of('\n') != std::string::npos &&
                    effectOf(modules[i], outputs[i]).has(wanted_));
    return out;
  }

  Result<ReducedPassTest> unreduced(const std::string& reason) {
    FXS_TRY(std::string text, lit::writePassTest(test_, settings_, work_, context_));
    return ReducedPassTest{std::move(text), "not reduced: " + reason};
  }

  /// Without modules, functions and their returns.
  static std::size_t operationsIn(const std::string& text) {
    const mlir::Module module(text);
    const std::vector<std::uint64_t> kinds = kindsIn(module);
    std::size_t out = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (kinds[i] != 0 && module.nameOf(mlir::OpId::of(i)) != "builtin.module") ++out;
    return out;
  }

  const lit::PassTest& test_;
  const lit::Settings& settings_;
  WorkTime work_;
  const RunContext& context_;
  Effect wanted_;
};

}  // namespace

Result<ReducedPassTest> writeReducedPassTest(const lit::PassTest& test,
                                             const lit::Settings& settings, CommandRunner& runner,
                                             const RunContext& context) {
  return PassTestReducer(test, settings, runner, context).write();
}

}  // namespace fxs::diagnose
