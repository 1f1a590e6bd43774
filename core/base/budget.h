#pragma once
// Resource limits for one input. Every loop over something that a file controls spends from the caller's budget: a program that
// asks for 10^10 nodes from a kilobyte ends in one clear error, not in a machine without memory. The defaults suit a model of 20 GB
// with 100,000 nodes.
//
// Running out is like running out of memory: it is thrown where it happens, as Abandoned, and abandoned() at the doors (the session,
// the command line, the window's jobs) makes one Error of it, of std::bad_alloc, and of a request to stop. Nothing between has to
// hand it on. Code that spends below a C library's callbacks must not let it through them.
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
  Unpacked,  ///< bytes read out of archives; a member that is unpacked twice counts twice
  Nodes,     ///< FX nodes, MLIR operations: of the file, and made from it
  Values,    ///< smaller things: JSON values, sizes, sums and factors of a symbolic size, elements that are folded, edges
  Text,      ///< bytes of text and of other results kept in memory
  Disk,      ///< bytes written to temporary files
  Seconds,   ///< CPU time of this process; child processes have their own limits
};
inline constexpr std::size_t kResources = 6;
std::string_view name(Resource);  ///< "unpacked", "nodes" .., as --limit expects them
std::optional<Resource> resourceFrom(std::string_view name);

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

/// "64G" (of bytes: K, M, G, T are powers of 1024; of all else powers of 1000), "1800". Usage for anything else.
Result<std::uint64_t> limitAmountFrom(Resource, std::string_view text);
/// The same words back: "64 GiB", "4,000,000", "1,800 s".
std::string limitAmountText(Resource, std::uint64_t);

/// Why a piece of work ended before it was done; see above. `error` is InvalidInput for a budget, Cancelled for a stop.
struct Abandoned : std::runtime_error {
  explicit Abandoned(Error e) : std::runtime_error(e.message), error(std::move(e)) {}
  Error error;
};

/// Counts what was spent. Safe from several threads.
class Budget {
 public:
  explicit Budget(BudgetLimits limits = {});
  const BudgetLimits& limits() const { return limits_; }
  std::uint64_t spent(Resource r) const { return spent_[static_cast<std::size_t>(r)].load(std::memory_order_relaxed); }
  std::uint64_t left(Resource r) const;

  /// Throws Abandoned if the limit would be exceeded, and checks the processor time from time to time. `what` names the thing ("model.pt2:
  /// node 'unbind_3'").
  void spend(Resource r, std::uint64_t amount, std::string_view what) const {
    std::atomic<std::uint64_t>& spent = spent_[static_cast<std::size_t>(r)];
    const std::uint64_t before = spent.load(std::memory_order_relaxed);
    if (amount > limits_[r] || before > limits_[r] - amount) exceeded(r, what);
    spent.store(before + amount, std::memory_order_relaxed);  // not exact with several threads, which is good enough for a limit
    if ((ticks_.fetch_add(1, std::memory_order_relaxed) & kTicksPerLook) == kTicksPerLook) look(what);
  }
  /// Checks the processor time now, for single steps that take long.
  void look(std::string_view what) const;

 private:
  static constexpr std::uint32_t kTicksPerLook = 1023;
  [[noreturn]] void exceeded(Resource, std::string_view what) const;
  BudgetLimits limits_;
  std::uint64_t startNanoseconds_;
  mutable std::array<std::atomic<std::uint64_t>, kResources> spent_{};
  mutable std::atomic<std::uint32_t> ticks_{0};
};

/// Converts the current exception to an Error, for handlers at interfaces: `catch (...) { return abandoned(what); }`. `what` names the
/// activity, for bad_alloc. Internal for unexpected exceptions.
tl::unexpected<Error> abandoned(std::string_view what);

}  // namespace fxs
