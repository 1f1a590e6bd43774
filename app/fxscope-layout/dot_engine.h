#pragma once
// Places one level with Graphviz's dot. Not re-entrant and not interruptible: it runs in its own process.
#include <graphviz/gvc.h>

#include "layout/flat_layout.h"

namespace fxs::layout {

class DotEngine final : public FlatEngine {
 public:
  DotEngine();
  ~DotEngine() override;
  DotEngine(const DotEngine&) = delete;
  DotEngine& operator=(const DotEngine&) = delete;
  /// EngineFailed when dot gives up on the graph.
  Result<FlatPlacement> place(const FlatGraph&) override;

 private:
  GVC_t* context_;
};

}  // namespace fxs::layout
