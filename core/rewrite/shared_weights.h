#pragma once
// Finds inputs that are the same tensor under several names, stored in the same bytes of the file (such as a cache that is a buffer and
// also a captured constant). A write to one is a write to all.
#include <unordered_map>
#include <vector>

#include "fx/program.h"

namespace fxs::rewrite {

class SharedWeights {
 public:
  explicit SharedWeights(const fx::Program&);

  /// The placeholders of the other inputs that are the same tensor: same bytes, dtype, sizes and strides.
  std::vector<fx::NodeId> sameAs(fx::NodeId placeholder) const;
  /// Another input that is stored in the same bytes with a different layout; invalid if there is none.
  fx::NodeId overlaps(fx::NodeId placeholder) const;
  /// Whether the placeholder is the canonical name of its tensor: a buffer or parameter before a constant, then the first.
  bool standsForAll(fx::NodeId placeholder) const;

 private:
  struct Input {
    fx::NodeId node;
    const fx::Weight* weight;
    bool isConstant;
  };
  const std::vector<Input>* groupOf(fx::NodeId placeholder) const;
  std::vector<std::vector<Input>> groups_;  ///< each of at least two
  std::unordered_map<fx::NodeId, std::size_t> group_;
};

}  // namespace fxs::rewrite
