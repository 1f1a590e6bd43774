// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One rewrite step: reads a source program node by node, writes a draft, and maps source nodes to
// their new values. A step copies nodes that stay and emits replacements for others; emitted nodes
// have the current node as their origin.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fx/evaluated_text.h"
#include "fx/finding.h"
#include "rewrite/draft.h"
#include "rewrite/rewrite.h"

namespace fxs::rewrite {

struct Rule;

/// The applied rewrites and the findings of all steps.
struct Report {
  std::vector<Applied> applied;
  /// The decompositions among them. Those of calls that a rule makes come before it.
  std::vector<const Rule*> rules = {};
  std::vector<fx::Finding> findings;
  std::set<std::pair<fx::NodeId, std::string>>
      said;  ///< nodes and messages of the findings, which are reported once
};

class Transcription {
 public:
  Transcription(const fx::Program& source, Report& report, const RunContext& run);

  const fx::Program& source() const { return source_; }
  /// For loops whose length the current node determines; the error names the node. Throws
  /// Abandoned.
  void spend(Resource resource, std::uint64_t amount) const {
    run_.spend(resource, amount, called());
  }
  /// Throws Abandoned if the budget does not allow `count` more nodes. They are spent when they are
  /// added.
  void expectNodes(std::uint64_t count) const {
    if (count > run_.budget->left(Resource::Nodes)) spend(Resource::Nodes, count);
  }
  Draft& draft() { return draft_; }

  /// Sets the current node of the source, from which emitted nodes get origin and metadata, and the
  /// graph to write to.
  void at(const fx::Node& node, fx::GraphId writing) {
    current_ = &node;
    writing_ = writing;
  }
  const fx::Node& current() const { return *current_; }
  fx::GraphId writing() const { return writing_; }

  /// The new value of a source node. A tuple whose elements were replaced one by one is a list.
  const fx::Argument& value(fx::NodeId source) const { return values_[source.index()]; }
  void setValue(fx::NodeId source, fx::Argument value) {
    values_[source.index()] = std::move(value);
  }
  fx::Argument mapped(const fx::Argument&) const;
  std::vector<fx::NodeArgument> mapped(const std::vector<fx::NodeArgument>&) const;

  /// Copies the current node with mapped arguments, and makes the copy its value.
  fx::NodeId copy();
  fx::NodeId copyWith(std::vector<fx::NodeArgument> args);
  /// Replaces the current node by another call with its name.
  fx::NodeId copyAs(std::string_view target, std::vector<fx::NodeArgument> args, fx::Value val);
  /// If the current node is a getitem of a tuple that became a list, makes that element its value
  /// and returns true.
  bool takePart();
  /// Emits a call named after its operator.
  fx::NodeId emit(std::string_view target, std::vector<fx::NodeArgument> args, fx::Value val);
  fx::NodeId emitGetitem(fx::NodeId of, std::size_t index, fx::Value val);
  /// The size of a nonnegative dimension: a constant if it is static in `meta`, else a sym_size
  /// node.
  fx::Argument size(const fx::Argument& tensor, const fx::TensorMeta& meta, std::size_t dim);
  const fx::TensorMeta* tensor(const fx::Argument&) const;

  void applied(std::string rule);
  void applied(const Rule&);
  /// How many decompositions have been applied, and the way back to as many.
  std::size_t decompositions() const { return report_.rules.size(); }
  void keepDecompositions(std::size_t count);
  void finding(std::string kind, std::string message);
  void findingAt(const fx::Node& node, std::string kind, std::string message);

  /// The draft with input and output specs; call it after all graphs were written.
  fx::Program take() &&;

 private:
  std::string called() const {
    return current_ == nullptr ? std::string("the graph") : "node '" + current_->name + "'";
  }

  const fx::Program& source_;
  Report& report_;
  const RunContext& run_;
  Draft draft_;
  std::vector<fx::Argument> values_;
  std::map<std::pair<fx::NodeId, std::size_t>, fx::NodeId> sizes_;
  const fx::Node* current_ = nullptr;
  fx::GraphId writing_;
};

/// A node's argument by schema name; null if it was not passed.
const fx::Argument* given(const fx::Node&, std::string_view name);
/// A node's argument by schema name, else the schema's default, else None.
fx::Argument argumentOf(const fx::Node&, std::string_view name);
using fx::packetOf;

}  // namespace fxs::rewrite
