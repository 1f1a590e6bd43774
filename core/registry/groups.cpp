// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/groups.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "base/joined.h"
#include "base/nearest.h"
#include "fx/module_path.h"
#include "mlir/text/function_types.h"
#include "mlir/text/location_table.h"
#include "mlir/text/module.h"
#include "mlir/text/quoted.h"
#include "mlir/text/text_edits.h"

namespace fxs::registry {
namespace {

using mlir::OpId;
using mlir::ValueId;

bool endsWithIndex(std::string_view path) {
  const std::string_view last = path.substr(path.rfind('.') + 1);
  return !last.empty() && last.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "layers.0" for what is in an element of a list of modules, else the path down to two levels.
std::string moduleOfGroup(const fx::Program& program, const fx::Node& node) {
  const std::vector<fx::ModuleFrame> frames = fx::modulesOf(program, node);
  std::string out;
  for (const fx::ModuleFrame& frame : frames) {
    if (endsWithIndex(frame.path)) return frame.path;
    if (std::count(frame.path.begin(), frame.path.end(), '.') < 2) out = frame.path;
  }
  return out;
}

/// The indices of nodes by their names, ascending.
Result<std::vector<std::size_t>> indicesOf(const std::vector<std::string>& names,
                                           const fx::Program& user) {
  std::vector<std::size_t> out;
  std::vector<std::string_view> known;
  for (const fx::NodeId id : user.main().nodes) known.push_back(user.node(id).name);
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      const std::vector<std::string> close = nearest(name, known, 1);
      return fail(ErrorCode::Usage,
                  "no node '" + name + "' to begin a group at" +
                      (close.empty() ? std::string() : "; did you mean '" + close.front() + "'?"));
    }
    out.push_back(user.main().nodes[static_cast<std::size_t>(found - known.begin())].index());
  }
  std::sort(out.begin(), out.end());
  return out;
}

class Grouper {
 public:
  Grouper(const mlir::Module& module, const mlir::Function& main, const Grouping& grouping,
          std::vector<std::size_t> starts, const fx::Program& user)
      : m_(module),
        main_(main),
        grouping_(grouping),
        starts_(std::move(starts)),
        user_(user),
        ops_(m_.opsOf(m_.blocksOf(m_.regionsOf(main.op).front()).back())) {
    ops_ = ops_.first(ops_.size() - 1);  // without the return
  }

  GroupedModule run() {
    divide();
    for (Run& run : runs_) collect(run);
    for (std::size_t i = 0; i < runs_.size(); ++i) write(i);
    out_.arguments = valuesInMain(main_.argumentValues);
    out_.results = valuesInMain(main_.resultValues);
    out_.isOnlyCalls = isOnlyCalls();
    out_.text = wholeText();
    return std::move(out_);
  }

 private:
  /// A group: the operations [begin, end) of main.
  struct Run {
    std::size_t begin = 0, end = 0;
    std::optional<std::string> key;  ///< nullopt: they stay in main
    std::vector<ValueId> arguments, results;
  };

  std::optional<fx::NodeId> nodeOf(const mlir::Op& op) const {
    const std::vector<fx::NodeId> nodes = locations_.nodes(op.location.of(m_.text));
    if (nodes.empty() || nodes.front().index() >= user_.nodes.size()) return std::nullopt;
    return nodes.front();
  }

