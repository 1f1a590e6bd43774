// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "split/program_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/byte_source.h"
#include "base/new_file.h"

namespace fxs::split {
namespace {

constexpr const char* kModuleFile = "program.mlir";
constexpr std::size_t kLongestName = 100;

AloneOutcome outcomeOf(const tensor::Difference& difference) {
  switch (difference.verdict) {
    case tensor::Verdict::Same: return AloneOutcome::Same;
    case tensor::Verdict::Suspicious: return AloneOutcome::Suspicious;
    case tensor::Verdict::DiffersAtNonfinite:
    case tensor::Verdict::Differs: break;
  }
  return AloneOutcome::Differs;
}

}  // namespace

/// A name for files, of letters that need no quotes anywhere, that no other program has.
std::string ProgramWriter::folderNamed(const std::string& name) {
  std::string plain = name.substr(0, kLongestName);
  for (char& c : plain) {
    const bool known =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!known) c = '_';
  }
  if (plain.empty()) plain = "program";
  std::string out = plain;
  for (int i = 2; !names_.insert(out).second; ++i) out = plain + "_" + std::to_string(i);
  return out;
}

Result<SplitValue> ProgramWriter::writeValue(const std::string& folder, const std::string& stem,
                                             const TypedTensor& typed,
                                             const RunContext& context) const {
  SplitValue out;
  out.type = tensor::typeText(typed.value);
  if (!typed.type.number || stem.starts_with("expected")) {
    out.file = stem + std::string(execute::fileEnding(typed.value.dtype));
    context.spend(Resource::Disk, typed.value.bytes.size(), "the values of the programs");
    FXS_TRY(const std::string bytes, execute::fileOf(typed.value));
    FXS_CHECK(writeWholeFile(folder + "/" + out.file, bytes));
  }
  out.given = execute::ireeValue(typed.value, typed.type, out.file);
  const double eps = tensor::epsilonOf(typed.value.dtype);
  if (eps > 0) {
    out.tolerance = eps * tensor::toleranceOf(typed.value.dtype);
    out.elementTolerance = eps * tensor::elementToleranceOf(typed.value.dtype);
  }
  return out;
}

Result<> ProgramWriter::write(SplitProgram& program, const std::string& text,
                              const std::vector<TypedTensor>& inputs,
                              const std::vector<TypedTensor>& results, const RunContext& context) {
  program.folder = folderNamed(program.name);
  program.file = kModuleFile;
  const std::string folder = folder_ + "/" + program.folder;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return tl::unexpected<Error>(writeError(folder, error.value()));
  FXS_CHECK(writeWholeFile(folder + "/" + program.file, text));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    FXS_TRY(program.inputs.emplace_back(),
            writeValue(folder, fmt::format("input_{}", i), inputs[i], context));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    FXS_TRY(program.results.emplace_back(),
            writeValue(folder, fmt::format("expected_{}", i), results[i], context));
  }
  return runAlone(program, inputs, results, context);
}

Result<> ProgramWriter::runAlone(SplitProgram& program, const std::vector<TypedTensor>& inputs,
                                 const std::vector<TypedTensor>& results,
                                 const RunContext& context) {
  std::error_code ignored;
  const std::string folder = std::filesystem::absolute(folder_ + "/" + program.folder, ignored);
  const std::string compiled = scratch_ + "/" + program.folder + ".vmfb";
  FXS_TRY(const execute::StepEnd end,
          iree_.compile(folder + "/" + program.file, program.arguments, compiled, context));
  if (end.outcome) {
    program.message = end.message;
    return {};
  }
  execute::IreeModules::ModuleCall call;
  call.file = compiled;
  call.function = program.function;
  call.reads = {folder};
  for (std::size_t i = 0; i < inputs.size(); ++i)
    call.inputs.push_back(
        execute::ireeValue(inputs[i].value, inputs[i].type, folder + "/" + program.inputs[i].file));
  for (const TypedTensor& result : results) call.results.push_back(result.type);
  FXS_TRY(const auto run, iree_.run(call, context));
  std::filesystem::remove(compiled, ignored);
  if (run.end.outcome) {
    program.message = run.end.message;
    return {};
  }
  program.outcome = AloneOutcome::Equal;
  for (std::size_t i = 0; i < results.size(); ++i) {
    FXS_TRY(const tensor::Tensor found,
            execute::readIreeResult(run.files[i], results[i].type, limits_, context));
    std::filesystem::remove(run.files[i], ignored);
    if (found == results[i].value) continue;
    const tensor::Difference difference = tensor::judge(found, results[i].value);
    const AloneOutcome outcome = outcomeOf(difference);
    if (outcome <= program.outcome) continue;
    program.outcome = outcome;
    program.message = fmt::format("result {}: {}", i, difference.message);
  }
  return {};
}

}  // namespace fxs::split
