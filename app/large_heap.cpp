#include "large_heap.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace fxs::app {

void useLargeHeap() {
#if defined(__GLIBC__)
  // Address space, not memory: a page is allocated when it is first accessed.
  constexpr int kReserve = 256 << 20;
  constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the maximum
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  ::mallopt(M_TOP_PAD, kReserve);
  const auto before = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  void* volatile more = std::malloc(std::size_t{1} << 20);  // more than is free, so that the heap grows
  std::free(more);
  const auto after = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  const std::uintptr_t first = (before + kLargePage - 1) & ~(kLargePage - 1);
  if (after > first) ::madvise(reinterpret_cast<void*>(first), after - first, MADV_HUGEPAGE);
#endif
}

}  // namespace fxs::app
