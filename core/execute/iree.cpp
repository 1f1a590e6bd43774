// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IREE's compiler and runtime: iree-compile, iree-run-module. Flags: IREE 3.13.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/byte_source.h"
#include "base/json.h"
#include "base/new_file.h"
#include "base/take_until.h"
#include "execute/executors.h"
#include "execute/iree_module.h"
#include "execute/lowered_input.h"
#include "execute/signature.h"
#include "execute/weights_as_arguments.h"
#include "tensor/files.h"

namespace fxs::execute {
namespace {

constexpr std::uint64_t kCopied = std::uint64_t{16} << 20;  // at a time
constexpr std::uint64_t kMostText = std::uint64_t{1} << 30;
constexpr int kMeasured = 5;  // runs, of which the shortest times are kept
constexpr JsonLimits kProfileLimits{std::uint64_t{1} << 20, 16};

std::string shapeText(const std::vector<std::int64_t>& sizes) {
  std::string out;
  for (const std::int64_t size : sizes) out += std::to_string(size) + "x";
  return out;
}

class Iree final : public CompilingExecutor {
 public:
  Iree(Tools tools, std::string directory, CommandRunner& runner)
      : tools_(std::move(tools)), directory_(std::move(directory)), runner_(runner) {}

  std::string_view id() const override { return "iree"; }
  std::string version() const override { return "IREE " + pinnedIreeVersion(); }
  bool measures() const override { return true; }
  std::string refuses(std::string_view text) const override {
    // Outside of its own dispatches, IREE 3.13 crashes on it.
    return text.find("scf.forall") != std::string_view::npos ? "IREE does not compile scf.forall"
                                                             : "";
  }

 private:
  std::string folder() const {
    return std::filesystem::path(tools_.ireeCompile).parent_path().string();
  }

  Result<CompiledProgram> compile(const Call& call, const RunContext& context) override {
    if (!verified_) FXS_CHECK(verifyIree(tools_));
    verified_ = true;
    CompiledProgram out;
    const auto refuse = [&](std::string reason) {
      out.end.outcome = Outcome::NotSupported;
      out.end.message = std::move(reason);
      return out;
    };
    if (std::string reason = refuses(call.text); !reason.empty()) return refuse(std::move(reason));
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
      if (same.end.outcome) return refuse(same.end.message);
      text = std::move(same.text);
      before += same.end.seconds;
    }
    FXS_CHECK(compileText(text, call, out, context));
    if (tosa && out.end.outcome == Outcome::NotSupported && !tools_.mlirOpt.empty()) {
      // IREE's profile check refuses f64 and some casts, which LLVM's TOSA passes lower.
      FXS_TRY(Converted linalg,
              tosaToLinalg(text, tools_, directory_, call.limits, runner_, context));
      if (!linalg.end.outcome) FXS_CHECK(compileText(linalg.text, call, out, context));
    }
    out.end.seconds += before;
    return out;
  }

  Result<> compileText(const std::string& text, const Call& call, CompiledProgram& out,
                       const RunContext& context) {
    const std::string file = directory_ + "/iree-" + std::to_string(files_++);
    FXS_CHECK(writeWholeFile(file + ".mlir", text));
    Step step;
    step.argv = {tools_.ireeCompile, file + ".mlir", "-o", file + ".vmfb"};
    for (std::string& argument : ireeArguments()) step.argv.push_back(std::move(argument));
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
    if (call.dispatches && !out.end.outcome) FXS_CHECK(divide(step, file, out, context));
    std::error_code ignored;
    std::filesystem::remove(file + ".mlir", ignored);
    return {};
  }

  /// Compiles again, up to where the program is divided into dispatches.
  Result<> divide(Step step, const std::string& file, CompiledProgram& out,
                  const RunContext& context) {
    step.argv[3] = file + ".flow.mlir";
    step.argv.insert(step.argv.end(), {toDispatches(), "--mlir-print-debuginfo"});
    out.commands.push_back(step.argv);
    FXS_TRY(const StepEnd end, runStep(step, Outcome::NotSupported, runner_, context));
    if (end.outcome) return {};
    FXS_TRY(out.dispatches, readWholeFile(step.argv[3], kMostText));
    return {};
  }

