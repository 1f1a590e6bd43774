// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/box_parts.h"

#include <algorithm>

#include "layout/box_sizes.h"
#include "layout/label_places.h"
#include "layout/text_metrics.h"

namespace fxs::layout {
namespace {

using Align = TextRun::Align;

void addChip(BoxParts& parts, double& x, double y, std::string text, fx::NodeId node) {
  const double width = textWidth(text, kSmallSize) + 2 * kChipPadding;
  const Rect pill{x, y, width, kChipHeight};
  parts.chips.push_back(
      {pill,
       {std::move(text), {pill.centreX(), pill.y + 10.2}, Align::Middle, kSmallSize, false, false},
       node});
  x += width + kChipGap;
}

}  // namespace

BoxParts partsOf(const Box& box, const Rect& at) {
  BoxParts parts;
  const double room = at.width - 2 * kBoxPadding + 8;
  double y = at.y + kVerticalPadding;
  const double badge = box.collapsed() ? kBadgeRoom : 0;
  const double titleRoom =
      room - badge - (box.module.empty() ? 0 : textWidth(box.module, kSmallSize) + kModuleGap);
  const bool moduleFits = titleRoom > room / 3;
  const std::string title =
      elide(box.title, moduleFits ? titleRoom : room - badge, kTitleSize, Weight::Bold);
  const double titleWidth = textWidth(title, kTitleSize, Weight::Bold);
  const double moduleWidth =
      box.module.empty() || !moduleFits ? 0 : textWidth(box.module, kSmallSize) + kModuleGap;
  const double left = at.centreX() - (badge + titleWidth + moduleWidth) / 2;
  if (box.collapsed())
    parts.badge = Rect{left, y + (kTitleLine - kBadgeSize) / 2, kBadgeSize, kBadgeSize};
  const double baseline = y + 13;
  if (moduleWidth == 0) {
    parts.texts.push_back(
        {title, {left + badge + titleWidth / 2, baseline}, Align::Middle, kTitleSize, true, false});
  } else {
    parts.texts.push_back(
        {title, {left + titleWidth, baseline}, Align::End, kTitleSize, true, false});
    parts.texts.push_back({box.module,
                           {left + titleWidth + kModuleGap, baseline},
                           Align::Start,
                           kSmallSize,
                           false,
                           true});
  }
  y += kTitleLine;
  if (!box.subtitle.empty()) {
    parts.texts.push_back({elide(box.subtitle, room, kTextSize),
                           {at.centreX(), y + 10},
                           Align::Middle,
                           kTextSize,
                           false,
                           true});
    y += kSubtitleLine;
  }
  if (box.chips.empty()) return parts;

  y += 3;
  double x = at.x + kBoxPadding;
  if (!box.chipText.empty()) {
    addChip(parts, x, y, box.chipText, {});
  } else {
    for (std::size_t i = 0; i + box.moreChips < box.chips.size(); ++i)
      addChip(parts, x, y, box.chips[i].text, box.chips[i].node);
    if (box.moreChips) addChip(parts, x, y, "+" + std::to_string(box.moreChips), {});
  }
  const double shift = (at.right() - kBoxPadding - (x - kChipGap)) / 2;
  for (PlacedChip& chip : parts.chips) {
    chip.pill.x += shift;
    chip.text.baseline.x += shift;
  }
  return parts;
}

FrameParts partsOf(const Frame& frame, const Rect& at) {
  FrameParts parts;
  parts.caption = {at.x, at.y, std::min(frame.captionWidth, at.width), kCaptionHeight};
  parts.badge = {at.x + kBoxPadding - 2, at.y + (kCaptionHeight - kBadgeSize) / 2, kBadgeSize,
                 kBadgeSize};
  const double x = at.x + kBoxPadding - 2 + kBadgeRoom - 3, baseline = at.y + 17;
  // If both texts are long, the title gets the larger part.
  const double room = parts.caption.right() - x - kBoxPadding / 2 - kModuleGap;
  const double subtitleWidth =
      std::min(textWidth(frame.subtitle, kTextSize),
               std::max(room / 3, room - textWidth(frame.title, kTitleSize, Weight::Bold)));
  const std::string title = elide(frame.title, room - subtitleWidth, kTitleSize, Weight::Bold);
  const double after = x + textWidth(title, kTitleSize, Weight::Bold) + kModuleGap;
  parts.title = {title, {x, baseline}, Align::Start, kTitleSize, true, false};
  parts.subtitle = {
      elide(frame.subtitle, parts.caption.right() - kBoxPadding / 2 - after, kTextSize),
      {after, baseline},
      Align::Start,
      kTextSize,
      false,
      true};
  return parts;
}

TextRun textOf(const Stub& stub, const Rect& pill) {
  // Arrow heads are at the right: the far side of an outgoing stub, the near side of an incoming
  // one.
  const double arrow = 10;
  return {elide(stub.label, pill.width - kStubPadding + 4, kSmallSize),
          {pill.x + (pill.width - arrow) / 2, pill.y + 11.2},
          Align::Middle,
          kSmallSize,
          false,
          false};
}

}  // namespace fxs::layout
