#pragma once
// How modules ended that were run before, by content: the engine's checksum, the stages' pipelines and the module's text.
#include <optional>
#include <string>

#include "lower/lower.h"

namespace fxs::diagnose {

struct KnownOutcome {
  bool ok = false;
  std::string words;  ///< the engine's own when not
};

class OutcomeCache {
 public:
  /// `directory` "" remembers nothing. It is made when something is first kept.
  OutcomeCache(std::string directory, std::string engineChecksum);

  static std::string keyOf(const std::string& module, const std::string& engineChecksum, const lower::LowerOptions&);
  std::optional<KnownOutcome> find(const std::string& module, const lower::LowerOptions&) const;
  /// What cannot be written is not kept.
  void keep(const std::string& module, const lower::LowerOptions&, const KnownOutcome&) const;

 private:
  std::string directory_, engine_;
};

}  // namespace fxs::diagnose
