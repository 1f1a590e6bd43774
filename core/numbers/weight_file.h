// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The weights of a snapshot for executors: streamed once each to a file of their own, never held
// together in memory. A weight that the file lists without its bytes is drawn by a seed.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/scratch_directory.h"
#include "execute/executor.h"
#include "session/session.h"

namespace fxs::numbers {

class WeightFile {
 public:
  /// `directory` outlives it.
  WeightFile(const session::Snapshot& snapshot, std::string directory, std::uint64_t seed,
             RunContext context);

  /// The weight that a `dense_resource` handle of the importer names. Bools are bytes, as in the
  /// text.
  Result<execute::Argument> at(std::string_view handle);
  /// Names of weights without bytes, whose elements were drawn.
  const std::vector<std::string>& drawn() const { return drawn_; }

 private:
  Result<execute::Argument> write(const fx::Weight&);

  const session::Snapshot& snapshot_;
  std::string directory_;
  std::uint64_t seed_;
  RunContext context_;
  std::map<std::string, execute::Argument, std::less<>> written_;
  std::vector<std::string> drawn_;
};

}  // namespace fxs::numbers
