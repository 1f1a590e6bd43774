// IREE's compiler and runtime: iree-compile, iree-run-module. Flags: IREE 3.13.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include "base/byte_source.h"
#include "base/sha256.h"
#include "execute/executors.h"
#include "execute/lowered_input.h"
#include "execute/signature.h"
#include "execute/weights_as_arguments.h"
#include "tensor/files.h"

namespace fxs::execute {
namespace {

constexpr std::uint64_t kCopied = std::uint64_t{16} << 20;  // at a time

struct Compiled {
  std::string file;  ///< "" if `end` says why there is none
  Signature signature;
  std::vector<std::string> handles;
  StepEnd end;
  std::vector<std::vector<std::string>> commands;
};

std::string shapeText(const std::vector<std::int64_t>& sizes) {
  std::string out;
  for (const std::int64_t size : sizes) out += std::to_string(size) + "x";
  return out;
}

class Iree final : public Executor {
 public:
  Iree(Tools tools, std::string directory, CommandRunner& runner)
      : tools_(std::move(tools)), directory_(std::move(directory)), runner_(runner) {}

  std::string_view id() const override { return "iree"; }
  std::string version() const override { return "IREE " + pinnedIreeVersion(); }
  std::string refuses(std::string_view) const override { return {}; }

  Result<Execution> execute(const Call& call, const RunContext& context) override {
    Execution out;
    const std::string key = sha256(call.text + '\0' + call.function);
    auto known = compiled_.find(key);
    if (known == compiled_.end()) {
      FXS_TRY(Compiled made, compile(call, context));
      known = compiled_.emplace(key, std::move(made)).first;
      out.compileTime = known->second.end.seconds;
    }
    const Compiled& compiled = known->second;
    out.commands = compiled.commands;
    if (compiled.end.outcome) {
      out.outcome = *compiled.end.outcome;
      out.why = compiled.end.why;
      out.node = compiled.end.node;
      return out;
    }
    FXS_TRY(const auto arguments, allArguments(call, compiled.signature, compiled.handles));
    FXS_CHECK(run(call, compiled, arguments, out, context));
    return out;
  }

 private:
  std::string folder() const { return std::filesystem::path(tools_.ireeCompile).parent_path().string(); }

  Result<Compiled> compile(const Call& call, const RunContext& context) {
    if (!verified_) FXS_CHECK(verifyIree(tools_));
    verified_ = true;
    Compiled out;
    const auto refuse = [&](std::string why) {
      out.end.outcome = Outcome::NotSupported;
      out.end.why = std::move(why);
      return out;
    };
    auto lifted = weightsAsArguments(call.text, call.function);
    if (!lifted) return refuse(lifted.error().message);
    auto signature = signatureOf(lifted->text, call.function);
    if (!signature) return refuse(signature.error().message);
    out.signature = *std::move(signature);
    out.handles = std::move(lifted->handles);
    std::string text = std::move(lifted->text);
    const bool tosa = has(dialectsOf(text), "tosa");
    std::chrono::duration<double> before{0};
    if (tosa) {
      FXS_TRY(Converted same, generic(text, tools_, directory_, call.limits, runner_, context));
      if (same.end.outcome) return refuse(same.end.why);
      text = std::move(same.text);
      before += same.end.seconds;
    }
    FXS_CHECK(compileText(text, call, out, context));
    if (tosa && out.end.outcome == Outcome::NotSupported && !tools_.mlirOpt.empty()) {
      // IREE's profile check refuses f64 and some casts, which LLVM's TOSA passes lower.
      FXS_TRY(Converted linalg, tosaToLinalg(text, tools_, directory_, call.limits, runner_, context));
      if (!linalg.end.outcome) FXS_CHECK(compileText(linalg.text, call, out, context));
    }
    out.end.seconds += before;
    return out;
  }

