// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which arrangement of the panes is chosen, and what each shows: its texts and the page of its
// results. Where the panes are is a matter of the window: see DockArea.
#include <QObject>
#include <QString>
#include <QStringList>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "session/shown_text.h"

namespace fxs::ui {

/// What the user does, which decides what is large.
enum class Arrangement : std::uint8_t {
  Graph,      ///< graph and inspector, one text below
  Stages,     ///< texts over the whole height
  Passes,     ///< list of passes, the module before and after
  Diagnosis,  ///< problems and their fixes, graph and text of the selected one
  Numbers,    ///< table of nodes by their error, graph, values of the selected node
};
inline constexpr std::array kArrangements{Arrangement::Graph, Arrangement::Stages,
                                          Arrangement::Passes, Arrangement::Diagnosis,
                                          Arrangement::Numbers};

QString name(Arrangement);   ///< "graph"
QString title(Arrangement);  ///< "Graph"
std::optional<Arrangement> arrangementFrom(const QString& name);

class ArrangementPresenter final : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  Arrangement current() const { return current_; }
  void choose(Arrangement arrangement);
  /// The page of the results in the current arrangement, by id.
  QString page() const { return shown_.at(current_).page; }
  void setPage(const QString& id) { shown_.at(current_).page = id; }
  /// The texts of the current arrangement; empty for those that it has at first.
  const ShownTexts& texts() const { return shown_.at(current_).texts; }
  void setTexts(ShownTexts texts) { shown_.at(current_).texts = std::move(texts); }
  /// The current arrangement shows what it shows at first.
  void reset();

  /// For the settings, a line for each arrangement: "graph: problems; backend".
  QStringList saved();
  /// What is not understood is ignored.
  void restore(const QStringList& saved, Arrangement current);

 Q_SIGNALS:
  void aboutToChange();
  /// Whoever shows the texts calls setTexts().
  void textsWanted();
  void changed();

 private:
  struct Shown {
    QString page;
    ShownTexts texts = {};
  };
  static std::map<Arrangement, Shown> standard();
  Arrangement current_ = Arrangement::Graph;
  std::map<Arrangement, Shown> shown_ = standard();
};

}  // namespace fxs::ui
