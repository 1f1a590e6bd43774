// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Whether the user allows Python to run for the open file. Asked once per file, when a diagnosis or
// a comparison would run Python; it does not wait for the answer. The answer holds for one version
// of the file: after a change it is asked again.
#include <QObject>
#include <QString>
#include <map>
#include <string>

namespace fxs::ui {

/// The Python that may run.
struct PythonUse {
  std::string path;    ///< as DiagnoseOptions::python; "" for none
  std::string unused;  ///< why there is none, as in Diagnosis::python
};

class PythonConsent final : public QObject {
  Q_OBJECT
 public:
  /// What Python would do with the file; %1 is the interpreter.
  static inline const QString kDecompose =
      "fxscope writes a checked copy of the program, without weights, and runs %1 on it in "
      "isolated mode (-I) in an empty folder; PyTorch "
      "loads the copy (torch.export.load) and applies its decompositions.";
  static inline const QString kCompute =
      "%1 runs in isolated mode (-I), confined; PyTorch gets a copy that fxscope wrote, with the "
      "weights, and computes "
      "every node for each set of inputs.";

  /// `python`: as DiagnoseOptions::python; with "" the user is never asked.
  explicit PythonConsent(std::string python, QString task = kDecompose, QObject* parent = nullptr);

  /// "" for none; takes back a question about another one.
  void setPython(std::string python);
  const std::string& python() const { return python_; }
  /// Sets the open file.
  void setFile(const QString& file);
  /// What may run for the file. Sets question() if the user has not answered yet.
  PythonUse request();
  void agree();
  void decline();
  /// The question to show, naming what would run; "" for none.
  const QString& question() const { return question_; }

 Q_SIGNALS:
  /// question() changed.
  void changed();
  void agreed();

 private:
  enum class Answer : std::uint8_t { None, Yes, No };
  void answer(Answer);
  void setQuestion(const QString& question);

  std::string python_;
  QString task_;
  QString file_;
  QString key_;  ///< identifies this version of the file: path, size, time
  std::map<QString, Answer> answers_;
  QString question_;
};

}  // namespace fxs::ui
