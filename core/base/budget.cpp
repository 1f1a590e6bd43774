// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/budget.h"

#include <fmt/format.h>
#include <time.h>

#include <charconv>
#include <limits>
#include <new>

#include "base/amounts.h"

namespace fxs {
namespace {

constexpr std::array<std::string_view, kResources> kNames{"unpacked", "nodes", "values",
                                                          "text",     "disk",  "seconds"};
constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

bool isBytes(Resource r) {
  return r == Resource::Unpacked || r == Resource::Text || r == Resource::Disk;
}

std::uint64_t processorTime() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * kNanosecondsPerSecond +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// The plural for an error message: "more than 4,000,000 nodes".
std::string_view things(Resource r) {
  switch (r) {
    case Resource::Unpacked: return " unpacked";
    case Resource::Nodes: return " nodes";
    case Resource::Values: return " values";
    case Resource::Text: return " of text";
    case Resource::Disk: return " on disk";
    case Resource::Seconds: break;
  }
  return " of processor time";
}

/// The power of the base that a letter after an amount stands for; npos for an unknown one.
std::size_t unitPower(std::string_view unit) {
  if (unit.empty()) return 0;
  return unit.size() == 1 ? std::string_view(" KMGT").find(unit[0]) : std::string_view::npos;
}

}  // namespace

std::string_view name(Resource r) { return kNames[static_cast<std::size_t>(r)]; }

std::optional<Resource> resourceFrom(std::string_view text) {
  for (std::size_t i = 0; i < kResources; ++i)
    if (kNames[i] == text) return static_cast<Resource>(i);
  return std::nullopt;
}

Result<std::uint64_t> limitAmountFrom(Resource r, std::string_view text) {
  std::uint64_t amount = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), amount);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const std::size_t power = unitPower(unit);
  const std::uint64_t base = isBytes(r) ? 1024 : 1000;
  std::uint64_t factor = 1;
  for (std::size_t i = 0; power != std::string_view::npos && i < power; ++i) factor *= base;
  if (code != std::errc() || power == std::string_view::npos || unit == " " ||
      amount > std::numeric_limits<std::uint64_t>::max() / factor)
    return fail(
        ErrorCode::Usage,
        fmt::format(
            "'{}' is not an amount of {}; expected a number, optionally followed by K, M, G or T",
            text, name(r)));
  return amount * factor;
}

std::string limitAmountText(Resource r, std::uint64_t amount) {
  if (r == Resource::Seconds) return groupedText(amount) + " s";
  if (!isBytes(r)) return groupedText(amount);
  for (const auto& [shift, unit] :
       {std::pair{30, " GiB"}, std::pair{20, " MiB"}, std::pair{10, " KiB"}})
    if (const std::uint64_t size = std::uint64_t{1} << shift; amount >= size && amount % size == 0)
      return groupedText(amount >> shift) + unit;
  return groupedText(amount) + " bytes";
}

Budget::Budget(BudgetLimits limits) : limits_(limits), startNanoseconds_(processorTime()) {}

Budget::Budget(const Budget& from, const Mark& mark)
    : limits_(from.limits_), startNanoseconds_(processorTime() - mark.nanoseconds) {
  for (std::size_t i = 0; i < kResources; ++i)
    spent_[i].store(mark.spent[i], std::memory_order_relaxed);
}

Budget::Mark Budget::mark() const {
  Mark out;
  for (std::size_t i = 0; i < kResources; ++i)
    out.spent[i] = spent_[i].load(std::memory_order_relaxed);
  out.nanoseconds = processorTime() - startNanoseconds_;
  return out;
}

std::uint64_t Budget::left(Resource r) const {
  const std::uint64_t used = r == Resource::Seconds
                                 ? (processorTime() - startNanoseconds_) / kNanosecondsPerSecond
                                 : spent(r);
  return used < limits_[r] ? limits_[r] - used : 0;
}

void Budget::look(std::string_view subject) const {
  if (left(Resource::Seconds) == 0) exceeded(Resource::Seconds, subject);
}

void Budget::exceeded(Resource r, std::string_view subject) const {
  exceeded_.store(true, std::memory_order_relaxed);
  throw Abandoned({ErrorCode::InvalidInput,
                   fmt::format("{}: exceeds the limit of {}{} for one input; if you trust it, "
                               "raise the limit with --limit {}=..",
                               subject, limitAmountText(r, limits_[r]), things(r), name(r)),
                   {}});
}

tl::unexpected<Error> abandoned(std::string_view subject) {
  try {
    throw;
  } catch (const Abandoned& abandoned) {
    return tl::unexpected<Error>(abandoned.error);
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: not enough memory; close other programs and try again", subject));
  } catch (const std::length_error&) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: requires more memory than can be addressed", subject));
  } catch (const std::exception& fault) {
    return fail(
        ErrorCode::Internal,
        fmt::format("{}: internal error of fxscope ({}); please report it", subject, fault.what()));
  }
}

}  // namespace fxs
