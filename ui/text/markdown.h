// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Escapes shown text for Markdown that is copied to the clipboard; see report/markdown.h.
#include <QString>

#include "report/markdown.h"
#include "text/words.h"

namespace fxs::ui {

inline QString markdownCode(const QString& shown) {
  return exact(report::markdownCode(shown.toStdString()));
}
inline QString markdownText(const QString& shown) {
  return exact(report::markdownText(shown.toStdString()));
}

}  // namespace fxs::ui