  Result<> compileText(const std::string& text, const Call& call, Compiled& out, const RunContext& context) {
    const std::string file = directory_ + "/iree-" + std::to_string(files_++);
    FXS_CHECK(writeWholeFile(file + ".mlir", text));
    Step step;
    step.argv = {tools_.ireeCompile,
                 file + ".mlir",
                 "-o",
                 file + ".vmfb",
                 "--iree-hal-target-device=local",
                 "--iree-hal-local-target-device-backends=llvm-cpu",
                 "--iree-llvmcpu-target-cpu=host",
                 "--iree-input-demote-f64-to-f32=false",
                 "--iree-opt-const-eval=false"};
    step.reads = {folder()};
    step.folder = directory_;
    step.startsPrograms = true;
    step.timeout = call.limits.compileTime;
    step.memory = call.limits.memory;
    out.commands.push_back(step.argv);
    const auto before = out.end.seconds;
    FXS_TRY(out.end, runStep(step, Outcome::NotSupported, runner_, context));
    out.end.seconds += before;
    out.file = file + ".vmfb";
    std::error_code ignored;
    std::filesystem::remove(file + ".mlir", ignored);
    return {};
  }

  static Result<std::string> read(const StoredBytes& stored) {
    FXS_TRY(const auto source, openFile(stored.file));
    return source->read(stored.offset, stored.bytes);
  }

  /// A file with these bytes only, because the runtime reads files from their beginning. Copied once for all calls.
  Result<std::string> fileOf(const StoredBytes& stored) {
    FXS_TRY(const auto source, openFile(stored.file));
    if (stored.offset == 0 && stored.bytes == source->size()) return stored.file;
    const auto [known, isNew] = copies_.try_emplace({stored.file, stored.offset, stored.bytes}, "");
    if (!isNew && !known->second.empty()) return known->second;
    const std::string path = directory_ + "/weight-iree-" + std::to_string(files_++) + ".bin";
    std::ofstream out(path, std::ios::binary);
    for (std::uint64_t at = 0; at < stored.bytes; at += kCopied) {
      FXS_TRY(const std::string part, source->read(stored.offset + at, std::min(kCopied, stored.bytes - at)));
      out.write(part.data(), static_cast<std::streamsize>(part.size()));
    }
    if (!out.flush()) return fail(ErrorCode::Io, path + ": cannot be written");
    return known->second = path;
  }

  /// `--input=` of an argument; writes a file for it if necessary.
  Result<std::string> inputOf(const Argument& argument, const ValueType& type, const std::string& stem) {
    const auto* held = std::get_if<std::string>(&argument.elements);
    if (type.number && held != nullptr) return "--input=" + numberText(argument.dtype, *held);
    std::string file = stem + ".bin";
    const std::uint64_t bytes = held != nullptr ? held->size() : std::get<StoredBytes>(argument.elements).bytes;
    if (isComplex(type.dtype)) {
      // The runtime reads complex elements from NumPy's files only.
      FXS_TRY(std::string elements, held != nullptr ? Result<std::string>(*held) : read(std::get<StoredBytes>(argument.elements)));
      FXS_TRY(const std::string npy, tensor::npyBytes({type.dtype, argument.sizes, std::move(elements)}));
      file = stem + ".npy";
      FXS_CHECK(writeWholeFile(file, npy));
      return "--input=@" + file;
    }
    const std::string shape = "--input=" + shapeText(argument.sizes) + type.element;
    if (bytes == 0) return shape;
    if (held != nullptr) {
      FXS_CHECK(writeWholeFile(file, *held));
    } else {
      FXS_TRY(file, fileOf(std::get<StoredBytes>(argument.elements)));
    }
    return shape + "=@" + file;
  }

