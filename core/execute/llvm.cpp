// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM 22 of Debian: mlir-opt-22 | mlir-translate-22 | clang-22, to a program that calls the
// function.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/ascii.h"
#include "base/byte_source.h"
#include "base/joined.h"
#include "execute/attention.h"
#include "execute/executors.h"
#include "execute/lowered_input.h"
#include "execute/signature.h"
#include "execute/weights_as_arguments.h"
#include "mlir/text/document.h"
#include "mlir/text/function_types.h"
#include "mlir/text/module.h"

namespace fxs::resource {
std::string_view callMain();
}

namespace fxs::execute {
namespace {

// Variants of the stages: no contraction of multiplications and additions, and no instructions for
// bfloat16, which flush denormal numbers; run-time checks, right after bufferization, since later
// there is nothing left to check; without clang's optimizer.
constexpr std::string_view kExact = "exact", kChecks = "checks", kUnoptimized = "unoptimized";
/// Above this number of operations clang's optimizer takes longer than it saves.
constexpr std::size_t kOptimizedOps = 3'000;

bool isDynamic(const Signature& signature) {
  const auto any = [](const std::vector<ValueType>& types) {
    return std::any_of(types.begin(), types.end(), [](const ValueType& type) {
      return std::any_of(type.sizes.begin(), type.sizes.end(),
                         [](std::int64_t size) { return size < 0; });
    });
  };
  return any(signature.arguments) || any(signature.results);
}

/// The assertion of the text whose message ends what the program printed: then it was aborted.
std::optional<Assertion> failedAssertion(const std::string& text, std::string_view printed) {
  while (printed.ends_with('\n')) printed.remove_suffix(1);
  const std::string_view said = printed.substr(printed.rfind('\n') + 1);
  if (said.empty() || text.find("cf.assert") == std::string::npos) return std::nullopt;
  const mlir::Document document(text);
  const mlir::Module& module = document.module;
  std::optional<Assertion> found;
  for (std::uint32_t i = 0; i < module.ops.size(); ++i) {
    const mlir::OpId id(i);
    const std::string_view head = module.op(id).head.of(module.text);
    if (module.nameOf(id) != "cf.assert" ||
        head.find('"' + std::string(said) + '"') == std::string_view::npos)
      continue;
    const std::vector<fx::NodeId> nodes = document.nodesOf(id);
    const fx::NodeId node = nodes.empty() ? fx::NodeId() : nodes.front();
    if (!found) found = Assertion{std::string(said), node};
    else if (found->node != node) found->node = {};
  }
  return found;
}

/// The C type of a number, "" for one that is not passed.
std::string_view numberType(DType dtype) {
  switch (dtype) {
    case DType::Bool: return "_Bool";
    case DType::Int8: return "int8_t";
    case DType::Int16: return "int16_t";
    case DType::Int32: return "int32_t";
    case DType::Int64: return "int64_t";
    case DType::Float32: return "float";
    case DType::Float64: return "double";
    default: return "";
  }
}

/// The compiled function's name: the caller has a `main` of its own.
constexpr const char* kFunction = "fxscope_function";

/// The text with the function renamed. It has one.
std::string withFunctionRenamed(const std::string& text, const std::string& function) {
  const mlir::Module module(text);
  const auto found = mlir::functionIn(module, function);
  const std::string_view name = mlir::symbolOf(module, module.op(found->op));
  std::string out = text;
  return out.replace(static_cast<std::size_t>(name.data() - text.data()), name.size(), kFunction);
}

std::string cType(const ValueType& type) {
  return type.number ? std::string(numberType(type.dtype))
                     : fmt::format("struct rank_{}", type.sizes.size());
}

/// A single number is returned; other results are written to `struct results`.
bool returnsNumber(const Signature& signature) {
  return signature.results.size() == 1 && signature.results.front().number;
}

/// Unsupported for a number that is not passed.
Result<std::string> rankTypes(const Signature& signature) {
  std::set<std::size_t> ranks;
  for (const auto* types : {&signature.arguments, &signature.results})
    for (const ValueType& type : *types) {
      if (!type.number) ranks.insert(type.sizes.size());
      else if (numberType(type.dtype).empty())
        return fail(ErrorCode::Unsupported,
                    "numbers of type " + type.element + " cannot be passed");
    }
  std::string out;
  for (const std::size_t rank : ranks)
    out += rank == 0 ? std::string("struct rank_0 { void *base, *data; int64_t offset; };\n")
                     : fmt::format(
                           "struct rank_{0} {{ void *base, *data; int64_t offset; int64_t "
                           "sizes[{0}], strides[{0}]; }};\n",
                           rank);
  return out;
}

std::string resultsType(const std::vector<ValueType>& results) {
  std::string out = "struct results {";
  for (std::size_t r = 0; r < results.size(); ++r)
    out += fmt::format(" {} r{};", cType(results[r]), r);
  return out + (results.empty() ? " char none; };\n" : " };\n");
}

std::string declaration(const Signature& signature) {
  const bool isReturned = returnsNumber(signature);
  std::vector<std::string> parameters;
  if (!signature.results.empty() && !isReturned) parameters.emplace_back("struct results *");
  for (const ValueType& type : signature.arguments)
    parameters.push_back(cType(type) + (type.number ? "" : " *"));
  return fmt::format("{} _mlir_ciface_{}({});\n",
                     isReturned ? cType(signature.results.front()) : "void", kFunction,
                     parameters.empty() ? "void" : joined(parameters));
}

/// The sizes and strides of a tensor variable.
std::string shapeOf(const ValueType& type, const std::string& variable) {
  return type.sizes.empty() ? "NULL, NULL" : fmt::format("{0}.sizes, {0}.strides", variable);
}

std::string readArgument(const ValueType& type, const std::string& name) {
  if (type.number)
    return fmt::format("  {0} {1} = ({0})read_{2}(in);\n", cType(type), name,
                       isFloating(type.dtype) ? "real" : "integer");
  return fmt::format(
      "  {0} {1};\n  read_tensor(in, {2}, {3}, &{1}.base, &{1}.data, &{1}.offset, {4});\n",
      cType(type), name, type.sizes.size(), facts(type.dtype).bytes, shapeOf(type, name));
}

std::string callFunction(const Signature& signature) {
  const bool isReturned = returnsNumber(signature);
  std::vector<std::string> values;
  if (!signature.results.empty() && !isReturned) values.emplace_back("&results");
  for (std::size_t a = 0; a < signature.arguments.size(); ++a)
    values.push_back(fmt::format("{}a{}", signature.arguments[a].number ? "" : "&", a));
  return fmt::format("  {}_mlir_ciface_{}({});\n", isReturned ? "results.r0 = " : "", kFunction,
                     joined(values));
}

std::string writeResult(const ValueType& type, const std::string& name) {
  if (type.number) return fmt::format("  write_number(out, &{0}, sizeof {0});\n", name);
  return fmt::format("  write_tensor(out, {1}, {2}, {0}.data, {0}.offset, {3});\n", name,
                     type.sizes.size(), facts(type.dtype).bytes, shapeOf(type, name));
}

/// The C source of a program that calls the function: types, `call`, and the part that is the same
/// for all. Unsupported for a number of another type.
Result<std::string> callerSource(const Signature& signature) {
  FXS_TRY(const std::string ranks, rankTypes(signature));
  std::string out =
      "#include <stdint.h>\n" + ranks + resultsType(signature.results) + declaration(signature);
  out += resource::callMain();
  out += "\nstatic void call(FILE *in, FILE *out) {\n  struct results results;\n";
  for (std::size_t a = 0; a < signature.arguments.size(); ++a)
    out += readArgument(signature.arguments[a], fmt::format("a{}", a));
  out += callFunction(signature);
  for (std::size_t r = 0; r < signature.results.size(); ++r)
    out += writeResult(signature.results[r], fmt::format("results.r{}", r));
  out += "  (void)in, (void)out, (void)results;\n}\n";
  return out;
}

/// Legalizing StableHLO leaves the signs of integers in the types of arguments and results, and
/// casts that change nothing else.
std::string withSignlessIntegers(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool isWord = i > 0 && isWordChar(text[i - 1]) && text[i - 1] != 'x';
    const bool isUnsigned = text[i] == 'u' && !isWord && i + 2 < text.size() &&
                            text[i + 1] == 'i' && text[i + 2] >= '1' && text[i + 2] <= '9';
    if (!isUnsigned) out += text[i];
  }
  return out;
}

class Llvm final : public CompilingExecutor {
 public:
  Llvm(Tools tools, std::string directory, CommandRunner& runner)
      : tools_(std::move(tools)), directory_(std::move(directory)), runner_(runner) {}

