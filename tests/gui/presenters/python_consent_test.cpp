// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/python_consent.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace fxs::ui {
namespace {

constexpr const char* kUnanswered = "not run: Python requires your permission for this file";
constexpr const char* kDeclined = "not run: you chose not to run Python for this file";

class PythonConsentTest : public ::testing::Test {
 protected:
  QString file(const char* name, const char* bytes) {
    QFile out(folder_.filePath(name));
    EXPECT_TRUE(out.open(QIODevice::WriteOnly));
    out.write(bytes);
    return out.fileName();
  }

  QTemporaryDir folder_;
  PythonConsent consent_{"/opt/env/bin/python3"};
};

TEST_F(PythonConsentTest, TheQuestionSaysWhatWouldRunAndOnWhat) {
  consent_.setFile(file("a.pt2", "a"));
  EXPECT_EQ(consent_.question(), "") << "nothing is asked before Python is wanted";
  const PythonUse use = consent_.request();
  EXPECT_EQ(use.path, "");
  EXPECT_EQ(use.unused, kUnanswered);
  EXPECT_EQ(consent_.question().toStdString(),
            "Run Python for a.pt2? fxscope writes a checked copy of the program, without weights, "
            "and runs /opt/env/bin/python3 on it in "
            "isolated mode (-I) in an empty folder; PyTorch loads the copy (torch.export.load) and "
            "applies its decompositions.");
}

TEST_F(PythonConsentTest, AgreeingHoldsForThatFileOnly) {
  const QString a = file("a.pt2", "a"), b = file("b.pt2", "b");
  QSignalSpy agreed(&consent_, &PythonConsent::agreed), changed(&consent_, &PythonConsent::changed);
  consent_.setFile(a);
  consent_.request();
  consent_.agree();
  EXPECT_EQ(agreed.count(), 1);
  EXPECT_EQ(changed.count(), 2) << "asked, and answered";
  EXPECT_EQ(consent_.request().path, "/opt/env/bin/python3");
  consent_.setFile(b);
  EXPECT_EQ(consent_.request().unused, kUnanswered);
  consent_.decline();
  EXPECT_EQ(consent_.request().unused, kDeclined);
  consent_.setFile(a);
  EXPECT_EQ(consent_.request().path, "/opt/env/bin/python3");
  EXPECT_EQ(consent_.question(), "");
  EXPECT_EQ(agreed.count(), 1);
}

TEST_F(PythonConsentTest, AFileIsAskedAboutOnceAndAnewWhenItWasWrittenAnew) {
  const QString a = file("a.pt2", "a");
  consent_.setFile(a);
  consent_.request();
  consent_.decline();
  consent_.setFile(a);
  QSignalSpy changed(&consent_, &PythonConsent::changed);
  EXPECT_EQ(consent_.request().unused, kDeclined);
  EXPECT_EQ(changed.count(), 0);
  file("a.pt2", "another program");
  consent_.setFile(a);
  EXPECT_EQ(consent_.request().unused, kUnanswered);
  EXPECT_NE(consent_.question(), "");
}

TEST_F(PythonConsentTest, AnAnswerThatNobodyAskedForIsNone) {
  consent_.setFile(file("a.pt2", "a"));
  consent_.agree();
  EXPECT_EQ(consent_.request().unused, kUnanswered);
}

TEST_F(PythonConsentTest, WithoutAPythonNothingIsAsked) {
  PythonConsent none{""};
  none.setFile(file("a.pt2", "a"));
  EXPECT_EQ(none.request().unused, "none; pass one with --python");
  EXPECT_EQ(none.question(), "");
}

}  // namespace
}  // namespace fxs::ui
