#pragma once
// A bundle as one zip: fxscope-<program>-<id>/ with the manifest first, where <id> is the beginning of the manifest's SHA-256. The same
// content gives the same bytes and the same name; different content never has one name. Opening trusts nothing: every file
// must be named by the manifest and have its checksum, names never become paths, and nothing is written to disk.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "bundle/manifest.h"

namespace fxs::bundle {

/// A file that goes into a bundle.
struct File {
  std::string name;
  std::string bytes;
  bool executable = false;
};

struct Packed {
  std::string name;    ///< "fxscope-gpt2-0123456789ab", of the folder and, with .zip, of the file
  std::string sha256;  ///< of the manifest, which holds the checksums of all else
  std::string bytes;
};
/// `manifest.members` are filled in from `files`. Errors of writeZip.
Result<Packed> pack(Manifest manifest, const std::vector<File>& files);

/// A bundle that was read and found whole.
struct Bundle {
  std::string name;
  std::string sha256;
  Manifest manifest;
  std::map<std::string, std::string, std::less<>> files;  ///< by member name, without manifest.json
  /// The file's bytes; "" when there is none.
  const std::string& file(std::string_view member) const;
};
/// InvalidInput, naming the file, for an archive that is no bundle, or whose content is not what its checksums say.
Result<Bundle> open(std::shared_ptr<const ByteSource>, const std::string& label, const lower::OutputTypes& = lower::OutputTypes::builtin());

/// Names of files that readers look for.
inline constexpr std::string_view kProgramFile = "program.pt2", kRawFile = "raw.mlir", kInputFile = "input.mlir",
                                  kFailureFile = "failure.mlir", kMinimalFile = "minimal.mlir", kExtraLibraryFile = "extra_library.mlir",
                                  kScriptFile = "run.sh";

}  // namespace fxs::bundle
