// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/support.h"

#include <algorithm>
#include <filesystem>

#include "base/byte_source.h"
#include "contract/contract.h"
#include "diagnose/survey.h"
#include "lower/batch.h"
#include "session/importing.h"

namespace fxs::support {
namespace {

constexpr std::size_t kChunk = 400;
constexpr std::uint64_t kMatrixBytes = std::uint64_t{16} << 20;

std::string supportFolder(const session::Environment& env) {
  return env.cacheDir.empty() ? std::string() : env.cacheDir + "/support";
}

/// Those of resources/output_types.json: a matrix does not depend on the user's.
std::vector<lower::OutputType> measuredTargets() {
  return lower::OutputTypes::builtin().backends();
}

/// A module; "" and the reason if the importer refuses the program.
struct Module {
  std::string text;
  diagnose::Kind refused = diagnose::Kind::Unknown;
};
/// A program to measure, and its modules.
struct Measured {
  const Operator* op = nullptr;
  std::size_t program = 0;
  fx::ProgramPtr user;
  Module exported;                ///< without rewrites
  std::vector<Module> rewritten;  ///< by target, as `lower` rewrites on the way to it
};

struct Lowered {
  bool ok = false, known = true;
  diagnose::Kind kind = diagnose::Kind::Unknown;
};

class Measurer {
 public:
  Measurer(const lower::Engine& engine, const std::set<std::string, std::less<>>& registered,
           const SupportOptions& options, const session::Environment& env,
           const RunContext& context)
      : engine_(engine), registered_(registered), options_(options), env_(env), context_(context) {}

  Result<> run(Matrix& matrix, std::vector<Measured> chunk) {
    for (Measured& measured : chunk) FXS_CHECK(prepare(measured));
    for (std::size_t t = 0; t < targets_.size(); ++t) FXS_CHECK(lower(matrix, chunk, t));
    return {};
  }

 private:
  static Outcome outcomeOf(const Lowered& rewritten, const Lowered& exported) {
    if (!rewritten.known || !exported.known) return {};
    if (rewritten.ok)
      return {exported.ok ? Outcome::State::Lowers : Outcome::State::OnlyRewritten, {}};
    if (exported.ok) return {Outcome::State::OnlyExported, {}};
    return {Outcome::State::Blocked, rewritten.kind};
  }

  Result<> lower(Matrix& matrix, const std::vector<Measured>& chunk, std::size_t target) {
    std::vector<std::string> modules;
    const auto isOne = [&](const Measured& measured) {
      return measured.exported.text == measured.rewritten[target].text;
    };
    for (const Measured& measured : chunk) {
      if (!measured.rewritten[target].text.empty())
        modules.push_back(measured.rewritten[target].text);
      if (!measured.exported.text.empty() && !isOne(measured))
        modules.push_back(measured.exported.text);
    }
    const RunContext quiet{context_.stop, [](const Progress&) {}, context_.budget};
    const fx::Program nobody;  // findings name no nodes
    FXS_TRY(const auto results, lower::lowerBatch(modules, {targets_[target]}, nobody, engine_, {},
                                                  *env_.runner, quiet, options_.processes));
    std::size_t next = 0;
    const auto outcome = [&](const Measured& measured, const Module& module) -> Lowered {
      if (module.text.empty()) return {false, true, module.refused};
      return judged(measured, module.text, results.front()[next++], target);
    };
    for (const Measured& measured : chunk) {
      const Lowered rewritten = outcome(measured, measured.rewritten[target]);
      const Lowered exported = isOne(measured) ? rewritten : outcome(measured, measured.exported);
      matrix.set(*measured.op, measured.program, target, outcomeOf(rewritten, exported));
    }
    return {};
  }

  Lowered judged(const Measured& measured, const std::string& module,
                 const lower::BatchResult& result, std::size_t target) const {
    if (!result.isKnown()) return {false, false, {}};
    std::vector<fx::Finding> findings = result.findings;
    std::string message = result.message;
    if (result.ok()) {
      findings =
          contract::errorsIn(*targets_[target].operator->(), module, result.text, *measured.user);
      if (findings.empty()) return {true, true, {}};
      message = findings.front().message;
    }
    return {
        false, true,
        findings.empty() ? diagnose::Kind::Unknown : diagnose::kindOf(findings.front(), message)};
  }

  Result<> prepare(Measured& measured) {
    std::size_t before = 0;
    for (const Call& call : measured.op->calls) {
      if (measured.program < before + call.dtypes.size()) {
        FXS_TRY(measured.user, programOf(call, call.dtypes[measured.program - before]));
        break;
      }
      before += call.dtypes.size();
    }
    FXS_TRY(measured.exported, importOf(*measured.user));
    for (const lower::OutputType& target : targets_) {
      rewrite::RewriteOptions options;
      options.decompose = lower::decomposedFor(target);
      FXS_TRY(const auto rewritten, rewrite::rewrite(measured.user, options, context_));
      FXS_TRY(measured.rewritten.emplace_back(), moduleOf(*rewritten));
    }
    return {};
  }

  Result<Module> moduleOf(const rewrite::Rewritten& rewritten) {
    if (const auto refused = refusalIn(rewritten.findings)) return Module{{}, *refused};
    return importOf(*rewritten.program);
  }

  Result<Module> importOf(const fx::Program& program) {
    import::ImportOptions options;
    options.registeredOps = &registered_;
    auto imported = import::importProgram(program, options, context_);
    if (!imported) {
      if (endsAll(imported.error())) return tl::unexpected<Error>(imported.error());
      return Module{{}, diagnose::Kind::NotImported};
    }
    if (const auto refused = refusalIn((*imported)->findings)) return Module{{}, *refused};
    return Module{(*imported)->text, {}};
  }

