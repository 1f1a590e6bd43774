// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
namespace fxs::app {

/// Reserves a large heap and keeps it, for a process that runs one command. A program consists of
/// many small values that live as long as the process, and the first access to a page often costs
/// more than what is written to it. Call once, first in main. Does nothing where mallopt is not
/// available.
void useLargeHeap();

}  // namespace fxs::app
