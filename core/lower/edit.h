// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a user changes of a lowering under way: the text of a stage, or of a pass within it, that
// later stages continue from, and passes that do not run. Passes are numbered within their stage,
// from 0, as the engine flattens its pipeline.
#include <compare>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace fxs::lower {

/// A text that takes the place of one that lowering made.
struct Edit {
  std::string stage;                ///< id of the StageResult
  std::optional<std::size_t> pass;  ///< of the stage, after which the text stands; none: the text
                                    ///< is the result of the stage
  std::string text;  ///< MLIR, with locations as the engine prints them, or without; in the form of
                     ///< the stage, if that is not MLIR
  friend bool operator==(const Edit&, const Edit&) = default;
};
using EditPtr = std::shared_ptr<const Edit>;

/// A pass of a stage.
struct StagePass {
  std::string stage;     ///< id of the StageResult
  std::size_t pass = 0;  ///< its index
  friend auto operator<=>(const StagePass&, const StagePass&) = default;
};

}  // namespace fxs::lower
