// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The manifest of a bundle: the failure it reproduces, how it was made, and the checksum of every
// other file. The checksum of manifest.json itself is part of the bundle's directory name.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/signature.h"
#include "import/import.h"
#include "lower/output_types.h"

namespace fxs::bundle {

using diagnose::dependsOnMachine;
using diagnose::failingStage;
using diagnose::fails;
using diagnose::Failure;
using diagnose::failureOf;
using diagnose::FailureSignature;
using diagnose::inputOfFailure;

/// Bundles of the first schema can be read, but their files cannot be regenerated, because it
/// recorded less.
inline constexpr std::string_view kManifestSchema = "fxscope-bundle/2",
                                  kFirstManifestSchema = "fxscope-bundle/1";
/// The output types on the path to the target that are not built in.
inline constexpr std::string_view kOutputTypesFile = "output_types.json";
inline constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{1} << 20;
inline constexpr std::size_t kMaxMembers = 64;

struct Member {
  std::string name;  ///< a plain file name, see isMemberName()
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// What a program computes that it should not: of a bundle whose program lowers.
struct WrongResult {
  std::string kind;                    ///< compare::kindOf(): "values", "nan", "crash" ..
  std::string message;                 ///< one line: "gelu: relative error 2.9e-05, 240 eps of f32"
  std::string expectedBy;              ///< "" if no values are expected, else "Python 3.11.2 with
                                       ///< PyTorch 2.13.0", "agreement of tosa and stablehlo"
  std::vector<std::string> executors;  ///< that computed it: "IREE 3.13.0", "LLVM 22.1.8"
};

/// The program that runs the failing stage of a module.
struct StageProgram {
  std::string name;  ///< "engine", or another of lower::knownTools() that runs passes
  std::string sha256;
};

/// Another value of an argument: as rewrite::RewriteOptions::arguments has it.
struct SetArgument {
  std::string node, name, value;
};

/// The passes that a stage runs, if some of its own are left out.
struct StagePasses {
  std::string stage, pipeline;
};

struct Manifest {
  std::string tool;     ///< version of the fxscope that wrote it, which determines its texts; "" in
                        ///< the first schema
  std::string program;  ///< name of the program, without directories; see plainProgramName()
  lower::OutputType target;
  std::string targetDefinition;  ///< lower::userDefinitionsFor(target)
  FailureSignature signature;
  std::optional<WrongResult> wrong;    ///< the signature's kind is kWrongResult
  std::optional<StageProgram> module;  ///< of an MLIR module; nullopt: an exported program
  bool verified = false;               ///< the export replayed it, and it failed in the same way
  std::string statement;      ///< one sentence about that: kHolds, or a text that begins with
                              ///< kDoesNotHold or kNotKnown
  std::string engineVersion;  ///< "LLVM 23.0.0git"
  std::string engineSha256;
  bool engineRepeats = true;  ///< a second run of the engine printed the same
  std::string torchVersion;   ///< PyTorch version in the program's file; "" if it has none
  std::string readAs;         ///< format of the original file
  std::string system;         ///< "Linux x86_64"
  std::size_t callNodes = 0;  ///< of the program in the bundle, which may be reduced
  std::size_t originalCallNodes = 0;
  std::string weights;  ///< "none", "used", "all"
  // How the program was imported.
  std::vector<std::string> decompose;
  std::vector<std::string> decomposeNodes, keepNodes;  ///< as rewrite::RewriteOptions has them
  std::vector<SetArgument> arguments;
  import::Mode mode = import::Mode::Lowering;
  std::string function = "main";
  bool symbolicShapes = false;
  std::vector<std::string> unregistered;  ///< operations imported as torch.operator, because the
                                          ///< engine does not register them
  // The engine's options.
  std::vector<StagePasses> passes;
  std::string edited;  ///< the stage whose result is edited.mlir; "" for none
  std::vector<std::string> backendLegalOps;
  bool extraLibrary = false;  ///< extra_library.mlir is in the bundle
  bool allowNonFinites = true;
  std::int64_t timeoutMs = 0;
  std::uint64_t memory = 0;     ///< in bytes
  std::vector<Member> members;  ///< in the archive's order
};

inline constexpr std::string_view kHolds = "fails in the same way",
                                  kDoesNotHold = "is no reproducer: ",
                                  kNotKnown = "is not known to reproduce: ";
using diagnose::kWrongResult;
/// The version of this fxscope.
std::string_view toolVersion();
/// A program's name for a manifest: characters other than letters, digits and "._-+ " become '_'.
std::string plainProgramName(std::string_view);

std::string manifestJson(const Manifest&);
std::string manifestSchema();
/// InvalidInput, with the place in the text, if it is not as written by manifestJson() (of this or
/// the first schema), or if the output type is not in `types`.
Result<Manifest> parseManifest(std::string_view text, const std::string& label,
                               const lower::OutputTypes& types = lower::OutputTypes::builtin());
/// Whether a name is valid for a member: a plain file name that does not begin with '.', and not
/// manifest.json.
bool isMemberName(std::string_view);

}  // namespace fxs::bundle
