#pragma once
// Delta debugging (Zeller, "Yesterday, my program worked", 1999) over a numbered list: a small part of it that still passes a test, from
// which no single item can be removed. Candidates are tested in batches, as many as the test can take at a time; of all
// pieces that turn out not to be needed, as many as can go at once do.
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"

namespace fxs::diagnose {

/// Which items are kept, ascending.
using Subset = std::vector<std::size_t>;
/// For each candidate, whether it passes; nullopt to stop (time limit or stop request).
using SubsetTest = std::function<Result<std::optional<std::vector<bool>>>(const std::vector<Subset>&)>;

struct Minimized {
  Subset kept;           ///< passes, as the whole did
  bool complete = true;  ///< no single item can be removed; false: stopped before that was known
};

/// `start` passes. `itemsPerBatch`: how many items the candidates of one call of the test have together, unless one alone has more.
Result<Minimized> minimize(Subset start, std::size_t itemsPerBatch, const SubsetTest& test);

}  // namespace fxs::diagnose
