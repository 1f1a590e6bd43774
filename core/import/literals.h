// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes parameters, buffers and lifted constants as torch.vtensor.literal: small ones inline,
// others as `dense_resource` handles, with data at the end of the text if weights are embedded.
// Tied weights (the same stored view) share a handle.
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "import/import.h"
#include "import/op_writer.h"

namespace fxs::import {

class WeightLiterals {
 public:
  WeightLiterals(const fx::Program&, const ImportOptions&);

  /// Writes the literal of a weight whose placeholder has the value `meta`. Booleans are stored as
  /// bytes and converted, as in torch-mlir. Small uint8 weights that are only converted are written
  /// as int32 if `isConverted`: TOSA has no unsigned constants.
  Value write(OpWriter&, std::string_view fqn, const fx::TensorMeta& meta,
              bool isConverted = false);
  /// Appends `{-# dialect_resources: .. #-}`, or nothing if no literal needs data.
  void appendResources(std::string& out) const;
  bool isWeight(std::string_view fqn) const { return weights_.contains(fqn); }
  /// FQNs of weights whose data could not be read, with the reason.
  const std::vector<std::pair<std::string, std::string>>& unread() const { return unread_; }

 private:
  struct Literal {
    std::string attribute;  ///< `value = ..`
    TypeId type;
  };
  struct Resource {
    std::string key;
    std::string bytes;
    std::size_t alignment;
  };
  Literal make(OpWriter&, std::string_view fqn, const fx::TensorMeta&, const fx::Weight*,
               bool isConverted);
  std::string keyOf(std::string_view fqn, const fx::Weight*);
  std::optional<std::string> read(std::string_view fqn, const fx::Weight*,
                                  std::uint64_t wantedBytes);

  const ImportOptions& options_;
  std::unordered_map<std::string_view, const fx::Weight*> weights_;
  std::map<std::pair<std::string, bool>, Literal>
      made_;  // by FQN, and whether it is only converted
  std::unordered_map<std::string, std::string>
      keys_;  // by stored view: file, offset, sizes, strides
  std::vector<Resource> resources_;
  std::vector<std::pair<std::string, std::string>> unread_;
};

}  // namespace fxs::import
