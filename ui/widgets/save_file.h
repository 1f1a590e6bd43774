// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Saves what the window made, as the command line does: a file is there with all of its content, or
// as it was before.
#include <QByteArray>
#include <QImage>
#include <QString>

namespace fxs::ui {

/// "" once it is saved; otherwise what is wrong.
QString saveFile(const QString& path, const QByteArray& bytes);
/// The same, of a picture as PNG.
QString savePng(const QString& path, const QImage& picture);

}  // namespace fxs::ui
