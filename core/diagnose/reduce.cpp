// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "diagnose/minimize.h"
#include "diagnose/remove_operations.h"
#include "diagnose/replace_with_inputs.h"
#include "diagnose/smaller_sizes.h"
#include "diagnose/static_sizes.h"
#include "fx/cut.h"

namespace fxs::diagnose {
namespace {

using fx::Node;
using fx::NodeId;
using fx::NodeOp;
using fx::ProgramPtr;

/// Operations per call of the probe: many enough to amortize the start of an engine, few enough for
/// a quick result.
constexpr std::size_t kOperationsPerBatch = 5000;
/// Largest neighbourhood of the failing operation to test before the whole program is reduced.
constexpr std::size_t kFarthest = 16;
/// Bypassing an operation may make others removable, and the reverse.
constexpr int kMaxRounds = 4;

bool isPart(const Node& node) { return node.target == fx::kGetitem; }
bool isOperation(const Node& node) { return node.op == NodeOp::CallFunction && !isPart(node); }

std::vector<NodeId> operationsIn(const fx::Program& program) {
  std::vector<NodeId> out;
  for (const NodeId id : program.main().nodes)
    if (isOperation(program.node(id))) out.push_back(id);
  return out;
}

/// Producers and users of each operation, by position in operationsIn(); getitems belong to their
/// operation.
struct Neighbours {
  std::vector<std::vector<std::size_t>> of;
  explicit Neighbours(const fx::Program& program, const std::vector<NodeId>& operations)
      : of(operations.size()) {
    constexpr auto kNone = static_cast<std::size_t>(-1);
    std::vector<std::size_t> position(program.nodes.size(), kNone);
    for (std::size_t i = 0; i < operations.size(); ++i) position[operations[i].index()] = i;
    for (const NodeId id : program.main().nodes) {
      const Node& node = program.node(id);
      if (node.op != NodeOp::CallFunction) continue;
      for (const fx::NodeArgument& argument : node.args)
        fx::forEachNode(argument.value, [&](NodeId used) {
          const std::size_t from = position[used.index()];
          if (from == kNone) return;
          if (isPart(node)) {
            position[id.index()] = from;
          } else {
            of[from].push_back(position[id.index()]);
            of[position[id.index()]].push_back(from);
          }
        });
    }
  }
  /// Everything at most `distance` steps from `centre`, ascending.
  Subset around(std::size_t centre, std::size_t distance) const {
    std::set<std::size_t> seen{centre};
    std::vector<std::size_t> edge{centre};
    for (; distance > 0 && !edge.empty(); --distance) {
      std::vector<std::size_t> next;
      for (const std::size_t at : edge)
        for (const std::size_t other : of[at])
          if (seen.insert(other).second) next.push_back(other);
      edge = std::move(next);
    }
    return {seen.begin(), seen.end()};
  }
};

class Reducer {
 public:
  Reducer(ProgramPtr program, const FailureSignature& wanted, const Probe& probe,
          const ReductionOptions& options, const RunContext& context)
      : original_(std::move(program)),
        wanted_(wanted),
        probe_(probe),
        options_(options),
        context_(context),
        originalCalls_(operationsOf(*original_)) {}

