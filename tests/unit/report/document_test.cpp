// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/document.h"

#include <gtest/gtest.h>

namespace fxs::report {
namespace {

Document sample() {
  Facts facts;
  facts.add("at", Inline("a_b|c.d", Tone::Code) + " in " + Inline("<m>", Tone::Good));
  facts.add("why", std::vector<Inline>{"first", "second"});
  facts.add("none", "");
  facts.rows.push_back({"fix", {"do"}, {"one\ntwo\n", "sh"}});
  Table table{{{"name"}, {"count", true}},
              {{{"x", "10"}}, {{{"y|", Tone::Bad}, "9"}, {fx::NodeId{3}}}}};
  Section finding{"title", "lead", {facts, Details{"More", {table}}, Details{"Empty", {List{}}}}};
  finding.id = "finding-1";
  finding.number = 1;
  finding.nodes = {fx::NodeId{3}};
  Section folded{"Table", {}, {Paragraph{"a note"}, table}};
  folded.folds = Folds::Open;
  return {Inline("m.pt2", Tone::Code) + " to x",
          {"a line"},
          {List{{{"note: n", {Span{"node", Tone::Code, {}, "target", {fx::NodeId{3}}}}}}}, finding,
           folded}};
}

TEST(Document, ASwatchIsAColourInHtmlAlone) {
  Span span{"12 <ms>"};
  span.swatch = "level2";
  const Blocks blocks{Paragraph{Inline("time: ") + Inline(span)}};
  EXPECT_EQ(renderHtml(blocks),
            "<p>time: <span class=\"swatch level2\">12 &lt;ms&gt;</span></p>\n");
  EXPECT_EQ(renderMarkdown(blocks, "###"), "time: 12 \\<ms\\>\n");
  EXPECT_EQ(renderText(blocks.front()), "time: 12 <ms>\n");
}

TEST(Document, IsText) {
  EXPECT_EQ(renderText(sample()), R"(m.pt2 to x
a line

note: n
    node

  1. title: lead
     at   a_b|c.d in <m>
     why  first
          second
     fix  do
          one
          two

Table
  a note
  name  count
  x        10
  y|        9
)");
}

TEST(Document, IsMarkdown) {
  EXPECT_EQ(renderMarkdown(sample()), R"(## `m.pt2` to x

- a line

- note: n
  - `node`

### 1. title: lead

- at: `a_b|c.d` in \<m\>
- why: first
  - second
- fix: do

  ```sh
  one
  two
  ```

<details><summary>More</summary>

| name | count |
| --- | ---: |
| x | 10 |
| y\| | 9 |

</details>

### Table

a note

| name | count |
| --- | ---: |
| x | 10 |
| y\| | 9 |
)");
}

TEST(Document, IsHtml) {
  EXPECT_EQ(renderHtmlHead(sample()),
            "<h1><code>m.pt2</code> to x</h1>\n<p class=\"muted\">a line</p>\n");
  const std::string table = R"(<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">name</th><th scope="col" class="number">count</th></tr></thead>
<tbody>
<tr><td>x</td><td class="number">10</td></tr>
<tr data-n="3"><td><span class="bad">y|</span></td><td class="number">9</td></tr>
</tbody>
</table></div>
)";
  EXPECT_EQ(renderHtml(sample().blocks), R"(<ul>
<li>note: n<div><button type="button" class="node" data-n="3" title="target">node</button></div></li>
</ul>
<article class="finding" id="finding-1" tabindex="0" aria-labelledby="finding-1-title" data-n="3">
<div class="top"><span class="number">1</span><h2 id="finding-1-title">title</h2></div>
<p>lead</p>
<dl>
<dt>at</dt><dd><div><code>a_b|c.d</code> in <span class="good">&lt;m&gt;</span></div></dd>
<dt>why</dt><dd><div>first</div><div>second</div></dd>
<dt>fix</dt><dd><div>do</div><div class="listing"><button type="button" class="copy">Copy</button><pre tabindex="0">one
two
</pre></div>
</dd>
</dl>
<details><summary>More</summary>
)" + table + R"(</details>
</article>
<section>
<details open>
<summary><h2>Table</h2></summary>
<p>a note</p>
)" + table + R"(</details>
</section>
)");
}

TEST(Document, TextIsEscapedAndLongCellsAreNotAligned) {
  const Document document{
      "a\nb\x1b", {}, {Table{{{"x"}, {"y"}}, {{{std::string(81, 'a'), "1"}}, {{"b", "2"}}}}}};
  EXPECT_EQ(renderText(document), "a\\nb\\x1b\n\nx  y\n" + std::string(81, 'a') + "  1\nb  2\n");
}

}  // namespace
}  // namespace fxs::report