  static std::optional<diagnose::Kind> refusalIn(const std::vector<fx::Finding>& findings) {
    for (const fx::Finding& finding : findings)
      if (finding.severity == fx::Severity::Error)
        return diagnose::kindOf(finding, finding.message);
    return std::nullopt;
  }

  const lower::Engine& engine_;
  const std::set<std::string, std::less<>>& registered_;
  const SupportOptions& options_;
  const session::Environment& env_;
  const RunContext& context_;
  const std::vector<lower::OutputType> targets_ = measuredTargets();
};

/// The operations of the operators to measure, and those that rewrites may introduce, that the
/// engine registers.
Result<std::set<std::string, std::less<>>> registeredAmong(const std::vector<Measured>& wanted,
                                                           const lower::Engine& engine,
                                                           const session::Environment& env,
                                                           const RunContext& context) {
  std::set<std::string> names(import::pinnedRegisteredOps().begin(),
                              import::pinnedRegisteredOps().end());
  const Operator* last = nullptr;
  for (const Measured& measured : wanted) {
    if (measured.op == last) continue;
    last = measured.op;
    FXS_TRY(const fx::ProgramPtr program,
            programOf(measured.op->calls.front(), measured.op->calls.front().dtypes.front()));
    for (std::string& name : import::wantedOps(*program, context)) names.insert(std::move(name));
  }
  return lower::registeredOps(engine, {names.begin(), names.end()}, env.cacheDir, *env.runner,
                              context);
}

/// What was measured of the engine before: of the file, if it has the same output types; else
/// `none`.
Matrix knownOr(Matrix none, const std::string& file) {
  if (file.empty()) return none;
  const auto text = readWholeFile(file, kMatrixBytes);
  if (!text) return none;
  auto known = Matrix::parse(*text, file, none.calls());
  if (!known || known->targets() != none.targets()) return none;
  if (!none.engine().release.empty()) known->setEngine(none.engine());
  return *std::move(known);
}

std::vector<Measured> wantedOf(const SupportOptions& options, const Matrix& known) {
  const std::vector<const Operator*>& asked = options.operators;
  std::vector<Measured> out;
  for (const Operator& op : known.calls().operators()) {
    if (!asked.empty() && std::find(asked.begin(), asked.end(), &op) == asked.end()) continue;
    for (std::size_t i = 0; i < op.programs(); ++i)
      if (options.again || !known.isMeasured(op, i)) out.push_back({&op, i, nullptr, {}, {}});
  }
  return out;
}

}  // namespace

Result<SupportMeasurement> measureSupport(const SupportOptions& options,
                                          const session::Environment& env,
                                          const RunContext& context) {
  FXS_TRY(const lower::Engine engine, session::engineOf(env, context));
  std::vector<std::string> names;
  for (const lower::OutputType& target : measuredTargets()) names.emplace_back(lower::name(target));
  SupportMeasurement out;
  if (const std::string folder = supportFolder(env); !folder.empty())
    out.file = folder + "/" + engine.sha256 + ".txt";
  Matrix matrix = knownOr(
      Matrix(Calls::builtin(), {engine.version, engine.sha256, options.release}, names), out.file);
  const std::vector<Measured> wanted = wantedOf(options, matrix);
  const auto keep = [&]() -> Result<> {
    if (out.file.empty()) return {};
    std::error_code ignored;
    std::filesystem::create_directories(supportFolder(env), ignored);
    return writeWholeFile(out.file, matrix.print());
  };
  FXS_TRY(const auto registered, registeredAmong(wanted, engine, env, context));
  Measurer measurer(engine, registered, options, env, context);
  for (std::size_t begin = 0; begin < wanted.size(); begin += kChunk) {
    if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    const std::size_t end = std::min(begin + kChunk, wanted.size());
    context.report({"measuring " + std::string(wanted[begin].op->name) + ", program " +
                        std::to_string(begin + 1) + " of " + std::to_string(wanted.size()),
                    static_cast<double>(begin) / static_cast<double>(wanted.size())});
    FXS_CHECK(measurer.run(matrix, {wanted.begin() + static_cast<std::ptrdiff_t>(begin),
                                    wanted.begin() + static_cast<std::ptrdiff_t>(end)}));
    FXS_CHECK(keep());
    out.measured = end;
  }
  if (wanted.empty()) FXS_CHECK(keep());
  out.matrix = std::make_shared<const Matrix>(std::move(matrix));
  return out;
}

std::vector<std::shared_ptr<const Matrix>> knownSupport(const session::Environment& env,
                                                        std::vector<std::string>& problems) {
  std::vector<std::shared_ptr<const Matrix>> out;
  std::error_code ignored;
  if (const std::string folder = supportFolder(env); !folder.empty())
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
      if (entry.path().extension() != ".txt") continue;
      const auto text = readWholeFile(entry.path().string(), kMatrixBytes);
      auto matrix = text ? Matrix::parse(*text, entry.path().string(), Calls::builtin())
                         : Result<Matrix>(tl::unexpected<Error>(text.error()));
      if (matrix) out.push_back(std::make_shared<const Matrix>(*std::move(matrix)));
      else problems.push_back(matrix.error().message);
    }
  const Matrix* builtin = Matrix::builtin();
  if (builtin != nullptr && std::none_of(out.begin(), out.end(), [&](const auto& matrix) {
        return matrix->engine().sha256 == builtin->engine().sha256;
      }))
    out.push_back(std::shared_ptr<const Matrix>(std::shared_ptr<void>(), builtin));
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return isOlder(a->engine(), b->engine()); });
  std::sort(problems.begin(), problems.end());
  return out;
}

}  // namespace fxs::support
