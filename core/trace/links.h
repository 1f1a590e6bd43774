#pragma once
// Which line of which stage came from which node, and how sure that is. Operations without a location of their own inherit
// from the operation around them, or are attributed through their users, and are marked so.
#include <memory>
#include <string>
#include <vector>

#include "mlir/located_text.h"

namespace fxs::trace {

struct StageLinks {
  std::string stage;
  mlir::LocatedText text;
  /// Fraction of operations whose node is known, 0..1.
  double coverage = 0;
};

std::shared_ptr<const StageLinks> linkStage(std::string stage, std::string_view textWithLocations);

}  // namespace fxs::trace
