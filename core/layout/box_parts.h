#pragma once
// What is inside a box and where: its lines of text, its chips, the badge that says it can be opened. One answer for every
// drawing of it, SVG or window.
#include <optional>
#include <string>
#include <vector>

#include "layout/geometry.h"
#include "layout/graph_view.h"

namespace fxs::layout {

struct TextRun {
  enum class Align { Start, Middle, End };
  std::string text;  ///< elided to what fits
  Point baseline;    ///< at the start, middle or end of the text
  Align align = Align::Middle;
  double size = 10;  ///< points
  bool bold = false, muted = false;
};
struct PlacedChip {
  Rect pill;
  TextRun text;
  fx::NodeId node;  ///< invalid: represents several
};
struct BoxParts {
  std::vector<TextRun> texts;
  std::vector<PlacedChip> chips;
  std::optional<Rect> badge;  ///< "+" of a collapsed group
};
BoxParts partsOf(const Box&, const Rect& at);

struct FrameParts {
  Rect caption;  ///< where a click means the frame itself
  Rect badge;    ///< "-"
  TextRun title, subtitle;
};
FrameParts partsOf(const Frame&, const Rect& at);

TextRun textOf(const Stub&, const Rect& pill);

}  // namespace fxs::layout
