#pragma once
// Core's strings, sizes and times as people read them.
#include <QString>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace fxs::ui {

inline QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }
/// "0.4 ms", "12 ms", "1.3 s", "2 min 5 s".
QString text(std::chrono::duration<double>);
/// "812 B", "1.6 MB", "16.1 GB".
QString bytesText(std::uint64_t);
/// "1 node", "2,369 nodes".
QString counted(std::size_t count, const QString& one, const QString& many = {});

}  // namespace fxs::ui
