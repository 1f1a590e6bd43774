// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A simple layered (Sugiyama) layout: rows by longest path, a few barycentre sweeps, nodes packed
// in their row towards their neighbours, edges as curves with one bend per row. Linear in the
// number of rows crossed by edges; handles graphs that are too large for dot.
#include "layout/flat_layout.h"

namespace fxs::layout {

class SimpleLayers final : public FlatEngine {
 public:
  Result<FlatPlacement> place(const FlatGraph&) override;
};

}  // namespace fxs::layout