  std::string_view id() const override { return "llvm"; }
  std::string version() const override { return "LLVM 22"; }
  bool hasChecks() const override { return true; }
  std::string refuses(std::string_view text) const override {
    const auto dialects = dialectsOf(text);
    for (const char* dialect : {"torch", "torch_c", "chlo", "shape"})
      if (has(dialects, dialect))
        return std::string("LLVM 22 does not lower the dialect ") + dialect;
    return {};
  }

 private:
  Result<CompiledProgram> compile(const Call& call, const RunContext& context) override {
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
    const auto source = callerSource(out.signature);
    if (!source) return refuse(source.error().message);
    FXS_TRY(Converted converted, forLlvm({withFunctionRenamed(lifted->text, call.function), {}},
                                         out.signature, call, context));
    if (converted.end.outcome) {
      out.end = std::move(converted.end);
      return out;
    }
    FXS_CHECK(build(converted.text, *source, call, out, context));
    out.end.seconds += converted.end.seconds;
    return out;
  }

  /// Converts the dialects that LLVM's pipeline does not lower.
  Result<Converted> forLlvm(Converted from, const Signature& signature, const Call& call,
                            const RunContext& context) {
    const auto refuse = [](std::string reason) {
      return Converted{{}, {Outcome::NotSupported, std::move(reason), {}, {}, {}}};
    };
    const auto convert = [&](const auto& conversion) -> Result<bool> {
      FXS_TRY(Converted done,
              conversion(from.text, tools_, directory_, call.limits, runner_, context));
      if (!done.end.outcome) done.end.seconds += from.end.seconds;
      from = std::move(done);
      return !from.end.outcome;
    };
    const auto dialects = dialectsOf(from.text);
    if (has(dialects, "tosa")) {
      FXS_TRY(const bool printed, convert(generic));
      if (!printed) return from;
      FXS_TRY(const bool lowered, convert(tosaToLinalg));
      if (!lowered) return from;
    } else if (has(dialects, "stablehlo")) {
      if (isDynamic(signature)) return refuse("no executor runs StableHLO with dynamic sizes");
      FXS_TRY(const bool lowered, convert(stablehloToLinalg));
      if (!lowered) return from;
      if (const auto left = dialectsOf(from.text); has(left, "stablehlo"))
        return refuse("the engine does not legalize all of it to linalg");
      from.text = withSignlessIntegers(from.text);
    }
    if (has(dialects, "tm_tensor")) {
      auto expanded = withAttentionExpanded(from.text);
      if (!expanded) return refuse(expanded.error().message);
      from.text = *std::move(expanded);
      FXS_TRY(const bool lowered, convert(tmTensorToLoops));
      if (!lowered) return from;
    }
    return from;
  }

