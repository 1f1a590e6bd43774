// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the boxes of the shown graph are coloured by: their kind, a query, the size of their
// results, or what a feature knows of them (Colourings). Nodes are found and coloured in a job; the
// graph and the node list show the result.
#include <QObject>
#include <QString>
#include <vector>

#include "features/graph/op_graph_presenter.h"
#include "query/query.h"
#include "session/colourings.h"
#include "session/marks.h"

namespace fxs::ui {

// What the graph itself colours by, as Colouring::id.
inline const QString kByKind = "kind", kByQuery = "query", kBySize = "size";

class ColourPresenter final : public QObject {
  Q_OBJECT
 public:
  ColourPresenter(OpGraphPresenter& operations, Services& services);

  /// Marks what a query finds, in the program and in the shown graph.
  void mark(const query::Query& query);
  const QString& query() const { return queryText_; }
  /// `by`: Colouring::id.
  void choose(const QString& by);
  const QString& by() const { return by_; }
  const Colourings& colourings() const { return colourings_; }
  /// Colours as the other, whose graph is beside this one.
  void adopt(const ColourPresenter& other);
  /// Why the graph cannot be coloured so now, and what to do about it; "" if it can.
  QString obstacle(const QString& by) const;

  /// By node of the shown graph.
  const std::vector<Shade>& shades() const { return result_.shades; }
  /// What the query finds in the shown graph, in its order.
  const std::vector<fx::NodeId>& matches() const { return result_.matches; }
  /// By node of the user's program: whether the query finds it. Empty while no query is marked.
  const std::vector<bool>& matchesOfProgram() const { return result_.ofProgram; }
  /// The match after `from` in the order of the graph, or before it for -1; round at the ends.
  /// Invalid without matches.
  fx::NodeId next(fx::NodeId from, int direction) const;
  /// "3 of 2,369 nodes match dtype=f16", or what the colours show; "" for kinds.
  QString summary() const;
  const std::vector<LegendEntry>& legend() const { return result_.legend; }
  bool busy() const { return colouring_.running(); }

 Q_SIGNALS:
  void changed();
  /// by() or query() changed.
  void chosen();

 private:
  struct Coloured {
    std::vector<Shade> shades;
    std::vector<fx::NodeId> matches;
    std::vector<bool> ofProgram;
    std::vector<LegendEntry> legend;
  };
  /// The shown graph, with what is known of the nodes of the user's program.
  struct Subject {
    fx::ProgramPtr user, shown;
    std::vector<std::vector<fx::NodeId>> origins;  ///< of operations
    NodeColours ofUser;                            ///< of a feature
    std::vector<std::string> problems;             ///< by node of `user`
    bool isOperations() const { return shown != user; }
  };
  Subject subject() const;
  static Coloured coloured(const Subject&, const QString& by, const query::Query&,
                           const RunContext&);
  static Coloured byQuery(const Subject&, const query::Query&, const RunContext&);
  static Coloured bySize(const Subject&);
  static Coloured byFeature(const Subject&);
  /// By node of the shown graph; of operations, the highest of the nodes that each comes from, at
  /// least `least`.
  template <class T>
  static std::vector<T> ofShown(const Subject&, const std::vector<T>& ofUser, T least);
  /// On a logarithmic scale of equal steps from the least value above 0 to the largest.
  static Coloured scaled(const std::vector<double>& values,
                         const std::function<QString(double)>& textOf);
  void refresh();

  SessionPresenter& session_;
  OpGraphPresenter& operations_;
  Colourings& colourings_;
  Marks& marks_;
  QString by_ = kByKind;
  query::Query query_;
  QString queryText_;
  Coloured result_;
  Task<Coloured> colouring_;
};

}  // namespace fxs::ui
