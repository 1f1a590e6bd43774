// Linked selection: whatever shows one of the selected nodes is marked, in every pane. An element names its nodes in data-n.
'use strict';
(() => {
  const shown = [...document.querySelectorAll('[data-n]')].map(element => ({ element, nodes: element.dataset.n.split(' ') }));
  const byNode = new Map();
  for (const { element, nodes } of shown)
    for (const node of nodes) {
      if (!byNode.has(node)) byNode.set(node, []);
      byNode.get(node).push(element);
    }
  const status = document.getElementById('selection');
  let marked = [];

  function select(nodes, from) {
    for (const element of marked) element.classList.remove('sel');
    marked = [...new Set(nodes.flatMap(node => byNode.get(node) || []))];
    for (const element of marked) element.classList.add('sel');
    // A closed stage that has something to show opens, but only the first of them: the rest stay as the reader left them.
    const stages = [...document.querySelectorAll('#stages details')];
    const telling = stages.filter(stage => stage.querySelector('.sel'));
    if (telling.length > 0 && !telling.some(stage => stage.open)) telling[0].open = true;
    for (const pane of document.querySelectorAll('.scroll, #findings')) {
      if (from && pane.contains(from)) continue;
      const first = [...pane.querySelectorAll('.sel')].find(element => element.getClientRects().length > 0);
      if (!first) continue;
      const at = first.getBoundingClientRect(), frame = pane.getBoundingClientRect();
      pane.scrollTop += at.top - frame.top - (frame.height - Math.min(at.height, frame.height)) / 2;
      if (at.left < frame.left || at.right > frame.right) pane.scrollLeft += at.left - frame.left - (frame.width - Math.min(at.width, frame.width)) / 2;
    }
    status.textContent = nodes.length === 0 ? '' : nodes.length === 1 ? '1 node selected' : nodes.length + ' nodes selected';
  }

  function pick(target) {
    const element = target.closest('[data-n]');
    if (element) select(element.dataset.n.split(' '), element);
  }
  document.addEventListener('click', event => pick(event.target));
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape') select([], null);
    else if ((event.key === 'Enter' || event.key === ' ') && event.target.matches('.finding')) {
      event.preventDefault();
      pick(event.target);
    }
  });

  const picture = document.querySelector('#graph svg');
  if (picture) {
    const width = picture.width.baseVal.value, height = picture.height.baseVal.value;
    let scale = 1;
    const zoom = to => {
      scale = Math.min(4, Math.max(0.05, to));
      picture.setAttribute('width', width * scale);
      picture.setAttribute('height', height * scale);
    };
    document.getElementById('larger').addEventListener('click', () => zoom(scale * 1.25));
    document.getElementById('smaller').addEventListener('click', () => zoom(scale / 1.25));
    document.getElementById('fit').addEventListener('click', () => zoom((document.querySelector('#graph .scroll').clientWidth - 16) / width));
  }
  const head = document.querySelector('header');
  document.documentElement.style.setProperty('--head', head.offsetHeight + 'px');
})();
