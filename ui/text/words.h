#pragma once
// Core's strings, sizes and times as people read them. What a file named is shown as printable() has it: no view has to think of it.
#include <QString>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::ui {

/// One line to show; see base/safe_text.h.
QString text(std::string_view utf8);
/// Several lines to show.
QString lines(std::string_view utf8);
/// As it is: to open, to compare, to count columns in; never to show.
inline QString exact(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }
/// "a, b, c".
QString listed(const std::vector<std::string>& utf8, const QString& between = ", ");
/// What exact() gave, and names of files that Qt gave, as one line to show.
QString shown(const QString& exact);
/// The same in as many characters, for code whose columns count: a sign of its own for each that would not be seen as it is.
QString shownInColumns(QString exact);
/// A name as the text of a button, a tab or a menu's entry, where a single & would be taken for a key's mark.
QString withoutMnemonic(const QString& shown);
/// "0.4 ms", "12 ms", "1.3 s", "2 min 5 s".
QString text(std::chrono::duration<double>);
/// "812 B", "1.6 MB", "16.1 GB".
QString bytesText(std::uint64_t);
/// "1 node", "2,369 nodes".
QString counted(std::size_t count, const QString& one, const QString& many = {});

}  // namespace fxs::ui
