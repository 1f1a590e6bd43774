// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every distinct call node of programs, lowered by itself to each output type, inlined into a
// caller with the same arguments, and both canonicalized by the engine: they must be the same.
//   inline_nodes ENGINE AT_LEAST FILE..
// A FILE that ends in .txt holds programs in the form of fx/text.h, with lines `---` between them.
// Prints what was counted by output type, and what is not the same; ends with 1 when anything is
// not, or when fewer than AT_LEAST were compared. With INLINE_NODES_SHOW the first pair that
// differs is printed.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>

#include "canonical_text.h"
#include "fx/text.h"
#include "import/import.h"
#include "lower/batch.h"
#include "lower/split_run.h"
#include "mlir/compare/same_ir.h"
#include "node_lab/inline.h"
#include "node_lab/node_program.h"
#include "read/read.h"
#include "rewrite/rewrite.h"

using namespace fxs;

namespace {

constexpr std::size_t kModulesAtOnce = 200;
constexpr std::string_view kBetween = "---\n";
constexpr const char* kCanonical = "builtin.module(canonicalize,cse)";

struct Module {
  std::string name;  ///< "addmm.pt2 addmm"
  std::string text;
  const fx::Program* program = nullptr;
};
struct Count {
  std::size_t lowered = 0, unreadable = 0, refused = 0, same = 0, different = 0;
};

/// RAW of each distinct node of the programs.
class Nodes {
 public:
  Result<> add(const std::string& file) {
    if (file.ends_with(".txt")) return addTexts(file);
    FXS_TRY(const auto capture, read::openCapture(file, {}, {}));
    return add(file, capture.program);
  }

 private:
  Result<> addTexts(const std::string& file) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(kBetween, begin), text.size());
      FXS_TRY(const auto program, fx::graphFrom(text.substr(begin, end - begin)));
      FXS_CHECK(add(file, program));
      begin = end + kBetween.size();
    }
    return {};
  }

  Result<> add(const std::string& file, const fx::ProgramPtr& read) {
    FXS_TRY(const auto rewritten, rewrite::rewrite(read, {}, {}));
    const fx::ProgramPtr program = rewritten->program;
    programs_.push_back(read);
    for (const fx::Node& node : program->nodes) {
      if (node.op != fx::NodeOp::CallFunction || node.target == "_operator.getitem") continue;
      const auto alone = node_lab::programOf(program, node.id);
      if (!alone) {
        ++notAlone[alone.error().message.substr(alone.error().message.find(':') + 1)];
        continue;
      }
      const auto imported = import::importProgram(*alone->program, {}, {});
      if (!imported ||
          !seen_.insert(test::canonicalText(mlir::readModule((*imported)->text))).second)
        continue;
      modules.push_back(
          {file.substr(file.rfind('/') + 1) + " " + node.name, (*imported)->text, read.get()});
    }
    return {};
  }

 public:
  std::vector<Module> modules;
  std::map<std::string, std::size_t> notAlone;

 private:
  std::set<std::string> seen_;
  std::vector<fx::ProgramPtr> programs_;
};

/// A function of the same arguments that has the module's function inlined, or why it has not.
Result<std::string> callerOf(const std::string& module) {
  FXS_TRY(const node_lab::Signature signature, node_lab::signatureOf(module, "main"));
  std::vector<node_lab::Argument> arguments;
  for (const std::string& type : signature.arguments) arguments.push_back({"", type, ""});
  node_lab::Composition caller("main", arguments);
  FXS_TRY(const auto results, caller.inlineCall({module, "main", "node", "\"caller\""},
                                                std::vector(caller.arguments())));
  return std::move(caller).finish(results, "");
}

class Comparison {
 public:
  Comparison(const lower::Engine& engine, CommandRunner& runner)
      : engine_(engine), runner_(runner) {}

