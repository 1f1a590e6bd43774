#include "session/weight_file.h"

#include "compare/inputs.h"
#include "session/importing.h"

namespace fxs::session {

WeightFile::WeightFile(const Snapshot& snapshot, std::string directory, std::uint64_t seed, RunContext context)
    : snapshot_(snapshot), directory_(std::move(directory)), seed_(seed), context_(std::move(context)) {}

Result<execute::Argument> WeightFile::at(std::string_view handle) {
  if (const auto known = written_.find(handle); known != written_.end()) return known->second;
  const fx::Weight* weight = snapshot_.capture->program->findWeight(handle);
  if (weight == nullptr && snapshot_.rewritten) weight = snapshot_.rewritten->program->findWeight(handle);
  if (weight == nullptr) return fail(ErrorCode::InvalidInput, "the program has no weight '" + std::string(handle) + "'");
  FXS_TRY(execute::Argument argument, write(*weight));
  return written_.emplace(handle, std::move(argument)).first->second;
}

Result<execute::Argument> WeightFile::write(const fx::Weight& weight) {
  if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  execute::Argument out;
  out.dtype = weight.dtype == DType::Bool ? DType::UInt8 : weight.dtype;
  out.sizes = weight.sizes;
  std::string bytes;
  if (weight.readable && snapshot_.capture->weights) {
    FXS_TRY(bytes, snapshot_.capture->weights->read(weight, kWeightBytes, context_));
  } else {
    const auto drawn = compare::drawTensor(weight.dtype, weight.sizes, seed_ + drawn_.size());
    if (!drawn) return tl::unexpected<Error>(drawn.error());
    bytes = drawn->bytes;
    drawn_.push_back(weight.fqn);
  }
  const std::string file = directory_ + "/weight-" + std::to_string(written_.size()) + ".bin";
  FXS_CHECK(writeWholeFile(file, bytes));
  out.elements = execute::StoredBytes{file, 0, bytes.size()};
  return out;
}

}  // namespace fxs::session
