// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The opcodes of a pickle that torch.save wrote, read as data into a tree: nothing is imported,
// created or called. Only what describes tensors is understood (the functions that PyTorch's
// weights-only loader knows, protocols 2 to 5); anything else is an error that names it, and the
// pickle then says nothing. Values may be shared and may contain themselves: never walk a tree
// without a bound.
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/run_context.h"

namespace fxs::read::pt2 {

using PickleId = std::uint32_t;

struct PickleValue {
  enum class Kind : std::uint8_t {
    None,
    Bool,
    Int,
    Float,
    Text,
    Bytes,
    Global,
    Tuple,
    List,
    Dict,
    Call,
    Persistent
  };
  Kind kind = Kind::None;
  std::int64_t number = 0;      ///< Bool, Int
  std::string_view text;        ///< Text, Bytes, and the name of a Global: "OrderedDict"
  std::string_view module;      ///< of a Global: "collections"
  std::vector<PickleId> items;  ///< Tuple, List; Dict: key, value, key, value ..; Call: function,
                                ///< arguments, then as Dict; Persistent: its id
};

class Pickle {
 public:
  /// `bytes` must outlive it. The message of an error is what the pickle holds or lacks: "calls
  /// os.system, which does not describe a tensor".
  static Result<Pickle> read(std::string_view bytes, const RunContext&);

  const PickleValue& root() const { return at(root_); }
  const PickleValue& at(PickleId id) const { return values_[id]; }
  bool isGlobal(PickleId id, std::string_view module, std::string_view name) const;
  /// The key and value pairs of a dict or collections.OrderedDict; empty for other values.
  std::vector<std::pair<PickleId, PickleId>> entries(const PickleValue&) const;
  bool isDict(const PickleValue&) const;

 private:
  friend class PickleMachine;
  std::vector<PickleValue> values_;
  PickleId root_ = 0;
};

}  // namespace fxs::read::pt2
