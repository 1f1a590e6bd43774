// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Alias analysis: which values of a program share memory, and the current value of each. Every
// tensor of the source is the root of a storage or a view of another value. A write to a value
// propagates up to the root and makes every other view of that storage stale; reading a stale view
// emits it again.
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rewrite/view_steps.h"

namespace fxs::rewrite {

class Aliases {
 public:
  explicit Aliases(Transcription& step);

  /// Adds a value with its own storage.
  void addRoot(fx::NodeId value, fx::Argument current);
  /// Adds a view, created when the storage was at `generation` (its number of writes).
  void addView(fx::NodeId value, fx::NodeId of, ViewStep, fx::Argument current,
               std::uint32_t generation);
  /// Adds another name of a value: the result of an in-place operator, a detached tensor.
  void addSame(fx::NodeId value, fx::NodeId of);
  /// Records that two values may share memory: a write to one makes the other unknown.
  void mayShare(fx::NodeId a, fx::NodeId b);

  bool knows(fx::NodeId value) const { return records_[value.index()].known; }
  /// The current value; emits stale views again.
  fx::Argument read(fx::NodeId value);
  /// Why a write to the value cannot be made functional; "" if it can.
  std::string writeObstacle(fx::NodeId value);
  /// Makes `now` the current value and propagates it up to the root.
  void write(fx::NodeId value, const fx::Argument& now);

  fx::NodeId rootOf(fx::NodeId value);
  /// Where the value begins in the storage, in elements; std::nullopt if a view on the way has no
  /// known beginning.
  std::optional<std::int64_t> beginOf(fx::NodeId value);
  std::uint32_t generationOf(fx::NodeId value) { return storages_[rootOf(value)].generation; }
  bool wasWritten(fx::NodeId value) { return generationOf(value) > 0; }
  /// The write that made this value unknown, because it may share memory with the written tensor;
  /// invalid if there is none.
  fx::NodeId mayBeWrittenBy(fx::NodeId value) { return storages_[rootOf(value)].writtenPerhapsBy; }

 private:
  struct Record {
    bool known = false;
    fx::NodeId same;    ///< the value that this is another name of, if valid
    fx::NodeId parent;  ///< the viewed value; invalid for a root
    fx::NodeId root;
    ViewStep step;
    fx::Argument current;
    std::uint32_t generation = 0;
    std::uint32_t depth = 0;
  };
  struct Storage {
    std::uint32_t generation = 0;
    fx::NodeId writtenPerhapsBy;
    std::vector<fx::NodeId> perhaps;  ///< roots that may share memory with it
  };
  Record& record(fx::NodeId value);
  fx::Argument takeAnew(const Record&, const fx::Argument& base, std::uint32_t generation);

  Transcription& step_;
  std::vector<Record> records_;
  std::unordered_map<fx::NodeId, Storage> storages_;
  struct Taken {
    std::uint32_t generation;
    fx::NodeId call;
  };
  std::unordered_map<fx::NodeId, Taken>
      parts_;  ///< by view call: the results of one generation come from one call
};

}  // namespace fxs::rewrite
