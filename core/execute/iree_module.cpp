// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute/iree_module.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/byte_source.h"
#include "execute/executors.h"
#include "tensor/files.h"

namespace fxs::execute {

std::string_view fileEnding(DType dtype) {
  const bool known = tensor::npyBytes({dtype, {0}, {}}).has_value();
  return known ? ".npy" : ".bin";
}

Result<std::string> fileOf(const tensor::Tensor& value) {
  if (fileEnding(value.dtype) == ".bin") return value.bytes;
  return tensor::npyBytes(value);
}

std::string ireeShape(const ValueType& type, const std::vector<std::int64_t>& sizes) {
  std::string out;
  for (const std::int64_t size : sizes) out += std::to_string(size) + "x";
  return out + type.element;
}

std::string ireeValue(const tensor::Tensor& value, const ValueType& type, const std::string& file) {
  if (type.number) return numberText(value.dtype, value.bytes);
  if (value.bytes.empty()) return ireeShape(type, value.sizes);
  return fileEnding(value.dtype) == ".npy" ? "@" + file
                                           : ireeShape(type, value.sizes) + "=@" + file;
}

Result<tensor::Tensor> readIreeResult(const std::string& file, const ValueType& type,
                                      const Limits& limits, const RunContext& context) {
  if (fileEnding(type.dtype) == ".npy") {
    FXS_TRY(const auto source, tensor::openTensorFile(file, context));
    FXS_TRY(tensor::Tensor value,
            source->read(source->tensors().front(), limits.resultBytes, context));
    value.dtype = type.dtype;
    // Numbers of fewer than 32 bits come as 32; what is little-endian begins with the low bytes.
    if (type.number) value.bytes.resize(static_cast<std::size_t>(facts(type.dtype).bytes));
    return value;
  }
  FXS_TRY(std::string bytes, readWholeFile(file, limits.resultBytes));
  std::vector<std::int64_t> sizes = type.sizes;
  std::int64_t known = facts(type.dtype).bytes, unknown = 0;
  for (const std::int64_t size : sizes)
    (size < 0 ? unknown : known) = size < 0 ? unknown + 1 : known * size;
  if (unknown > 1 || (unknown == 1 && known == 0))
    return fail(ErrorCode::Unsupported, "IREE does not report the sizes of a " +
                                            std::string(facts(type.dtype).torchName) +
                                            " result with several dynamic dimensions");
  for (std::int64_t& size : sizes)
    if (size < 0) size = static_cast<std::int64_t>(bytes.size()) / known;
  return tensor::Tensor{type.dtype, std::move(sizes), std::move(bytes)};
}

Result<IreeModules> IreeModules::make(const Tools& tools, std::string folder, CommandRunner& runner,
                                      const Limits& limits) {
  if (tools.ireeCompile.empty() || tools.ireeRunModule.empty())
    return fail(ErrorCode::Usage,
                "IREE is not installed; run 'fxscope-cli engine fetch --numbers' to install it (a "
                "download of 99 MB)");
  FXS_CHECK(verifyIree(tools));
  return IreeModules(tools, std::move(folder), runner, limits);
}

Result<StepEnd> IreeModules::compile(const std::string& file,
                                     const std::vector<std::string>& arguments,
                                     const std::string& compiled, const RunContext& context) const {
  Step step;
  step.argv = {tools_.ireeCompile, file, "-o", compiled};
  step.argv.insert(step.argv.end(), arguments.begin(), arguments.end());
  step.reads = {std::filesystem::path(tools_.ireeCompile).parent_path().string(), file};
  step.folder = folder_;
  step.startsPrograms = true;
  step.timeout = limits_.compileTime;
  step.memory = limits_.memory;
  return runStep(step, Outcome::NotSupported, *runner_, context);
}

Result<IreeModules::ModuleRun> IreeModules::run(const ModuleCall& call, const RunContext& context) {
  const std::size_t number = runs_++;
  Step step;
  step.argv = {tools_.ireeRunModule, "--module=" + call.file, "--device=local-sync",
               "--function=" + call.function};
  if (!call.parameters.empty()) step.argv.push_back("--parameters=" + call.parameters);
  for (const std::string& input : call.inputs) step.argv.push_back("--input=" + input);
  ModuleRun out;
  for (std::size_t r = 0; r < call.results.size(); ++r) {
    out.files.push_back(
        fmt::format("{}/run-{}-{}{}", folder_, number, r, fileEnding(call.results[r].dtype)));
    step.argv.push_back("--output=@" + out.files.back());
  }
  step.reads = call.reads;
  step.reads.push_back(std::filesystem::path(tools_.ireeRunModule).parent_path().string());
  step.folder = folder_;
  step.timeout = limits_.runTime;
  step.memory = limits_.memory;
  FXS_TRY(out.end, runStep(step, Outcome::Crashed, *runner_, context));
  if (out.end.outcome) out.files.assign(call.results.size(), "");
  return out;
}

}  // namespace fxs::execute
