// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Resource limits for one input. Every loop whose length a file controls spends from the caller's
// budget, so that a file of a kilobyte that describes 10^10 nodes ends in an error before it
// exhausts memory. The defaults suit a model of 20 GB with 100,000 nodes.
//
// Exceeding a limit is handled like std::bad_alloc: spend() throws Abandoned, and the callers at
// the top (session, command line, jobs of the window) convert it to an Error with guarded(),
// which also handles std::bad_alloc and stop requests. Callbacks of C libraries must not let it
// propagate.
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace fxs {

enum class Resource : std::uint8_t {
  Unpacked,  ///< bytes unpacked from archives; a member that is unpacked twice counts twice
  Nodes,     ///< FX nodes and MLIR operations, whether read or created
  Values,   ///< smaller units: JSON values, sizes, terms of a symbolic size, folded elements, edges
  Text,     ///< bytes of text and of other results kept in memory
  Disk,     ///< bytes written to temporary files
  Seconds,  ///< CPU time of this process; child processes have their own limits
};
inline constexpr std::size_t kResources = 6;
std::string_view name(Resource);  ///< "unpacked", "nodes" .., as in --limit
std::optional<Resource> resourceFrom(std::string_view name);

/// One limit per Resource, in its unit: bytes, counts or seconds.
struct BudgetLimits {
  std::array<std::uint64_t, kResources> of{
      std::uint64_t{64} << 30,  // 20 GB of weights three times over
      4'000'000,
      100'000'000,
      std::uint64_t{4} << 30,
      std::uint64_t{16} << 30,
      600,
  };
  std::uint64_t& operator[](Resource r) { return of[static_cast<std::size_t>(r)]; }
  std::uint64_t operator[](Resource r) const { return of[static_cast<std::size_t>(r)]; }
  friend bool operator==(const BudgetLimits&, const BudgetLimits&) = default;
};

/// Parses "64G" or "1800". The suffixes K, M, G and T are powers of 1024 for bytes, else of 1000.
/// Usage if malformed.
Result<std::uint64_t> limitAmountFrom(Resource, std::string_view text);
/// An amount as shown to users: "64 GiB", "4,000,000", "1,800 s".
std::string limitAmountText(Resource, std::uint64_t);

/// Thrown to abandon work, see above. `error` is InvalidInput if a limit was exceeded, Cancelled
/// after a stop request.
struct Abandoned : std::runtime_error {
  explicit Abandoned(Error e) : std::runtime_error(e.message), error(std::move(e)) {}
  Error error;
};

/// Counts what was spent. Thread-safe.
class Budget {
 public:
  explicit Budget(BudgetLimits limits = {});
  /// With the limits of `from` and what it had spent at `mark`, to count on from there by itself.
  struct Mark {
    std::array<std::uint64_t, kResources> spent{};
    std::uint64_t nanoseconds = 0;
  };
  Budget(const Budget& from, const Mark& mark);
  Mark mark() const;
  /// Whether a limit would have been exceeded.
  bool wasExceeded() const { return exceeded_.load(std::memory_order_relaxed); }
  const BudgetLimits& limits() const { return limits_; }
  std::uint64_t spent(Resource r) const {
    return spent_[static_cast<std::size_t>(r)].load(std::memory_order_relaxed);
  }
  std::uint64_t left(Resource r) const;

  /// Throws Abandoned if the limit would be exceeded; checks the CPU time at every 1024th call.
  /// `subject` names the item in the error: "model.pt2: node 'unbind_3'".
  void spend(Resource r, std::uint64_t amount, std::string_view subject) const {
    std::atomic<std::uint64_t>& spent = spent_[static_cast<std::size_t>(r)];
    const std::uint64_t before = spent.load(std::memory_order_relaxed);
    if (amount > limits_[r] || before > limits_[r] - amount) exceeded(r, subject);
    spent.store(before + amount, std::memory_order_relaxed);  // not exact with several threads,
                                                              // which is good enough for a limit
    if ((ticks_.fetch_add(1, std::memory_order_relaxed) & kTicksPerLook) == kTicksPerLook)
      look(subject);
  }
  /// Checks the CPU time now; for long steps that spend nothing. Throws Abandoned.
  void look(std::string_view subject) const;

 private:
  static constexpr std::uint32_t kTicksPerLook = 1023;
  [[noreturn]] void exceeded(Resource, std::string_view subject) const;
  BudgetLimits limits_;
  std::uint64_t startNanoseconds_;
  mutable std::array<std::atomic<std::uint64_t>, kResources> spent_{};
  mutable std::atomic<std::uint32_t> ticks_{0};
  mutable std::atomic<bool> exceeded_{false};
};

/// Converts the current exception to an Error: InvalidInput for std::bad_alloc and
/// std::length_error, Internal for other exceptions; both messages start with `subject`.
tl::unexpected<Error> abandoned(std::string_view subject);

/// The Result of `work`, or if it throws, the Error that abandoned() makes of it.
template <class Work>
auto guarded(std::string_view subject, Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    return abandoned(subject);
  }
}

}  // namespace fxs
