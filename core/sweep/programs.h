// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The programs of a sweep: every file under some paths that fxscope reads, in an order that depends
// on their names alone, and which part of them a shard takes.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/run_context.h"

namespace fxs::sweep {

/// Part `index` of `count`, from 1.
struct Shard {
  std::uint32_t index = 1;
  std::uint32_t count = 1;
};
/// Parses "2/16". Usage if malformed.
Result<Shard> shardFrom(std::string_view text);
/// Decides by a hash of the name alone, so that a program stays in its shard whatever else is
/// swept.
bool isIn(const Shard&, std::string_view program);

struct ProgramFile {
  std::string name;  ///< relative to the given path, with what is not valid UTF-8 escaped; the file
                     ///< name of a path that is a file
  std::string path;
};

/// The files given, and in the folders given, with their subfolders, each file of a format that
/// fxscope reads or named *.pt2 or *.mlir; sorted by name. Links to folders are not followed. A
/// file given twice counts once. Usage if two files have the same name; NotFound or Io if a path
/// cannot be listed; InvalidInput if there is no program at all. Of other shards, contents are not
/// looked at.
Result<std::vector<ProgramFile>> programsUnder(const std::vector<std::string>& paths, const Shard&,
                                               const RunContext&);

}  // namespace fxs::sweep
