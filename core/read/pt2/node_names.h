#pragma once
// The names torch.fx makes up for nodes that a file does not name: getitem nodes of nested lists, nodes without a value, and,
// in files of PyTorch 2.9 and earlier, nodes with several results (rules of _Namespace and Graph._target_to_str in torch/fx/graph.py).
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace fxs::read::pt2 {

class NodeNames {
 public:
  /// Names that the file itself uses later: a made up name keeps clear of them.
  void reserve(std::string_view name) { reserved_.emplace(name); }
  /// What torch.fx would call a new node that asks for `candidate`.
  std::string create(std::string_view candidate);
  /// Counts a name that the file gives.
  void take(std::string_view name);

 private:
  bool taken(const std::string& name) const { return used_.contains(name) || reserved_.contains(name); }

  std::unordered_set<std::string> used_;
  std::unordered_set<std::string_view> reserved_;
  std::unordered_map<std::string, std::uint64_t> lastNumber_;   // by name without its number
};

/// The name torch.fx starts from for a target: "split_tensor" for "aten.split.Tensor", "getitem" for "_operator.getitem".
std::string nameOfTarget(std::string_view target);

}  // namespace fxs::read::pt2
