#pragma once
// Decides whether two tensors that should be equal are: the one rule by which fxscope calls a result wrong. docs/numbers.md explains it.
//
// NaN and infinities must be in the same places; integers and bools must be equal. Other elements are compared as a whole, by the relative
// l2 error |found - expected| / |expected| in units of eps of the lowest precision on the way to the value: the precision bounds what a
// right program can lose, and the norm does not call rounding of small elements an error, as element-wise tolerances do.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.h"

namespace fxs::tensor {

/// From best to worst.
enum class Verdict : std::uint8_t { Same, Suspicious, DiffersAtNonfinite, Differs };
std::string_view name(Verdict);  ///< "same", "suspicious", "differs-at-nonfinite", "differs"

/// How two tensors differ, as far as one can tell.
enum class Kind : std::uint8_t { None, Shape, Type, Nan, Infinity, Sign, Permuted, WrongElements, Scaled, Rounding };
std::string_view name(Kind);  ///< "shape", "nan", "sign" ..

/// One differing element.
struct Element {
  std::vector<std::int64_t> index;
  double found = 0;
  double expected = 0;
};

struct Difference {
  Verdict verdict = Verdict::Same;
  Kind kind = Kind::None;
  double l2 = 0;            ///< relative l2 error of the finite elements; absolute if all expected ones are 0
  double units = 0;         ///< l2 in eps of `lowest`
  double maxAbs = 0;        ///< largest absolute error of a finite element
  std::uint64_t wrong = 0;  ///< elements that differ by more than the tolerance, or in NaN or infinity
  std::uint64_t elements = 0;
  std::vector<Element> worst;  ///< at most kWorst, largest error first
  std::string words;           ///< one line for users: "3 of 12 elements have the other sign, relative error 0.41"
};
inline constexpr std::size_t kWorst = 8;

/// eps of a dtype: 2^-23 for float32, 2^-7 for bfloat16; of a complex one, that of its parts; 0 for integers and bool.
double epsilonOf(DType);
/// The relative l2 error in eps of `lowest` above which floats differ: 40, of half types 4. A quarter of it is suspicious.
double toleranceOf(DType lowest);

/// `lowest`: the floating dtype of lowest precision that was used on the way to the values; Unknown: that of `expected`.
Difference judge(const Tensor& found, const Tensor& expected, DType lowest = DType::Unknown);

}  // namespace fxs::tensor
