// Programs as text: what is read prints, and what is printed reads and prints the same.
#include "fuzz_input.h"
#include "fx/text.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto program = fx::graphFrom(fuzz::textOf(data, size));
  if (!program) return 0;
  fuzz::require(fx::verify(**program).has_value(), "a program that is read is well formed");
  const std::string printed = fx::dump(**program);
  auto again = fx::graphFrom(printed);
  if (!again) std::cerr << printed << "\n" << toString(again.error()) << "\n";
  fuzz::require(again.has_value(), "a printed program reads");
  const std::string twice = fx::dump(**again);
  if (twice != printed) std::cerr << printed << "\n--- and then ---\n" << twice << "\n";
  fuzz::require(twice == printed, "a program prints the same when it is read again");
  return 0;
}
