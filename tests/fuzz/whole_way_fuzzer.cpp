// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole way of a stranger's file: read, normalize, rewrite, import, registries, node by node,
// write, layout, reports, bundle. Any input may be refused; what is read has to hold at every step,
// within the bounds of one budget. See whole_way.h for the forms.
#include <new>

#include "fuzz_input.h"
#include "fx/text.h"
#include "one_input.h"
#include "pt2_writer.h"
#include "read/read.h"
#include "whole_way.h"
#include "write/pt2.h"

using namespace fxs;

namespace {

BudgetLimits limitsOfOneInput() {
  BudgetLimits limits = fuzz::limitsOfOneInput();
  limits[Resource::Unpacked] = std::uint64_t{64} << 20;
  limits[Resource::Disk] = 0;
  return limits;
}

std::string archiveAround(std::string_view members) {
  test::Pt2 file;
  file.set("models/model.json", std::string(fuzz::takeMember(members)));
  if (!members.empty())
    file.set("data/weights/model_weights_config.json", std::string(fuzz::takeMember(members)));
  if (!members.empty())
    file.set("data/constants/model_constants_config.json", std::string(fuzz::takeMember(members)));
  for (const char* name :
       {"data/weights/weight_0", "data/weights/weight_1", "data/constants/tensor_0"})
    file.set(name, std::string(128, '\x3f'));
  return file.bytes();
}

/// What prints reads, and prints the same.
void printsAsItReads(const fx::Program& program) {
  const std::string printed = fx::dump(program);
  auto again = fx::graphFrom(printed);
  if (!again) std::cerr << printed << "\n" << toString(again.error()) << "\n";
  fuzz::require(again.has_value(), "a printed program reads");
  const std::string twice = fx::dump(**again);
  if (twice != printed) std::cerr << printed << "\n--- and then ---\n" << twice << "\n";
  fuzz::require(twice == printed, "a program prints the same when it is read again");
}

/// The bytes of a file that holds the program; "" when there are none.
std::string fileOf(std::string_view programText, const RunContext& context) {
  const auto program = fx::graphFrom(programText);
  if (!program) return "";
  fuzz::require(fx::verify(**program).has_value(), "a program that is read is well formed");
  printsAsItReads(**program);
  auto bytes = write::pt2Bytes(**program, {}, context);
  if (bytes) return *std::move(bytes);
  // What a .pt2 cannot say goes its way as it is.
  read::Capture capture;
  capture.label = "fuzz";
  capture.format = "text";
  capture.program = *program;
  fuzz::goWholeWay(capture, context);
  return "";
}

Result<> open(std::string_view input, const RunContext& context) try {
  const auto form = static_cast<fuzz::Form>(input.front());
  input.remove_prefix(std::min<std::size_t>(2, input.size()));
  std::string bytes;
  switch (form) {
    case fuzz::Form::Model: bytes = archiveAround(input); break;
    case fuzz::Form::Text: bytes = fileOf(input, context); break;
    case fuzz::Form::Capture:
    case fuzz::Form::File: bytes = input; break;
    default: return {};
  }
  if (bytes.empty()) return {};
  read::ReadOptions options;
  options.maxModelBytes = 1 << 20;
  FXS_TRY(const read::Capture capture,
          read::readCapture(memorySource(std::move(bytes)), "fuzz.pt2", options, context));
  fuzz::goWholeWay(capture, context);
  return {};
} catch (...) {
  return abandoned("fuzz.pt2");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  RunContext context;
  context.budget = std::make_shared<const Budget>(limitsOfOneInput());
  const auto done = open(fuzz::textOf(data, size), context);
  if (done) return 0;
  if (done.error().code == ErrorCode::Internal) std::cerr << done.error().message << "\n";
  fuzz::require(done.error().code != ErrorCode::Internal, "an exception is one that is expected");
  fuzz::require(!done.error().message.empty(), "an error says what is wrong");
  return 0;
}
