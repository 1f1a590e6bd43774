#pragma once
// One step of the rewriting: a source program read node by node, a draft written, and what each source node became. A step
// copies what it leaves alone and emits what it puts in its place; everything emitted belongs to the node being read.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fx/finding.h"
#include "rewrite/draft.h"
#include "rewrite/rewrite.h"

namespace fxs::rewrite {

/// What the steps found and did, for the user.
struct Report {
  std::vector<Applied> applied;
  std::vector<fx::Finding> findings;
  std::set<std::pair<fx::NodeId, std::string>> said;  ///< node and message: each once
};

class Transcription {
 public:
  Transcription(const fx::Program& source, Report& report, const RunContext& run);

  const fx::Program& source() const { return source_; }
  /// For loops that a node asks for: the node is named in the error.
  void spend(Resource resource, std::uint64_t amount) const { run_.spend(resource, amount, called()); }
  /// Ends the step now when so many nodes cannot be paid for; they are paid for when they are made.
  void expectNodes(std::uint64_t count) const {
    if (count > run_.budget->left(Resource::Nodes)) spend(Resource::Nodes, count);
  }
  Draft& draft() { return draft_; }

  /// The node being read, and the graph being written: everything emitted takes its origin and metadata from that node.
  void at(const fx::Node& node, fx::GraphId writing) {
    current_ = &node;
    writing_ = writing;
  }
  const fx::Node& current() const { return *current_; }
  fx::GraphId writing() const { return writing_; }

  /// What a source node became. A tuple whose parts were replaced one by one is a list.
  const fx::Argument& value(fx::NodeId source) const { return values_[source.index()]; }
  void setValue(fx::NodeId source, fx::Argument value) { values_[source.index()] = std::move(value); }
  fx::Argument mapped(const fx::Argument&) const;
  std::vector<fx::NodeArgument> mapped(const std::vector<fx::NodeArgument>&) const;

  /// Copies the current node with mapped arguments, and remembers it as its value.
  fx::NodeId copy();
  fx::NodeId copyWith(std::vector<fx::NodeArgument> args);
  /// Another call in the current node's place, under its name.
  fx::NodeId copyAs(std::string_view target, std::vector<fx::NodeArgument> args, fx::Value val);
  /// The current node is a getitem of a tuple that became a list: true, and its value is that part.
  bool takePart();
  /// A new call at the current node; named after the operator.
  fx::NodeId emit(std::string_view target, std::vector<fx::NodeArgument> args, fx::Value val);
  fx::NodeId emitGetitem(fx::NodeId of, std::size_t index, fx::Value val);
  /// Size `dim` (not negative) of a value: a constant when `meta` says so, else a sym_size node.
  fx::Argument size(const fx::Argument& tensor, const fx::TensorMeta& meta, std::size_t dim);
  const fx::TensorMeta* tensor(const fx::Argument&) const;

  void applied(std::string rule);
  void finding(std::string kind, std::string message);
  void findingAt(const fx::Node& node, std::string kind, std::string message);

  /// The draft, with specs of inputs and outputs; every graph must have been written.
  fx::Program take() &&;

 private:
  std::string called() const { return current_ == nullptr ? std::string("the graph") : "node '" + current_->name + "'"; }

  const fx::Program& source_;
  Report& report_;
  const RunContext& run_;
  Draft draft_;
  std::vector<fx::Argument> values_;
  std::map<std::pair<fx::NodeId, std::size_t>, fx::NodeId> sizes_;
  const fx::Node* current_ = nullptr;
  fx::GraphId writing_;
};

/// By schema name; null when the node was not given it.
const fx::Argument* given(const fx::Node&, std::string_view name);
/// The argument a node was given, or the schema's default, or None.
fx::Argument argumentOf(const fx::Node&, std::string_view name);
/// `aten.add.Tensor` -> `add`; `higher_order.cond` -> `cond`.
std::string_view packetOf(std::string_view target);

}  // namespace fxs::rewrite