  Result<> build(const std::string& text, const std::string& source, const Call& call,
                 CompiledProgram& out, const RunContext& context) {
    const std::string stem = directory_ + "/llvm-" + std::to_string(files_++);
    const auto step = [&](std::vector<std::string> argv, std::string input) -> Result<bool> {
      Step one;
      one.argv = std::move(argv);
      one.input = std::move(input);
      one.folder = directory_;
      one.startsPrograms = one.argv.front() == tools_.clang;
      one.timeout = call.limits.compileTime;
      one.memory = call.limits.memory;
      out.commands.push_back(one.argv);
      const auto before = out.end.seconds;
      FXS_TRY(out.end, runStep(one, Outcome::NotSupported, runner_, context));
      out.end.seconds += before;
      return !out.end.outcome;
    };
    out.variants = {kExact};
    if (call.checks) out.variants.push_back(kChecks);
    if (call.checks || mlir::Module(text).ops.size() > kOptimizedOps)
      out.variants.push_back(kUnoptimized);
    const auto called = [](std::string program, std::vector<std::string> arguments,
                           const std::vector<std::string>& more) {
      arguments.insert(arguments.begin(), std::move(program));
      arguments.insert(arguments.end(), more.begin(), more.end());
      return arguments;
    };
    const std::string pipeline = "--pass-pipeline=" + llvmPipeline(out.variants);
    FXS_TRY(const bool lowered, step({tools_.mlirOpt, "-", pipeline, "-o", stem + ".mlir"}, text));
    if (!lowered) return {};
    FXS_TRY(const bool translated, step(called(tools_.mlirTranslate, translateArguments(),
                                               {stem + ".mlir", "-o", stem + ".ll"}),
                                        {}));
    if (!translated) return {};
    FXS_CHECK(writeWholeFile(stem + ".c", source));
    const std::string library = std::filesystem::path(tools_.runnerLibrary).parent_path().string();
    // What the library itself needs, all of MLIR and LLVM, is left to the loader: to check it takes
    // GNU ld longer than the compiler takes for the rest.
    const std::string link = "-Wl,--allow-shlib-undefined,-rpath," + library;
    // Few programs call the library, and loading it takes 30 times as long as all else.
    constexpr const char* kIfCalled = "-Wl,--as-needed";
    FXS_TRY(const bool linked, step(called(tools_.clang, clangArguments(out.variants),
                                           {stem + ".ll", stem + ".c", "-o", stem, kIfCalled,
                                            tools_.runnerLibrary, "-lm", link}),
                                    {}));
    std::error_code ignored;
    if (linked) {
      out.file = stem;
      // The cage lets no program change modes, so that the linker leaves this to its caller.
      std::filesystem::permissions(stem, std::filesystem::perms::owner_all, ignored);
    }
    for (const char* end : {".mlir", ".ll", ".c"}) std::filesystem::remove(stem + end, ignored);
    return {};
  }

