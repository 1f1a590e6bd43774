// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "notes/notes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/byte_source.h"
#include "base/fd.h"
#include "base/scratch_directory.h"
#include "program_from.h"

namespace fxs::notes {
namespace {

const std::string kFirst(64, '1'), kSecond(64, '2');

Note note(const std::string& text, const std::string& target = "aten.relu.default",
          const std::string& program = kFirst) {
  return {text, target, "2026-11-25T15:00:12Z", program};
}

fx::ProgramPtr programOf(const std::string& middle) {
  return test::programFrom("x: f32[2, 4] = placeholder\n" + middle + "\nreturn b");
}

/// "a: the text [place]", a line each.
std::string listed(const std::vector<Placed>& notes) {
  std::string out;
  for (const Placed& each : notes)
    out += fullName(each.name) + ": " + each.note.text + " [" + std::string(title(each.state)) +
           "]" + (each.node.valid() ? "" : " -") + "\n";
  return out;
}

class NotesFile : public testing::Test {
 protected:
  ScratchDirectory directory_ = *ScratchDirectory::make(testing::TempDir(), "a test");
  std::string program_ = directory_.path() + "/model.pt2";
  std::string file_ = fileBeside(program_);
  void SetUp() override { ASSERT_TRUE(writeWholeFile(program_, "a program")); }
  std::string bytes() const { return *readWholeFile(file_, kMaxNotesBytes); }
  void write(const std::string& bytes) const { ASSERT_TRUE(writeWholeFile(file_, bytes)); }
  std::string errorOf(const std::string& text) const {
    const auto notes = parse(text, "m.fxscope.json");
    return notes ? "none" : notes.error().message;
  }
};

TEST(Notes, AreBesideTheFileOrTheFolder) {
  EXPECT_EQ(fileBeside("a/model.pt2"), "a/model.pt2.fxscope.json");
  EXPECT_EQ(fileBeside("a/dump//"), "a/dump.fxscope.json");
}

TEST(Notes, AreSortedAndPrintedOneMemberALine) {
  const Notes notes{{{"", "b"}, note("two\nlines \"quoted\"")},
                    {{"", "a"}, note("")},
                    {{"true_graph_0", "a"}, note("nested")}};
  const std::string text = print(notes);
  EXPECT_EQ(text, R"({
  "schema": "fxscope-notes/1",
  "notes": [
    {
      "node": "a",
      "target": "aten.relu.default",
      "text": "",
      "time": "2026-11-25T15:00:12Z",
      "program": "1111111111111111111111111111111111111111111111111111111111111111"
    },
    {
      "node": "b",
      "target": "aten.relu.default",
      "text": "two\nlines \"quoted\"",
      "time": "2026-11-25T15:00:12Z",
      "program": "1111111111111111111111111111111111111111111111111111111111111111"
    },
    {
      "graph": "true_graph_0",
      "node": "a",
      "target": "aten.relu.default",
      "text": "nested",
      "time": "2026-11-25T15:00:12Z",
      "program": "1111111111111111111111111111111111111111111111111111111111111111"
    }
  ]
}
)");
  EXPECT_EQ(*parse(text, "m"), notes);
}

TEST(Notes, OfAnotherVersionSaySoAndThoseWithoutANodeAreKept) {
  const fx::ProgramPtr first =
      programOf("a: f32[2, 4] = aten.relu.default(x)\nb: f32[2, 4] = aten.neg.default(a)");
  const fx::ProgramPtr second =
      programOf("a: f32[2, 4] = aten.neg.default(x)\nb: f32[2, 4] = aten.neg.default(a)");
  const std::string version = versionOf(*first);
  EXPECT_EQ(version.size(), 64u);
  EXPECT_NE(version, versionOf(*second));
  const Notes notes{{{"", "b"}, note("on b", "aten.neg.default", version)},
                    {{"", "a"}, note("on a", "aten.relu.default", version)},
                    {{"", "gone"}, note("", "aten.relu.default", version)}};
  EXPECT_EQ(listed(placed(notes, *first, version)),
            "a: on a []\nb: on b []\ngone:  [not in this program] -\n");
  const auto later = placed(notes, *second, versionOf(*second));
  EXPECT_EQ(listed(later),
            "a: on a [was another operation]\nb: on b [of another version]\ngone:  [not in this "
            "program] -\n");
  EXPECT_EQ(summary(later),
            "2 notes and 1 bookmark, 1 of another version, 1 was another operation, 1 not in this "
            "program");
  EXPECT_EQ(summary({}), "no notes");
}

TEST(Notes, NameNodesOfNestedGraphs) {
  const fx::ProgramPtr program = test::programFrom(
      "x: f32[4] = placeholder\np: b8[] = placeholder\nyes = get_attr\nno = get_attr\n"
      "c = higher_order.cond(p, yes, no, [x])\nb: f32[4] = getitem(c, 0)\nreturn b\n"
      "graph yes():\n  x: f32[4] = placeholder\n  a: f32[4] = aten.relu.default(x)\n  return (a,)\n"
      "graph no():\n  x: f32[4] = placeholder\n  a: f32[4] = aten.neg.default(x)\n  return (a,)");
  Notes notes;
  for (const fx::Node& node : program->nodes)
    if (node.name == "a") notes[nameOf(*program, node.id)] = note(node.target, node.target);
  EXPECT_EQ(notes.size(), 2u);
  EXPECT_EQ(listed(placed(notes, *program, kFirst)),
            "yes.a: aten.relu.default []\nno.a: aten.neg.default []\n");
}

TEST_F(NotesFile, IsOneClearErrorWhateverIsWrongWithIt) {
  const std::string good = print({{{"", "a"}, note("text")}});
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return errorOf(text);
  };
  EXPECT_EQ(errorOf(good), "none");
  EXPECT_EQ(errorOf("[]"), "m.fxscope.json: expected an object, got an array");
  EXPECT_EQ(with("notes/1", "notes/2"),
            "m.fxscope.json: schema: expected fxscope-notes/1, got 'fxscope-notes/2'");
  EXPECT_EQ(with("\"text\"", "null"),
            "m.fxscope.json: line 7, column 10: not valid JSON: while parsing object key - "
            "unexpected null literal; expected string literal");
  EXPECT_EQ(with(": \"text\"", ": null"),
            "m.fxscope.json: notes[0].text: expected a string, got null");
  EXPECT_EQ(with("\"node\": \"a\"", "\"node\": \"\""),
            "m.fxscope.json: notes[0].node: expected the name of a node, got ''");
  EXPECT_EQ(with("\"target\"", "\"colour\""),
            "m.fxscope.json: notes[0].colour: unknown member; a newer fxscope may have written it");
  EXPECT_EQ(with("2026-11-25T", "yesterday\\u001b[2J"),
            "m.fxscope.json: notes[0].time: expected a time in UTC such as 2026-11-25T15:00:12Z, "
            "got 'yesterday\\x1b[2J15:00:12Z'");
  EXPECT_EQ(with("1111", "111"),
            "m.fxscope.json: notes[0].program: expected 64 hexadecimal digits");
  EXPECT_EQ(
      with("\"notes\": [", "\"notes\": [<<<<<<<"),
      "m.fxscope.json: line 3, column 13: not valid JSON: while parsing value - invalid literal");
}

