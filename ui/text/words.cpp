// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/words.h"

#include <QLocale>
#include <cmath>

#include "base/safe_text.h"

namespace fxs::ui {

QString text(std::string_view utf8) { return exact(printable(utf8)); }
QString lines(std::string_view utf8) { return exact(printableLines(utf8)); }
QString listed(const std::vector<std::string>& utf8, const QString& between) {
  QStringList all;
  for (const std::string& each : utf8) all << text(each);
  return all.join(between);
}

QString shown(const QString& exact) { return text(exact.toStdString()); }

QString shownInColumns(QString exact) {
  constexpr char16_t kControlPictures = 0x2400, kFormatsFrom = 0xdb40,
                     kFormatsTo = 0xdb43;  // high surrogates of U+E0000 to U+E0FFF
  for (qsizetype i = 0; i < exact.size(); ++i) {
    const char16_t unit = exact[i].unicode();
    const bool format = unit >= kFormatsFrom && unit <= kFormatsTo;
    if (unit == '\t' || (!format && !isDeceptive(unit))) continue;
    exact[i] = unit < 0x20 ? QChar(static_cast<char16_t>(kControlPictures + unit))
                           : QChar(QChar::ReplacementCharacter);
    if (format && i + 1 < exact.size()) exact[++i] = QChar(QChar::ReplacementCharacter);
  }
  return exact;
}

QString withoutMnemonic(const QString& shown) { return QString(shown).replace('&', "&&"); }

QString text(std::chrono::duration<double> time) {
  const double ms = time.count() * 1000;
  if (ms < 1) return QString::number(ms, 'f', 1) + " ms";
  if (ms < 1000) return QString::number(std::lround(ms)) + " ms";
  if (ms < 60'000) return QString::number(ms / 1000, 'f', 1) + " s";
  const long seconds = std::lround(ms / 1000);
  return QString("%1 min %2 s").arg(seconds / 60).arg(seconds % 60);
}

QString bytesText(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1000 && unit < 4) {
    value /= 1000;
    ++unit;
  }
  return QString::number(value, 'f', unit == 0 || value >= 100 ? 0 : 1) + ' ' + kUnits[unit];
}

QString counted(std::size_t count, const QString& one, const QString& many) {
  const QString number = QLocale(QLocale::English).toString(static_cast<qulonglong>(count)) + ' ';
  if (count == 1) return number + one;
  return number + (many.isEmpty() ? one + 's' : many);
}

}  // namespace fxs::ui
