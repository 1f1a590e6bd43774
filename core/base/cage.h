// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sandbox of a child process that handles untrusted input or is itself untrusted: restricts the
// files it can read and write, and denies the network and other programs. Enforced by the kernel
// (Landlock for files, seccomp for system calls); cageStrength() reports what this kernel supports.
// The output of the program stays untrusted.
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace fxs {

struct Cage {
  enum class Reading : std::uint8_t { Listed, Everything };
  enum class Processes : std::uint8_t { Threads, Programs };
  /// Files and folders that it may read and execute, in addition to the system's (/usr, /lib ..)
  /// and its own in /proc. Missing ones are ignored.
  std::vector<std::string> reads;
  std::vector<std::string>
      writes;  ///< folders in which it may also create, change and remove files; they must exist
  Reading reading = Reading::Listed;
  /// Whether it may start other programs, or only threads. Its process group is killed if it wants
  /// more than kMostProcesses.
  Processes processes = Processes::Threads;
  std::uint64_t fileSize = std::uint64_t{4}
                           << 30;  ///< maximum size in bytes of each file that it writes
  /// Limit of CPU time, summed over threads; 0: Command::timeout times the number of processors.
  std::chrono::seconds processorTime{0};

  static constexpr std::size_t kMostProcesses = 64;
  static constexpr std::uint64_t kMostOpenFiles = 256;
};

/// The mechanisms that the kernel supports.
struct CageStrength {
  int landlock = 0;     ///< Landlock ABI version; 0: not available
  bool filter = false;  ///< whether seccomp filters are available
};
/// Queries the running kernel.
CageStrength cageStrength();

/// One restriction and whether it is enforced: {"network", true, "no sockets (seccomp)"}.
struct CageWall {
  std::string name;
  bool held = false;
  std::string message;
};
/// Restrictions on files, network, processes, signals and limits, in this order.
std::vector<CageWall> walls(const CageStrength&);

}  // namespace fxs
