// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/lost_types.h"

#include <algorithm>

#include "lower/engine_run.h"

namespace fxs::diagnose {
namespace {

/// The part of the time limit for the dumps of one cut.
constexpr int kDumpsPart = 12;

bool isWordEnd(std::string_view text, std::size_t at) {
  return at >= text.size() ||
         !((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= '0' && text[at] <= '9') ||
           text[at] == '_' || text[at] == '.');
}

/// The first pass after which `op` has an incomplete type; "" if from the start or never.
Result<std::string> firstPass(const Subject& subject, const BlockedForm& form,
                              const Blocked& blocked, const RunContext& context) {
  lower::LowerOptions options = subject.lower;
  options.target = blocked.target;
  FXS_TRY(const std::vector<lower::StageSpec> stages, lower::filledStages(options));
  for (const lower::StageSpec& stage : stages) {
    if (stage.pipeline.empty() || stage.id == blocked.stage) continue;
    lower::Limits limits = options.limits;
    limits.timeout = lower::shareOf(limits.timeout, kDumpsPart);
    Command command = lower::engineCommand(subject.engine, stage.pipeline, form.raw, limits);
    // This default would take precedence.
    std::erase(command.argv, "--mlir-print-ir-after-failure");
    command.argv.insert(command.argv.end(),
                        {"--mlir-print-ir-after-all", "--mlir-disable-threading"});
    const auto exit = subject.runner->run(command, context.stop);
    if (!exit) return tl::unexpected<Error>(exit.error());
    for (const mlir::DumpedIr& dump : mlir::parseEngineLog(exit->err).dumps)
      if (losesType(dump.ir, blocked.op)) return dump.header.name();
    break;
  }
  return std::string();
}

}  // namespace

bool hasIncompleteType(std::string_view line) {
  for (const std::string_view type :
       {std::string_view("!torch.vtensor"), std::string_view("!torch.tensor")}) {
    for (std::size_t at = line.find(type); at != std::string_view::npos;
         at = line.find(type, at + 1)) {
      const std::size_t end = at + type.size();
      if (!isWordEnd(line, end)) continue;
      if (end >= line.size() || line[end] != '<') return true;
      const std::string_view inside =
          line.substr(end, std::min(line.find('>', end), line.size()) - end + 1);
      if (inside.starts_with("<*") || inside.find("unk") != std::string_view::npos) return true;
    }
  }
  return false;
}

bool losesType(std::string_view module, std::string_view op) {
  if (op.empty()) return false;
  for (std::size_t at = module.find(op); at != std::string_view::npos;
       at = module.find(op, at + op.size())) {
    if (!isWordEnd(module, at + op.size())) continue;
    const std::size_t begin = module.rfind('\n', at) + 1;
    if (hasIncompleteType(
            module.substr(begin, std::min(module.find('\n', at), module.size()) - begin)))
      return true;
  }
  return false;
}

Result<> findLostTypes(const Subject& subject, std::vector<BlockedEntry>& entries,
                       const RunContext& context) {
  for (BlockedEntry& entry : entries) {
    Blocked& b = entry.blocked;
    const bool possible = b.kind == Kind::IllegalOp || b.kind == Kind::PatternRefused ||
                          b.kind == Kind::Verifier || b.kind == Kind::Crash ||
                          b.kind == Kind::Contract || b.kind == Kind::Unknown;
    if (!possible || entry.forms.empty() || !losesType(entry.forms.front().result.lastGood, b.op))
      continue;
    b.kind = Kind::TypesLost;
    if (losesType(entry.forms.front().raw, b.op)) {
      b.message = b.fxTarget +
                  ": the program does not record its element type or rank; export it again with a "
                  "current torch.export";
      continue;
    }
    FXS_TRY(const std::string pass, firstPass(subject, entry.forms.front(), b, context));
    if (!pass.empty()) b.pass = pass;
    b.message = b.fxTarget + ": " + b.op + " lost its element type or rank" +
                (pass.empty() ? "" : " in " + pass) + "; rewrite it in the model, or decompose it";
  }
  return {};
}

}  // namespace fxs::diagnose
