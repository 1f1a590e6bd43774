// The JSON formats: graphs of fxscope_capture.py, and Helion's Device IR in both of its forms.
#include "read_everything.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fxs::fuzz::readEverything(std::string(fxs::fuzz::textOf(data, size)));
  return 0;
}
