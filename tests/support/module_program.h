// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Programs with module stacks for the tests of core/layout: `model/model.l0:Layer` is a node in
// module l0 of type Layer inside model.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fx/builder.h"

namespace fxs::test {

class ModuleProgram {
 public:
  fx::NodeId input(const std::string& name) {
    const fx::NodeId id = builder_.placeholder(builder_.main(), name, tensor());
    builder_.program().inputs.push_back({fx::InputKind::UserInput, id, "", true, {}});
    return id;
  }
  fx::NodeId parameter(const std::string& name, const std::string& target) {
    const fx::NodeId id = builder_.placeholder(builder_.main(), name, tensor());
    builder_.program().inputs.push_back({fx::InputKind::Parameter, id, target, true, {}});
    return id;
  }
  /// `modules`: "a:A/a.b:B", outermost first; "" gives no stack at all, "-" a stack of the root
  /// alone.
  fx::NodeId call(const std::string& name, const std::string& target,
                  std::vector<fx::NodeId> operands, const std::string& modules = "") {
    return callIn(builder_.main(), name, target, std::move(operands), modules);
  }
  fx::NodeId callIn(fx::GraphId graph, const std::string& name, const std::string& target,
                    std::vector<fx::NodeId> operands, const std::string& modules = "") {
    std::vector<fx::NodeArgument> args;
    for (fx::NodeId operand : operands) args.push_back({"", operand, false});
    const fx::NodeId id = builder_.call(graph, name, target, std::move(args), tensor());
    setModules(id, modules);
    return id;
  }
  void setModules(fx::NodeId id, const std::string& modules) {
    if (modules.empty()) return;
    std::string text = "L__self__,,Root";
    for (std::size_t begin = 0; modules != "-" && begin < modules.size();) {
      const std::size_t end = std::min(modules.find('/', begin), modules.size());
      const std::string item = modules.substr(begin, end - begin);
      const std::size_t colon = item.find(':');
      const std::string path = item.substr(0, colon);
      text += ";key_" + path + "," + path.substr(0, path.find('@')) + ",pkg.nn." +
              item.substr(colon + 1);
      begin = end + 1;
    }
    builder_.node(id).meta.push_back({builder_.intern("nn_module_stack"), builder_.intern(text)});
  }
  fx::Builder& builder() { return builder_; }
  static fx::Value tensor() {
    return fx::TensorMeta{DType::Float32, {2, 4}, {4, 1}, 0, false, {}, Layout::Strided};
  }

  fx::ProgramPtr returning(std::vector<fx::NodeId> results) {
    fx::ArgumentList values;
    for (fx::NodeId result : results) {
      values.emplace_back(result);
      builder_.program().outputs.push_back({fx::OutputKind::UserOutput, result, ""});
    }
    builder_.output(builder_.main(), std::move(values));
    auto program = std::move(builder_).finish();
    if (!program) ADD_FAILURE() << program.error().message;
    return program ? *program : nullptr;
  }

 private:
  fx::Builder builder_;
};

}  // namespace fxs::test
