// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parameters, buffers and lifted constants as constants of the function: `dense_resource` handles,
// or inline values for small ones (one element, or at most kInlineElements integers) whose bytes
// can be read. Tied weights share a handle.
#include <map>
#include <string>

#include "registry/direct_lowering.h"

namespace fxs::registry {

inline constexpr std::int64_t kInlineElements = 64;

class WeightConstants {
 public:
  /// `op`: the constant operation for types that TOSA supports, "tosa.const" or "arith.constant".
  WeightConstants(const fx::Program&, const DirectOptions&, std::string op);

  Value write(OpBuilder&, std::string_view fqn, const TensorType&, DType);
  /// `{-# dialect_resources: .. #-}`, or "" if no data was requested or read.
  std::string resources() const;
  /// Why the data of a weight could not be read, by FQN.
  const std::map<std::string, std::string>& unread() const { return unread_; }

 private:
  std::optional<std::string> read(const fx::Weight*, std::string_view fqn, std::int64_t bytes);
  std::string handle(const OpBuilder&, const fx::Weight*, std::string_view fqn,
                     std::int64_t elements, DType);

  const fx::Program& program_;
  const DirectOptions& options_;
  std::string op_;
  std::map<std::string, std::string>
      keys_;  // by the stored bytes' file, offset, dtype, sizes and strides
  std::map<std::string, std::string> resources_;  // hex blobs, by key
  std::map<std::string, std::string> unread_;
};

}  // namespace fxs::registry
