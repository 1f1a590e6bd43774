// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the boxes of the shown graph are coloured by: their kind, a query, their problems, the size
// of their results, the time that they take, or the error of their values. Nodes are found and
// coloured in a job; the graph and the node list show the result.
#include <QObject>
#include <QString>
#include <array>
#include <vector>

#include "features/graph/op_graph_presenter.h"
#include "features/graph/shade_state.h"
#include "features/numbers/numbers_presenter.h"
#include "features/numbers/times_presenter.h"
#include "features/problems/problems_presenter.h"
#include "query/query.h"

namespace fxs::ui {

enum class ColourBy : std::uint8_t { Kind, Query, Problem, Size, Time, Error };
inline constexpr std::array kColourings{ColourBy::Kind, ColourBy::Query, ColourBy::Problem,
                                        ColourBy::Size, ColourBy::Time,  ColourBy::Error};
QString name(ColourBy);   ///< "kind": of its action
QString title(ColourBy);  ///< "Size of the result"

struct LegendEntry {
  Shade shade;
  QString text;  ///< "4.1 kB"
};

class ColourPresenter final : public QObject {
  Q_OBJECT
 public:
  /// `job`: the name of its job in the queue.
  ColourPresenter(std::string job, SessionPresenter& session, OpGraphPresenter& operations,
                  ProblemsPresenter& problems, NumbersPresenter& numbers, TimesPresenter& times,
                  JobQueue& jobs, QObject* parent = nullptr);

  /// Marks what a query finds, in the program and in the shown graph.
  void mark(const query::Query& query);
  const QString& query() const { return queryText_; }
  /// By time, the program is run and measured first.
  void choose(ColourBy by);
  ColourBy by() const { return by_; }
  /// Colours as the other, whose graph is beside this one.
  void adopt(const ColourPresenter& other);
  /// Why the graph cannot be coloured so now, and what to do about it; "" if it can.
  QString obstacle(ColourBy by) const;

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
  bool busy() const { return busy_; }

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
    std::vector<Shade> ofUser;          ///< by node of `user`, to colour by problem and error
    std::vector<std::string> problems;  ///< by node of `user`
    std::vector<double> timeShares;     ///< likewise, to colour by time
    bool isOperations() const { return shown != user; }
  };
  Subject subject() const;
  std::vector<Shade> shadesOfUser() const;
  static Coloured coloured(const Subject&, ColourBy, const query::Query&, const RunContext&);
  static Coloured byQuery(const Subject&, const query::Query&, const RunContext&);
  static Coloured byError(const Subject&);
  /// Of operations, the strongest shade of the nodes that each comes from, at least `least`.
  static std::vector<Shade> shadesOfShown(const Subject&, Shade least);
  static std::vector<double> timesOf(const Subject&);
  /// On a logarithmic scale of equal steps from the least value above 0 to the largest.
  static Coloured scaled(const std::vector<double>& values,
                         const std::function<QString(double)>& textOf);
  void refresh();

  const std::string job_;
  SessionPresenter& session_;
  OpGraphPresenter& operations_;
  ProblemsPresenter& problems_;
  NumbersPresenter& numbers_;
  TimesPresenter& times_;
  JobQueue& jobs_;
  ColourBy by_ = ColourBy::Kind;
  query::Query query_;
  QString queryText_;
  Coloured result_;
  bool busy_ = false;
};

}  // namespace fxs::ui
