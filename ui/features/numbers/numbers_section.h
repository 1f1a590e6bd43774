// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Inspector section for the value of a node: by output type the difference, statistics and a
// histogram of the found and the expected value, and the worst elements side by side.
#include <QWidget>

#include "session/numbers_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

/// Null if nothing is known about the node's value.
QWidget* makeNumbersSection(const Appearance& appearance, const NumbersPresenter& numbers,
                            fx::NodeId node, QWidget* parent);

}  // namespace fxs::ui
