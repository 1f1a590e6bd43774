// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The part of a diagnosis for one output type: the program as it is rewritten for that type alone,
// and what was found so far.
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "diagnose/survey.h"
#include "session/session.h"

namespace fxs::diagnose {

struct DiagnosedType {
  session::SnapshotPtr snapshot;  ///< imported for it
  std::shared_ptr<const std::set<std::string, std::less<>>> registered;
  Subject subject;  ///< refers to the others
  std::vector<BlockedEntry> entries;
  std::set<fx::NodeId> unanswered;  ///< the user's nodes of which the survey has no result
  const lower::OutputType& target() const { return snapshot->request.lower.target; }
};

}  // namespace fxs::diagnose
