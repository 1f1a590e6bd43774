// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/origins.h"

namespace fxs::fx {

ProgramPtr withOwnOrigins(const ProgramPtr& program) {
  if (!program->original) return program;
  auto out = std::make_shared<Program>(*program);
  out->original = nullptr;
  for (Node& node : out->nodes) node.origin = node.id;
  return out;
}

ProgramPtr inUsersTerms(const ProgramPtr& made, const ProgramPtr& part, const ProgramPtr& user) {
  auto out = std::make_shared<Program>(*made);
  out->original = user;
  for (Node& node : out->nodes) {
    const NodeId from = made->original ? node.origin : node.id;
    node.origin = part->original ? part->node(from).origin : from;
  }
  return out;
}

NodeId usersNode(NodeId node, const ProgramPtr& part) {
  return node.valid() && part->original ? part->node(node).origin : node;
}

}  // namespace fxs::fx
