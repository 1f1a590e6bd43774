# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One diagnosis, five forms: every number that two of them tell is the same in both."""
import html.parser
import json
import re
import unittest

from written import form


# The findings in the order of the page's cards: what blocks comes before what only fails by itself.
CARDS = (0, 2, 1)


class Elements(html.parser.HTMLParser):
    """The page's elements as (tag, attributes, text of its own)."""

    def __init__(self, text):
        super().__init__()
        self.all = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.all.append([tag, dict(attributes), ""])
        self.inside = True

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.all and self.inside:
            self.all[-1][2] += data

    def of(self, tag, **wanted):
        return [e for e in self.all if e[0] == tag and all(value in (e[1].get(name) or "").split() for name, value in wanted.items())]


class Forms(unittest.TestCase):
    json_ = json.loads(form("json"))
    sarif = json.loads(form("sarif"))["runs"][0]
    text, markdown = form("txt"), form("md")
    page = Elements(form("html"))

    def test_the_findings(self):
        count = len(self.json_["findings"])
        self.assertEqual(count, 3)
        self.assertEqual(len(self.sarif["results"]), count)
        self.assertEqual(len(re.findall(r"^ +\d+\. .*: ", self.text, re.M)), count)
        self.assertEqual(len(re.findall(r"^### \d+\. .*: ", self.markdown, re.M)), count)
        self.assertEqual(len(self.page.of("article")), count)
        self.assertEqual([e[2] for e in self.page.of("h2", id="findings-title")], [f"{count} findings"])

    def test_the_nodes_of_each_finding(self):
        counts = [finding["count"] for finding in self.json_["findings"]]
        self.assertEqual([len(finding["nodes"]) for finding in self.json_["findings"]], counts)
        self.assertEqual([result.get("occurrenceCount", 0) for result in self.sarif["results"]], counts)
        self.assertEqual([result["properties"]["count"] for result in self.sarif["results"]], counts)
        self.assertEqual([sum(place["kind"] == "fx-node" for location in result["locations"] for place in location.get("logicalLocations", []))
                          for result in self.sarif["results"]], counts)
        self.assertEqual([len((e[1].get("data-n") or "").split()) for e in self.page.of("article")], [counts[i] for i in CARDS])
        self.assertEqual(len(self.page.of("button", **{"class": "node"})), sum(counts))
        self.assertEqual([int(said) for said in re.findall(r"^- (\d+) nodes?: ", self.markdown, re.M)], [counts[i] for i in CARDS if counts[i]])
        for finding in self.json_["findings"]:
            others = f" and {finding['count'] - 1} other node" if finding["count"] > 1 else ""
            self.assertIn(f"\n     at      {finding['node']}" if finding["node"] else "\n     nodes   not named by the engine", self.text)
            self.assertIn(others, self.text)

    def test_the_kinds(self):
        kinds = [finding["kind"] for finding in self.json_["findings"]]
        self.assertEqual([result["ruleId"] for result in self.sarif["results"]], kinds)
        titles = [finding["title"] for finding in self.json_["findings"]]
        for title in titles:
            for written in (self.text, self.markdown, form("html").replace("&#39;", "'")):
                self.assertEqual(written.count(title), titles.count(title))

    def test_the_severities(self):
        severities = [finding["severity"] for finding in self.json_["findings"]]
        self.assertEqual([result["level"] for result in self.sarif["results"]], severities)
        self.assertEqual(["warning" if "warning" in e[1]["class"] else "error" for e in self.page.of("article")], [severities[i] for i in CARDS])

    def test_the_targets(self):
        targets = [(t["to"], t["lowers"], t["operations"], t["nodes"]) for t in self.json_["targets"]]
        self.assertEqual([(t["to"], t["lowers"], t["operations"], t["nodes"]) for t in self.sarif["properties"]["targets"]], targets)
        for to, lowers, operations, nodes in targets:
            own = [f for f in self.json_["findings"] if f["to"] == to and f["severity"] == "error"]
            self.assertEqual(len(own), operations)
            self.assertEqual(len({node["index"] for f in own for node in f["nodes"]}), nodes)
            verdict = re.search(rf"^{to} +(.*)$", self.text, re.M)[1]
            self.assertIn(f"- {to}: {verdict}\n", self.markdown)
            row = re.search(rf"<dt>{to}</dt>.*?</dd>", form("html"), re.S)[0]
            for part in re.split("[:;] ", verdict):
                self.assertIn(part, row)
            self.assertEqual(verdict.startswith("lowers"), lowers)
            if operations:
                self.assertIn(f"{operations} operation", verdict)
            if nodes:
                self.assertIn(f"at {nodes} node", verdict)

    def test_the_experiments(self):
        def mark(experiment):
            if experiment["outcome"] != "passed":
                return experiment["outcome"].replace("-", " ")
            return {"not-tried": "passed"}.get(experiment["proof"], experiment["proof"])
        marks = [[mark(e) for e in finding["experiments"]] for finding in self.json_["findings"]]
        self.assertEqual(marks, [["proved", "passed", "disproved", "failed", "not run"], ["failed"], []])
        self.assertEqual([[e["mark"] for e in result["properties"]["experiments"]] for result in self.sarif["results"]], marks)
        flat = sum(marks, [])
        words = {"proved": "whole program lowers with it", "passed": "lowers by itself", "failed": "does not work", "not run": "not run",
                 "disproved": "lowers by itself, but not in the whole program"}
        said = [words[mark] for mark in flat]
        self.assertEqual(re.findall(r"^\| ([a-z ,]+) \| (?!experiment)", self.markdown, re.M), said)
        self.assertEqual(re.findall(r'<tr><td><span class="\w+">([a-z ,]+)</span>', form("html")), said)
        self.assertEqual([[e["verified"] for e in finding["experiments"]] for finding in self.json_["findings"]],
                         [["whole-lowers", "by-itself", "by-itself", "nothing", "nothing"], ["nothing"], []])
        self.assertIn("decompose aten.diff.default (whole program lowers with it)", self.text)

    def test_the_support_table(self):
        table = [(row["op"], row["target"], row["count"], row["blocked"], row["status"]) for row in self.json_["support"]]
        words = {"ok": "ok {0}", "failed": "fails {1} of {0}", "skipped": "unknown {0}"}
        cells = [words[status].format(count, blocked) for _, _, count, blocked, status in table]
        self.assertEqual(re.findall(r'<td><span class="(?:good|bad|muted)">([^<]*)</span>', form("html").split('id="support"')[1]), cells)


if __name__ == "__main__":
    unittest.main()
