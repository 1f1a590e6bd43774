// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Notes the memory of what it runs.
#include <cstdint>
#include <vector>

#include "base/subprocess.h"

namespace fxs {

class MeasuringRunner final : public CommandRunner {
 public:
  explicit MeasuringRunner(CommandRunner& runner) : runner_(runner) {}
  Result<Exit> run(const Command&, std::stop_token) override;
  std::vector<Result<Exit>> runAll(std::span<const Command>, std::stop_token) override;
  /// The largest Exit::peakMemory, in bytes; 0 if nothing ran.
  std::uint64_t peak() const { return peak_; }

 private:
  Result<Exit> noted(Result<Exit>);
  CommandRunner& runner_;
  std::uint64_t peak_ = 0;
};

}  // namespace fxs
