// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/inspector/editor.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QTest>

namespace fxs::ui {
namespace {

class Editor : public testing::Test {
 protected:
  void SetUp() override {
    before_ = QDir::currentPath();
    QDir::setCurrent(dir_.path());
    write("editor", "#!/bin/sh\nfor word; do echo \"[$word]\"; done > '" + dir_.path().toUtf8() +
                        "/part'\nmv '" + dir_.path().toUtf8() + "/part' '" + dir_.path().toUtf8() +
                        "/words'\n");
    QFile::setPermissions("editor", QFile::ReadOwner | QFile::ExeOwner);
  }
  void TearDown() override { QDir::setCurrent(before_); }
  void write(const QString& name, const QByteArray& text) {
    QFile file(dir_.filePath(name));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  /// What the editor was started with to show `file`.
  std::string argumentsFor(const QString& file, const QString& options) {
    QFile::remove("words");
    EXPECT_TRUE(openInEditor(file, 7, dir_.filePath("editor") + " " + options));
    for (int round = 0; round < 500 && !QFile::exists("words"); ++round) QTest::qWait(10);
    QFile arguments("words");
    return arguments.open(QIODevice::ReadOnly)
               ? arguments.readAll().replace(dir_.path().toUtf8(), "DIR").toStdString()
               : "was not started";
  }
  QTemporaryDir dir_;
  QString before_;
};

TEST_F(Editor, FileNameIsNeverAnOptionOrACommand) {
  for (const QString name :
       {"-x", "+!touch ran", "--help", "a b;touch ran", "$(touch ran)", "{line}", "%f"}) {
    write(name, "x = 1\n");
    EXPECT_EQ(argumentsFor(name, "+{line} {file}"), "[+7]\n[DIR/" + name.toStdString() + "]\n");
    EXPECT_EQ(argumentsFor(name, "-g {file}:{line}"), "[-g]\n[DIR/" + name.toStdString() + ":7]\n");
  }
  EXPECT_FALSE(QFile::exists("ran"));
}

TEST_F(Editor, OnlyFilesAreOpened) {
  for (const char* none : {"/dev/zero", "/dev/null", "/tmp", "no-such-file", ""})
    EXPECT_FALSE(openInEditor(none, 1, dir_.filePath("editor") + " {file}")) << none;
}

}  // namespace
}  // namespace fxs::ui
