# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The HTML of a diagnosis, in a browser, from disk: nothing is asked for, nothing hostile runs, one selection everywhere."""
import http.server
import json
import re
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


IN_VIEW = """(() => { const at = document.querySelector("%s").getBoundingClientRect(), frame = document.querySelector("%s").getBoundingClientRect();
  return at.top >= frame.top && at.bottom <= frame.bottom && at.left < frame.right && at.right > frame.left; })()"""


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
        self.page.press("Escape")
        self.assertEqual(selected(self.page), {})
        self.page.click(".finding h3")
        # the finding and its two node buttons; two boxes; two lines in each of the two texts; the operator's row
        self.assertEqual(selected(self.page), {"findings": 3, "graph": 2, "stages": 4, "support": 1})
        self.assertEqual(self.page.run("document.getElementById('selection').textContent"), "2 nodes selected")

    def test_a_node_in_the_graph_selects_its_findings_and_lines(self):
        self.page.click("#graph .box[data-n='4'] > rect")
        self.assertEqual(selected(self.page), {"findings": 2, "graph": 1, "stages": 1, "support": 1})
        self.assertEqual(self.page.run("document.querySelector('.finding.sel h3').textContent"), "my</script>lib.op|`x`.default (torch.aten.scaled_dot_product_attention)")

    def test_a_line_selects_its_node_and_is_brought_into_view(self):
        self.page.click("#stages .line[data-n='2']")
        self.assertEqual(selected(self.page), {"findings": 2, "graph": 1, "stages": 2, "support": 1})
        self.assertTrue(self.page.run(IN_VIEW % ("#graph .box.sel", "#graph .scroll")))

    def test_it_opens_at_the_first_finding(self):
        self.assertEqual(selected(self.page), {"findings": 3, "graph": 2, "stages": 4, "support": 1})
        self.assertEqual(self.page.run("document.querySelector('.finding.sel .number').textContent"), "1")
        for selector, pane in (("#graph .box.sel", "#graph .scroll"), ("#stage-0 .line.sel", "#stage-0 .scroll"), ("#stage-1 .line.sel", "#stage-1 .scroll")):
            self.assertTrue(self.page.run(IN_VIEW % (selector, pane)), selector)

    def test_the_summary_leads_to_the_cards(self):
        rows = self.page.run("[...document.querySelectorAll('header > dl > dt')].map(label => [label.innerText, ...[...label.nextElementSibling.children].map(line => line.innerText)])")
        self.assertEqual([(row[0], re.split("[:;] ", row[1])[0]) for row in rows],
                         [("tosa", "stops at torch"), ("linalg-on-tensors", "lowers"), ("stablehlo", "stops at stablehlo")])
        self.assertEqual(rows[0][2], "the whole program does not lower with fix 1")
        self.page.press("Escape")
        self.page.click("header a[href='#finding-1']")
        self.assertTrue(self.page.run("document.querySelector('#finding-1').matches(':target')"))
        self.assertEqual(self.page.run("[...document.querySelectorAll('.finding.sel')].map(e => e.id)"), ["finding-1"])

    def test_a_button_copies_the_fix(self):
        self.page.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.page.click("#finding-1 .copy")
        self.assertEqual(self.page.run("navigator.clipboard.readText()"), "fxscope-cli lower 'm.pt2' --to tosa --decompose aten.diff.default\n")
        self.assertEqual(self.page.run("document.querySelector('#finding-1 .copy').textContent"), "Copied")

    def test_where_the_clipboard_is_closed_the_fix_is_selected(self):
        self.page.run("Object.defineProperty(navigator, 'clipboard', {value: {writeText: () => Promise.reject(new Error('closed'))}})")
        self.page.click("#finding-1 .copy")
        self.assertIn("--decompose aten.diff.default", self.page.run("getSelection().toString()"))

    def test_details_fold(self):
        shown = "document.querySelector('#finding-1 .node').checkVisibility()"
        self.assertFalse(self.page.run(shown))
        self.page.click("#finding-1 > details:last-of-type > summary")
        self.assertTrue(self.page.run(shown))

    def test_buttons_choose_the_stages_side_by_side(self):
        shown = "[...document.querySelectorAll('.stage')].map(stage => stage.checkVisibility())"
        self.assertEqual(self.page.run(shown), [True, True])
        left, right = self.page.run("[...document.querySelectorAll('.stage')].map(stage => stage.getBoundingClientRect().left)")
        self.assertLess(left, right)
        self.page.click(".toggle")
        self.assertEqual(self.page.run(shown), [False, True])
        self.assertEqual(self.page.run("document.querySelector('.toggle').getAttribute('aria-pressed')"), "false")

    def test_the_graph_zooms_and_pans(self):
        width = "document.querySelector('#graph svg').getBoundingClientRect().width"
        before = self.page.run(width)
        self.page.click("#larger")
        self.assertAlmostEqual(self.page.run(width), before * 1.25, delta=1)
        self.page.click("#smaller")
        self.assertAlmostEqual(self.page.run(width), before, delta=1)
        for _ in range(6):
            self.page.click("#larger")
        x, y = self.page.run("(() => { const r = document.querySelector('#graph .scroll').getBoundingClientRect(); return [r.left + 200, r.top + 200]; })()")
        at, scrolled = self.page.run(width), "(e => [e.scrollLeft, e.scrollTop])(document.querySelector('#graph .scroll'))"
        self.page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-100)
        self.assertGreater(self.page.run(width), at)
        start, chosen = self.page.run(scrolled), selected(self.page)
        self.page.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
        self.page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x - 60, y=y - 40, button="left", buttons=1)
        self.page.call("Input.dispatchMouseEvent", type="mouseReleased", x=x - 60, y=y - 40, button="left", clickCount=1)
        self.assertEqual(self.page.run(scrolled), [start[0] + 60, start[1] + 40])
        self.assertEqual(selected(self.page), chosen)
        self.page.click("#fit")
        self.assertTrue(self.page.run("(e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight)(document.querySelector('#graph .scroll'))"))

    def test_nothing_is_wider_than_the_window(self):
        self.addCleanup(self.page.call, "Emulation.clearDeviceMetricsOverride")
        for width in (360, 768, 1280, 1920):
            self.page.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            self.page.open(FOLDER / "diagnosis.html")
            self.assertLessEqual(self.page.run("document.documentElement.scrollWidth"), width)

    def test_print_has_the_details_and_the_lines_of_findings(self):
        self.addCleanup(self.page.call, "Emulation.setEmulatedMedia", media="", features=[])
        self.page.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.page.run("dispatchEvent(new Event('beforeprint'))")
        visible = "[...document.querySelectorAll('%s')].filter(e => e.checkVisibility()).length"
        self.assertEqual(self.page.run(visible % ".finding .node"), 3)
        self.assertEqual(self.page.run(visible % ".copy, .tools"), 0)
        self.assertEqual(self.page.run(visible % ".line"), 5)  # two in the first text, three in the second
        self.assertEqual(self.page.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.page.run("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.page.run("document.querySelectorAll('details[open]').length"), 0)

    def test_keys_select_and_clear(self):
        self.page.press("Escape")
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
        lines, said = self.page.run("(() => { const d = document.querySelectorAll('.stage')[1];"
                                    "return [d.querySelectorAll('.line').length, d.querySelector('.line ~ .elided').textContent]; })()")
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
