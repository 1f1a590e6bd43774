// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/process_limit.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>

#include "base/cage.h"

namespace fxs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGroupName = "fxscope-";

std::uint64_t mostTasks() {
  const auto processors = static_cast<std::uint64_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L));
  return std::max<std::uint64_t>(Cage::kMostProcesses, 2 * processors + 16);
}

/// The folder of this process's group whose controllers include pids, in both versions; "" if there
/// is none.
std::string ownGroup() {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",",
                      path = line.substr(second + 1);
    const char* const mount = controllers == ",," ? "/sys/fs/cgroup" : "/sys/fs/cgroup/pids";
    if (controllers != ",," && controllers.find(",pids,") == std::string::npos) continue;
    std::error_code ignored;
    if (fs::exists(mount + path + "/cgroup.procs", ignored)) return mount + path;
  }
  return {};
}

/// Those of programs that were killed.
void removeStale(const std::string& parent) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kGroupName)) continue;
    pid_t owner = 0;
    std::from_chars(name.data() + kGroupName.size(), name.data() + name.size(), owner);
    std::error_code ignored;
    if (owner > 0 && !fs::exists("/proc/" + std::to_string(owner), ignored))
      ::rmdir(entry.path().c_str());
  }
}

/// The processes and threads of this user.
std::uint64_t tasksOfUser() {
  std::uint64_t out = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    struct stat status{};
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (::stat(entry.path().c_str(), &status) != 0 || status.st_uid != ::getuid()) continue;
    std::ifstream file(entry.path() / "status");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("Threads:")) out += std::strtoull(line.c_str() + 8, nullptr, 10);
  }
  return out;
}

}  // namespace

ProcessLimit ProcessLimit::make() {
  static std::atomic<unsigned> number = 0;
  ProcessLimit out;
  // Twice as many, because others of the user's programs start some too; those of the script are
  // counted.
  if (::getuid() != 0) out.ofUser_ = tasksOfUser() + 2 * mostTasks();
  const std::string parent = ownGroup();
  if (parent.empty()) return out;
  removeStale(parent);
  const std::string group = parent + "/" + std::string(kGroupName) + std::to_string(::getpid()) +
                            "-" + std::to_string(number++);
  if (::mkdir(group.c_str(), 0700) != 0) return out;
  out.group_ = group;
  out.members_ = group + "/cgroup.procs";
  std::error_code ignored;
  const bool counts = fs::exists(group + "/pids.max", ignored);
  if (!counts || !(std::ofstream(group + "/pids.max") << mostTasks() << std::flush)) out.remove();
  return out;
}

ProcessLimit::ProcessLimit(ProcessLimit&& other) noexcept
    : group_(std::exchange(other.group_, {})),
      members_(std::move(other.members_)),
      ofUser_(other.ofUser_) {}

ProcessLimit& ProcessLimit::operator=(ProcessLimit&& other) noexcept {
  remove();
  group_ = std::exchange(other.group_, {});
  members_ = std::move(other.members_);
  ofUser_ = other.ofUser_;
  return *this;
}

void ProcessLimit::remove() {
  if (group_.empty()) return;
  // Killed processes leave it one by one.
  for (int attempt = 0; ::rmdir(group_.c_str()) != 0 && errno == EBUSY && attempt < 200; ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  group_.clear();
}

bool ProcessLimit::enter() const {
  if (!group_.empty()) {
    const int file = ::open(members_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool moved = ::write(file, "0", 1) == 1;
    ::close(file);
    return moved;
  }
  rlimit now{};
  if (ofUser_ == 0 || ::getrlimit(RLIMIT_NPROC, &now) != 0) return true;
  const rlimit wanted{std::min<rlim_t>(ofUser_, now.rlim_cur),
                      std::min<rlim_t>(ofUser_, now.rlim_max)};
  return ::setrlimit(RLIMIT_NPROC, &wanted) == 0;
}

bool ProcessLimit::wasReached() const {
  if (group_.empty()) return false;
  std::ifstream events(group_ + "/pids.events");
  std::string name;
  std::uint64_t count = 0;
  return events >> name >> count && name == "max" && count > 0;
}

}  // namespace fxs
