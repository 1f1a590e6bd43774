// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of tensors: what is read has the bytes that its shape asks for, and is the same after
// writing and reading.
#include "base/budget.h"
#include "fuzz_input.h"
#include "tensor/files.h"
#include "tensor/judge.h"
#include "tensor/statistics.h"

using namespace fxs;

namespace {

constexpr std::uint64_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxTensors = 50;

/// The only tensor of a file that was just written.
tensor::Tensor reread(std::string bytes) {
  const auto file = tensor::openTensors(memorySource(std::move(bytes)), "written", {});
  fuzz::require(file.has_value() && (*file)->tensors().size() == 1,
                "what is written can be opened");
  auto out = (*file)->read((*file)->tensors().front(), kMaxBytes, {});
  fuzz::require(out.has_value(), "what is written can be read");
  return *std::move(out);
}

void open(const std::uint8_t* data, std::size_t size) {
  const auto file =
      tensor::openTensors(memorySource(std::string(fuzz::textOf(data, size))), "fuzz", {});
  if (!file) {
    fuzz::require(file.error().message.starts_with("fuzz"), "an error names the file");
    return;
  }
  std::size_t read = 0;
  for (const tensor::StoredTensor& stored : (*file)->tensors()) {
    if (++read > kMaxTensors) break;
    const auto value = (*file)->read(stored, kMaxBytes, {});
    if (!value) {
      fuzz::require(value.error().message.starts_with("fuzz: "), "an error names the file");
      continue;
    }
    fuzz::require(value->dtype == stored.dtype && value->sizes == stored.sizes,
                  "the type is the one that was announced");
    fuzz::require(value->bytes.size() ==
                      value->elements() * static_cast<std::uint64_t>(facts(value->dtype).bytes),
                  "as many bytes as the shape asks for");
    fuzz::require(tensor::judge(*value, *value).verdict == tensor::Verdict::Same,
                  "a tensor is equal to itself");
    fuzz::require(tensor::statisticsOf(*value).elements == value->elements(),
                  "every element is counted");
    if (const auto written = tensor::safetensorsBytes({{"x", *value}}))
      fuzz::require(reread(*written) == *value, "safetensors keeps a tensor");
    if (const auto npy = tensor::npyBytes(*value))
      fuzz::require(reread(*npy) == *value, ".npy keeps a tensor");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    open(data, size);
  } catch (const Abandoned&) {
    // A limit was exceeded.
  }
  return 0;
}
