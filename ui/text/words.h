// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Converts strings, sizes and times of core to text to show. Unprintable characters are escaped
// here, so that views need not do it.
#include <QString>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::ui {

/// As one line to show, with unprintable characters escaped; see base/safe_text.h.
QString text(std::string_view utf8);
/// The same, but keeps line breaks.
QString lines(std::string_view utf8);
/// Unescaped: to open, to compare, to count columns; never to show.
inline QString exact(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}
/// "a, b, c".
QString listed(const std::vector<std::string>& utf8, const QString& between = ", ");
/// Escapes the result of exact(), or a file name from Qt, as one line to show.
QString shown(const QString& exact);
/// The same, but with one visible character for each character escaped, so that columns do not
/// change.
QString shownInColumns(QString exact);
/// Doubles each &, for the text of a button, tab or menu entry, where a single & marks a mnemonic.
QString withoutMnemonic(const QString& shown);
/// "0.4 ms", "12 ms", "1.3 s", "2 min 5 s".
QString text(std::chrono::duration<double>);
/// "812 B", "1.6 MB", "16.1 GB".
QString bytesText(std::uint64_t);
/// "1 node", "2,369 nodes". `many` defaults to `one` + "s".
QString counted(std::size_t count, const QString& one, const QString& many = {});

}  // namespace fxs::ui
