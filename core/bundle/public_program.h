#pragma once
// A program without private data. It keeps the metadata known to be safe: where an operation comes from in the code and in
// the modules; texts lose what is private, all else stays behind. Names stay, but for keys and paths in them, which become the same
// word wherever they stand: what is written from the program, its import and its failure agree.
#include <map>
#include <string>

#include "base/private_text.h"
#include "fx/program.h"

namespace fxs::bundle {

struct PublicProgram {
  fx::Program program;
  std::map<std::string, std::size_t> leftOut;  ///< operations by the key of metadata that stays behind
};
PublicProgram publicProgram(const fx::Program&, PrivateText& filter);

}  // namespace fxs::bundle