TEST_F(NotesFile, ThatCannotBeReadIsNeverReplaced) {
  for (const std::string& bad : {std::string("not JSON"), std::string("<<<<<<< HEAD\n"),
                                 std::string(kMaxNotesBytes + 1, ' ')}) {
    write(bad);
    const auto changed = changeBeside(program_, {{{"", "a"}, std::nullopt, note("mine")}});
    ASSERT_FALSE(changed);
    EXPECT_TRUE(changed.error().message.starts_with(file_ + ": ")) << changed.error().message;
    EXPECT_EQ(*readWholeFile(file_, kMaxNotesBytes + 1), bad);
  }
  std::filesystem::remove(file_);
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_FALSE(changeBeside(program_, {{{"", "a"}, std::nullopt, note("mine")}}));
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_FALSE(changeBeside(program_, {{{"", "a"}, std::nullopt, note("mine")}}));
}

TEST_F(NotesFile, IsNotWrittenLargerThanItCanBeRead) {
  const Note longest = note(std::string(kMaxTextBytes, 'x'));
  const auto tooLong =
      changeBeside(program_, {{{"", "a"}, std::nullopt, note(longest.text + "x")}});
  ASSERT_FALSE(tooLong);
  EXPECT_EQ(tooLong.error().message,
            file_ + ": the note on 'a' has 65537 bytes, more than the limit of 65536");
  EXPECT_EQ(errorOf(print({{{"", "a"}, note(longest.text + "x")}})),
            "m.fxscope.json: notes[0].text: has 65537 bytes, more than the limit of 65536");
  std::vector<Change> many;
  for (int i = 0; i < 64; ++i) many.push_back({{"", std::to_string(i)}, std::nullopt, longest});
  const auto changed = changeBeside(program_, many);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().message,
            file_ + ": would have 4207785 bytes, more than the limit of 4194304");
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(NotesFile, AppearsWithTheFirstNoteAndGoesWithTheLast) {
  EXPECT_EQ(*readBeside(program_), Notes());
  ASSERT_TRUE(changeBeside(program_, {{{"", "a"}, std::nullopt, note("")}}));
  EXPECT_EQ(bytes(), print({{{"", "a"}, note("")}}));
  ASSERT_TRUE(changeBeside(program_, {{{"", "a"}, note(""), std::nullopt}}));
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(NotesFile, KeepsWhatOthersWroteMeanwhile) {
  write(print({{{"", "theirs"}, note("of another window")},
               {{"", "both"}, note("theirs")},
               {{"", "edited"}, note("now longer")}}));
  const auto notes =
      changeBeside(program_, {{{"", "mine"}, std::nullopt, note("")},
                              {{"", "both"}, std::nullopt, note("mine")},
                              {{"", "edited"}, note("short"), std::nullopt},
                              {{"", "removed"}, note("was there"), note("is there again")}});
  ASSERT_TRUE(notes);
  EXPECT_EQ(*notes, (Notes{{{"", "theirs"}, note("of another window")},
                           {{"", "both"}, note("theirs\nmine")},
                           {{"", "edited"}, note("now longer")},
                           {{"", "mine"}, note("")},
                           {{"", "removed"}, note("is there again")}}));
  EXPECT_EQ(bytes(), print(*notes));
  // Said twice, it is the same.
  EXPECT_EQ(*changeBeside(program_, {{{"", "both"}, note("theirs"), note("theirs\nmine")}}),
            *notes);
}

TEST_F(NotesFile, OfTwoMergedVersionsKeepsBothTextsOfANode) {
  std::string text = print({{{"", "a"}, note("ours")}});
  const std::string entry =
      text.substr(text.find("    {"), text.find("\n  ]") - text.find("    {"));
  std::string theirs = entry;
  theirs.replace(theirs.find("ours"), 4, "theirs");
  text.replace(text.find(entry), entry.size(), entry + ",\n" + theirs);
  EXPECT_EQ(parse(text, "m")->at({"", "a"}).text, "ours\ntheirs");
}

TEST_F(NotesFile, LosesNothingWhileManyWriteAtOnce) {
  constexpr int kWriters = 4, kNotes = 25;
  {
    std::vector<std::jthread> writers;
    for (int w = 0; w < kWriters; ++w)
      writers.emplace_back([this, w] {
        for (int i = 0; i < kNotes; ++i) {
          const std::string name = "n" + std::to_string(w) + "_" + std::to_string(i);
          EXPECT_TRUE(changeBeside(program_, {{{"", name}, std::nullopt, note("")}}));
        }
      });
  }
  EXPECT_EQ(readBeside(program_)->size(), std::size_t{kWriters} * kNotes);
}

TEST_F(NotesFile, IsNotChangedWhileAnotherHoldsTheProgram) {
  const Fd held(::open(program_.c_str(), O_RDONLY));
  ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
  const auto changed = changeBeside(program_, {{{"", "a"}, std::nullopt, note("")}});
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().message,
            program_ + ": another program has locked it, or is changing its notes");
}

TEST_F(NotesFile, InAFolderThatCannotBeWrittenIsOneError) {
  ::chmod(directory_.path().c_str(), 0555);
  const bool root = ::geteuid() == 0;
  ASSERT_EQ(root ? ::seteuid(65534) : 0, 0);
  const auto changed = changeBeside(program_, {{{"", "a"}, std::nullopt, note("mine")}});
  ASSERT_EQ(root ? ::seteuid(0) : 0, 0);
  ::chmod(directory_.path().c_str(), 0755);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().message,
            ScratchDirectory::shownPath(file_) + ": cannot be written: Permission denied");
}

}  // namespace
}  // namespace fxs::notes
