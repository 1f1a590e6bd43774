// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Searches an ordered list for the first member with another outcome than the first of all, by
// halves: it is right if the outcome changes once.
#include <cstddef>
#include <functional>
#include <optional>

#include "base/result.h"

namespace fxs::engines {

/// The index of the first of `count` (at least 2) members that differs from member 0; std::nullopt
/// if the last one does not differ. `differs` is called with the last index first, and with no
/// index twice; its errors end the search.
Result<std::optional<std::size_t>> firstThatDiffers(
    std::size_t count, const std::function<Result<bool>(std::size_t)>& differs);

}  // namespace fxs::engines
