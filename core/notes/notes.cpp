// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "notes/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/counted.h"
#include "base/joined.h"
#include "base/sha256.h"
#include "fx/text.h"

namespace fxs::notes {
namespace {

std::string pathOf(const fx::Program& program, fx::GraphId graph) {
  std::vector<std::string> names;
  for (fx::NodeId parent = program.graph(graph).parent; parent.valid();
       parent = program.graph(program.node(parent).graph).parent)
    names.insert(names.begin(), program.node(parent).name);
  return joined(names, ".");
}

bool isSameText(const Note* a, const Note* b) {
  return a == nullptr || b == nullptr ? a == b : a->text == b->text;
}

std::string bothTexts(const std::string& first, const std::string& second) {
  if (first.empty() || first == second) return second;
  return second.empty() ? first : first + '\n' + second;
}

}  // namespace

NodeName nameOf(const fx::Program& program, fx::NodeId node) {
  return {pathOf(program, program.node(node).graph), program.node(node).name};
}

std::string fullName(const NodeName& name) {
  return name.graph.empty() ? name.node : name.graph + '.' + name.node;
}

std::string versionOf(const fx::Program& program) { return sha256(fx::dump(program)); }

std::string_view title(State state) {
  switch (state) {
    case State::Same: return "";
    case State::OtherVersion: return "of another version";
    case State::OtherTarget: return "was another operation";
    case State::Gone: return "not in this program";
  }
  return "";
}

std::vector<Placed> placed(const Notes& notes, const fx::Program& program,
                           std::string_view version) {
  std::vector<Placed> out;
  if (notes.empty()) return out;
  std::vector<std::string> paths;
  for (const fx::Graph& graph : program.graphs) paths.push_back(pathOf(program, graph.id));
  for (const fx::Node& node : program.nodes) {
    const auto at = notes.find({paths[node.graph.index()], node.name});
    if (at == notes.end()) continue;
    State state = at->second.program != version ? State::OtherVersion : State::Same;
    if (at->second.target != node.target) state = State::OtherTarget;
    out.push_back({at->first, at->second, node.id, state});
  }
  std::set<NodeName> found;
  for (const Placed& each : out) found.insert(each.name);
  for (const auto& [name, note] : notes)
    if (!found.contains(name)) out.push_back({name, note, {}, State::Gone});
  return out;
}

std::string summary(const std::vector<Placed>& notes) {
  const auto count = [&](auto is) {
    return static_cast<std::size_t>(std::count_if(notes.begin(), notes.end(), is));
  };
  const std::size_t bookmarks = count([](const Placed& each) { return each.note.text.empty(); });
  std::vector<std::string> kinds;
  if (bookmarks < notes.size()) kinds.push_back(counted(notes.size() - bookmarks, "note"));
  if (bookmarks > 0) kinds.push_back(counted(bookmarks, "bookmark"));
  if (kinds.empty()) return "no notes";
  std::string out = joined(kinds, " and ");
  for (const State state : {State::OtherVersion, State::OtherTarget, State::Gone})
    if (const std::size_t there = count([&](const Placed& each) { return each.state == state; }))
      out += fmt::format(", {} {}", there == notes.size() ? "all" : std::to_string(there),
                         title(state));
  return out;
}

void apply(const Change& change, Notes& notes) {
  const auto at = notes.find(change.name);
  const Note* now = at == notes.end() ? nullptr : &at->second;
  const bool isAsBefore = isSameText(now, change.before ? &*change.before : nullptr);
  if (!change.after) {
    if (now != nullptr && isAsBefore) notes.erase(at);
    return;
  }
  Note next = *change.after;
  if (now != nullptr && !isAsBefore) next.text = bothTexts(now->text, next.text);
  notes[change.name] = std::move(next);
}

}  // namespace fxs::notes
