// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What an engine lowers, call by call: for every program of Calls and every output type, whether it
// lowers as `fxscope-cli lower` does it, with rewrites, and whether it lowers as exported, without
// them. Kept as text, one file per engine. A cell of the matrix is an element type and a kind of
// sizes: it says how many of the operator's measured forms lower. Other forms may behave otherwise.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/diagnosis.h"
#include "support/calls.h"

namespace fxs::support {

struct Outcome {
  enum class State : std::uint8_t {
    NotMeasured,    ///< not yet, or the engine gave no answer
    Lowers,         ///< with rewrites and as exported
    OnlyRewritten,  ///< only with rewrites
    OnlyExported,   ///< only as exported
    Blocked,        ///< neither
  };
  State state = State::NotMeasured;
  diagnose::Kind kind = diagnose::Kind::Unknown;  ///< why, if Blocked
  bool lowers() const { return state == State::Lowers || state == State::OnlyRewritten; }
  bool lowersAsExported() const { return state == State::Lowers || state == State::OnlyExported; }
  bool operator==(const Outcome&) const = default;
};

struct MeasuredEngine {
  std::string version;  ///< lower::Engine::version
  std::string sha256;
  std::string release;  ///< the user's name of it, such as "2026.10.9"; "" if none was given
  /// "2026.10.9", or the version with the start of the checksum.
  std::string title() const;
};
/// Whether `a` is older: by the numbers of releases if both have one, else of versions; then by
/// title.
bool isOlder(const MeasuredEngine& a, const MeasuredEngine& b);

class Matrix {
 public:
  /// Nothing is measured. `calls` must outlive the matrix. At most 16 targets.
  Matrix(const Calls& calls, MeasuredEngine, std::vector<std::string> targets);
  /// InvalidInput if it is no matrix, or of other calls. `label`: the file's name.
  static Result<Matrix> parse(const std::string& text, const std::string& label, const Calls&);
  std::string print() const;
  /// That of the engine that ./run installs, measured with Calls::builtin(); null if it does not
  /// fit them.
  static const Matrix* builtin();

  const Calls& calls() const { return *calls_; }
  const MeasuredEngine& engine() const { return engine_; }
  void setEngine(MeasuredEngine engine) { engine_ = std::move(engine); }
  const std::vector<std::string>& targets() const { return targets_; }
  /// `program`: within the operator, in the order of its calls and their element types.
  Outcome at(const Operator&, std::size_t program, std::size_t target) const;
  void set(const Operator&, std::size_t program, std::size_t target, Outcome);
  bool isMeasured(const Operator&, std::size_t program) const;
  std::size_t programs() const;  ///< of all operators
  /// The number of programs without an outcome for some target.
  std::size_t missing() const;

 private:
  const Calls* calls_;
  MeasuredEngine engine_;
  std::vector<std::string> targets_;
  std::vector<std::string> outcomes_;  ///< by operator: a letter for each program and target
};

/// That of the engine with the checksum, else the last one; null if there is none. `known`: the
/// newest engine last.
std::shared_ptr<const Matrix> matrixFor(const std::vector<std::shared_ptr<const Matrix>>& known,
                                        std::string_view sha256);

struct Cell {
  std::size_t forms = 0;     ///< measured
  std::size_t lower = 0;     ///< among them, those that lower
  std::size_t exported = 0;  ///< among them, those that lower as exported
  std::set<diagnose::Kind> kinds;
  bool all() const { return forms > 0 && lower == forms; }
  bool none() const { return forms > 0 && lower == 0; }
};
Cell cellOf(const Matrix&, const Operator&, std::size_t target, DType, Sizes);
/// The element types for which the operator has calls, in the order of the first call that has
/// them.
std::vector<DType> dtypesOf(const Operator&);

enum class Standing : std::uint8_t { NotMeasured, Never, Part, Always };
std::string_view name(Standing);  ///< "not-measured", "never", "part", "always"
struct Verdict {
  Standing standing = Standing::NotMeasured;
  std::size_t programs = 0, lower = 0;  ///< measured, and those that lower
  std::string message;  ///< "lowers", "never lowers (..)", "only f32, f16; only static sizes",
                        ///< "some forms: 20 of 30 .."
};
Verdict verdictOf(const Matrix&, const Operator&, std::size_t target);

/// Of matrices of several engines: the oldest engine since which every engine gives the operator
/// the newest engine's standing. Nullopt if fewer than two measured it, or if all give the same.
std::optional<MeasuredEngine> sinceWhen(const std::vector<const Matrix*>&, const Operator&,
                                        const std::string& target);

}  // namespace fxs::support