  /// Runs the program some times more, and keeps of each dispatch the shortest time of its calls in
  /// one run.
  Result<> measure(Step step, Dispatches& out, const RunContext& context) {
    const std::string file = fmt::format("{}/profile-{}", directory_, files_++);
    step.argv.insert(step.argv.end(),
                     {"--device_profiling_mode=queue-events,host-execution,executable-metadata",
                      "--device_profiling_output=" + file});
    Step read = step;
    read.argv = {tools_.ireeProfile, "dispatch", file, "--format=jsonl"};
    std::map<std::string, DispatchTime> shortest;
    for (int i = 0; i < kMeasured; ++i) {
      FXS_TRY(const StepEnd ran, runStep(step, Outcome::Crashed, runner_, context));
      if (ran.outcome) return {};
      FXS_TRY(const StepEnd profile, runStep(read, Outcome::NotSupported, runner_, context));
      if (profile.outcome) return {};
      for (DispatchTime& dispatch : timesIn(profile.out, context)) {
        const auto [known, isNew] = shortest.emplace(dispatch.name, dispatch);
        if (!isNew && dispatch.time < known->second.time) known->second = std::move(dispatch);
      }
    }
    for (auto& [name, dispatch] : shortest) out.times.push_back(std::move(dispatch));
    return {};
  }

  /// Of the lines of `iree-profile dispatch --format=jsonl`, the groups of calls of one dispatch.
  static std::vector<DispatchTime> timesIn(std::string_view lines, const RunContext& context) {
    std::vector<DispatchTime> out;
    while (!lines.empty()) {
      const auto document =
          JsonDocument::parse(takeUntil('\n', lines), "iree-profile", kProfileLimits, context);
      if (!document) continue;
      const Json object = (*document)->root();
      const auto type = object.find("type"), key = object.find("key"), count = object.find("count"),
                 total = object.find("total_ns");
      if (!type || !key || !count || !total ||
          type->asString().value_or("") != "host_dispatch_group")
        continue;
      DispatchTime dispatch{std::string(key->asString().value_or("")),
                            static_cast<std::uint64_t>(count->asInt().value_or(0)),
                            {}};
      dispatch.time = std::chrono::nanoseconds(total->asInt().value_or(0));
      out.push_back(std::move(dispatch));
    }
    return out;
  }

  static Result<std::string> read(const StoredBytes& stored) {
    FXS_TRY(const auto source, openFile(stored.file));
    return source->read(stored.offset, stored.bytes);
  }

  /// A file with the parts one after the other, copied as a stream and once for all calls.
  Result<std::string> joined(const std::vector<StoredBytes>& parts) {
    std::string key;
    for (const StoredBytes& part : parts)
      key += fmt::format("{} {} {}\n", part.file, part.offset, part.bytes);
    std::string& path = joined_[key];
    if (!path.empty()) return path;
    const std::string file = fmt::format("{}/weights-iree-{}.bin", directory_, files_++);
    NewFile out(file);
    FXS_CHECK(out.open());
    for (const StoredBytes& part : parts) {
      FXS_TRY(const auto source, openFile(part.file));
      for (std::uint64_t at = 0; at < part.bytes; at += kCopied) {
        FXS_TRY(const std::string bytes,
                source->read(part.offset + at, std::min(kCopied, part.bytes - at)));
        if (const int code = writeAll(out.fd(), bytes); code != 0)
          return tl::unexpected<Error>(writeError(file, code));
      }
    }
    FXS_CHECK(out.keepAs(file));
    return path = file;
  }

  /// `--input=` of each argument. The elements of consecutive ones are in one file: the runtime
  /// reads a file from its beginning (`@`) or goes on in the last one (`+`), and keeps each open,
  /// while a cage limits open files.
  class Inputs {
   public:
    Inputs(Iree& iree, std::string stem) : iree_(iree), stem_(std::move(stem)) {}

    Result<> add(const Argument& argument, const ValueType& type) {
      const auto* bytes = std::get_if<std::string>(&argument.elements);
      const auto* stored = std::get_if<StoredBytes>(&argument.elements);
      const std::string shape = "--input=" + shapeText(argument.sizes) + type.element;
      if (type.number && bytes != nullptr) {
        flags_.push_back("--input=" + numberText(argument.dtype, *bytes));
      } else if ((bytes != nullptr ? bytes->size() : stored->bytes) == 0) {
        flags_.push_back(shape);
      } else if (isComplex(type.dtype)) {
        FXS_CHECK(addNumpy(argument, type));
      } else {
        if (bytes != nullptr ? !parts_.empty() : !held_.empty()) FXS_CHECK(close());
        flags_.push_back(shape + (held_.empty() && parts_.empty() ? "=@" : "=+"));
        if (bytes != nullptr) held_ += *bytes;
        else parts_.push_back(*stored);
      }
      return {};
    }

    Result<std::vector<std::string>> take() {
      FXS_CHECK(close());
      return std::move(flags_);
    }

