// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Locates the parameters, buffers and constants of a .pt2, and reads their bytes on demand. Opening
// a program reads the two small config files, or the pickles of an older layout as data, but no
// weights.
#include <memory>
#include <string>
#include <vector>

#include "fx/program.h"
#include "read/format.h"
#include "read/pt2/archive.h"
#include "read/pt2/pickled_weights.h"
#include "read/pt2/value_decoder.h"

namespace fxs::read::pt2 {

struct WeightCatalogue {
  std::vector<fx::Weight> weights;  ///< weights first, then constants, in the order of the file
  std::uint64_t storedBytes = 0;    ///< records shared by several weights count once
  std::vector<PickledWeights> pickled;
};

/// The catalogue of an archive with config files. InvalidInput if one is missing or malformed; a
/// weight whose record is missing, pickled or empty is not readable, see Weight::whyNot.
Result<WeightCatalogue> readCatalogue(const Archive&, ValueDecoder&, std::uint64_t maxBytes,
                                      std::vector<std::string>& notes, const RunContext&);

/// The catalogue of an archive with pickled weights: those that the signature names. Where a pickle
/// cannot be read, their shapes are from the graph, and neither their values nor their storages are
/// known.
Result<WeightCatalogue> readPickled(const Archive&, const fx::Program&, std::uint64_t maxBytes,
                                    std::vector<std::string>& notes, const RunContext&);

/// Adds weights that the signature names but the catalogue lacks, as not readable.
void addMissing(WeightCatalogue&, const fx::Program&, std::vector<std::string>& notes);

/// `pickled`: files in the archive that hold records.
std::shared_ptr<const WeightReader> weightReader(const Archive&,
                                                 std::vector<PickledWeights> pickled,
                                                 fx::ProgramPtr, const RunContext&);

}  // namespace fxs::read::pt2
