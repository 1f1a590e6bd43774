// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Points and rectangles of a drawing, in points. The origin is the top left corner and y increases
// downwards.

namespace fxs::layout {

struct Point {
  double x = 0, y = 0;
  friend bool operator==(Point, Point) = default;
};
struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  double centreX() const { return x + width / 2; }
  double centreY() const { return y + height / 2; }
  bool overlaps(const Rect& other) const {
    return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
  }
  friend bool operator==(const Rect&, const Rect&) = default;
};

}  // namespace fxs::layout
