// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The rows of a tensor beyond a size that was replaced by its upper bound: which they are, and
// values for them that do not change a result. Only for the rules of upper_bounds.cpp.
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "diagnose/row_operators.h"
#include "diagnose/size_bounds.h"
#include "rewrite/emit.h"

namespace fxs::diagnose {

class MaskedRows {
 public:
  /// `inPlace`: the rows that a mask selects stay where they are; else they come first.
  MaskedRows(const SizeBounds& sizes, bool inPlace) : sizes_(sizes), inPlace_(inPlace) {}

  bool has(const std::string& symbol) const { return sizes_.bounds.contains(symbol); }
  /// Whether row i of a tensor is what PyTorch has in row i.
  bool isInOrder(const std::string& symbol) const {
    return !inPlace_ || !sizes_.bounds.at(symbol).isCount;
  }
  /// The indices of a mask's elements, a row for each, in place of those of its true ones.
  rewrite::Tensor positionsOf(rewrite::Emitter&, const rewrite::Tensor& mask,
                              const std::string& symbol);
  /// `number`: the size, read from it.
  void setNumber(const std::string& symbol, rewrite::Tensor number) {
    numbers_.insert_or_assign(symbol, std::move(number));
  }
  /// With the neutral value in the rows beyond the sizes of these dimensions. `symbols`: of all
  /// dimensions of `x`, "" for the others.
  rewrite::Tensor masked(rewrite::Emitter&, const rewrite::Tensor& x,
                         const std::vector<std::string>& symbols,
                         const std::vector<std::size_t>& dims, Neutral);
  /// How many rows there are, int64.
  rewrite::Tensor countOf(rewrite::Emitter&, const std::string& symbol);
  /// b8[most]: whether there is such a row.
  rewrite::Tensor validOf(rewrite::Emitter&, const std::string& symbol);
  /// Which column of positionsOf() a value is; nullopt for another value.
  struct Column {
    std::string symbol;
    std::size_t dim = 0;
    std::vector<std::int64_t> shape = {};  ///< of the mask
  };
  std::optional<Column> columnOf(rewrite::Emitter&, const fx::Argument&) const;
  /// Whether the size is that of the mask's true elements.
  bool isMask(rewrite::Emitter&, const std::string& symbol, const fx::Argument& mask) const;

 private:
  struct Mask {
    std::string symbol;
    std::vector<std::int64_t> shape;
    fx::Argument mask;
  };
  const SizeBounds& sizes_;
  bool inPlace_;
  std::map<std::string, rewrite::Tensor> numbers_, valid_;
  std::map<fx::NodeId, Mask> positions_;  // of the program that is made
};

/// What a value is a view of, with the same elements in the same order; not beyond `isEnd`.
fx::Argument unviewed(rewrite::Emitter&, fx::Argument,
                      const std::function<bool(fx::NodeId)>& isEnd);

}  // namespace fxs::diagnose
