// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callee of any text: it is inlined or refused, never more; and what is inlined twice is
// repeated.
#include <set>

#include "fuzz_input.h"
#include "mlir/text/module.h"
#include "node_lab/inline.h"

using namespace fxs;

namespace {

/// A text that is inlined has its values under names that nothing else has, and refers to no
/// argument by its old name.
void inlineTwice(std::string_view module, std::string_view function) {
  const auto signature = node_lab::signatureOf(module, function);
  if (!signature) return;
  std::vector<node_lab::Argument> arguments;
  std::size_t length = 0;
  for (const std::string& type : signature->arguments) {
    arguments.push_back({"caller", type, ""});
    length += type.size();
  }
  if (length > 16 * module.size() + 1024) return;
  node_lab::Composition caller("caller", arguments);
  std::vector<node_lab::TypedValue> last;
  for (const char* stem : {"", "n"}) {
    auto results =
        caller.inlineCall({module, function, stem, "\"here\""}, std::vector(caller.arguments()));
    if (!results) {
      fuzz::require(!results.error().message.empty(), "a refusal says why");
      break;
    }
    last = *std::move(results);
  }
  const std::string text = std::move(caller).finish(last, "\"here\"");
  fuzz::require(text.starts_with("module"), "a module is written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::textOf(data, size);
  inlineTwice(text, "f");
  inlineTwice(text, "main");
  return 0;
}
