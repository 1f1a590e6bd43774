// Linked selection: whatever shows one of the selected nodes is marked, in every pane. An element names its nodes in data-n.
'use strict';
(() => {
  const nodesOf = element => element.dataset.n.split(' ');
  const byNode = new Map();
  for (const element of document.querySelectorAll('[data-n]'))
    for (const node of nodesOf(element)) {
      if (!byNode.has(node)) byNode.set(node, []);
      byNode.get(node).push(element);
    }
  const status = document.getElementById('selection');
  const graph = document.querySelector('#graph .scroll'), picture = graph.querySelector('svg');
  const stages = [...document.querySelectorAll('.stage')], toggles = [...document.querySelectorAll('.toggle')];
  const isShown = element => element.getClientRects().length > 0;
  let marked = [];

  function show(stage, shown) {
    stage.hidden = !shown;
    toggles[stages.indexOf(stage)].setAttribute('aria-pressed', shown);
  }
  function centre(pane, element) {
    const at = element.getBoundingClientRect(), frame = pane.getBoundingClientRect();
    pane.scrollTop += at.top - frame.top - (frame.height - Math.min(at.height, frame.height)) / 2;
    if (pane === graph) pane.scrollLeft += at.left - frame.left - (frame.width - Math.min(at.width, frame.width)) / 2;
  }
  function reveal(pane) {
    const shown = [...pane.querySelectorAll('.sel')].filter(isShown);
    // Constants are moved to the top of a function and shared: the operation tells more.
    const first = shown.find(element => !/^\s*%\S+ = \S*(const|literal)/.test(element.textContent)) || shown[0];
    if (first) centre(pane, first);
  }

  function select(nodes, from) {
    for (const element of marked) element.classList.remove('sel');
    marked = [...new Set(nodes.flatMap(node => byNode.get(node) || []))];
    for (const element of marked) element.classList.add('sel');
    // If no stage that is shown has something to show, the first that does appears; the rest stay as the reader left them.
    const telling = stages.filter(stage => stage.querySelector('.sel'));
    if (telling.length > 0 && telling.every(stage => stage.hidden)) show(telling[0], true);
    for (const pane of document.querySelectorAll('.scroll, #findings')) if (!from || !pane.contains(from)) reveal(pane);
    status.textContent = nodes.length === 0 ? '' : nodes.length === 1 ? '1 node selected' : nodes.length + ' nodes selected';
  }

  async function copy(button) {
    const source = button.nextElementSibling, said = button.textContent;
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      // A page in a frame may not write to the clipboard: what Ctrl+C copies is selected instead.
      getSelection().selectAllChildren(source);
      button.textContent = 'Press Ctrl+C';
    }
    setTimeout(() => { button.textContent = said; }, 2000);
  }

  function pick(target) {
    const link = target.closest("a[href^='#']");
    const element = link ? document.querySelector(link.hash) : target.closest('[data-n]');
    if (element && element.dataset.n) select(nodesOf(element), link ? null : element);
  }
  document.addEventListener('click', event => {
    const target = event.target, button = target.closest('button');
    if (button && button.matches('.copy')) copy(button);
    else if (button && toggles.includes(button)) {
      const stage = stages[toggles.indexOf(button)];
      show(stage, stage.hidden);
      if (!stage.hidden) reveal(stage.querySelector('.scroll'));
    } else if (!target.closest('summary, pre')) pick(target);
  });
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape') select([], null);
    else if ((event.key === 'Enter' || event.key === ' ') && event.target.matches('.finding, .box')) {
      event.preventDefault();
      pick(event.target);
    }
  });

  // Side by side: as many stages as have a readable width; first the one where the first finding stops, then what it stops at.
  const first = document.querySelector('.finding[data-n]');
  if (stages.length > 0) {
    const columns = document.querySelector('.columns'), target = columns.dataset.first;
    const fit = Math.max(1, Math.min(4, Math.floor(columns.clientWidth / 480)));
    const own = stages.filter(stage => !target || stage.dataset.to.split(' ').includes(target));
    const last = stages.indexOf(own.find(stage => stage.querySelector('.status.bad')) || own.at(-1) || stages.at(-1));
    const order = [last, ...stages.keys()].filter((stage, at, all) => all.indexOf(stage) === at);
    if (last > 1) order.splice(1, 0, ...order.splice(order.indexOf(1), 1));
    for (const stage of order.slice(fit)) show(stages[stage], false);
  }

  if (picture) {
    const width = picture.width.baseVal.value, height = picture.height.baseVal.value;
    let scale = 1;
    // The point of the picture at x, y of the window stays there.
    const zoom = (to, x, y) => {
      const before = picture.getBoundingClientRect(), old = scale;
      scale = Math.min(4, Math.max(0.05, to));
      picture.setAttribute('width', width * scale);
      picture.setAttribute('height', height * scale);
      const after = picture.getBoundingClientRect();
      graph.scrollLeft += after.left + (x - before.left) * scale / old - x;
      graph.scrollTop += after.top + (y - before.top) * scale / old - y;
    };
    const step = by => {
      const frame = graph.getBoundingClientRect();
      zoom(scale * by, frame.left + frame.width / 2, frame.top + frame.height / 2);
    };
    const whole = () => Math.min(graph.clientWidth / width, graph.clientHeight / height);
    const fit = () => zoom(whole(), 0, 0);
    document.getElementById('larger').addEventListener('click', () => step(1.25));
    document.getElementById('smaller').addEventListener('click', () => step(0.8));
    document.getElementById('fit').addEventListener('click', fit);
    graph.addEventListener('wheel', event => {
      event.preventDefault();
      zoom(scale * Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), event.clientX, event.clientY);
    }, { passive: false });
    graph.addEventListener('keydown', event => {
      if (event.key === '+' || event.key === '=') step(1.25);
      else if (event.key === '-') step(0.8);
      else if (event.key === '0') fit();
    });
    // A mouse drags; a finger scrolls by itself.
    let grip = null;
    graph.addEventListener('pointerdown', event => {
      if (event.pointerType !== 'mouse' || event.button !== 0 || event.offsetX > graph.clientWidth && event.target === graph) return;
      grip = { x: event.clientX, y: event.clientY, left: graph.scrollLeft, top: graph.scrollTop, moved: false };
    });
    addEventListener('pointermove', event => {
      if (!grip) return;
      const x = event.clientX - grip.x, y = event.clientY - grip.y;
      if (!grip.moved && Math.hypot(x, y) < 4) return;
      grip.moved = true;
      graph.classList.add('dragged');
      graph.scrollLeft = grip.left - x;
      graph.scrollTop = grip.top - y;
    });
    addEventListener('pointerup', () => {
      graph.classList.remove('dragged');
      // The click that ends a drag selects nothing.
      if (grip && grip.moved) addEventListener('click', event => event.stopPropagation(), { capture: true, once: true });
      grip = null;
    });
    // The boxes with findings can be reached by the keyboard.
    for (const card of document.querySelectorAll('.finding[data-n]'))
      for (const node of nodesOf(card))
        for (const element of byNode.get(node))
          if (element.matches('.box')) {
            element.setAttribute('tabindex', '0');
            element.setAttribute('role', 'button');
            element.setAttribute('aria-label', element.querySelector('title').textContent);
          }
    if (whole() > 0.6) zoom(Math.min(1, whole()), 0, 0);
    else if (!first) {
      zoom(Math.max(0.6, Math.min(1, graph.clientWidth / width)), 0, 0);
      graph.scrollLeft = (graph.scrollWidth - graph.clientWidth) / 2;
    }
  }
  // Printed are the lines of findings.
  for (const card of document.querySelectorAll('.finding[data-n]'))
    for (const node of nodesOf(card)) for (const element of byNode.get(node)) if (element.matches('.line')) element.classList.add('related');
  const closed = [];
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details:not([open])')) closed.push(details), details.open = true;
  });
  addEventListener('afterprint', () => { for (const details of closed.splice(0)) details.open = false; });
  if (first) select(nodesOf(first), null);
})();
