// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What can be done with an operation of a text, in the context menus of texts and of their graphs,
// and with what is selected, in those of every view. A feature registers its commands; views know
// none of the features.
#include <QString>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "session/shown_text.h"

namespace fxs::ui {

/// The operation that begins on a line, or spans it.
struct TextOp {
  ShownText text;
  std::uint32_t line = 0;  ///< 0-based
};

struct OpCommand {
  int rank = 0;  ///< sort key in the menu
  QString title;
  std::function<bool(const TextOp&)> canRun;
  std::function<void(const TextOp&)> run;
};

/// A command for the selection, which opening the menu of a row sets to that row.
struct RowCommand {
  int rank = 0;  ///< sort key in the menu, with a separator between hundreds
  QString title;
  QString keys;  ///< "" for none
  QString view;  ///< object name of the page or dock in whose menus it is; "" for all
  std::function<bool()> canRun;
  std::function<void()> run;
};

class OpCommands {
 public:
  void add(OpCommand command) { insert(all_, std::move(command)); }
  void addRow(RowCommand command) { insert(rows_, std::move(command)); }
  /// By rank.
  const std::vector<OpCommand>& all() const { return all_; }
  const std::vector<RowCommand>& rows() const { return rows_; }

 private:
  template <class Command>
  static void insert(std::vector<Command>& into, Command command) {
    const auto after = std::find_if(into.begin(), into.end(),
                                    [&](const Command& each) { return each.rank > command.rank; });
    into.insert(after, std::move(command));
  }
  std::vector<OpCommand> all_;
  std::vector<RowCommand> rows_;
};

}  // namespace fxs::ui
