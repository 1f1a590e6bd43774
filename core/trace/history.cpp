#include "trace/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "mlir/text/op_text_writer.h"

namespace fxs::trace {
namespace {

/// An operation as compared by a history: its name, and its text without value names and with aliases expanded.
struct Seen {
  mlir::OpId op;
  std::string_view name;
  std::string text;
};

std::vector<Seen> opsOf(const OpenText& snapshot, fx::NodeId node) {
  std::vector<Seen> out;
  const mlir::ExpandedAliases aliases(*snapshot.module);
  for (std::size_t i = 0; i < snapshot.origins->size(); ++i) {
    const OpOrigin origin = snapshot.origins->of(mlir::OpId::of(i));
    // Operations that a node only uses, such as a shared constant, are not part of its history.
    if (origin.link == Link::None || origin.link == Link::Users) continue;
    if (std::find(origin.nodes.begin(), origin.nodes.end(), node) == origin.nodes.end()) continue;
    const mlir::OpId id = mlir::OpId::of(i);
    Seen& seen = out.emplace_back(Seen{id, snapshot.module->nameOf(id), {}});
    mlir::OpTextWriter(*snapshot.module, aliases, id, mlir::NoNames{}, seen.text);
  }
  return out;
}

/// "linalg.generic x4" for each name that is more frequent in `of`.
std::vector<std::string> surplus(const std::vector<Seen>& of, const std::vector<Seen>& over) {
  std::map<std::string_view, int> count;
  std::vector<std::string_view> order;
  for (const Seen& op : of)
    if (++count[op.name] == 1) order.push_back(op.name);
  for (const Seen& op : over) --count[op.name];
  std::vector<std::string> out;
  for (const std::string_view name : order)
    if (const int more = count[name]; more > 0) out.push_back(more == 1 ? std::string(name) : fmt::format("{} x{}", name, more));
  return out;
}

/// Number of operations in `after` whose text is not in `before`, without those that are new by name.
std::size_t changedTexts(const std::vector<Seen>& before, const std::vector<Seen>& after) {
  std::map<std::pair<std::string_view, std::string_view>, int> texts;
  std::map<std::string_view, int> names;
  for (const Seen& op : before) {
    ++texts[{op.name, op.text}];
    ++names[op.name];
  }
  std::map<std::string_view, int> unmatched;
  for (const Seen& op : after) {
    if (int& left = texts[{op.name, op.text}]; left > 0) {
      --left;
      --names[op.name];
    } else {
      ++unmatched[op.name];
    }
  }
  std::size_t out = 0;
  for (const auto& [name, count] : unmatched) out += static_cast<std::size_t>(std::min(count, names[name]));
  return out;
}

std::string listed(const std::vector<std::string>& items) {
  constexpr std::size_t kShown = 6;
  std::string out;
  for (std::size_t i = 0; i < std::min(items.size(), kShown); ++i) out += (i == 0 ? "" : ", ") + items[i];
  if (items.size() > kShown) out += fmt::format(" and {} more", items.size() - kShown);
  return out;
}

}  // namespace

std::string HistoryEntry::what() const {
  std::string out;
  if (pass < 0) return "imported as " + listed(made);
  if (!gone.empty() && !made.empty()) out = listed(gone) + " became " + listed(made);
  else if (!gone.empty()) out = listed(gone) + (after.empty() ? " was removed: nothing is left" : " disappeared");
  else if (!made.empty()) out = listed(made) + " appeared";
  if (changed > 0)
    out += fmt::format("{}{} changed", out.empty() ? "" : "; ", changed == 1 ? "1 operation" : fmt::format("{} operations", changed));
  return out;
}

Result<std::vector<HistoryEntry>> historyOf(const Trace& trace, fx::NodeId node) {
  std::vector<HistoryEntry> out;
  std::vector<Seen> before;
  std::shared_ptr<const OpenText> held;  // owns the names and texts of `before`
  for (std::size_t i = 0; i < trace.passes().snapshots.size(); ++i) {
    if (trace.passes().snapshots[i].failure) continue;  // the failed pass is rolled back
    FXS_TRY(auto snapshot, trace.open(i));
    std::vector<Seen> after = opsOf(*snapshot, node);
    HistoryEntry entry;
    entry.pass = trace.passes().snapshots[i].pass;
    entry.snapshot = static_cast<int>(i);
    entry.gone = surplus(before, after);
    entry.made = surplus(after, before);
    entry.changed = changedTexts(before, after);
    if (!entry.gone.empty() || !entry.made.empty() || entry.changed > 0) {
      for (const Seen& op : before) entry.before.push_back(op.op);
      for (const Seen& op : after) entry.after.push_back(op.op);
      out.push_back(std::move(entry));
    }
    before = std::move(after);
    held = std::move(snapshot);
  }
  return out;
}

}  // namespace fxs::trace
