// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "large_heap.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace fxs::app {

void useLargeHeap() {
#if defined(__GLIBC__)
  // Address space, not memory: a page is allocated when it is first accessed.
  constexpr int kReserve = 256 << 20;
  constexpr std::size_t kLargePage = std::size_t{2} << 20;
  // Where address space is limited the heap could not grow at all.
  constexpr rlim_t kPlenty = rlim_t{8} * kReserve;
  if (rlimit space{}; ::getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur < kPlenty) return;
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the maximum
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  ::mallopt(M_TOP_PAD, kReserve);
  void* first = ::sbrk(0);
  void* volatile more =
      std::malloc(std::size_t{1} << 20);  // more than is free, so that the heap grows
  std::free(more);
  auto size = static_cast<std::size_t>(static_cast<char*>(::sbrk(0)) - static_cast<char*>(first));
  if (std::align(kLargePage, 1, first, size) != nullptr) ::madvise(first, size, MADV_HUGEPAGE);
#endif
}

}  // namespace fxs::app
