#pragma once
// What a bundle says about itself: the failure it shows, how it was made, and the checksum of every file in it. manifest.json is the
// one file without a checksum; its own is in the name of the folder that holds everything.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bundle/signature.h"
#include "import/import.h"
#include "lower/output_types.h"

namespace fxs::bundle {

/// The first schema said less: its bundles are read, but not what their files were written from.
inline constexpr std::string_view kManifestSchema = "fxscope-bundle/2", kFirstManifestSchema = "fxscope-bundle/1";
/// What is not built in of the way to the output type.
inline constexpr std::string_view kOutputTypesFile = "output_types.json";
inline constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{1} << 20;
inline constexpr std::size_t kMaxMembers = 64;

struct Member {
  std::string name;  ///< a plain file name: letters, digits, '.', '_', '-', no folder
  std::uint64_t bytes = 0;
  std::string sha256;
};

struct Manifest {
  std::string tool;     ///< version of the fxscope that wrote it: another one writes other texts; "" of the first schema
  std::string program;  ///< what it was called, without folders
  lower::OutputType target;
  std::string targetDefinition;  ///< lower::userDefinitionsFor(target)
  FailureSignature signature;
  bool verified = false;      ///< replayed after unpacking, it failed in the same way
  std::string statement;      ///< one sentence about that: kHolds, or what begins with kDoesNotHold
  std::string engineVersion;  ///< "LLVM 23.0.0git"
  std::string engineSha256;
  bool engineRepeats = true;  ///< the engine's output was the same when run again
  std::string torchVersion;   ///< of the program's file; "" when it does not say
  std::string readAs;         ///< the format of the file that it came from
  std::string system;         ///< "Linux x86_64"
  std::size_t callNodes = 0;  ///< of the program in the bundle
  std::size_t originalCallNodes = 0;
  std::string weights;  ///< "none", "used", "all"
  // How the program was imported.
  std::vector<std::string> decompose;
  import::Mode mode = import::Mode::Lowering;
  std::string function = "main";
  bool symbolicShapes = false;
  std::vector<std::string> unregistered;  ///< operations that stand as torch.operator, for the engine does not register them
  // The engine's options.
  std::vector<std::string> backendLegalOps;
  bool extraLibrary = false;  ///< extra_library.mlir is in the bundle
  bool allowNonFinites = true;
  std::int64_t timeoutMs = 0;
  std::uint64_t memory = 0;
  std::vector<Member> members;  ///< in the archive's order
};

inline constexpr std::string_view kHolds = "fails in the same way", kDoesNotHold = "is no reproducer: ";
/// Of this program.
std::string_view toolVersion();
/// A program's name as a manifest has it: letters, digits and "._-+ " of one line; another character is a '_'.
std::string plainProgramName(std::string_view);

std::string manifestJson(const Manifest&);
/// InvalidInput with the place in the text for anything that is not as manifestJson writes it, or wrote it by the first schema, and for an
/// output type that is none of `types`.
Result<Manifest> parseManifest(std::string_view text, const std::string& label,
                               const lower::OutputTypes& types = lower::OutputTypes::builtin());
/// Whether a name may be a member's.
bool isMemberName(std::string_view);

}  // namespace fxs::bundle
