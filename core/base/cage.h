#pragma once
// What a child process may do that handles untrusted input, or is not fully trusted itself: which files it reads and writes, no
// network, no other programs. The kernel enforces it (Landlock for files, seccomp for system calls); what this kernel cannot enforce,
// cageStrength() reports. It limits what a program can do, not what it outputs.
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace fxs {

struct Cage {
  enum class Reading : std::uint8_t { Listed, Everything };
  enum class Processes : std::uint8_t { Threads, Programs };
  /// Files and folders that it may read and run, besides those of the system (/usr, /lib, /proc ..). Those that are not there are
  /// left out.
  std::vector<std::string> reads;
  std::vector<std::string> writes;  ///< folders in which it may also make, change and remove files
  Reading reading = Reading::Listed;
  /// Whether it may start processes, or threads only. Past kMostProcesses the group is killed.
  Processes processes = Processes::Threads;
  std::uint64_t fileSize = std::uint64_t{4} << 30;  ///< bytes of any file that it writes
  /// Of all its threads together; 0: what Command::timeout leaves it on all processors.
  std::chrono::seconds processorTime{0};

  static constexpr std::size_t kMostProcesses = 64;
  static constexpr std::uint64_t kMostOpenFiles = 256;
};

/// What the kernel can enforce of a cage.
struct CageStrength {
  int landlock = 0;     ///< version of Landlock's interface; 0: there is none
  bool filter = false;  ///< of system calls, by seccomp
};
/// Of this machine's kernel, as it answers this process.
CageStrength cageStrength();

/// One restriction of a cage, enforced or not: {"network", true, "no sockets (seccomp)"}.
struct CageWall {
  std::string what;
  bool held = false;
  std::string how;
};
/// Files, network, processes, signals and limits, in this order.
std::vector<CageWall> walls(const CageStrength&);

}  // namespace fxs
