#pragma once
// The names torch.fx makes up for nodes that a file does not name: getitem nodes of nested lists, nodes without a value, and,
// in files of PyTorch 2.9 and earlier, nodes with several results (rules of _Namespace and Graph._target_to_str in torch/fx/graph.py).
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
  /// Names that the file itself uses later: a made up name keeps clear of them. The text outlives this object.
  void reserve(std::string_view name) { toReserve_.push_back(name); }
  /// Counts a name that the file gives. The text outlives this object.
  void take(std::string_view name) { toTake_.push_back(name); }
  /// What torch.fx would call a new node that asks for `candidate`.
  std::string create(std::string_view candidate);

 private:
  /// Most graphs need no made up name: the tables are filled when the first one does.
  void catchUp();
  bool taken(const std::string& name) const { return used_.contains(name) || reserved_.contains(name); }

  std::vector<std::string_view> toReserve_;
  std::vector<std::string_view> toTake_;
  std::unordered_set<std::string> used_;
  std::unordered_set<std::string_view> reserved_;
  std::unordered_map<std::string, std::uint64_t> lastNumber_;  // by name without its number
  using Runs = std::map<std::uint64_t, std::uint64_t>;         // numbers that are all taken: the last of a run by its first
  std::unordered_map<std::string, Runs> runs_;                 // by name without its number
};

/// The name torch.fx starts from for a target: "split_tensor" for "aten.split.Tensor", "getitem" for "_operator.getitem".
std::string nameOfTarget(std::string_view target);

}  // namespace fxs::read::pt2
