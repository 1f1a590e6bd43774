#pragma once
// Whether Python may run for the open file. It is asked once for a file, when a diagnosis would run Python, and never waited for: the
// diagnosis goes on without. The answer holds for the file as it is: one that was written anew since is another file.
#include <QObject>
#include <QString>
#include <map>
#include <string>

namespace fxs::ui {

/// What a diagnosis may run of Python.
struct PythonUse {
  std::string path;    ///< as DiagnoseOptions::python; "" for none
  std::string unused;  ///< why there is none, as Diagnosis::python says it
};

class PythonConsent final : public QObject {
  Q_OBJECT
 public:
  /// `python`: as DiagnoseOptions::python; with "" nothing is ever asked.
  explicit PythonConsent(std::string python, QObject* parent = nullptr);

  /// The file that is open now.
  void setFile(const QString& file);
  /// What may run for it; asks where that was neither asked nor answered.
  PythonUse request();
  void agree();
  void decline();
  /// What would run, while it is asked; "" otherwise.
  const QString& question() const { return question_; }

 Q_SIGNALS:
  /// Another question, or none any more.
  void changed();
  void agreed();

 private:
  enum class Answer : std::uint8_t { None, Yes, No };
  void answer(Answer);
  void setQuestion(const QString& question);

  std::string python_;
  QString file_;
  QString key_;  ///< the file as it is now
  std::map<QString, Answer> answers_;
  QString question_;
};

}  // namespace fxs::ui