  Result<> run(const Call& call, const CompiledProgram& compiled,
               const std::vector<Argument>& arguments, Execution& out,
               const RunContext& context) override {
    const std::string stem = directory_ + "/call-llvm-" + std::to_string(files_++);
    std::string list, held;
    Step step;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Argument& argument = arguments[i];
      const auto* bytes = std::get_if<std::string>(&argument.elements);
      if (compiled.signature.arguments[i].number && bytes != nullptr) {
        list += "number " + numberText(argument.dtype, *bytes) + "\n";
        continue;
      }
      if (bytes == nullptr) step.reads.push_back(std::get<StoredBytes>(argument.elements).file);
      const StoredBytes stored = bytes != nullptr
                                     ? StoredBytes{stem + ".in", held.size(), bytes->size()}
                                     : std::get<StoredBytes>(argument.elements);
      if (bytes != nullptr) held += *bytes + std::string((64 - bytes->size() % 64) % 64, '\0');
      list += fmt::format("tensor {} {}", stored.offset, argument.sizes.size());
      for (const std::int64_t size : argument.sizes) list += fmt::format(" {}", size);
      list += " " + stored.file + "\n";
    }
    FXS_CHECK(writeWholeFile(stem + ".in", held));
    FXS_CHECK(writeWholeFile(stem + ".txt", list));
    step.argv = {compiled.file, stem + ".txt", stem + ".out"};
    step.folder = directory_;
    step.timeout = call.limits.runTime;
    step.memory = call.limits.memory;
    out.commands.push_back(step.argv);
    FXS_TRY(const StepEnd end, runStep(step, Outcome::Crashed, runner_, context));
    out.runTime = end.seconds;
    const auto clean = [&] {
      std::error_code ignored;
      for (const char* suffix : {".in", ".txt", ".out"})
        std::filesystem::remove(stem + suffix, ignored);
    };
    if (end.outcome) {
      out.outcome = *end.outcome;
      out.message = end.message;
      out.node = end.node;
      if (!end.node.valid() && end.outcome == Outcome::Crashed)
        out.failed = failedAssertion(call.text, end.err);
      if (out.failed) out.message = "an assertion of the text fails: " + out.failed->message;
      clean();
      return {};
    }
    FXS_TRY(const std::string results, readWholeFile(stem + ".out", call.limits.resultBytes));
    clean();
    return parse(results, compiled.signature, out);
  }

  /// The results as call_main.c writes them.
  static Result<> parse(std::string_view bytes, const Signature& signature, Execution& out) {
    const auto integer = [&]() -> std::int64_t {
      std::int64_t value = -1;
      if (bytes.size() < sizeof value) return -1;
      std::memcpy(&value, bytes.data(), sizeof value);
      bytes.remove_prefix(sizeof value);
      return value;
    };
    for (const ValueType& type : signature.results) {
      tensor::Tensor value;
      value.dtype = type.dtype;
      const std::int64_t rank = integer();
      bool complete = rank == static_cast<std::int64_t>(type.sizes.size());
      for (std::int64_t d = 0; complete && d < rank; ++d) value.sizes.push_back(integer());
      const auto count = complete ? tensor::elementCount(value.sizes) : std::nullopt;
      const auto length = count ? *count * static_cast<std::uint64_t>(facts(type.dtype).bytes) : 0;
      complete = count && *count <= bytes.size() && length <= bytes.size();
      if (!complete) {
        out.outcome = Outcome::Crashed;
        out.message = "its results are incomplete";
        out.results.clear();
        return {};
      }
      value.bytes = bytes.substr(0, static_cast<std::size_t>(length));
      bytes.remove_prefix(static_cast<std::size_t>(length));
      out.results.push_back(std::move(value));
    }
    out.outcome = Outcome::Ran;
    return {};
  }

  const Tools tools_;
  const std::string directory_;
  CommandRunner& runner_;
  std::size_t files_ = 0;
};

}  // namespace

ExecutorPtr llvmExecutor(const Tools& tools, std::string directory, CommandRunner& runner) {
  return std::make_shared<Llvm>(tools, std::move(directory), runner);
}

}  // namespace fxs::execute
