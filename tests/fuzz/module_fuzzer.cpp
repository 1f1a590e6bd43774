// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR modules as programs: whatever a file holds, its parts lie in it, and whatever an engine says
// of a part, what opens has a node for a location and what does not has one short line as its
// error. An input is a file, and what the engine prints of it.
#include <algorithm>

#include "fuzz_input.h"
#include "mlir/text/module.h"
#include "module/source_module.h"
#include "one_input.h"

using namespace fxs;

namespace {

constexpr std::size_t kLongestMessage = 2000;

/// An engine that prints a text, or refuses with it.
class Says final : public CommandRunner {
 public:
  Says(std::string_view text, int status) : text_(text), status_(status) {}
  Result<Exit> run(const Command&, std::stop_token) override {
    Exit out;
    out.status = status_;
    (status_ == 0 ? out.out : out.err) = text_;
    return out;
  }

 private:
  std::string text_;
  int status_;
};

void checkParts(std::string_view text) {
  std::size_t at = 0;
  for (const module::Part& part : module::partsOf(text)) {
    const auto begin = static_cast<std::size_t>(part.text.data() - text.data());
    fuzz::require(at <= begin && begin + part.text.size() <= text.size(), "parts are in order");
    const std::string_view before = text.substr(0, begin);
    const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    // After a marker that ends the text without a newline, there is no line.
    fuzz::require(part.firstLine == lines || (part.text.empty() && part.firstLine == lines + 1),
                  "a part knows its first line");
    at = begin + part.text.size();
  }
}

void checkOpened(const read::Capture& capture) {
  const read::SourceModule& module = *capture.module;
  fuzz::require(mlir::readModule(module.text).ops.size() == module.ops,
                "locations change no operation");
  fuzz::require(std::is_sorted(module.dialects.begin(), module.dialects.end()),
                "dialects are sorted");
}

void checkRefused(const Error& error) {
  fuzz::require(error.message.size() < kLongestMessage, "an error is short");
  fuzz::require(std::none_of(error.message.begin(), error.message.end(),
                             [](char c) { return static_cast<unsigned char>(c) < ' '; }),
                "an error is one line");
}

Result<read::Capture> open(std::string_view text, std::string_view said, int status) try {
  Says runner(said, status);
  lower::Engine engine;
  engine.path = "/e/torch-mlir-opt";
  return module::openModule(text, "m.mlir", {}, engine, {}, runner, fuzz::contextOfOneInput());
} catch (...) {
  return abandoned("m.mlir");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view said = fuzz::textOf(data, size);
  const std::string_view text = fuzz::takeMember(said);
  module::isModule(text);
  checkParts(text);
  for (const int status : {0, 1}) {
    const auto capture = open(text, said, status);
    if (capture) checkOpened(*capture);
    else checkRefused(capture.error());
  }
  return 0;
}
