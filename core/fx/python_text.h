// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Python's repr() of constants: 1e-05, inf, (1+2j), 'it\'s'.
#include <complex>
#include <string>
#include <string_view>

namespace fxs::fx {

std::string pythonRepr(double);
std::string pythonRepr(std::complex<double>);
/// In single quotes, unless the text contains single but no double quotes. Bytes above 0x7f are not
/// escaped.
std::string pythonRepr(std::string_view);

}  // namespace fxs::fx
