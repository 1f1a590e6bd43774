// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/printed_passes.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

namespace fxs::lower {
namespace {

namespace fs = std::filesystem;

/// "3_convert-torch-to-tosa.mlir" or "0_2_cse.mlir": the numbers in front, and the pass.
struct FileName {
  std::vector<std::uint32_t> numbers;
  std::string pass;
};
FileName parse(std::string_view stem) {
  FileName out;
  while (true) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
    if (error != std::errc() || end == stem.data() + stem.size() || *end != '_') break;
    out.numbers.push_back(number);
    stem.remove_prefix(static_cast<std::size_t>(end - stem.data()) + 1);
  }
  out.pass = std::string(stem);
  return out;
}

std::string firstLine(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

struct Found {
  PrintedPass printed;
  std::uint32_t modulePasses = 0;  // number of those printed before it
  std::int64_t number = -1;        // among the function's; -1 for a pass on the module
  fs::file_time_type time;
};

}  // namespace

std::vector<PrintedPass> printedPasses(const std::string& directory) {
  std::vector<Found> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    if (!at->is_regular_file(error) || at->path().extension() != ".mlir") continue;
    const FileName name = parse(at->path().stem().string());
    if (name.numbers.empty()) continue;
    Found one;
    one.printed.file = fs::relative(at->path(), directory, error).string();
    one.printed.pass = name.pass;
    const std::string parent = at->path().parent_path().filename().string();
    if (name.numbers.size() > 1 && parent.starts_with("func_func_"))
      one.printed.function = parent.substr(10);
    one.printed.failed = firstLine(at->path()).find(" Failed") != std::string::npos;
    one.modulePasses = name.numbers.front();
    if (name.numbers.size() > 1) one.number = name.numbers[1];
    one.time = at->last_write_time(error);
    found.push_back(std::move(one));
  }
  // Between two passes on the module, prefer the failing function, else the one written last.
  std::map<std::uint32_t, std::pair<std::string, std::tuple<bool, fs::file_time_type, std::string>>>
      chosen;
  for (const Found& one : found) {
    if (one.number < 0) continue;
    const std::tuple rank(one.printed.failed, one.time, one.printed.function);
    auto [at, fresh] = chosen.try_emplace(one.modulePasses, one.printed.function, rank);
    if (!fresh && rank > at->second.second) at->second = {one.printed.function, rank};
  }
  std::erase_if(found, [&](const Found& one) {
    return one.number >= 0 && chosen.at(one.modulePasses).first != one.printed.function;
  });
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tuple(a.modulePasses, a.number) < std::tuple(b.modulePasses, b.number);
  });
  std::vector<PrintedPass> out;
  for (Found& one : found) out.push_back(std::move(one.printed));
  return out;
}

}  // namespace fxs::lower
