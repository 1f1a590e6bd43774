// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lays out one level of the graph with Graphviz's dot, which is neither re-entrant nor
// interruptible and therefore runs in a separate process.
#include <graphviz/gvc.h>

#include "layout/flat_layout.h"

namespace fxs::layout {

class DotEngine final : public FlatEngine {
 public:
  DotEngine();
  ~DotEngine() override;
  DotEngine(const DotEngine&) = delete;
  DotEngine& operator=(const DotEngine&) = delete;
  /// EngineFailed if dot fails on the graph.
  Result<FlatPlacement> place(const FlatGraph&) override;

 private:
  GVC_t* context_;
};

}  // namespace fxs::layout
