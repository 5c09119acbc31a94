extension TimelinePage {
  /// Shows the steps and the source lines of a lane, and lets the user move and search.
  static let controls = #"""
    function choose(l, i) {
      selected = l; chosen = i;
      const detail = $('detail'), middle = first(l.steps, i, s => s);
      detail.replaceChildren(element('i', l.name + ', ' + number(l.steps.length) + ' steps\n'));
      const steps = l.steps.slice(Math.max(0, middle - 40), middle + 60);
      for (const s of steps) {
        const line = element(s === i ? 'b' : 'span', '+' + duration(at[s]) + '  ' + sentence(s) + '\n');
        line.onclick = () => choose(l, s);
        detail.append(line);
        if (s === i) requestAnimationFrame(() => {
          detail.scrollTop = line.offsetTop - detail.offsetTop - detail.clientHeight / 2;
        });
      }
      showSource(i);
      draw();
    }
    // Where the task of a step fails, waits and begins, with the lines of the source files.
    function showSource(i) {
      const kind = kinds[data.kinds[i]], task = kind === 'reported' ? data.body : data.tasks[i], source = $('source');
      source.replaceChildren();
      if (kind === 'ofHost') return;
      if (kind === 'failed' || kind === 'reported') addPlaces('fails in ', data.failures[data.others[i]][1]);
      const waits = lanes.get(task).steps.filter(s => data.places[s]), wait = waits.find(s => s >= i);
      // The place of the first wait is that where the task begins.
      const shown = wait === waits[0] ? undefined : wait ?? waits.at(-1);
      addPlaces(shown > i ? 'waits in ' : 'waited in ', data.placeTexts[data.places[shown] - 1]);
      addPlaces('begins in ', data.placeTexts[data.origins[task] - 1]);
    }
    function addPlaces(title, text) {
      if (!text) return;
      for (const place of text.split(' <- ')) {
        $('source').append(element('i', title + place + '\n'));
        title = 'called from ';
        const [line, start, lines] = data.sources[place] || [0, 0, []];
        lines.forEach((text, k) => $('source').append(
          element(start + k === line ? 'b' : 'span', String(start + k).padStart(5) + '  ' + text + '\n')));
      }
    }
    function pick(event) {
      const box = canvas.getBoundingClientRect(), px = event.clientX - box.left;
      const l = shown[Math.floor((event.clientY - box.top - axis + view.scrollTop) / row)];
      if (!l || !l.steps.length) return;
      const v = value(Math.max(px, label)), next = first(l.steps, v, position);
      const candidates = [l.steps[next - 1], l.steps[next]].filter(i => i !== undefined);
      choose(l, candidates.reduce((a, b) => Math.abs(position(a) - v) <= Math.abs(position(b) - v) ? a : b));
    }

    canvas.addEventListener('pointermove', e => {
      const box = canvas.getBoundingClientRect(), l = shown[Math.floor((e.clientY - box.top - axis + view.scrollTop) / row)];
      canvas.title = l && e.clientX - box.left < label ? l.name : '';
    });
    let drag = null;
    canvas.addEventListener('pointerdown', e => { drag = {x: e.clientX, moved: false}; });
    window.addEventListener('pointermove', e => {
      if (!drag) return;
      const by = drag.x - e.clientX;
      if (Math.abs(by) > 2 || drag.moved) {
        drag.moved = true; drag.x = e.clientX; pan(by / (width - label - 12) * (to - from));
      }
    });
    window.addEventListener('pointerup', e => { if (drag && !drag.moved) pick(e); drag = null; });
    canvas.addEventListener('wheel', e => {
      if (e.ctrlKey || e.metaKey) {
        e.preventDefault();
        zoom(1.0015 ** e.deltaY, value(e.clientX - canvas.getBoundingClientRect().left));
      } else if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        e.preventDefault();
        pan(e.deltaX / (width - label - 12) * (to - from));
      }
    }, {passive: false});
    view.addEventListener('scroll', draw);
    view.addEventListener('keydown', e => {
      const keys = {'+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2), '0': fit,
        ArrowLeft: () => pan((from - to) / 8), ArrowRight: () => pan((to - from) / 8)};
      if (keys[e.key] && !e.ctrlKey && !e.metaKey) { e.preventDefault(); keys[e.key](); }
    });
    $('in').onclick = () => zoom(0.5);
    $('out').onclick = () => zoom(2);
    $('fit').onclick = () => { show(all); fit(); };
    $('steps').onchange = e => { byStep = e.target.checked; fit(); };
    $('tools').onsubmit = e => e.preventDefault();
    // Lanes stay that have a name with the text, or a step with it; the first such step is chosen.
    $('search').oninput = e => {
      const text = e.target.value.trim().toLowerCase();
      let best = null;
      show(!text ? all : all.filter(l => {
        if (l.name.toLowerCase().includes(text)) return true;
        const step = l.steps.find(i => sentence(i).toLowerCase().includes(text));
        if (step !== undefined && (!best || step < best.step)) best = {lane: l, step};
        return step !== undefined;
      }));
      view.scrollTop = 0;
      if (best) choose(best.lane, best.step);
      draw();
    };
    new ResizeObserver(draw).observe(view);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
    $('summary').textContent = number(count) + ' steps of ' + number(all.length) + ' tasks, actors and hosts in '
      + duration(end) + (data.dropped ? '; ' + number(data.dropped) + ' older steps were not kept' : '')
      + '. Blue: sleeps. Amber: can run. Grey: waits. Green: runs. Red: is cancelled, fails, or a fault. Violet: holds time.';
    // The view with the failure, and with the steps before it.
    function showFailure() {
      const laneOf = i => lanes.get(kinds[data.kinds[i]] === 'reported' ? data.body
        : kinds[data.kinds[i]] === 'ofHost' ? 'h' + data.hostEvents[data.others[i]][0] : data.tasks[i]);
      const l = laneOf(failure) || all[0];
      let before = 40;
      while (before < failure && at[failure - before] === at[failure]) before *= 2;
      // The lanes with these steps come first if there are more than can be seen.
      const near = new Set([l]);
      for (let i = failure; i >= Math.max(0, failure - before); i--) near.add(laneOf(i) || l);
      show(all.length * row < view.clientHeight - axis ? all : [...near, ...all.filter(l => !near.has(l))]);
      const start = position(Math.max(0, failure - before)), stop = position(Math.min(count - 1, failure + 10));
      const margin = Math.max(stop - start, byStep ? 4 : 10) * 0.05;
      from = start - margin; to = Math.max(stop, start + 1) + margin;
      view.scrollTop = 0;
      choose(l, failure);
      paint();
      view.scrollTop = l.row * row - (height - axis) / 2;
    }
    fit();
    if (failure >= 0) {
      $('failure').textContent = '✘ +' + duration(at[failure]) + '  ' + sentence(failure);
      $('failure').hidden = false;
      $('failure').onclick = showFailure;
      showFailure();
    }
    """#
}
