// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the nodes of a graph can be coloured by. The graph itself colours by kind, by a query and by
// size; any feature that knows something of nodes registers a Colouring, and its menu entry, legend
// and colours are there.
#include <QObject>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "query/query.h"

namespace fxs::ui {

/// The colour of a node beside its marks; a collapsed group has the highest of its nodes, of
/// classes the most frequent. Level1 to Level5 are a scale, low to high; Class1 to Class10 are of
/// texts, the most frequent first.
enum class Shade : std::uint8_t {
  None,
  Dimmed,
  Level1,
  Level2,
  Level3,
  Level4,
  Level5,
  Class1,
  Class2,
  Class3,
  Class4,
  Class5,
  Class6,
  Class7,
  Class8,
  Class9,
  Class10,
  Suspicious,
  Blocked,
  Match
};
inline constexpr std::size_t kLevels = 5, kClasses = 10;
/// Of the scale, from 0.
Shade levelOf(std::size_t index);
/// Of texts, from 0.
Shade classOf(std::size_t index);
inline bool isClass(Shade shade) { return shade >= Shade::Class1 && shade <= Shade::Class10; }

struct LegendEntry {
  Shade shade;
  QString text;  ///< "4.1 kB"
};

/// Of the nodes of the user's program, by NodeId index: shades that the legend explains, or values
/// above 0, which are put on a logarithmic scale.
struct NodeColours {
  std::vector<Shade> shades;
  Shade least = Shade::None;  ///< of operations that come from no node
  std::vector<LegendEntry> legend;
  std::vector<double> values;
  QString (*textOf)(double) = nullptr;  ///< of a value, for the legend
};

struct Colouring {
  int rank = 0;   ///< sort key of the menu
  QString id;     ///< "error": of its action
  QString title;  ///< "Error of the values"
  /// Why the graph cannot be coloured so now, and what to do about it; "" if it can.
  std::function<QString()> obstacle = {};
  /// Is called when the user chooses it, and may start what finds the colours.
  std::function<void()> prepare = {};
  std::function<NodeColours()> colours = {};
  /// The text before the legend; without one, the title.
  std::function<QString()> summary = {};
};

class Colourings final : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  void add(Colouring colouring);
  /// By place.
  const std::vector<Colouring>& all() const { return all_; }
  /// Null if there is none.
  const Colouring* find(const QString& id) const;

 Q_SIGNALS:
  /// A feature emits it when its colours changed.
  void changed();
  /// A feature emits it to mark what a query finds.
  void markRequested(const fxs::query::Query& query);

 private:
  std::vector<Colouring> all_;
};

}  // namespace fxs::ui
