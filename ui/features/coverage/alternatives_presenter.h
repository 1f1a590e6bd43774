// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Alternatives to lowering the open program to the chosen output type by torch-mlir's pipelines
// with the engine in use: directly through op registries, node by node, by the same pipelines with
// another engine, and to another output type. Each runs as a job while it is wanted, and again
// after every run of the program.
#include <QObject>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "registry/direct_lowering.h"
#include "session/session_presenter.h"
#include "session/text_sources.h"

namespace fxs::ui {

inline constexpr std::array kAlternatives{Alternative::Registries, Alternative::Nodes,
                                          Alternative::Engine, Alternative::Type};

/// What the registries write: the form of the weights, and the functions that main calls.
struct RegistryForm {
  registry::Arguments arguments = registry::Arguments::Lowering;
  registry::GroupBy groups = registry::GroupBy::None;
  friend bool operator==(const RegistryForm&, const RegistryForm&) = default;
};

/// An alternative, with what it lowers by.
struct AlternativeChoice {
  Alternative alternative;
  std::string engine;                     ///< of Engine: the known engine
  std::optional<lower::OutputType> type;  ///< of Type
  RegistryForm form = {};                 ///< of Registries
};

/// How one node of the program was lowered.
struct CoverageRow {
  enum class Status : std::uint8_t { Lowered, NotLowered, Structural };
  fx::NodeId node;  ///< of the user's program
  QString name;     ///< of the lowered node; after rewriting it may differ from the user's
  QString target;   ///< "aten.add.Tensor"
  QString opClass;  ///< "AddOp"; "" when there is none
  Status status = Status::Structural;
  QString standing;     ///< "lowered", "no op class", "no lowering", "refused", "not needed"
  QString by;           ///< the registry that lowered it; "" for none
  QString message;      ///< why it is not lowered, and what to do about it; "" if it is
  std::size_t ops = 0;  ///< MLIR operations emitted for it
};

struct AlternativeLowering {
  std::string text;                            ///< one module with locations; "" if there is none
  mlir::TextForm form = mlir::TextForm::Mlir;  ///< of `text`
  bool complete = false;          ///< every node is lowered, and the engine verified the module
  QString note;                   ///< one line: why it is not complete; "" if it is
  QString detail;                 ///< registries, decompositions, and the engine's output
  std::vector<CoverageRow> rows;  ///< in program order
  QStringList sums;               ///< "tosa 120", "not lowered 3"
  /// Number of rows that are NotLowered.
  std::size_t missing() const {
    return static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(),
        [](const CoverageRow& row) { return row.status == CoverageRow::Status::NotLowered; }));
  }
};
using AlternativeLoweringPtr = std::shared_ptr<const AlternativeLowering>;
/// Lowers a snapshot's program by an alternative: sessionAlternatives(), or a test double.
using AlternativeRunner = std::function<Result<AlternativeLoweringPtr>(
    const AlternativeChoice&, const session::SnapshotPtr&, const RunContext&)>;
/// `registries`: .fxreg files, read again for every lowering, so that edits need no restart.
AlternativeRunner sessionAlternatives(session::Environment environment,
                                      std::vector<std::string> registries = {});

struct AlternativeState : WorkState {
  AlternativeLoweringPtr lowering;
  std::chrono::duration<double> seconds{0};
};

class AlternativesPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit AlternativesPresenter(Services& services);

  QString title(Alternative alternative) const;
  /// The known engine of Alternative::Engine; "" until one is chosen.
  const std::string& engine() const { return engine_; }
  void setEngine(std::string name);
  /// The output type of Alternative::Type, never the one that the program is lowered to.
  lower::OutputType type() const;
  const RegistryForm& registryForm() const { return form_; }
  void setRegistryForm(RegistryForm form);
  /// Chooses the output type after type().
  void chooseNextType();
  AlternativeState state(Alternative alternative) const {
    const Lowering& of = lowering(alternative);
    return {of.task.state(), of.made, of.seconds};
  }
  /// While wanted, an alternative is lowered, and again whenever the program is lowered again.
  void setWanted(Alternative alternative, bool wanted);
  bool wanted(Alternative alternative) const { return lowering(alternative).wanted; }
  bool running() const;

 Q_SIGNALS:
  void changed(fxs::ui::Alternative alternative);

 private:
  struct Lowering {
    explicit Lowering(Services& services) : task(services, WorkFor::View, CancelBy::Button) {}
    void drop() {
      made.reset();
      task.supersede();
    }
    AlternativeLoweringPtr made;
    std::chrono::duration<double> seconds{0};
    bool wanted = false;
    Task<Result<AlternativeLoweringPtr>> task;
  };
  Lowering& lowering(Alternative alternative) {
    return lowerings_[static_cast<std::size_t>(alternative)];
  }
  const Lowering& lowering(Alternative alternative) const {
    return lowerings_[static_cast<std::size_t>(alternative)];
  }
  OtherText textOf(Alternative alternative) const;
  void drop();
  void runWanted();
  void start(Alternative alternative);
  void restart(Alternative alternative);
  lower::OutputType typeAfter(const lower::OutputType& type) const;

  SessionPresenter& session_;
  AlternativeRunner runner_;
  std::string engine_;
  std::optional<lower::OutputType> type_;
  RegistryForm form_;
  std::deque<Lowering> lowerings_;  ///< by alternative
};

}  // namespace fxs::ui