   private:
    /// The runtime reads complex elements from NumPy's files only.
    Result<> addNumpy(const Argument& argument, const ValueType& type) {
      FXS_CHECK(close());
      const auto* bytes = std::get_if<std::string>(&argument.elements);
      FXS_TRY(std::string elements, bytes != nullptr
                                        ? Result<std::string>(*bytes)
                                        : read(std::get<StoredBytes>(argument.elements)));
      FXS_TRY(const std::string npy,
              tensor::npyBytes({type.dtype, argument.sizes, std::move(elements)}));
      const std::string file = fmt::format("{}-in{}.npy", stem_, flags_.size());
      FXS_CHECK(writeWholeFile(file, npy));
      flags_.push_back("--input=@" + file);
      first_ = flags_.size();
      return {};
    }

    /// Ends the current file, and names it in the flags of its arguments.
    Result<> close() {
      if (!held_.empty()) {
        const std::string file = fmt::format("{}-in{}.bin", stem_, first_);
        FXS_CHECK(writeWholeFile(file, held_));
        name(file);
      } else if (!parts_.empty()) {
        FXS_TRY(const std::string file, iree_.joined(parts_));
        name(file);
      }
      held_.clear();
      parts_.clear();
      first_ = flags_.size();
      return {};
    }
    void name(const std::string& file) {
      for (std::size_t i = first_; i < flags_.size(); ++i)
        if (flags_[i].ends_with("=@") || flags_[i].ends_with("=+")) flags_[i] += file;
    }

    Iree& iree_;
    const std::string stem_;
    std::vector<std::string> flags_;
    std::string held_;                // of the current file, if it is of elements in memory
    std::vector<StoredBytes> parts_;  // likewise, if it is of stored ones
    std::size_t first_ = 0;           // the first argument of the current file
  };

  Result<std::vector<std::string>> inputs(const std::vector<Argument>& arguments,
                                          const Signature& signature, const std::string& stem) {
    Inputs out(*this, stem);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      FXS_CHECK(out.add(arguments[i], signature.arguments[i]));
    return out.take();
  }

  Result<> run(const Call& call, const CompiledProgram& compiled,
               const std::vector<Argument>& arguments, Execution& out,
               const RunContext& context) override {
    const std::string stem = directory_ + "/call-" + std::to_string(files_++);
    Step step;
    step.argv = {tools_.ireeRunModule, "--module=" + compiled.file, "--device=local-sync",
                 "--function=" + call.function};
    step.reads = {folder()};
    auto given = inputs(arguments, compiled.signature, stem);
    if (!given && given.error().code == ErrorCode::Unsupported) {
      out.message = given.error().message;
      return {};
    }
    if (!given) return tl::unexpected<Error>(given.error());
    step.argv.insert(step.argv.end(), given->begin(), given->end());
    const std::size_t withoutResults = step.argv.size();
    std::vector<std::string> files;
    for (std::size_t r = 0; r < compiled.signature.results.size(); ++r) {
      files.push_back(stem + "-out" + std::to_string(r) +
                      std::string(fileEnding(compiled.signature.results[r].dtype)));
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
      out.message = end.message;
      out.node = end.node;
      // The runtime refuses an argument or a result: nothing that the program did.
      if (end.err.find("INVALID_ARGUMENT; parsing") != std::string::npos ||
          end.err.find("UNIMPLEMENTED") != std::string::npos)
        out.outcome = Outcome::NotSupported;
      return {};
    }
    out.outcome = Outcome::Ran;
    for (std::size_t r = 0; r < files.size(); ++r) {
      auto value = readIreeResult(files[r], compiled.signature.results[r], call.limits, context);
      if (!value) {
        out.outcome = Outcome::NotSupported;
        out.message = value.error().message;
        out.results.clear();
        return {};
      }
      out.results.push_back(*std::move(value));
      std::error_code ignored;
      std::filesystem::remove(files[r], ignored);
    }
    if (!call.dispatches) return {};
    step.argv.resize(withoutResults);
    out.dispatches.text = compiled.dispatches;
    return measure(std::move(step), out.dispatches, context);
  }

  const Tools tools_;
  const std::string directory_;
  CommandRunner& runner_;
  bool verified_ = false;
  std::size_t files_ = 0;
  std::map<std::string, std::string> joined_;  // files, by their parts
};

}  // namespace

ExecutorPtr ireeExecutor(const Tools& tools, std::string directory, CommandRunner& runner) {
  return std::make_shared<Iree>(tools, std::move(directory), runner);
}

}  // namespace fxs::execute
