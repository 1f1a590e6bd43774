// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Finds inputs that share memory: weights that view overlapping parts of one storage, as the file
// records it. Those with one layout are the same tensor under several names (such as a cache that
// is a buffer and also a captured constant); a write to one is a write to all. Weights of one
// storage that do not overlap are as independent as others. Of a file of torch.save that could not
// be read, any two weights may share memory.
#include <string>
#include <unordered_map>
#include <vector>

#include "fx/program.h"

namespace fxs::fx {

/// Equal for weights that are the same view of one storage; "" if nothing is stored, or it is not
/// known where.
std::string storedView(const Weight&);
/// Whether the weight is in a file of torch.save that could not be read, so that its storage is not
/// known.
bool isInUnreadFile(const Weight&);

class SharedWeights {
 public:
  explicit SharedWeights(const Program&);

  /// The placeholders of the other inputs that are the same tensor: same storage, dtype, offset,
  /// sizes and strides.
  std::vector<NodeId> sameAs(NodeId placeholder) const;
  /// Another input that overlaps it in memory and has a different layout; invalid if there is none.
  NodeId overlaps(NodeId placeholder) const;
  /// Whether the placeholder shares memory with any other input.
  bool isShared(NodeId placeholder) const { return groupOf(placeholder) != nullptr; }
  /// Whether the placeholder is the canonical name of its tensor: a buffer or parameter before a
  /// constant, then the first.
  bool standsForAll(NodeId placeholder) const;
  /// The other inputs that may share memory with it, as they are in a file that could not be read.
  std::vector<NodeId> mayShareWith(NodeId placeholder) const;

 private:
  struct Input {
    NodeId node;
    const Weight* weight;
    bool isConstant;
  };
  /// Inputs of one storage, each of which overlaps another one or two that do.
  const std::vector<Input>* groupOf(NodeId placeholder) const;
  void addStorage(std::vector<Input> inputs);
  std::vector<std::vector<Input>> groups_;  ///< each of at least two
  std::unordered_map<NodeId, std::size_t> group_;
  std::unordered_map<std::string, std::vector<NodeId>> unread_;  ///< by file
  std::unordered_map<NodeId, std::string> unreadFile_;
};

}  // namespace fxs::fx
