// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli fix`: what was changed in a program and why, and what it lowers to, as
// text and as JSON (resources/schemas/fix.schema.json).
#include <string>
#include <vector>

#include "diagnose/python_changes.h"
#include "fix/fixed.h"
#include "fx/program.h"
#include "report/source_location.h"
#include "rewrite/rewrite.h"

namespace fxs::report {

struct FixReport {
  std::string input;        ///< path of the input, as given by the user
  std::string file;         ///< the fixed program
  const fx::Program& user;  ///< nodes refer to it
  const std::vector<rewrite::Applied>& rewritten;
  const std::vector<fix::FixedTarget>& targets;
  const std::vector<fix::FixedChange>& changes;
  const std::vector<diagnose::Blocked>& blocked;
  const std::vector<diagnose::PythonDecomposition>& decompositions;
  const fix::FixedValues& values;
  std::string python = {};      ///< the Python module; "" if none was written
  std::string pythonCost = {};  ///< fix::FixedProgram::pythonCost()
  std::string askedOf = {};     ///< fix::FixedProgram::askedOf
  Paths paths = {};
};

std::string fixText(const FixReport&);
std::string fixJson(const FixReport&);
std::string fixSchema();

}  // namespace fxs::report
