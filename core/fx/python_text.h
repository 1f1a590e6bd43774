#pragma once
// Constants as Python's repr() spells them: 1e-05, inf, (1+2j), 'it\'s'.
#include <complex>
#include <string>
#include <string_view>

namespace fxs::fx {

std::string pythonRepr(double);
std::string pythonRepr(std::complex<double>);
/// Single quotes unless the text has some and no double ones. Bytes above 0x7f stay as they are.
std::string pythonRepr(std::string_view);

}  // namespace fxs::fx