  Result<Reduction> run() {
    FXS_CHECK(start());
    if (best_ == nullptr) {
      if (context_.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
      if (stopped_)
        return fail(
            ErrorCode::Timeout,
            "whether it can be reduced is not known: the time limit was reached; raise --timeout");
      return fail(ErrorCode::InvalidInput,
                  "the program does not fail in the expected way: " + text(wanted_));
    }
    // First bypass operations, which keeps the data flow; cut it afterwards, when few operations
    // are left.
    FXS_TRY([[maybe_unused]] const bool shorter, takeAway(Removal::Bypass));
    bool less = true;
    for (int round = 0; round < kMaxRounds && less; ++round) {
      FXS_TRY(less, takeAway(round % 2 == 0 ? Removal::Replace : Removal::Bypass));
    }
    FXS_CHECK(returnLess());
    // Nothing significant was removed: keep the original instead of a copy.
    const bool same = operationsOf(*best_) == originalCalls_ &&
                      best_->inputs.size() == original_->inputs.size() &&
                      best_->outputs.size() == original_->outputs.size();
    if (same) best_ = original_;
    else FXS_CHECK(shrinkSizes());
    return Reduction{best_, operationsOf(*best_), originalCalls_, tried_, !stopped_};
  }

 private:
  using Answer = std::optional<std::vector<bool>>;

  bool timeIsUp() const { return context_.stop.stop_requested() || options_.budget.isReached(); }

  /// Whether PyTorch exports a program with such inputs: tensors and integers. A number that is
  /// known only at run time is another one as an input, or as a size of one: conditions on it
  /// become guards.
  bool isExportable(const fx::Program& candidate) const {
    if (&candidate == original_.get()) return true;
    const bool asserts =
        std::any_of(candidate.nodes.begin(), candidate.nodes.end(),
                    [](const Node& node) { return node.target == fx::kAssertScalar; });
    return std::none_of(
        candidate.inputs.begin(), candidate.inputs.end(), [&](const fx::InputSpec& input) {
          const fx::Value& value = candidate.node(input.node).val;
          if (const fx::TensorMeta* meta = value.tensor())
            return asserts &&
                   std::any_of(meta->sizes.begin(), meta->sizes.end(), [](const fx::SymInt& size) {
                     return !size.isStatic() && isOfRunTime(*size.expr());
                   });
          const fx::SymValue* symbol = value.symbol();
          return symbol != nullptr && symbol->expr != nullptr &&
                 (symbol->kind != fx::SymKind::Int || isOfRunTime(*symbol->expr));
        });
  }

  /// A null candidate, which could not be made, counts as not failing, and so does one that PyTorch
  /// does not export.
  Result<Answer> ask(std::vector<ProgramPtr> candidates) {
    if (timeIsUp()) {
      stopped_ = true;
      return Answer();
    }
    std::vector<ProgramPtr> made;
    for (ProgramPtr& candidate : candidates) {
      if (candidate && !isExportable(*candidate)) candidate.reset();
      if (candidate) made.push_back(candidate);
    }
    tried_ += made.size();
    auto failures = probe_(made, context_);
    if (!failures && failures.error().code == ErrorCode::Cancelled) {
      stopped_ = true;
      return Answer();
    }
    if (!failures) return tl::unexpected<Error>(failures.error());
    std::vector<bool> out;
    std::size_t next = 0;
    for (const ProgramPtr& candidate : candidates)
      out.push_back(candidate != nullptr && failsAsWanted((*failures)[next++]));
    return Answer(std::move(out));
  }

  bool failsAsWanted(const std::vector<Failure>& failures) {
    for (const Failure& failure : failures) {
      if (failure.signature != wanted_) continue;
      if (!position_.valid()) position_ = failure.node;
      return true;
    }
    return false;
  }

  void take(ProgramPtr program) {
    best_ = std::move(program);
    context_.report(
        {fmt::format("reducing: {} of {} operations left", operationsOf(*best_), originalCalls_),
         -1});
  }

  /// Calls that originate from the failing node of the user's program.
  std::vector<NodeId> callsAt(NodeId position) const {
    std::vector<NodeId> out;
    if (!position.valid()) return out;
    for (const NodeId id : fx::nodesFrom(*original_, position))
      if (id.index() < original_->nodes.size() && isOperation(original_->node(id)))
        out.push_back(id);
    return out;
  }

  /// The smallest failing one of: the failing operation with growing neighbourhoods, and the whole
  /// program.
  Result<> start() {
    context_.report({fmt::format("reducing a program of {} operations", originalCalls_), -1});
    if (!options_.node.valid()) {
      FXS_TRY(const Answer answer, ask({original_}));
      if (!answer || !(*answer)[0]) return {};
      take(original_);
    }
    const std::vector<NodeId> calls = callsAt(options_.node.valid() ? options_.node : position_);
    std::vector<ProgramPtr> candidates;
    if (!calls.empty()) {
      candidates.push_back(made(fx::cutNodes(original_, calls)));
      const std::vector<NodeId> operations = operationsIn(*original_);
      const Neighbours neighbours(*original_, operations);
      const NodeId centre = mainCallOf(*original_, calls.front(), fx::usersOf(*original_));
      const auto at = std::find(operations.begin(), operations.end(), centre);
      Subset last;
      for (std::size_t distance = 0; at != operations.end() && distance <= kFarthest;
           distance = distance == 0 ? 1 : distance * 2) {
        Subset around =
            neighbours.around(static_cast<std::size_t>(at - operations.begin()), distance);
        if (around.size() > operations.size() / 2 || around == last) break;
        candidates.push_back(withOnly(original_, operations, around, Removal::Replace));
        last = std::move(around);
      }
    }
    if (best_ == nullptr) candidates.push_back(original_);
    FXS_TRY(const Answer answer, ask(candidates));
    if (!answer) return {};
    const auto first = std::find(answer->begin(), answer->end(), true);
    if (first != answer->end()) take(candidates[static_cast<std::size_t>(first - answer->begin())]);
    return {};
  }

  static ProgramPtr made(Result<ProgramPtr> program) {
    return program ? *std::move(program) : nullptr;
  }

  /// The program with only some of its operations.
  static ProgramPtr withOnly(const ProgramPtr& program, const std::vector<NodeId>& operations,
                             const Subset& kept, Removal removal) {
    if (kept.empty()) return nullptr;
    std::set<NodeId> gone(operations.begin(), operations.end());
    for (const std::size_t i : kept) gone.erase(operations[i]);
    return made(removeOperations(program, gone, removal));
  }

  static Subset all(std::size_t count) {
    Subset out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = i;
    return out;
  }

  /// Delta debugging over a list of items; updates best_.
  template <class Make>
  Result<bool> minimizeBy(std::size_t count, const Make& make) {
    ProgramPtr found;
    Subset foundKept;
    const SubsetTest test = [&](const std::vector<Subset>& candidates) -> Result<Answer> {
      std::vector<ProgramPtr> programs;
      for (const Subset& kept : candidates) programs.push_back(make(kept));
      FXS_TRY(Answer answer, ask(programs));
      if (answer)
        for (std::size_t i = 0; i < answer->size(); ++i)
          if ((*answer)[i] && (found == nullptr || candidates[i].size() < foundKept.size())) {
            found = programs[i];
            foundKept = candidates[i];
          }
      return answer;
    };
    const std::size_t cost =
        std::max<std::size_t>(1, operationsOf(*best_) / std::max<std::size_t>(1, count));
    FXS_TRY(const Minimized result,
            minimize(all(count), std::max<std::size_t>(count, kOperationsPerBatch / cost), test));
    // If time ran out, a smaller failing program may have been seen already.
    const bool seen = found != nullptr && foundKept.size() <= result.kept.size();
    const std::size_t left = seen ? foundKept.size() : result.kept.size();
    if (left == count) return false;
    take(seen ? found : make(result.kept));
    return true;
  }

  /// Removes operations if possible; true if any was removed.
  Result<bool> takeAway(Removal removal) {
    const ProgramPtr from = best_;
    const std::vector<NodeId> operations = operationsIn(*from);
    if (stopped_ || operations.size() < 2) return false;
    return minimizeBy(operations.size(), [&](const Subset& kept) {
      return withOnly(from, operations, kept, removal);
    });
  }

  Result<> returnLess() {
    const ProgramPtr from = best_;
    if (stopped_ || from->outputs.size() < 2) return {};
    FXS_TRY([[maybe_unused]] const bool smaller,
            minimizeBy(from->outputs.size(), [&](const Subset& kept) -> ProgramPtr {
              return kept.empty() ? nullptr : made(keepOutputs(from, {kept.begin(), kept.end()}));
            }));
    return {};
  }

  Result<> shrinkSizes() {
    const ProgramPtr from = best_;
    const std::vector<std::int64_t> sizes = sizesThatMayShrink(*from);
    if (stopped_ || sizes.empty()) return {};
    FXS_TRY([[maybe_unused]] const bool smaller, minimizeBy(sizes.size(), [&](const Subset& kept) {
              std::set<std::int64_t> small(sizes.begin(), sizes.end());
              for (const std::size_t i : kept) small.erase(sizes[i]);
              return withSmallSizes(*from, small);
            }));
    return {};
  }

  const ProgramPtr original_;
  const FailureSignature& wanted_;
  const Probe& probe_;
  const ReductionOptions& options_;
  const RunContext& context_;
  const std::size_t originalCalls_;
  ProgramPtr best_;  ///< fails as wanted; null before one was seen
  NodeId position_;  ///< where it fails, as first reported by the probe
  std::size_t tried_ = 0;
  bool stopped_ = false;
};

}  // namespace

std::string text(const FailureSignature& s) {
  std::string out = s.kind;
  if (!s.op.empty()) out += " of " + s.op;
  if (!s.fxTarget.empty()) out += s.op.empty() ? " at " + s.fxTarget : " (" + s.fxTarget + ")";
  out += " in " + s.stage;
  return s.pass.empty() ? out : out + ", pass " + s.pass;
}

std::size_t operationsOf(const fx::Program& program) { return operationsIn(program).size(); }

Result<Reduction> reduceProgram(const ProgramPtr& program, const FailureSignature& wanted,
                                const Probe& probe, const ReductionOptions& options,
                                const RunContext& context) {
  return Reducer(program, wanted, probe, options, context).run();
}

}  // namespace fxs::diagnose
