#pragma once
// A file format fxscope can open. One file under formats/ each, collected by the build.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"
#include "base/run_context.h"
#include "base/zip.h"
#include "fx/program.h"

namespace fxs::read {

/// Bytes of weights, read on demand: dense row-major in the weight's own dtype, little endian.
class WeightReader {
 public:
  virtual ~WeightReader() = default;
  /// Gathers by strides with bounds checks. Unsupported when the weight is pickled; InvalidInput when the file is too short
  /// or the result is larger than `maxBytes`. Bytes that are unpacked are spent; those of small weights once for all of a member.
  virtual Result<std::string> read(const fx::Weight&, std::uint64_t maxBytes, const RunContext& = {}) const = 0;
};

/// An opened file.
struct Capture {
  std::string label;   ///< the name as the user gave it
  std::string format;  ///< "PyTorch exported program (.pt2, schema 8.20)"
  fx::ProgramPtr program;
  std::shared_ptr<const WeightReader> weights;
  std::uint64_t fileBytes = 0;
  std::uint64_t weightBytes = 0;    ///< stored weights and constants, in bytes
  std::vector<std::string> models;  ///< the models an archive holds; the opened one first
  std::vector<std::string> notes;   ///< what was skipped or could not be known, a line each
};

struct ReadOptions {
  std::string model;  ///< of an archive with several; "" selects "model", else the first
  std::uint64_t maxModelBytes = std::uint64_t{2} << 30;
  bool operator==(const ReadOptions&) const = default;
};

inline constexpr std::uint64_t kSniffedBytes = 512;

/// What a format sees before it says that the file is its own.
struct Sniffed {
  std::string head;                      ///< at most kSniffedBytes
  std::shared_ptr<const ZipReader> zip;  ///< when the bytes are a zip that opens
};

struct Format {
  std::string id;     ///< "pt2"
  std::string title;  ///< "PyTorch exported program (.pt2)"
  bool (*sniff)(const Sniffed&, const RunContext&);
  Result<Capture> (*read)(std::shared_ptr<const ByteSource>, const Sniffed&, std::string label, const ReadOptions&, const RunContext&);
};

class FormatRegistry {
 public:
  void add(Format f) { formats_.push_back(f); }
  const std::vector<Format>& formats() const { return formats_; }

 private:
  std::vector<Format> formats_;
};
void registerAllFormats(FormatRegistry&);

}  // namespace fxs::read
