#pragma once
// Whether the user allows Python to run for the open file. Asked once per file, when a diagnosis would run Python; the diagnosis does not
// wait for the answer. The answer holds for one version of the file: after a change it is asked again.
#include <QObject>
#include <QString>
#include <map>
#include <string>

namespace fxs::ui {

/// The Python that a diagnosis may run.
struct PythonUse {
  std::string path;    ///< as DiagnoseOptions::python; "" for none
  std::string unused;  ///< why there is none, as in Diagnosis::python
};

class PythonConsent final : public QObject {
  Q_OBJECT
 public:
  /// `python`: as DiagnoseOptions::python; with "" the user is never asked.
  explicit PythonConsent(std::string python, QObject* parent = nullptr);

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
  QString file_;
  QString key_;  ///< identifies this version of the file: path, size, time
  std::map<QString, Answer> answers_;
  QString question_;
};

}  // namespace fxs::ui
