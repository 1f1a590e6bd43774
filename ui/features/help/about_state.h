// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The versions of what fxscope works with, for the dialog About and for reports.
#include <QString>

#include "session/services.h"

namespace fxs::ui {

/// A line each: "fxscope 1.0", "Qt 6.4.2", "Engine: LLVM 23.0.0git, /usr/bin/torch-mlir-opt" ..
QString aboutText(Services& services);

/// A file of the documentation beside the program, of the source tree or of an installation; "" if
/// there is none. `name`: "tour.md". `program`: the folder of the executable.
QString documentation(const QString& name, const QString& program);

}  // namespace fxs::ui
