// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The weights of PyTorch 2.8 and earlier: one file of torch.save each for weights and constants, a
// zip archive in the archive with the elements of each storage as a member and a pickle that says
// which tensor views which storage. The pickle is read as data (pickle.h).
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fx/program.h"
#include "read/format.h"
#include "read/pt2/archive.h"

namespace fxs::read::pt2 {

/// A record of raw elements: a member of the archive, or of a file of torch.save in it.
struct Record {
  std::shared_ptr<const ZipReader> zip;
  const ZipEntry* entry = nullptr;
  bool bigEndian = false;
};

class PickledWeights {
 public:
  /// Unsupported, with what the member is or lacks as the message, if it does not say which tensors
  /// it holds.
  static Result<PickledWeights> open(const Archive&, const std::string& member,
                                     std::uint64_t maxBytes, const RunContext&);

  /// A member that holds arguments, `(args, kwargs)`: its leaves in order, appended to `leaves`.
  /// Their names are their positions.
  static Result<PickledWeights> openArguments(const Archive&, const std::string& member,
                                              std::uint64_t maxBytes, std::vector<Example>& leaves,
                                              const RunContext&);

  const std::string& member() const { return member_; }
  /// Fills in type, layout and storage of the weight of this name, or why its elements cannot be
  /// read.
  void describe(fx::Weight&) const;
  /// The record of Weight::file; std::nullopt if it is not in this file.
  std::optional<Record> record(std::string_view file) const;

 private:
  static Result<std::string> openPickle(PickledWeights&, const Archive&, const std::string& member,
                                        std::uint64_t maxBytes, const RunContext&);

  std::string member_;
  std::shared_ptr<const ZipReader> zip_;  // null if the member is empty: it holds no weights
  std::string root_;
  bool bigEndian_ = false;
  std::map<std::string, fx::Weight, std::less<>> weights_;
};

}  // namespace fxs::read::pt2
