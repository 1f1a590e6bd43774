// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Cached outcomes of modules, keyed by content: all that decides on one. That is the engine's
// checksum, the stages' pipelines, the content of an extra library, the user's definition of the
// output type with its contract, and the module's text. Only what is known of a module is kept,
// because another run may say more.
#include <optional>
#include <string>

#include "lower/lower.h"

namespace fxs::diagnose {

struct TrialOutcome {
  std::optional<bool> lowers;  ///< nullopt: not known, `message` says why
  std::string message;         ///< the engine's messages if it does not
};

class OutcomeCache {
 public:
  /// `directory` is created when the first outcome is stored; "" for no cache.
  OutcomeCache(const std::string& directory, std::string engineChecksum);

  /// "" if it cannot be known later: if another program than the engine runs a stage.
  static std::string keyOf(const std::string& module, const std::string& engineChecksum,
                           const lower::LowerOptions&);
  std::optional<TrialOutcome> find(const std::string& module, const lower::LowerOptions&) const;
  /// What is not known is not kept. Write errors are ignored.
  void keep(const std::string& module, const lower::LowerOptions&, const TrialOutcome&) const;

 private:
  std::string directory_, engine_;
};

}  // namespace fxs::diagnose
