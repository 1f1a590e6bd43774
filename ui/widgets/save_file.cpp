// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/save_file.h"

#include <QBuffer>

#include "base/byte_source.h"
#include "text/words.h"

namespace fxs::ui {

QString saveFile(const QString& path, const QByteArray& bytes) {
  const auto written = writeWholeFile(path.toStdString(), bytes.toStdString());
  return written ? QString() : exact(written.error().message);
}

QString savePng(const QString& path, const QImage& picture) {
  QByteArray bytes;
  QBuffer to(&bytes);
  if (!to.open(QIODevice::WriteOnly) || !picture.save(&to, "PNG"))
    return path + ": there is not enough memory for its picture";
  return saveFile(path, bytes);
}

}  // namespace fxs::ui
