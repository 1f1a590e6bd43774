// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/printed_passes.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

#include "mlir/logs/printed_ops.h"
#include "mlir/text/function_types.h"

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

/// Whether an operation in the tree directories `path` is one that anchors lead to.
bool leadTo(const std::vector<std::string>& anchors, const std::vector<std::string>& path) {
  return std::equal(
      anchors.begin(), anchors.end(), path.begin(), path.end(),
      [](const std::string& anchor, const std::string& directory) {
        if (anchor == "any") return true;
        const std::string name = mlir::treeName(anchor, " ");
        return directory.starts_with(std::string_view(name).substr(0, name.size() - 1));
      });
}

/// Assigns prints to passes of a pipeline. Passes on the module divide it.
class Assignment {
 public:
  explicit Assignment(const std::vector<PipelinePass>& pipeline) : pipeline_(pipeline) {}

  /// In order.
  void takeOfModule(const PrintedPass& printed) {
    const std::size_t pass = find(printed, next_, pipeline_.size());
    if (pass == pipeline_.size()) return;
    ofModule_[printed.numbers.front()] = pass;
    next_ = pass + 1;
    prints_[pass].push_back(printed);
  }
  /// In order for each operation, after those of the module.
  void takeOfOperation(const PrintedPass& printed) {
    const auto end = ofModule_.upper_bound(printed.numbers.front());
    const std::size_t from = end == ofModule_.begin() ? 0 : std::prev(end)->second + 1;
    std::size_t& next = nextOf_[printed.path];
    next = std::max(next, from);
    const std::size_t to = end == ofModule_.end() ? pipeline_.size() : end->second;
    const std::size_t pass = find(printed, next, to);
    if (pass == to) return;
    next = pass + 1;
    prints_[pass].push_back(printed);
  }
  std::vector<PrintedStep> steps() && {
    std::vector<PrintedStep> out;
    for (auto& [pass, printed] : prints_) out.push_back({pass, std::move(printed)});
    return out;
  }

 private:
  /// `to` if there is none.
  std::size_t find(const PrintedPass& printed, std::size_t from, std::size_t to) const {
    while (from < to &&
           (pipeline_[from].pass != printed.pass || !leadTo(pipeline_[from].anchors, printed.path)))
      ++from;
    return std::min(from, to);
  }

  const std::vector<PipelinePass>& pipeline_;
  std::size_t next_ = 0;
  std::map<std::uint32_t, std::size_t> ofModule_;  // pass of each number
  std::map<std::vector<std::string>, std::size_t> nextOf_;
  std::map<std::size_t, std::vector<PrintedPass>> prints_;
};

}  // namespace

std::vector<PrintedPass> printedPasses(const std::string& directory) {
  std::vector<PrintedPass> out;
  std::error_code error;
  for (fs::recursive_directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    if (!at->is_regular_file(error) || at->path().extension() != ".mlir") continue;
    FileName name = parse(at->path().stem().string());
    if (name.numbers.empty()) continue;
    PrintedPass& one = out.emplace_back();
    const fs::path file = fs::relative(at->path(), directory, error);
    one.file = file.string();
    one.pass = std::move(name.pass);
    one.numbers = std::move(name.numbers);
    for (const fs::path& part : file.parent_path()) one.path.push_back(part.string());
    if (!one.path.empty()) one.path.erase(one.path.begin());  // the module
    one.failed = firstLine(at->path()).find(" Failed") != std::string::npos;
  }
  std::sort(out.begin(), out.end(), [](const PrintedPass& a, const PrintedPass& b) {
    return std::tie(a.path, a.numbers) < std::tie(b.path, b.numbers);
  });
  return out;
}

std::vector<PrintedPass> printedPasses(const std::vector<mlir::DumpedIr>& dumps) {
  std::vector<PrintedPass> out;
  std::uint32_t ofModule = 0;
  for (std::size_t i = 0; i < dumps.size(); ++i) {
    const mlir::DumpHeader& header = dumps[i].header;
    const mlir::Module text(dumps[i].ir);
    if (text.ops.empty()) continue;
    std::string op = header.anchor, symbol = header.symbol;
    if (op.empty()) {
      op = text.nameOf(mlir::OpId{0});
      symbol = mlir::symbolOf(text, text.ops.front());
    }
    PrintedPass& one = out.emplace_back();
    one.pass = header.name();
    one.failed = header.failed;
    one.index = i;
    if (op == "builtin.module") {
      one.numbers = {++ofModule};
    } else {
      one.path = {mlir::treeName(op, symbol)};
      one.numbers = {ofModule, static_cast<std::uint32_t>(i)};
    }
  }
  return out;
}

namespace {

/// Whether the position is in a line that is a comment, as the header of a dump is.
bool isInComment(std::string_view text, std::size_t at) {
  const std::size_t begin = text.find_last_of('\n', at) + 1;
  const std::size_t first = text.find_first_not_of(" \t", begin);
  return text.substr(first).starts_with("//");
}

}  // namespace

bool mayRunOnSeveral(const std::vector<PipelinePass>& pipeline, std::string_view module) {
  constexpr std::string_view kFunction = "func.func";
  std::size_t functions = 0;
  for (std::size_t at = module.find(kFunction); at != std::string_view::npos && functions < 2;
       at = module.find(kFunction, at + kFunction.size()))
    functions += isInComment(module, at) ? 0U : 1U;
  return std::any_of(pipeline.begin(), pipeline.end(), [&](const PipelinePass& pass) {
    const bool isOnFunctions = pass.anchors.size() == 1 && pass.anchors.front() == kFunction;
    return isOnFunctions ? functions > 1 : !pass.anchors.empty();
  });
}

bool PrintedStep::failed() const {
  return std::any_of(printed.begin(), printed.end(),
                     [](const PrintedPass& each) { return each.failed; });
}

std::vector<PrintedStep> stepsOf(const std::vector<PrintedPass>& printed,
                                 const std::vector<PipelinePass>& pipeline) {
  Assignment out(pipeline);
  for (const PrintedPass& each : printed)
    if (each.path.empty()) out.takeOfModule(each);
  for (const PrintedPass& each : printed)
    if (!each.path.empty()) out.takeOfOperation(each);
  return std::move(out).steps();
}

bool ranOnSeveral(const std::vector<PrintedStep>& steps) {
  const std::vector<std::string>* path = nullptr;
  for (const PrintedStep& step : steps)
    for (const PrintedPass& each : step.printed) {
      if (each.path.empty()) continue;
      if (path != nullptr && *path != each.path) return true;
      path = &each.path;
    }
  return false;
}

}  // namespace fxs::lower
