// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the results of a program should be: PyTorch's values, or those on which lowering paths
// agree.
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "numbers/compared_program.h"
#include "numbers/lowered_texts.h"
#include "numbers/reference.h"
#include "numbers/text_runner.h"

namespace fxs::numbers {

/// A lowered text and what each executor computed with it for each choice of inputs:
/// [inputs][executor].
struct LoweredForm {
  LoweredText lowered;
  std::vector<std::vector<Executed>> executed;
};

/// What a result should be.
struct Expected {
  std::optional<tensor::Tensor> value;
  std::string reason;   ///< if there is no value
  bool certain = true;  ///< false: a path that differs is suspected, not refuted
  std::string doubt;    ///< why not certain
};

/// Refers to its arguments. `references`: PyTorch's values by inputs; without them, `forms` are
/// compared with one another. `noReference`: why a Python that was given computed none, else "".
class ExpectedResults {
 public:
  /// Of a node's value for some inputs: tensor::JudgeOptions::scale. Asked only where values
  /// differ.
  using ScaleOf = std::function<double(std::size_t inputs, fx::NodeId node)>;

  /// PyTorch's value of a node of the user's program, or that of an input.
  using ValueOf =
      std::function<std::optional<tensor::Tensor>(std::size_t inputs, fx::NodeId userNode)>;

  ExpectedResults(const ComparedProgram& program, const std::vector<Reference>& references,
                  const std::string& noReference, const std::vector<LoweredForm>& forms,
                  ScaleOf scaleOf, ValueOf valueOf, const RunContext& context)
      : c_(program),
        references_(references),
        noReference_(noReference),
        forms_(forms),
        scaleOf_(std::move(scaleOf)),
        valueOf_(std::move(valueOf)),
        context_(context) {}

  bool byPyTorch() const { return !references_.empty(); }
  /// "PyTorch .." or "agreement of tosa and stablehlo".
  std::string title() const;
  Expected of(std::size_t form, std::size_t inputs, std::size_t result);
  /// PyTorch's value of a node of the imported program; std::nullopt if no node of the user's
  /// program has its value, or without PyTorch.
  std::optional<tensor::Tensor> ofNode(std::size_t inputs, fx::NodeId node) const;
  /// PyTorch's value of a node of the user's program.
  std::optional<tensor::Tensor> ofUserNode(std::size_t inputs, fx::NodeId userNode) const;
  /// Why nothing can be said for these inputs: "PyTorch raises at relu: RuntimeError: .."; "" if
  /// PyTorch defines a result.
  std::string raised(std::size_t inputs) const;
  /// By the rule; values that differ by it are judged once more, relative to the terms that
  /// cancelled on the way to them, and indices by the elements that they choose.
  tensor::Difference judged(std::size_t inputs, const tensor::Tensor& found,
                            const tensor::Tensor& expected, fx::NodeId node) const;

 private:
  bool isIndices(std::size_t inputs, const tensor::Tensor& value, fx::NodeId userNode) const;
  void judgeChosen(std::size_t inputs, const tensor::Tensor& found, const tensor::Tensor& expected,
                   fx::NodeId node, tensor::Difference& out) const;

  /// A value that a lowering path computed, and the paths that agree with it.
  struct Candidate {
    std::size_t form;
    const tensor::Tensor* value;
    std::set<std::size_t> agrees;
    double distance = 0;  ///< sum of the errors relative to those that agree, in eps
  };
  std::size_t voicesOf(const Candidate&) const;
  std::string labelsOf(const Candidate&) const;
  const Candidate* bestSupported(const std::vector<Candidate>&, std::size_t form) const;
  std::optional<tensor::Tensor> read(std::size_t inputs, const std::string& name) const;
  const std::vector<Candidate>& candidatesFor(std::size_t inputs, std::size_t result);
  Expected agreement(std::size_t form, std::size_t inputs, std::size_t result);

  const ComparedProgram& c_;
  const std::vector<Reference>& references_;
  const std::string& noReference_;
  const std::vector<LoweredForm>& forms_;
  const ScaleOf scaleOf_;
  const ValueOf valueOf_;
  const RunContext& context_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Candidate>>
      candidates_;  ///< by inputs and result
};

}  // namespace fxs::numbers
