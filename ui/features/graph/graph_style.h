// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Colours and fonts of a drawn graph, by role. The window sets them from its theme; the defaults
// are a plain light theme.
#include <QColor>
#include <QString>
#include <array>

#include "features/graph/graph_picture.h"

namespace fxs::ui {

struct GraphStyle {
  QColor background{0xfb, 0xfb, 0xfc};
  QColor node{0xff, 0xff, 0xff};  ///< fill of a node's box
  QColor nodeBorder{0xb4, 0xbc, 0xc8};
  QColor group{0xee, 0xf2, 0xf8};  ///< fill of a collapsed group
  QColor groupBorder{0x8a, 0x99, 0xb0};
  QColor frame{0x24, 0x4a, 0x80,
               0x0a};  ///< fill of an expanded group; translucent, because frames nest
  QColor frameBorder{0xc3, 0xcc, 0xd9};
  QColor input{0xe3, 0xf4, 0xf0};
  QColor inputBorder{0x6f, 0xae, 0x9f};
  QColor output{0xef, 0xe9, 0xfb};
  QColor outputBorder{0xa0, 0x8c, 0xd0};
  QColor chip{0xf1, 0xec, 0xe0};  ///< parameters, buffers, constants
  QColor chipText{0x5d, 0x50, 0x30};
  QColor stub{0xfd, 0xf3, 0xdc};  ///< the ends of cut edges
  QColor stubText{0x78, 0x52, 0x00};
  QColor text{0x1c, 0x23, 0x2e};
  QColor mutedText{0x5a, 0x65, 0x75};
  QColor edge{0x8d, 0x97, 0xa6};
  QColor edgeText{0x5a, 0x65, 0x75};
  QColor accent{0x1f, 0x6f, 0xeb};  ///< the selection
  QColor blocked{0xc6, 0x28, 0x28};
  QColor suspicious{0xa8, 0x6a, 0x00};
  QColor added{0x1a, 0x7f, 0x37};
  std::array<QColor, kLevels> levels{"#fff3c4", "#cfe8b4", "#8fd0bd", "#5fb2d6",
                                     "#6a93e0"};  ///< of a scale, low to high
  std::array<QColor, kClasses> classes{"#a9cdf5", "#f8c48c", "#a6dba2", "#f3a9b0", "#cdb6f2",
                                       "#ece07a", "#86dcd6", "#f2b2e0", "#d8bd9f", "#c5cbd6"};
  QColor match{0xff, 0xe9, 0xa8};
  QColor blockedSoft{0xfd, 0xec, 0xec};
  QColor suspiciousSoft{0xff, 0xf3, 0xd9};
  QColor onMark{0xff, 0xff, 0xff};  ///< the symbol inside a mark
  double textScale = 1;             ///< pixels per unit of the layout at 100 %
  QString sansFamily = QStringLiteral("Sans Serif");
  QString monoFamily = QStringLiteral("Monospace");
};

}  // namespace fxs::ui
