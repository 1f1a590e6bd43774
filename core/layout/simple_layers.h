#pragma once
// A plain layered layout: rows by longest path, a few barycentre sweeps, nodes packed in their row towards their neighbours,
// edges as curves with one bend a row. Linear in rows crossed; handles graphs that are too large for dot.
#include "layout/flat_layout.h"

namespace fxs::layout {

class SimpleLayers final : public FlatEngine {
 public:
  Result<FlatPlacement> place(const FlatGraph&) override;
};

}  // namespace fxs::layout
