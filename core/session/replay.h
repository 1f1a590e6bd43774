#pragma once
// Running the content of a bundle again, for replay and for the export that must hold.
#include "bundle/archive.h"
#include "session/bundle.h"

namespace fxs::session {

/// A directory under the environment's temporary one, gone with this object.
class ScratchDirectory {
 public:
  static Result<ScratchDirectory> make(const Environment&);
  ScratchDirectory(ScratchDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchDirectory& operator=(ScratchDirectory&&) = delete;
  ~ScratchDirectory();
  const std::string& path() const { return path_; }

 private:
  explicit ScratchDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// The engine on the bundle's RAW module, as its manifest says. EngineFailed when the engine cannot be run, Cancelled on a stop.
Result<std::shared_ptr<const lower::Lowering>> lowerAgain(const bundle::Bundle&, const lower::Engine&, const Environment&,
                                                          const RunContext&);

/// What a lowering of a bundle's module says of the bundle. InvalidInput as replayBundle has it.
Result<ReplayResult> judge(const bundle::Bundle&, const lower::Lowering&, const std::string& label);

}  // namespace fxs::session
