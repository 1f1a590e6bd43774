#pragma once
// Alias analysis: which values of a program share memory, and the current value of each. Every tensor of the source is the root of a
// storage or a view step away from another value. A write to a value propagates up to the root and puts every other view of that storage
// out of date; reading one of those emits its view again.
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "rewrite/view_steps.h"

namespace fxs::rewrite {

class Aliases {
 public:
  explicit Aliases(Transcription& step);

  /// A value with memory of its own.
  void addRoot(fx::NodeId value, fx::Argument current);
  /// A view, taken when the storage was at `generation`.
  void addView(fx::NodeId value, fx::NodeId of, ViewStep, fx::Argument current, std::uint32_t generation);
  /// Another name of a value: the result of an in-place operator, a detached tensor.
  void addSame(fx::NodeId value, fx::NodeId of);
  /// Two values that may share memory: a write to one makes the other unknown.
  void mayShare(fx::NodeId a, fx::NodeId b);

  bool knows(fx::NodeId value) const { return records_[value.index()].known; }
  /// The current value; emits the views that are out of date.
  fx::Argument read(fx::NodeId value);
  /// Why a write to the value cannot be expressed; "" when it can.
  std::string whyNotWritten(fx::NodeId value);
  /// Propagates `now` up to the root.
  void write(fx::NodeId value, const fx::Argument& now);

  fx::NodeId rootOf(fx::NodeId value);
  std::uint32_t generationOf(fx::NodeId value) { return storages_[rootOf(value)].generation; }
  bool wasWritten(fx::NodeId value) { return generationOf(value) > 0; }
  /// The write after which this value is unknown, because it may share memory with the written tensor; invalid when there is none.
  fx::NodeId clouded(fx::NodeId value) { return storages_[rootOf(value)].cloudedBy; }

 private:
  struct Record {
    bool known = false;
    fx::NodeId same;    ///< valid: another name of it
    fx::NodeId parent;  ///< invalid: a root
    fx::NodeId root;
    ViewStep step;
    fx::Argument current;
    std::uint32_t generation = 0;
    std::uint32_t depth = 0;
  };
  struct Storage {
    std::uint32_t generation = 0;
    fx::NodeId cloudedBy;
    std::vector<fx::NodeId> perhaps;  ///< roots
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
  std::unordered_map<fx::NodeId, Taken> parts_;  ///< by view call: the parts of one generation come from one call
};

}  // namespace fxs::rewrite
