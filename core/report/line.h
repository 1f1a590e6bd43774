// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Formats a line of text output. Arguments from a program, a manifest or an engine are escaped, so
// that they cannot break the line.
#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/counted.h"
#include "base/safe_text.h"

namespace fxs::report {

template <class T>
using InLine = std::conditional_t<std::convertible_to<const T&, std::string_view>, std::string, T>;

template <class T>
InLine<T> inLine(const T& value) {
  if constexpr (std::convertible_to<const T&, std::string_view>) return printable(value);
  else return value;
}

/// Like fmt::format, with printable() applied to every string argument.
template <class... Args>
std::string line(fmt::format_string<InLine<std::remove_cvref_t<Args>>...> form,
                 const Args&... args) {
  return fmt::format(form, inLine<std::remove_cvref_t<Args>>(args)...);
}

}  // namespace fxs::report
