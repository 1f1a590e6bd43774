// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/weight_file.h"

#include "compare/random.h"
#include "session/importing.h"

namespace fxs::numbers {

WeightFile::WeightFile(const session::Snapshot& snapshot, std::string directory, std::uint64_t seed,
                       RunContext context)
    : snapshot_(snapshot),
      directory_(std::move(directory)),
      seed_(seed),
      context_(std::move(context)) {}

Result<execute::Argument> WeightFile::at(std::string_view handle) {
  if (const auto known = written_.find(handle); known != written_.end()) return known->second;
  const fx::Weight* weight = snapshot_.capture->program->findWeight(handle);
  if (weight == nullptr && snapshot_.rewritten)
    weight = snapshot_.rewritten->program->findWeight(handle);
  if (weight == nullptr)
    return fail(ErrorCode::InvalidInput, "the program has no weight '" + std::string(handle) + "'");
  FXS_TRY(execute::Argument argument, write(*weight));
  return written_.emplace(handle, std::move(argument)).first->second;
}

Result<execute::Argument> WeightFile::write(const fx::Weight& weight) {
  if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  execute::Argument out;
  out.dtype = weight.dtype == DType::Bool ? DType::UInt8 : weight.dtype;
  out.sizes = weight.sizes;
  std::string bytes;
  const std::uint64_t size =
      tensor::elementCount(weight.sizes).value_or(0) * facts(weight.dtype).bytes;
  context_.spend(Resource::Disk, size, "the weights that executors read: '" + weight.fqn + "'");
  if (weight.readable && snapshot_.capture->weights) {
    FXS_TRY(bytes, snapshot_.capture->weights->read(weight, session::kWeightBytes, context_));
  } else {
    const auto count = tensor::elementCount(weight.sizes);
    if (!count || *count > session::kWeightBytes / 16)
      return fail(ErrorCode::InvalidInput, "weight '" + weight.fqn + "' is too large to be drawn");
    compare::Random random(seed_, drawn_.size());
    // As small as weights are: sums over many of them stay finite.
    std::vector<double> values(*count * (isComplex(weight.dtype) ? 2 : 1));
    for (double& value : values)
      value = isFloating(weight.dtype) || isComplex(weight.dtype) ? 0.1 * random.normal()
                                                                  : double(random.below(2));
    bytes = tensor::tensorFrom(weight.dtype, weight.sizes, values).bytes;
    drawn_.push_back(weight.fqn);
  }
  const std::string file = directory_ + "/weight-" + std::to_string(written_.size()) + ".bin";
  FXS_CHECK(writeWholeFile(file, bytes));
  out.elements = execute::StoredBytes{file, 0, bytes.size()};
  return out;
}

}  // namespace fxs::numbers
