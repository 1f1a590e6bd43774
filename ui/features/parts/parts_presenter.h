// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The models of the open file, of which one is open: the parts of a text that lines of `// -----`
// divide, or the models of an archive.
#include <QObject>
#include <QString>
#include <vector>

#include "session/session_presenter.h"

namespace fxs::ui {

class PartsPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit PartsPresenter(Services& services);

  /// In order; empty if the file has only one.
  const std::vector<std::string>& models() const { return models_; }
  /// The index of the one that is open; -1 if there is only one.
  int current() const { return current_; }
  /// "Part 3", or the name of a model.
  QString titleOf(int model) const;
  /// "3 of 120".
  QString positionText() const;
  void choose(int model);
  /// Opens the next (1) or previous (-1).
  void step(int direction) { choose(current_ + direction); }

 Q_SIGNALS:
  void changed();

 private:
  void refresh();
  SessionPresenter& session_;
  std::vector<std::string> models_;
  int current_ = -1;
};

}  // namespace fxs::ui
