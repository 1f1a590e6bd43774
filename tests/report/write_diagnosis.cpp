// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// write_diagnosis DIR: the sample diagnosis in every form, for the tests beside it.
#include <fstream>
#include <iostream>

#include "in_process_layout.h"
#include "report/diagnose.h"
#include "sample_diagnosis.h"

int main(int argc, char** argv) {
  using namespace fxs;
  if (argc != 2) {
    std::cerr << "usage: write_diagnosis DIR\n";
    return 2;
  }
  const fx::ProgramPtr program = test::sampleProgram();
  const diagnose::Diagnosis diagnosis = test::sampleDiagnosis();
  report::DiagnoseReport report{"m.pt2", diagnosis, *program};
  report.directory = "/home/me/project";
  report::DiagnosePicture picture;
  picture.tree = layout::groupTree(*program);
  layout::ViewOptions everything;
  everything.everything = true;
  picture.view = layout::graphView(*program, picture.tree, everything);
  test::InProcessLayout worker;
  picture.layout = layout::layoutGraph(picture.view, {}, worker, {}).value();
  report.picture = &picture;
  report.lowerings = {test::sampleLowering()};
  const std::string folder = argv[1];
  std::ofstream(folder + "/diagnosis.txt") << report::diagnoseText(report);
  std::ofstream(folder + "/diagnosis.json") << report::diagnoseJson(report);
  std::ofstream(folder + "/diagnosis.sarif") << report::diagnoseSarif(report);
  std::ofstream(folder + "/diagnosis.md") << report::diagnoseMarkdown(report);
  std::ofstream(folder + "/diagnosis.html") << report::diagnoseHtml(report);
  report.picture = nullptr;
  report.lowerings.clear();
  std::ofstream(folder + "/bare.html") << report::diagnoseHtml(report);
  return 0;
}
