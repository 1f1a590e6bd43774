// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Inputs to run a program with: read from a file, or drawn by a seed within what the program
// allows. Drawing looks at the program only, so the same seed and sizes give the same inputs
// everywhere.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "fx/program.h"
#include "tensor/files.h"
#include "tensor/tensor.h"

namespace fxs::compare {

/// Values of symbolic sizes, by symbol ("s0").
using Sizes = std::map<std::string, std::int64_t>;

/// Where the elements of a set of inputs come from.
enum class InputSetKind : std::uint8_t {
  Given,      ///< a file of the user's
  Example,    ///< the program's own example inputs
  Ordinary,   ///< a bell curve, small integers, masks with both values
  Steps,      ///< whole numbers and halves, with equal elements; masks with rows of one value
  Range,      ///< integers over all of their type or all indices, floats of very different sizes
  Edges,      ///< limits of types and of operators, ties of rounding, both ends of indices
  Nonfinite,  ///< ordinary ones, with NaN and infinities
  Shifted,    ///< ordinary ones, moved so that predicates change
};
std::string_view name(InputSetKind);  ///< "given", "example", "ordinary" ..
std::optional<InputSetKind> inputSetNamed(std::string_view);

struct Inputs {
  Sizes sizes;                          ///< of every symbol of the inputs
  std::vector<tensor::Tensor> tensors;  ///< one per user input that is a tensor or a number, in
                                        ///< order of the signature; numbers have rank 0
  std::vector<std::string> notes;  ///< what was chosen and why, one line each: "tokens: below 1000,
                                   ///< the size of the table at embedding"
  InputSetKind set = InputSetKind::Ordinary;
  std::size_t round = 0;  ///< sets of one kind and sizes are counted
};

/// "ordinary", "edges.1": as `--inputs set:` takes it.
std::string label(const Inputs&);

/// Sizes to try, each within the ranges and guards of the program: one choice for a program of
/// static sizes; for a dynamic one a small one; one per symbol that changes this symbol alone, so
/// that a size that was fixed by mistake shows; one with all sizes beyond the width of a vector;
/// and one per symbol that may be 1. `given` are kept. Usage for a given size that the program does
/// not allow or has no symbol for.
Result<std::vector<Sizes>> sizesToTry(const fx::Program&, const Sizes& given, const RunContext&);

/// Floats are drawn from a normal distribution, with exact zeros and both signs; indices lie below
/// the size of the table that they are used with; masks have both values in every row; assertions
/// on inputs hold, and floats lie in the domain of the functions that they are used with, where
/// that is known. Sizes that are not given are chosen as by sizesToTry(), with its errors.
/// Unsupported for an input that cannot be drawn, such as a custom object.
Result<Inputs> drawInputs(const fx::Program&, const Sizes&, std::uint64_t seed, const RunContext&);

/// A set of a kind, likewise; the ordinary one is that of drawInputs(). Where there is nothing of
/// the kind in an input, its elements are ordinary.
Result<Inputs> drawInputs(const fx::Program&, const Sizes&, std::uint64_t seed, InputSetKind,
                          std::size_t round, const RunContext&);

/// All sets that differ, the ordinary one first, for sizes that the program allows.
Result<std::vector<Inputs>> drawInputSets(const fx::Program&, const Sizes&, std::uint64_t seed,
                                          const RunContext&);

/// The tensors of a file, by the names of forward's arguments or of the placeholders, else in
/// order. Usage, naming the input, if one is missing or has another type or a size that the program
/// does not allow.
Result<Inputs> inputsFrom(const fx::Program&, const tensor::TensorFile&, const std::string& label,
                          const RunContext&);

}  // namespace fxs::compare
