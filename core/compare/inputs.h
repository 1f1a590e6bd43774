#pragma once
// Inputs to run a program with: read from a file, or drawn by a seed within what the program allows. Drawing looks at the program only, so
// the same seed and sizes give the same inputs everywhere.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/program.h"
#include "tensor/files.h"
#include "tensor/tensor.h"

namespace fxs::compare {

/// Values of symbolic sizes, by symbol ("s0").
using Sizes = std::map<std::string, std::int64_t>;

struct Inputs {
  Sizes sizes;                          ///< of every symbol of the inputs
  std::vector<tensor::Tensor> tensors;  ///< one per user input that is a tensor or a number, in order of the signature; numbers have rank 0
  std::vector<std::string> notes;  ///< what was chosen and why, one line each: "tokens: below 1000, the size of the table at embedding"
};

/// Sizes to try, each within the ranges and guards of the program: one choice for a program of static sizes; for a dynamic one a small one
/// and one per symbol that changes this symbol alone, so that a size that was fixed by mistake shows. `given` are kept. Usage for a
/// given size that the program does not allow or has no symbol for.
Result<std::vector<Sizes>> sizesToTry(const fx::Program&, const Sizes& given, const RunContext&);

/// Floats are drawn from a normal distribution, with exact zeros and both signs; indices lie below the size of the table that they are
/// used with; masks have both values in every row; assertions on inputs hold, and floats lie in the domain of the functions that they are
/// used with, where that is known. Sizes that are not given are chosen as by sizesToTry(), with its errors. Unsupported for an input that
/// cannot be drawn, such as a custom object.
Result<Inputs> drawInputs(const fx::Program&, const Sizes&, std::uint64_t seed, const RunContext&);

/// The tensors of a file, by the names of forward's arguments or of the placeholders, else in order. Usage, naming the input, if one is
/// missing or has another type or a size that the program does not allow.
Result<Inputs> inputsFrom(const fx::Program&, const tensor::TensorFile&, const std::string& label, const RunContext&);

}  // namespace fxs::compare
