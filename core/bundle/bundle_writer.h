// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What all exporters of bundles share: the program in the form that its receiver gets, the parts of
// the manifest that every bundle has, and the file, which is kept only once it was written, opened
// again and checked.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/new_file.h"
#include "bundle/bundle.h"
#include "bundle/content.h"

namespace fxs::bundle {

/// A candidate for the program of the bundle: written, read back, and imported or lowered.
struct BundledProgram {
  std::string bytes;  ///< of the .pt2, or the text of a module
  session::SnapshotPtr snapshot;
};

class BundleWriter {
 public:
  /// Refers to its arguments.
  BundleWriter(const session::Snapshot& original, const BundleOptions& options,
               const session::Environment& env, const RunContext& context)
      : original_(original), options_(options), env_(env), context_(context) {}

  /// Private text is replaced by this in everything that is written.
  PrivateText& filter() { return clean_; }
  Result<BundledProgram> prepared(const fx::Program&, session::Phase until);
  /// A module, lowered.
  Result<BundledProgram> preparedModule(const std::string& text);
  /// Takes a lowered program; `content` is complete then, except for what only one kind of bundle
  /// has.
  Result<> fillIn(const FailureSignature&, std::optional<WrongResult>, BundledProgram);
  /// Writes the file at the path of the options. `check` gets the written bundle; "" if it
  /// reproduces, else one sentence that begins with kDoesNotHold or kNotKnown and is recorded. On
  /// an Error nothing is left at the path.
  Result<BundleResult> write(const std::function<Result<std::string>(NewFile&)>& check);
  /// Writes `content` to the temporary file.
  Result<> store(NewFile&, bool verified, const std::string& statement);
  Result<Bundle> reopened(const NewFile&) const;

  Content content;

 private:
  /// The definitions of the output type as it is named, of which a module may leave out stages.
  std::string definitionOfTarget() const;
  std::vector<std::string> removed() const;
  Result<> checkPublic(const std::string& name) const;
  Result<> checkNodeChoices() const;
  /// The edit of the request without private text.
  lower::EditPtr publicEdit();

  const session::Snapshot& original_;
  const BundleOptions& options_;
  const session::Environment& env_;
  const RunContext& context_;
  PrivateText clean_{env_.identity};
  std::map<std::string, std::size_t> leftOut_;
  Packed packed_;
};

/// Exports `options.wrong`. Takes an imported snapshot.
Result<BundleResult> exportWrongResult(const session::SnapshotPtr&, const BundleOptions& options,
                                       const session::Environment&, const RunContext&);

}  // namespace fxs::bundle
