// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Exports the failure of the open program, or its wrong result, as a reproducer bundle, in a job.
// The bundle is replayed first; the outcome is part of the result.
#include <QObject>
#include <QString>
#include <optional>

#include "session/bundler.h"
#include "session/log_presenter.h"
#include "session/numbers_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {

struct BundleState : WorkState {
  std::optional<bundle::BundleResult> result;
};

class BundlePresenter final : public QObject {
  Q_OBJECT
 public:
  explicit BundlePresenter(Services& services);

  /// Why nothing can be exported now, and what to do about it; "" if an export is possible.
  QString obstacle() const;
  /// The comparison of a program that lowers and computes a wrong result, which is exported then;
  /// else null.
  const ComparedTarget* wrongResult() const;
  /// What the open bundle does here: "Bundle: fails as recorded"; "" if none is open, or it has not
  /// been lowered.
  QString replayed() const;
  /// The name of the first node of wrongResult() that differs; "" if not known.
  QString wrongNode() const;
  void start(const bundle::BundleOptions& options);
  void cancel();
  /// Resets state(): the result or error of the last export is dropped.
  void forget();
  BundleState state() const { return {task_.state(), result_}; }

 Q_SIGNALS:
  void changed();

 private:
  void drop();
  void logEnd();
  SessionPresenter& session_;
  NumbersPresenter& numbers_;
  LogPresenter& log_;
  Bundler bundler_;
  std::optional<bundle::BundleResult> result_;
  Task<Result<bundle::BundleResult>> task_;
};

/// "34 kB, 1 of 505 operations".
QString sizeText(const bundle::BundleResult&);
/// "Removed as private or unneeded: 2 paths under a home folder (now net.py); .."; "" when nothing
/// was.
QString removedText(const bundle::BundleResult&);

}  // namespace fxs::ui
