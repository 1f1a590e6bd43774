"""The HTML of a diagnosis, in a browser, from disk: nothing is asked for, nothing hostile runs, one selection everywhere."""
import http.server
import json
import threading
import unittest

import browser
from written import FOLDER

SELECTED = "[...document.querySelectorAll('.sel')].map(e => e.tagName.toLowerCase() + ':' + (e.closest('#findings, #graph, #stages, #support').id))"


def selected(page):
    """How many elements are selected in each part of the page."""
    counts = {}
    for place in page.run(SELECTED):
        part = place.split(":")[1]
        counts[part] = counts.get(part, 0) + 1
    return counts


class Listener:
    """A server on this machine that remembers what was asked of it."""

    def __init__(self):
        asked = self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


# Every way out that a page has, tried one after the other; comes to the directives by which the policy stopped them. The browser
# reports some of them late: where `stops` is true all five are waited for.
WAYS_OUT = """(async (url, stops) => {
  const stopped = new Set();
  const told = new Promise(done => document.addEventListener('securitypolicyviolation', event => {
    stopped.add(event.effectiveDirective);
    if (stopped.size === 5) done();
  }));
  const element = (tag, set) => new Promise(done => {
    const e = document.createElement(tag);
    e.onload = e.onerror = done;
    Object.assign(e, set);
    document.body.append(e);
    setTimeout(done, 2000);
  });
  await element('img', {src: url + '/img'});
  await element('script', {src: url + '/script'});
  await element('link', {rel: 'stylesheet', href: url + '/style'});
  await element('iframe', {src: url + '/frame'});
  await fetch(url + '/fetch', {mode: 'no-cors'}).catch(() => {});
  if (stops) await Promise.race([told, new Promise(done => setTimeout(done, 10000))]);
  return [...stopped].sort();
})(%s, %s)"""


def ways_out(page, listener, stops):
    return page.run(WAYS_OUT % (json.dumps(listener.url), json.dumps(stops)))


@unittest.skipUnless(browser.installed(), f"no browser is installed: none of {', '.join(browser.NAMES)}")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = browser.Browser()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.page.open(FOLDER / "diagnosis.html")

    def test_asks_for_nothing_but_itself(self):
        self.page.click(".finding")
        self.page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
        self.assertEqual(self.page.requests(), [(FOLDER / "diagnosis.html").as_uri()])
        self.assertEqual(self.page.errors(), [])

    def test_its_policy_stops_every_way_out(self):
        listener = Listener()
        self.addCleanup(listener.close)
        self.assertEqual(ways_out(self.page, listener, True), ["connect-src", "frame-src", "img-src", "script-src-elem", "style-src-elem"])
        self.assertEqual(listener.asked, [])

    def test_without_a_policy_the_same_ways_are_open(self):
        listener = Listener()
        self.addCleanup(listener.close)
        (FOLDER / "open.html").write_text("<!DOCTYPE html><body></body>")
        self.page.open(FOLDER / "open.html")
        self.assertEqual(ways_out(self.page, listener, False), [])
        self.assertEqual(sorted(listener.asked), ["/fetch", "/frame", "/img", "/script", "/style"])

    def test_a_finding_selects_its_nodes_everywhere(self):
        self.page.click(".finding h3")
        # the finding and its two node buttons; two boxes; two lines in each of the two texts; the operator's row
        self.assertEqual(selected(self.page), {"findings": 3, "graph": 2, "stages": 4, "support": 1})
        self.assertEqual(self.page.run("document.getElementById('selection').textContent"), "2 nodes selected")
        self.assertTrue(self.page.run("document.querySelector('#stages details').open"))

    def test_a_node_in_the_graph_selects_its_findings_and_lines(self):
        self.page.click("#graph .box[data-n='4'] > rect")
        self.assertEqual(selected(self.page), {"findings": 2, "graph": 1, "stages": 1, "support": 1})
        self.assertEqual(self.page.run("document.querySelector('.finding.sel h3').textContent"), "my</script>lib.op|`x`.default")

    def test_a_line_selects_its_node_and_is_brought_into_view(self):
        self.page.run("for (const d of document.querySelectorAll('#stages details')) d.open = true")
        self.page.click("#stages .line[data-n='2']")
        self.assertEqual(selected(self.page), {"findings": 2, "graph": 1, "stages": 2, "support": 1})
        inside = """(() => { const box = document.querySelector('#graph .box.sel').getBoundingClientRect(),
          frame = document.querySelector('#graph .scroll').getBoundingClientRect(); return box.top >= frame.top && box.bottom <= frame.bottom; })()"""
        self.assertTrue(self.page.run(inside))

    def test_keys_select_and_clear(self):
        self.page.run("document.querySelector('.finding').focus()")
        self.page.press("Enter")
        self.assertEqual(selected(self.page)["graph"], 2)
        self.page.press("Escape")
        self.assertEqual(selected(self.page), {})

    def test_hostile_names_are_text(self):
        self.assertEqual(self.page.run("document.scripts.length"), 1)
        self.assertEqual(self.page.run("document.querySelectorAll('b').length"), 0)
        self.assertEqual(self.page.run("document.querySelector(\".node[data-n='4']\").textContent"), "n\"'</script><b>`|&")
        self.assertEqual(self.page.run("document.querySelector(\"#graph .box[data-n='4'] title\").textContent.split(' = ')[0]"), "n\"'</script><b>`|&")

    def test_a_long_text_says_what_it_leaves_out(self):
        lines, said = self.page.run("(() => { const d = document.querySelectorAll('#stages details')[1];"
                                    "return [d.querySelectorAll('.line').length, d.querySelector('.elided:nth-of-type(n+2)').textContent]; })()")
        left = int(said.split()[0])
        self.assertEqual(lines + left, 2000 + 2 + 1 + 5)  # the relus, the diffs, the hostile one; module, function, return and braces
        self.assertLessEqual(lines, 1200)
        # what the findings are about is there, although it stands at the end
        self.assertEqual(self.page.run("document.querySelectorAll(\"#stages .line[data-n='4']\").length"), 1)

    def test_light_and_dark_follow_the_reader(self):
        seen = []
        for theme in ("light", "dark"):
            self.page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
            seen.append(self.page.run("[getComputedStyle(document.body).backgroundColor,"
                                      "getComputedStyle(document.querySelector('#graph svg > rect')).fill]"))
        self.page.call("Emulation.setEmulatedMedia", features=[])
        self.assertEqual(seen, [["rgb(255, 255, 255)", "rgb(247, 248, 250)"], ["rgb(27, 31, 39)", "rgb(21, 24, 30)"]])

    def test_without_a_picture_the_nodes_are_listed(self):
        self.page.open(FOLDER / "bare.html")
        self.page.click(".finding h3")
        self.assertEqual(selected(self.page), {"findings": 3, "graph": 2, "support": 1})
        self.assertEqual(self.page.errors(), [])


if __name__ == "__main__":
    unittest.main()
