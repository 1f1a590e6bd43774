// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The layers (layer/layer.h) that are open beside the program: read in a job, placed anew on each
// program that is opened. One at a time colours the graph; the others are in the table and in the
// inspector.
#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "layer/layer.h"
#include "session/colourings.h"
#include "session/session_presenter.h"

namespace fxs::ui {

struct OpenLayer {
  QString file;
  std::shared_ptr<const layer::Layer> layer;
  layer::PlacedLayer placed;
  layer::Levels levels;
};

/// "Time, µs"
QString titleOf(const layer::Layer& layer);

class LayersPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit LayersPresenter(Services& services);

  /// Adds the layers of the files; those of a file that is open already are replaced.
  void open(const QStringList& files);
  void close(std::size_t index);
  const std::vector<OpenLayer>& all() const { return all_; }
  /// The one that colours the graph; all().size() without layers.
  std::size_t shown() const { return shown_; }
  void show(std::size_t index);
  /// The colour of a node by a layer, whichever colours the graph; None without a value.
  Shade shadeOf(std::size_t index, fx::NodeId node) const;
  /// "Time: 12.5 µs", a line a layer; "" if none has a value for the node.
  QString textOf(fx::NodeId node) const;
  /// "Time: 38 of 92 nodes have a value"
  QString summary() const;
  /// "Time, µs, up to:", before the legend.
  QString legend() const;
  /// Why files were not read; "" if they were.
  const QString& problem() const { return problem_; }

 Q_SIGNALS:
  void changed();
  /// Layers were added, of which shown() is the first.
  void opened();

 private:
  struct Read {
    std::vector<OpenLayer> layers;
    std::vector<QString> files;  ///< that were read
    QString problem;
  };
  /// The layers of the files, after those of other files that are open, on the program.
  static Read read(const QStringList& files, std::vector<OpenLayer> open,
                   const fx::ProgramPtr& program);
  /// Reads the files that are wanted, and places all layers, in a job.
  void start();
  void take(Read made);
  NodeColours colours() const;

  SessionPresenter& session_;
  std::vector<OpenLayer> all_;
  std::size_t shown_ = 0;
  QString problem_;
  QStringList wanted_;  ///< files, until they are read
  Task<Read> reading_;
};

}  // namespace fxs::ui
