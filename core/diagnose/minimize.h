// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Delta debugging (Zeller, "Yesterday, my program worked", 1999) over a numbered list: finds a
// subset that still passes a test and from which no single item can be removed. Candidates are
// tested in batches, and all parts that turn out to be removable together are removed at once.
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"

namespace fxs::diagnose {

/// Which items are kept, ascending.
using Subset = std::vector<std::size_t>;
/// For each candidate, whether it passes; nullopt to stop (time limit or stop request).
using SubsetTest =
    std::function<Result<std::optional<std::vector<bool>>>(const std::vector<Subset>&)>;

struct Minimized {
  Subset kept;  ///< passes the test
  bool complete =
      true;  ///< no single item can be removed; false: the test stopped before that was known
};

/// `start` must pass. `itemsPerBatch`: maximum total size of the candidates in one call of the
/// test; a larger one is tested alone.
Result<Minimized> minimize(Subset start, std::size_t itemsPerBatch, const SubsetTest& test);

}  // namespace fxs::diagnose