  Result<> run(const Call& call, const Compiled& compiled, const std::vector<Argument>& arguments, Execution& out,
               const RunContext& context) {
    const std::string stem = directory_ + "/call-" + std::to_string(files_++);
    Step step;
    step.argv = {tools_.ireeRunModule, "--module=" + compiled.file, "--device=local-sync", "--function=" + call.function};
    step.reads = {folder()};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (const auto* stored = std::get_if<StoredBytes>(&arguments[i].elements)) step.reads.push_back(stored->file);
      const auto input = inputOf(arguments[i], compiled.signature.arguments[i], stem + "-in" + std::to_string(i));
      if (!input && input.error().code == ErrorCode::Unsupported) {
        out.why = input.error().message;
        return {};
      }
      if (!input) return tl::unexpected<Error>(input.error());
      step.argv.push_back(*input);
    }
    std::vector<std::string> files;
    for (std::size_t r = 0; r < compiled.signature.results.size(); ++r) {
      // NumPy has no bfloat16; its results are bytes.
      const bool bytes = compiled.signature.results[r].dtype == DType::BFloat16;
      files.push_back(stem + "-out" + std::to_string(r) + (bytes ? ".bin" : ".npy"));
      step.argv.push_back("--output=@" + files.back());
    }
    step.folder = directory_;
    step.timeout = call.limits.runTime;
    step.memory = call.limits.memory;
    out.commands.push_back(step.argv);
    FXS_TRY(const StepEnd end, runStep(step, Outcome::Crashed, runner_, context));
    out.runTime = end.seconds;
    if (end.outcome) {
      out.outcome = *end.outcome;
      out.why = end.why;
      out.node = end.node;
      // The runtime refuses an argument or a result: nothing that the program did.
      if (end.err.find("INVALID_ARGUMENT; parsing") != std::string::npos || end.err.find("UNIMPLEMENTED") != std::string::npos)
        out.outcome = Outcome::NotSupported;
      return {};
    }
    out.outcome = Outcome::Ran;
    for (std::size_t r = 0; r < files.size(); ++r) {
      auto value = readResult(files[r], compiled.signature.results[r], call.limits, context);
      if (!value) {
        out.outcome = Outcome::NotSupported;
        out.why = value.error().message;
        out.results.clear();
        return {};
      }
      out.results.push_back(*std::move(value));
      std::error_code ignored;
      std::filesystem::remove(files[r], ignored);
    }
    return {};
  }

  static Result<tensor::Tensor> readResult(const std::string& file, const ValueType& type, const Limits& limits,
                                           const RunContext& context) {
    if (type.dtype != DType::BFloat16) {
      FXS_TRY(const auto source, tensor::openTensorFile(file, context));
      FXS_TRY(tensor::Tensor value, source->read(source->tensors().front(), limits.resultBytes, context));
      value.dtype = type.dtype;
      // Numbers of fewer than 32 bits come as 32; what is little-endian begins with the low bytes.
      if (type.number) value.bytes.resize(static_cast<std::size_t>(facts(type.dtype).bytes));
      return value;
    }
    FXS_TRY(std::string bytes, readWholeFile(file, limits.resultBytes));
    std::vector<std::int64_t> sizes = type.sizes;
    std::int64_t known = 2, unknown = 0;
    for (const std::int64_t size : sizes) (size < 0 ? unknown : known) = size < 0 ? unknown + 1 : known * size;
    if (unknown > 1 || (unknown == 1 && known == 0))
      return fail(ErrorCode::Unsupported, "IREE does not tell the sizes of a bfloat16 result with several dynamic dimensions");
    for (std::int64_t& size : sizes)
      if (size < 0) size = static_cast<std::int64_t>(bytes.size()) / known;
    return tensor::Tensor{type.dtype, std::move(sizes), std::move(bytes)};
  }

  const Tools tools_;
  const std::string directory_;
  CommandRunner& runner_;
  bool verified_ = false;
  std::size_t files_ = 0;
  std::map<std::string, Compiled> compiled_;
  std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::string> copies_;  // of parts of files
};

}  // namespace

ExecutorPtr ireeExecutor(const Tools& tools, std::string directory, CommandRunner& runner) {
  return std::make_shared<Iree>(tools, std::move(directory), runner);
}

}  // namespace fxs::execute
