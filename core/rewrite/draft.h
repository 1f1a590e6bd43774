// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A program under construction: nodes are appended to graphs in order and may become dead later. A
// step reads its source program and writes a draft, which is the source of the next step. finish()
// removes nodes that the rewrite left without users and returns a verified Program.
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::rewrite {

class Draft {
 public:
  /// Copies everything but graphs and nodes from `source`; starts with an empty main graph. Added
  /// nodes are spent from the context's budget. The context must outlive the draft.
  Draft(const fx::Program& source, const RunContext&);

  fx::GraphId main() const { return fx::GraphId::of(0); }
  /// Adds a graph without a parent; reserves the names of `like` for the nodes that will be copied
  /// from it.
  fx::GraphId addGraph(const fx::Program& source, const fx::Graph& like);
  /// Appends a node; a name that is taken gets a suffix _1, _2 ..
  fx::NodeId append(fx::GraphId, fx::Node node);
  /// Appends a node that is not in the source; its name also differs from those in the source's
  /// graph.
  fx::NodeId appendNew(fx::GraphId, fx::Node node);

  const fx::Node& node(fx::NodeId id) const { return program_.nodes[id.index()]; }
  fx::Node& node(fx::NodeId id) { return program_.nodes[id.index()]; }
  fx::Program& program() { return program_; }
  const fx::Program& program() const { return program_; }

 private:
  struct Names {
    std::unordered_set<std::string> used;
    std::unordered_set<std::string> reserved;
    std::unordered_map<std::string, std::uint32_t> suffixes;  ///< the last one tried, by name
    std::string take(const std::string& wanted, bool isNew);
  };
  fx::NodeId place(fx::GraphId, fx::Node node);
  const RunContext& context_;
  fx::Program program_;
  std::vector<Names> names_;
};

/// Which calls without users are removed, unless they have effects.
enum class Unused : std::uint8_t {
  New,  ///< those that had users in the user's program
  All   ///< as run_decompositions() does, which also computes each symbolic size once
};
/// Renumbers nodes (main first, subgraphs depth first), removes unused ones, and sets `original`.
Result<fx::ProgramPtr> finish(fx::Program draft, fx::ProgramPtr user, const RunContext&,
                              Unused = Unused::New);

/// Whether a call may have side effects, so that it is kept even without users: it mutates,
/// asserts, draws random numbers, is a higher-order op, or is not in the schema table.
bool hasEffect(const fx::Node&);

}  // namespace fxs::rewrite
