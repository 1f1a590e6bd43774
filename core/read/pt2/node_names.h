// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Names as torch.fx generates them, for nodes without a name in the file: getitem nodes of nested
// lists, nodes without a value, and, in files of PyTorch 2.9 and earlier, nodes with several
// results (see _Namespace and Graph._target_to_str in torch/fx/graph.py).
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fxs::read::pt2 {

class NodeNames {
 public:
  /// Reserves a name that the file uses later, so that it is not generated. The text must outlive
  /// this object.
  void reserve(std::string_view name) { toReserve_.push_back(name); }
  /// Records a name that the file uses. The text must outlive this object.
  void take(std::string_view name) { toTake_.push_back(name); }
  /// The unique name that torch.fx would create for `candidate` (_Namespace.create_name).
  std::string create(std::string_view candidate);

 private:
  /// Fills the tables before the first name is generated; most graphs need none.
  void catchUp();
  bool taken(const std::string& name) const {
    return used_.contains(name) || reserved_.contains(name);
  }

  std::vector<std::string_view> toReserve_;
  std::vector<std::string_view> toTake_;
  std::unordered_set<std::string> used_;
  std::unordered_set<std::string_view> reserved_;
  std::unordered_map<std::string, std::uint64_t> lastNumber_;  // by name without its number
  using Runs =
      std::map<std::uint64_t, std::uint64_t>;   // runs of numbers that are taken: first -> last
  std::unordered_map<std::string, Runs> runs_;  // by name without its number
};

/// The name that torch.fx derives from a target: "split_tensor" for "aten.split.Tensor", "getitem"
/// for "_operator.getitem".
std::string nameOfTarget(std::string_view target);

}  // namespace fxs::read::pt2