  /// `modules` are lowered; as many as fit one process go into each.
  Result<Count> compare(const std::vector<Module>& modules, std::string_view type) {
    Count count;
    for (std::size_t begin = 0; begin < modules.size(); begin += kModulesAtOnce) {
      std::vector<std::string> callers;
      lower::SplitJob original{kCanonical, {}}, inlined{kCanonical, {}};
      std::vector<const Module*> compared;
      for (std::size_t i = begin; i < std::min(begin + kModulesAtOnce, modules.size()); ++i) {
        ++count.lowered;
        auto caller = callerOf(modules[i].text);
        if (!caller) {
          ++count.refused;
          std::cout << type << ": " << modules[i].name
                    << ": not inlined: " << caller.error().message << '\n';
          continue;
        }
        callers.push_back(*std::move(caller));
        compared.push_back(&modules[i]);
      }
      for (std::size_t i = 0; i < callers.size(); ++i) {
        original.modules.emplace_back(compared[i]->text);
        inlined.modules.emplace_back(callers[i]);
      }
      if (compared.empty()) continue;
      FXS_TRY(const auto parts, lower::runSplit(engine_, {original, inlined}, {}, runner_, {}));
      for (std::size_t i = 0; i < compared.size(); ++i)
        judge(parts[0][i], parts[1][i], *compared[i], callers[i], type, count);
    }
    return count;
  }

 private:
  void judge(const lower::SplitPart& original, const lower::SplitPart& inlined,
             const Module& module, const std::string& caller, std::string_view type, Count& count) {
    if (original.outcome != lower::SplitPart::Outcome::Ok) {
      ++count.unreadable;
      const bool shape = module.text.find("shape.") != std::string::npos;
      if (!shape)
        std::cout << type << ": " << module.name << ": the engine does not read its own text\n"
                  << original.err;
      return;
    }
    if (inlined.outcome == lower::SplitPart::Outcome::Ok &&
        mlir::sameButLocations(original.out, inlined.out)) {
      ++count.same;
      return;
    }
    ++count.different;
    std::cout << type << ": " << module.name << ": differs\n";
    if (std::getenv("INLINE_NODES_SHOW") != nullptr && !shown_) {
      shown_ = true;
      std::cout << module.text << "---\n"
                << caller << "---\n"
                << original.out << "---\n"
                << inlined.out << inlined.err;
    }
  }

  const lower::Engine& engine_;
  CommandRunner& runner_;
  bool shown_ = false;
};

Result<int> run(const std::string& enginePath, std::size_t atLeast,
                const std::vector<std::string>& files) {
  PosixCommandRunner runner;
  FXS_TRY(const lower::Engine engine, lower::probeEngine(enginePath, "", runner, {}));
  Nodes nodes;
  for (const std::string& file : files)
    if (const auto added = nodes.add(file); !added)
      std::cout << file << ": " << added.error().message << '\n';
  std::cout << nodes.modules.size() << " distinct nodes\n";
  for (const auto& [reason, many] : nodes.notAlone)
    std::cout << many << " not alone:" << reason << '\n';
  if (nodes.modules.empty()) return atLeast == 0 ? 0 : 1;

  std::vector<lower::OutputType> targets = lower::OutputTypes::builtin().all();
  targets.erase(targets.begin());  // RAW
  std::vector<std::string> raws;
  for (const Module& module : nodes.modules) raws.push_back(module.text);
  FXS_TRY(const auto results,
          lower::lowerBatch(raws, targets, *nodes.modules.front().program, engine, {}, runner, {}));
  Comparison comparison(engine, runner);
  std::size_t compared = 0, wrong = 0;
  const auto report = [&](std::string_view type, const std::vector<Module>& modules) -> Result<> {
    FXS_TRY(const Count count, comparison.compare(modules, type));
    std::cout << type << ": lowered " << count.lowered << ", same " << count.same << ", different "
              << count.different << ", refused " << count.refused
              << ", not readable by the engine itself " << count.unreadable << '\n';
    compared += count.same;
    wrong += count.different + count.refused;
    return {};
  };
  FXS_CHECK(report("raw", nodes.modules));
  for (std::size_t t = 0; t < targets.size(); ++t) {
    std::vector<Module> lowered;
    for (std::size_t i = 0; i < nodes.modules.size(); ++i)
      if (results[t][i].ok())
        lowered.push_back({nodes.modules[i].name, results[t][i].text, nullptr});
    FXS_CHECK(report(lower::name(targets[t]), lowered));
  }
  std::cout << compared << " the same, " << wrong << " not\n";
  return wrong == 0 && compared >= atLeast ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const auto ended = run(argv[1], static_cast<std::size_t>(std::atoi(argv[2])),
                         std::vector<std::string>(argv + 3, argv + argc));
  if (ended) return *ended;
  std::cerr << ended.error().message << '\n';
  return 3;
}
