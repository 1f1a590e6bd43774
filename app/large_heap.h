#pragma once
namespace fxs::app {

/// Makes the heap of a process that runs one command grow early and stay: a program is many small values that live as long as the
/// process, and on most machines a page that is touched for the first time costs more than what is written to it. Call it once,
/// first in main; where it cannot help it changes nothing.
void useLargeHeap();

}  // namespace fxs::app
