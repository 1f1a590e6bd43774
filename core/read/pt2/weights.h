#pragma once
// Locations of the parameters, buffers and constants in a .pt2, and their bytes on demand. Opening a program reads the two small config
// files but no weights.
#include <memory>
#include <string>
#include <vector>

#include "fx/program.h"
#include "read/format.h"
#include "read/pt2/archive.h"
#include "read/pt2/value_decoder.h"

namespace fxs::read::pt2 {

struct WeightCatalogue {
  std::vector<fx::Weight> weights;  ///< weights first, then constants, in the order of the file
  std::uint64_t storedBytes = 0;    ///< each record once, however many weights share it
};

/// Of an archive with config files. InvalidInput when one is missing or wrong; a record that is missing, pickled or empty
/// makes its weight unreadable and says why.
Result<WeightCatalogue> readCatalogue(const Archive&, ValueDecoder&, std::uint64_t maxBytes, std::vector<std::string>& notes,
                                      const RunContext&);

/// Of an archive whose weights are pickled dicts: names from the signature, shapes from the graph, no bytes.
WeightCatalogue catalogueFromGraph(const Archive&, const fx::Program&);

/// Adds what the signature names and the catalogue lacks, as unreadable.
void addMissing(WeightCatalogue&, const fx::Program&, std::vector<std::string>& notes);

std::shared_ptr<const WeightReader> weightReader(const Archive&, fx::ProgramPtr, const RunContext&);

}  // namespace fxs::read::pt2