  /// What operations of one group have in common; nullopt for those that belong to no node that
  /// computes something: inputs, weights and the output.
  std::optional<std::string> keyOf(const mlir::Op& op) const {
    const auto id = nodeOf(op);
    if (!id) return std::nullopt;
    const fx::Node& node = user_.node(*id);
    if (node.op == fx::NodeOp::Placeholder || node.op == fx::NodeOp::Output) return std::nullopt;
    switch (grouping_.by) {
      case GroupBy::None:
      case GroupBy::All: return std::string();
      case GroupBy::Module: return moduleOfGroup(user_, node);
      case GroupBy::Node: return std::to_string(id->index());
      case GroupBy::From: break;
    }
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), id->index());
    return std::to_string(after - starts_.begin());
  }

  bool isOfInputs(std::size_t op) const {
    return runs_.empty() && m_.op(ops_[op]).operands.size() > 0;
  }

  /// Constants belong to the first group after them; what cuts up packed arguments stays in main,
  /// and so does what comes after the last group.
  void divide() {
    std::size_t waiting = 0;  // where those begin that belong to what follows
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      const auto key = keyOf(m_.op(ops_[i]));
      if (!key && isOfInputs(i) && waiting == i) {
        head_ = waiting = i + 1;
        continue;
      }
      if (!key) continue;
      if (runs_.empty() || runs_.back().key != key) runs_.push_back({waiting, i + 1, key, {}, {}});
      else runs_.back().end = i + 1;
      waiting = i + 1;
    }
    tail_ = runs_.empty() ? head_ : runs_.back().end;
  }

  TextRange rangeOf(const Run& run) const {
    return {m_.op(ops_[run.begin]).text.begin, m_.op(ops_[run.end - 1]).text.end};
  }

  /// Those of operations and of what is in their regions; the text order is theirs.
  std::span<const mlir::Operand> operandsIn(TextRange range) const {
    const auto at = [&](std::size_t offset) {
      return std::lower_bound(
          m_.operands.begin(), m_.operands.end(), offset,
          [](const mlir::Operand& operand, std::size_t o) { return operand.text.begin < o; });
    };
    return {at(range.begin), at(range.end)};
  }

  static bool isWithin(TextRange part, TextRange range) {
    return part.begin >= range.begin && part.end <= range.end;
  }

  void collect(Run& run) {
    const TextRange range = rangeOf(run);
    std::set<ValueId> seen;
    for (const mlir::Operand& operand : operandsIn(range))
      if (operand.value.valid() && !isWithin(m_.value(operand.value).name, range) &&
          seen.insert(operand.value).second)
        run.arguments.push_back(operand.value);
    for (std::size_t i = run.begin; i < run.end; ++i) {
      const mlir::IndexRange results = m_.op(ops_[i]).results;
      for (std::uint32_t n = results.begin; n < results.end; ++n) {
        const auto uses = m_.usesOf(ValueId(n));
        if (std::any_of(uses.begin(), uses.end(), [&](mlir::OperandId use) {
              return !isWithin(m_.operands[use.index()].text, range);
            }))
          run.results.push_back(ValueId(n));
      }
    }
  }

  /// A value in main: one of several results of an operation in a group is a result of the call.
  std::string nameInMain(ValueId id) const {
    const mlir::Value& value = m_.value(id);
    const std::string_view name = value.name.of(m_.text);
    const bool isOfMain = runs_.empty() ||
                          name.begin() < rangeOf(runs_.front()).of(m_.text).begin() ||
                          name.begin() >= rangeOf(runs_.back()).of(m_.text).end();
    if (isOfMain || m_.op(value.op).results.size() == 1) return nameWithin(id);
    return "%r" + std::string(name.substr(1)) + "_" + std::to_string(value.index);
  }
  std::string nameWithin(ValueId id) const {
    const mlir::Value& value = m_.value(id);
    std::string out(value.name.of(m_.text));
    if (value.kind == mlir::ValueKind::Result && m_.op(value.op).results.size() > 1)
      out += "#" + std::to_string(value.index);
    return out;
  }

  std::string typeOf(ValueId id) const { return std::string(m_.typeOf(id).of(m_.text)); }
  std::vector<std::string> typesOf(const std::vector<ValueId>& values) const {
    std::vector<std::string> out;
    for (const ValueId value : values) out.push_back(typeOf(value));
    return out;
  }

  /// A part of main, in which the values of other parts have their names in main.
  std::string renamedIn(TextRange range) const {
    mlir::TextEdits edits;
    for (const mlir::Operand& operand : operandsIn(range))
      if (operand.value.valid() && !isWithin(m_.value(operand.value).name, range))
        edits.replace(operand.text.begin - range.begin, operand.text.end - range.begin,
                      nameInMain(operand.value));
    return edits.applied(range.of(m_.text));
  }
  /// The operations [begin, end).
  std::string linesOf(std::size_t begin, std::size_t end) const {
    if (begin == end) return {};
    return "    " + renamedIn({m_.op(ops_[begin]).text.begin, m_.op(ops_[end - 1]).text.end}) +
           "\n";
  }

  /// Its first operation that is not a constant of what follows.
  std::size_t firstOfNode(const Run& run) const {
    std::size_t out = run.begin;
    while (!keyOf(m_.op(ops_[out]))) ++out;
    return out;
  }
  std::string locationOf(std::size_t op) const {
    const TextRange location = m_.op(ops_[op]).location;
    return location.empty() ? std::string() : " loc(" + std::string(location.of(m_.text)) + ")";
  }

  static std::string resultList(const std::vector<std::string>& types) {
    return types.size() == 1 ? types.front() : "(" + joined(types, ", ") + ")";
  }

  void write(std::size_t index) {
    const Run& run = runs_[index];
    Group group;
    group.function = "subgraph" + std::to_string(index);
    if (grouping_.by == GroupBy::Module) group.module = *run.key;
    const std::size_t first = firstOfNode(run);
    group.first = *nodeOf(m_.op(ops_[first]));
    group.ops = run.end - run.begin;
    group.arguments = valuesInMain(run.arguments);
    group.results = valuesInMain(run.results);
    const std::string location = locationOf(first);
    std::vector<std::string> arguments, returned;
    for (const GroupValue& value : group.arguments)
      arguments.push_back(value.name + ": " + value.type + location);
    for (const ValueId value : run.results) returned.push_back(nameWithin(value));
    const std::vector<std::string> from = typesOf(run.arguments), to = typesOf(run.results);
    group.text = "  \"func.func\"() <{function_type = (" + joined(from, ", ") + ") -> " +
                 resultList(to) + ", sym_name = " + mlir::quoted(group.function) +
                 ", sym_visibility = \"private\"}> ({\n  ^bb0(" + joined(arguments, ", ") + "):\n" +
                 linesOf(run.begin, run.end) + "    \"func.return\"(" + joined(returned, ", ") +
                 ") : (" + joined(to, ", ") + ") -> ()" + location + "\n  }) : () -> ()" +
                 location + "\n";
    out_.groups.push_back(std::move(group));
  }

  std::string callOf(std::size_t index) const {
    const Group& group = out_.groups[index];
    std::vector<std::string> names, operands;
    for (const GroupValue& value : group.results) names.push_back(value.name);
    for (const GroupValue& value : group.arguments) operands.push_back(value.name);
    const std::string types = resultList(typesOf(runs_[index].results));
    return "    " + (names.empty() ? std::string() : joined(names, ", ") + " = ") +
           "\"func.call\"(" + joined(operands, ", ") + ") <{callee = @" + group.function +
           "}> : (" + joined(typesOf(runs_[index].arguments), ", ") + ") -> " + types +
           locationOf(firstOfNode(runs_[index])) + "\n";
  }

  /// What is in main besides the groups defines nothing of its own.
  bool isOnlyCalls() const {
    if (tail_ != ops_.size()) return false;
    return std::all_of(ops_.begin(), ops_.begin() + static_cast<std::ptrdiff_t>(head_),
                       [&](OpId op) { return m_.nameOf(op).starts_with("tensor."); });
  }

  std::vector<GroupValue> valuesInMain(std::span<const ValueId> values) const {
    std::vector<GroupValue> out;
    for (const ValueId value : values) out.push_back({nameInMain(value), typeOf(value)});
    return out;
  }

  std::string wholeText() const {
    if (runs_.empty()) return std::string(m_.text);
    const std::size_t body = m_.text.rfind('\n', m_.op(ops_.front()).text.begin) + 1;
    const std::size_t function = m_.text.rfind('\n', m_.op(main_.op).text.begin) + 1;
    const OpId last = m_.opsOf(m_.blocksOf(m_.regionsOf(main_.op).front()).back()).back();
    const TextRange returned = m_.op(last).text;
    std::string functions, calls;
    for (std::size_t i = 0; i < out_.groups.size(); ++i) {
      functions += out_.groups[i].text;
      calls += callOf(i);
    }
    return std::string(m_.text.substr(0, function)) + functions +
           std::string(m_.text.substr(function, body - function)) + linesOf(0, head_) + calls +
           linesOf(tail_, ops_.size()) + "    " + renamedIn(returned) +
           std::string(m_.text.substr(returned.end));
  }

  const mlir::Module& m_;
  const mlir::Function& main_;
  const Grouping& grouping_;
  const std::vector<std::size_t> starts_;
  const fx::Program& user_;
  const mlir::LocationTable locations_{m_};
  std::span<const OpId> ops_;  // of main, without the return
  std::vector<Run> runs_;
  std::size_t head_ = 0, tail_ = 0;  // those before and from these stay in main
  GroupedModule out_;
};

}  // namespace

std::string_view name(GroupBy by) {
  switch (by) {
    case GroupBy::None: return "none";
    case GroupBy::All: return "all";
    case GroupBy::Module: return "module";
    case GroupBy::Node: return "node";
    case GroupBy::From: return "from";
  }
  return "";
}

Result<GroupedModule> grouped(std::string_view text, std::string_view function,
                              const Grouping& grouping, const fx::Program& user) {
  FXS_TRY(std::vector<std::size_t> starts, indicesOf(grouping.from, user));
  const mlir::Module module(text);
  const auto main = mlir::functionIn(module, function);
  if (!main) return GroupedModule{std::string(text), {}, {}, {}, false};
  return Grouper(module, *main, grouping, std::move(starts), user).run();
}

}  // namespace fxs::registry
