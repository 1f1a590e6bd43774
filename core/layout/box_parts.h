// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The parts of a box and their positions: its lines of text, its chips, and the badge of a group
// that can be expanded. Shared by the SVG report and the window.
#include <optional>
#include <string>
#include <vector>

#include "layout/geometry.h"
#include "layout/graph_view.h"

namespace fxs::layout {

struct TextRun {
  enum class Align { Start, Middle, End };
  std::string text;  ///< elided to fit
  Point baseline;    ///< at the start, middle or end of the text
  Align align = Align::Middle;
  double size = 10;  ///< font size in points
  bool bold = false, muted = false;
};
struct PlacedChip {
  Rect pill;
  TextRun text;
  fx::NodeId node;  ///< invalid if it represents several nodes
};
struct BoxParts {
  std::vector<TextRun> texts;
  std::vector<PlacedChip> chips;
  std::optional<Rect> badge;  ///< the "+" of a collapsed group
};
BoxParts partsOf(const Box&, const Rect& at);

struct FrameParts {
  Rect caption;  ///< the area that selects the frame when clicked
  Rect badge;    ///< the "-" that collapses it
  TextRun title, subtitle;
};
FrameParts partsOf(const Frame&, const Rect& at);

TextRun textOf(const Stub&, const Rect& pill);

}  // namespace fxs::layout
