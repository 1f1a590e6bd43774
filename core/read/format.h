// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Interface of the file formats that fxscope reads. Each is one file in formats/, collected by the
// build.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"
#include "base/run_context.h"
#include "base/zip.h"
#include "fx/call_structure.h"
#include "fx/program.h"

namespace fxs::fx {
struct Kernel;
}

namespace fxs::read {

/// Reads weights on demand, as dense row-major little-endian elements of the weight's dtype.
class WeightReader {
 public:
  virtual ~WeightReader() = default;
  /// Gathers elements by strides, with bounds checks. Unsupported if the weight is not readable;
  /// InvalidInput if the file is too short or the result is larger than `maxBytes`. Unpacked bytes
  /// are spent, once per archive member for all its small weights.
  virtual Result<std::string> read(const fx::Weight&, std::uint64_t maxBytes,
                                   const RunContext& = {}) const = 0;
};

/// A leaf of the arguments that a program was exported with.
struct Example {
  fx::Weight tensor;  ///< not readable if it is no tensor, or its elements are not known
  std::optional<std::int64_t> number;  ///< of an integer or bool
};

/// What the location of an operation or argument in a module's own text says.
struct OwnLocation {
  std::string name;   ///< "relu" of `loc("relu"("fx":3:0))`; "" if none
  std::string stack;  ///< its lines of files, in the form of a node's stack_trace
};

/// A module that was opened instead of a program of PyTorch.
struct SourceModule {
  std::string source;  ///< the part of the file that was opened; "" of bytecode
  std::string text;    ///< as its tool prints it, with every operation located at its node
  std::string tool;    ///< that read it: "engine", "mlir-opt-22", or a path
  std::vector<OwnLocation> own;  ///< by node; without those that have none in the file
  std::string function;  ///< the symbol of the function that is the main graph; "" without one
  std::vector<std::string> dialects;  ///< of its operations, without builtin; sorted
  std::size_t ops = 0;                ///< operations of the text
};

/// An opened file.
struct Capture {
  std::string label;   ///< the file's name as the user gave it
  std::string format;  ///< "PyTorch exported program (.pt2, schema 8.20)"
  fx::ProgramPtr program;
  std::shared_ptr<const WeightReader> weights;
  std::uint64_t fileBytes = 0;
  std::uint64_t weightBytes = 0;    ///< stored weights and constants, in bytes
  std::vector<std::string> models;  ///< all models of an archive; the opened one first
  std::vector<std::string> notes;   ///< what was skipped or is unknown, one line each
  std::vector<Example> examples =
      {};  ///< in order; empty if the file has none, or they cannot be read as data
  fx::CallStructure calls = {};  ///< as far as the file has it
  std::shared_ptr<const fx::Kernel> kernel =
      {};  ///< of a Helion kernel: its arguments, blocks and grid; null for other programs
  std::shared_ptr<const SourceModule> module = {};  ///< of an MLIR module; null for other programs
};

struct ReadOptions {
  std::string model;  ///< which model of an archive; "" selects "model", else the first
  std::uint64_t maxModelBytes = std::uint64_t{2} << 30;
  /// Of an MLIR module: the file of the program that it was made from, whose nodes its locations
  /// name; "" for a .pt2 beside it, if there is one.
  std::string program;
  bool operator==(const ReadOptions&) const = default;
};

inline constexpr std::uint64_t kSniffedBytes = 512;

/// The input of Format::sniff.
struct Sniffed {
  std::string head;                      ///< the first kSniffedBytes bytes, or fewer
  std::shared_ptr<const ZipReader> zip;  ///< null if the file is not a valid zip archive
};

struct Format {
  std::string id;     ///< "pt2"
  std::string title;  ///< "PyTorch exported program (.pt2)"
  bool (*sniff)(const Sniffed&, const RunContext&);
  Result<Capture> (*read)(std::shared_ptr<const ByteSource>, const Sniffed&, std::string label,
                          const ReadOptions&, const RunContext&);
};

class FormatRegistry {
 public:
  void add(Format f) { formats_.push_back(std::move(f)); }
  const std::vector<Format>& formats() const { return formats_; }

 private:
  std::vector<Format> formats_;
};
void registerAllFormats(FormatRegistry&);

}  // namespace fxs::read
