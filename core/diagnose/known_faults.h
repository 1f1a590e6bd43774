// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Faults of engines and importers that were reported to their projects, by what a user sees of
// them. Data: resources/engine/known_faults.json, and a file of the user's own in the same form.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "diagnose/reduce.h"

namespace fxs::diagnose {

struct KnownFault {
  std::string issue;                ///< "llvm/torch-mlir#4279"
  std::string stage, op, fxTarget;  ///< as of a FailureSignature; "": any. One of the last two is
                                    ///< given
  std::string what;                 ///< one line
  std::string wayOut;               ///< one line; "" for none
};

class KnownFaults {
 public:
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 20;  ///< of a text
  static const KnownFaults& builtin();
  /// Those of the text, a file of that name, before the built-in ones. InvalidInput, with the place
  /// in the text.
  static Result<KnownFaults> from(std::string_view text, const std::string& label);
  /// The first that a failure in this stage, at this operation of a node with this target, is of;
  /// null if there is none.
  const KnownFault* find(std::string_view stage, std::string_view op,
                         std::string_view fxTarget) const;
  static std::string schema();

  std::string checked;  ///< the day on which the issues were looked at: "2026-11-28"
  std::vector<KnownFault> faults;
};

}  // namespace fxs::diagnose
