#pragma once
// A program under construction: nodes are appended to graphs in order and may later turn out dead. The source program of
// a step is read-only; the draft is its result, and becomes the next step's source. finish() removes what the
// rewrite left without users and returns an ordinary verified Program.
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
  /// Everything of `source` but its graphs and nodes; has an empty main graph. Every node is spent from the context's budget; the
  /// context outlives the draft.
  Draft(const fx::Program& source, const RunContext&);

  fx::GraphId main() const { return fx::GraphId::of(0); }
  /// A graph without a parent yet; `names` are kept for the nodes that will be copied from that graph of the source.
  fx::GraphId addGraph(const fx::Program& source, const fx::Graph& like);
  /// Appends a node; its name is kept when free, else _1, _2 .. is added.
  fx::NodeId append(fx::GraphId, fx::Node node);
  /// Appends a node that the source does not have: its name also avoids the names of the source's graph.
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

/// Renumbers (main first, subgraphs depth first), drops nodes that had users in `user` and have none any more, sets `original`.
Result<fx::ProgramPtr> finish(fx::Program draft, fx::ProgramPtr user, const RunContext&);

/// True for a call with side effects, which must not be removed even without users: it writes, asserts, draws random numbers,
/// is of higher order, or is not known to PyTorch.
bool hasEffect(const fx::Node&);

}  // namespace fxs::rewrite
