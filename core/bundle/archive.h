// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A bundle as one zip: fxscope-<program>-<id>/ with the manifest first, where <id> is a prefix of
// the manifest's SHA-256. Packing is reproducible: the same content gives the same bytes and name.
// Opening validates everything: every file must be listed in the manifest with its checksum, names
// are never used as paths, and nothing is written to disk.
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
  std::string name;      ///< "fxscope-gpt2-0123456789ab": the top directory
  std::string fileName;  ///< "gpt2-0123456789ab.fxscope.zip": desktops know a bundle by this ending
                         ///< (resources/packaging/fxscope.xml)
  std::string sha256;    ///< of the manifest, which contains the checksums of all other files
  std::string bytes;     ///< of the zip
};
/// Fills in `manifest.members` from `files`. Internal for a name that isMemberName() rejects;
/// otherwise errors of writeZip.
Result<Packed> pack(Manifest manifest, const std::vector<File>& files);

/// A bundle whose content matches its checksums.
struct Bundle {
  std::string name;
  std::string sha256;
  Manifest manifest;
  std::map<std::string, std::string, std::less<>> files;  ///< by member name, without manifest.json
  /// The file's bytes; "" if there is no such file.
  const std::string& file(std::string_view member) const;
};
/// InvalidInput, naming the file, if the archive is not a bundle or its content does not match its
/// checksums.
Result<Bundle> open(std::shared_ptr<const ByteSource>, const std::string& label,
                    const lower::OutputTypes& = lower::OutputTypes::builtin());

/// Names of members.
inline constexpr std::string_view kProgramFile = "program.pt2", kModuleFile = "program.mlir",
                                  kRawFile = "raw.mlir", kInputFile = "input.mlir",
                                  kFailureFile = "failure.mlir", kMinimalFile = "minimal.mlir",
                                  kExtraLibraryFile = "extra_library.mlir", kScriptFile = "run.sh",
                                  kReproFile = "repro.py", kE2eTestFile = "e2e_test.py",
                                  kLitTestFile = "test.mlir", kEditedFile = "edited.mlir";
/// Of a wrong result: the text of the output type, and values as safetensors files.
inline constexpr std::string_view kLoweredFile = "lowered.mlir", kInputsFile = "inputs.safetensors",
                                  kExpectedFile = "expected.safetensors",
                                  kFoundFile = "found.safetensors";

}  // namespace fxs::bundle
