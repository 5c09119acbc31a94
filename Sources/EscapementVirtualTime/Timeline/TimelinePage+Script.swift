extension TimelinePage {
  /// Draws the lanes on a canvas: only what is in view, whatever the number of steps.
  static let script = #"""
    'use strict';
    const kinds = ['created', 'ready', 'ran', 'slept', 'woke', 'sleepCancelled', 'holdOpened', 'holdClosed',
      'moved', 'bodyEnded', 'ofHost', 'failed', 'reported'];
    const count = data.kinds.length, row = 26, axis = 26;
    const failure = data.kinds.findIndex(kind => kind > 10);
    const at = new Float64Array(count);
    for (let i = 0, now = 0; i < count; i++) at[i] = now += data.instants[i];
    const end = count ? at[count - 1] : 0;
    const $ = id => document.getElementById(id);
    const element = (name, text) => Object.assign(document.createElement(name), {textContent: text});
    const number = n => n.toLocaleString('en');

    function duration(ns) {
      if (ns === 0) return '0 s';
      for (const [name, size] of [['d', 864e11], ['h', 36e11], ['min', 6e10], ['s', 1e9], ['ms', 1e6], ['µs', 1e3]])
        if (ns >= size) return (ns / size).toLocaleString('en', {maximumFractionDigits: 6}) + ' ' + name;
      return ns + ' ns';
    }
    const nameOf = task => task === data.body ? 'the body' : task === 0 ? 'work outside of tasks'
      : data.names[task] || 'task ' + task;
    const actorOf = actor => actor === 0 ? '' : actor === 1 ? 'the main actor'
      : data.actors[actor - 2] || 'actor ' + (actor - 1);

    function sentence(i) {
      const task = nameOf(data.tasks[i]), other = data.others[i], place = data.places[i];
      const where = place ? ', which waited in ' + data.placeTexts[place - 1] : '';
      switch (kinds[data.kinds[i]]) {
      case 'created': return other ? nameOf(other) + ' creates ' + task : task + ' is created';
      case 'ready':
        return (other === 0 ? task + ' can run' : other === data.tasks[i] ? task + ' goes on'
          : nameOf(other) + ' makes ' + task + ' ready') + where;
      case 'ran': return task + ' runs' + (other ? ' on ' + actorOf(other) : '');
      case 'slept': return task + ' sleeps ' + (other < 0 ? 'for ever' : 'until +' + duration(other));
      case 'woke': return task + ' wakes';
      case 'sleepCancelled':
        return 'the sleep of ' + task + ' is cancelled'
          + (other && other !== data.tasks[i] ? ', by ' + nameOf(other) : '');
      case 'holdOpened': return task + ' holds time';
      case 'holdClosed': return task + ' holds time no longer';
      case 'ofHost': return data.hostEvents[other][4];
      case 'moved': return task + ' moves time by hand';
      case 'failed': return task + ' fails: ' + data.failures[other][0];
      case 'reported': return 'the scope reports: ' + data.failures[other][0];
      default: return 'the body ends';
      }
    }

    // Messages have arrows, and a host that joins has no mark.
    const isMarked = ([host, other, sent, stops]) => sent < 0 && stops !== 2;

    // A lane has the numbers of its steps, and bars from one step to a later one.
    const lanes = new Map();
    function lane(key, name) {
      if (!lanes.has(key)) lanes.set(key, {name, steps: [], bars: []});
      return lanes.get(key);
    }
    if (data.body) lane(data.body, nameOf(data.body));
    for (const [host, name] of data.hosts) lane('h' + host, name);
    for (let i = 0; i < count; i++)
      if (kinds[data.kinds[i]] === 'ran' && data.others[i])
        lane('a' + data.others[i], actorOf(data.others[i])).steps.push(i);
    // Messages between hosts, and bars while a host is stopped.
    const open = new Map(), messages = [];
    for (let i = 0; i < count; i++) if (kinds[data.kinds[i]] === 'ofHost') {
      const [host, other, sent, stops] = data.hostEvents[data.others[i]];
      const l = lane('h' + host), sender = other && lane('h' + other), bar = open.get(l);
      l.steps.push(i);
      if (sent >= 0) messages.push({i, sent, from: sender, to: l});
      else if (other) sender.steps.push(i);
      if (stops && bar) { bar.to = i; l.bars.push(bar); open.delete(l); }
      if (stops === 1) open.set(l, {from: i, color: 'cancelled'});
    }
    for (const [l, bar] of open) { bar.to = count - 1; l.bars.push(bar); }
    open.clear();
    for (let i = 0; i < count; i++) {
      const task = data.tasks[i], kind = kinds[data.kinds[i]];
      if (kind === 'ofHost' || kind === 'reported' && !data.body) continue;
      // What the scope reports stands in the lane of the body.
      if (kind === 'reported') { lane(data.body).steps.push(i); continue; }
      const l = lane(task, nameOf(task));
      l.steps.push(i);
      const bar = open.get(task);
      const close = () => { if (bar) { bar.to = i; l.bars.push(bar); open.delete(task); } };
      if (kind === 'slept') { close(); open.set(task, {from: i, color: 'sleep'}); }
      else if (kind === 'woke' || kind === 'sleepCancelled') { close(); }
      else if (kind === 'ready') { close(); open.set(task, {from: i, color: 'ready'}); }
      else if (kind === 'ran') { close(); open.set(task, {from: i, color: 'wait'}); }
      else if (kind === 'holdOpened') { close(); open.set(task, {from: i, color: 'hold'}); }
      else if (kind === 'holdClosed') { close(); open.set(task, {from: i, color: 'wait'}); }
    }
    // Sleeps without an end go on; a task that ran last has ended, or waits for ever.
    for (const [task, bar] of open)
      if (bar.color === 'sleep') { bar.to = count - 1; lanes.get(task).bars.push(bar); }
    const all = [...lanes.values()];
    const marks = ['created', 'ran', 'sleepCancelled', 'moved', 'failed', 'reported'];
    const hasMark = i => kinds[data.kinds[i]] === 'ofHost' ? isMarked(data.hostEvents[data.others[i]])
      : marks.includes(kinds[data.kinds[i]]);
    for (const l of all) l.marks = l.steps.filter(hasMark);
    let shown, selected = null, chosen = -1;
    function show(lanes) {
      for (const l of all) l.row = -1;
      lanes.forEach((l, row) => { l.row = row; });
      shown = lanes;
    }
    show(all);

    const canvas = $('canvas'), view = $('view'), pen = canvas.getContext('2d');
    const longest = all.reduce((longest, l) => l.name.length > longest.length ? l.name : longest, '');
    let width = 0, height = 0, label = 180, byStep = false, from = 0, to = 1;
    const range = () => byStep ? Math.max(1, count) : Math.max(1, end);
    const position = i => byStep ? i + 0.5 : at[i];
    const x = v => label + (v - from) / (to - from) * (width - label - 12);
    const value = px => from + (px - label) / (width - label - 12) * (to - from);
    function fit() { const margin = range() * 0.01; from = -margin; to = range() + margin; draw(); }
    function zoom(factor, center = (from + to) / 2) {
      const least = byStep ? 4 : 10;
      const size = Math.min(range() * 1.02, Math.max(least, (to - from) * factor));
      from = center - (center - from) / (to - from) * size;
      from = Math.max(-range() * 0.01, Math.min(from, range() * 1.01 - size));
      to = from + size;
      draw();
    }
    function pan(by) {
      const size = to - from;
      from = Math.max(-range() * 0.01, Math.min(from + by, range() * 1.01 - size));
      to = from + size;
      draw();
    }
    const isRed = kind => kind === 'ofHost' || kind === 'sleepCancelled' || kind === 'failed' || kind === 'reported';
    const barEnd = bar => position(bar.to);
    // The index of the next item that does not share the pixel before 'px'.
    function next(list, index, px, get) {
      return index + 1 < list.length && x(get(list[index + 1])) >= px ? index + 1
        : Math.max(index + 1, first(list, value(px), get));
    }
    // The beginning of a name that has this width.
    function fitting(name, width) {
      if (pen.measureText(name).width <= width) return name;
      let low = 0, high = name.length;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (pen.measureText(name.slice(0, middle) + '…').width <= width) low = middle; else high = middle - 1;
      }
      return name.slice(0, low) + '…';
    }
    // The first index of a list whose number is not below a limit.
    function first(list, limit, get) {
      let low = 0, high = list.length;
      while (low < high) { const m = (low + high) >> 1; if (get(list[m]) < limit) low = m + 1; else high = m; }
      return low;
    }

    let waiting = false;
    function draw() {
      if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; paint(); }); }
    }
    function paint() {
      const style = getComputedStyle(document.documentElement), color = n => style.getPropertyValue('--' + n).trim();
      const ratio = window.devicePixelRatio || 1;
      width = view.clientWidth; height = view.clientHeight;
      canvas.width = width * ratio; canvas.height = height * ratio;
      canvas.style.width = width + 'px'; canvas.style.height = height + 'px';
      $('height').style.height = Math.max(0, shown.length * row + axis - height) + 'px';
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.fillStyle = color('ground'); pen.fillRect(0, 0, width, height);
      pen.font = '12px system-ui, sans-serif'; pen.textBaseline = 'middle';
      label = Math.min(Math.max(112, pen.measureText(longest).width + 24), width * 0.4);
      const colors = {};
      for (const n of ['sleep', 'wait', 'ready', 'run', 'cancelled', 'hold', 'text', 'faint', 'line', 'stripe', 'mark'])
        colors[n] = color(n);
      const top = view.scrollTop, firstRow = Math.floor(top / row);
      const lastRow = Math.min(shown.length, firstRow + Math.ceil(height / row) + 1);
      for (let r = firstRow; r < lastRow; r++) {
        const l = shown[r], y = axis + r * row - top;
        pen.fillStyle = l === selected ? colors.mark : r % 2 ? colors.stripe : 'transparent';
        pen.fillRect(0, y, width, row);
        pen.save(); pen.beginPath(); pen.rect(label, axis, width - label, height); pen.clip();
        // Bars do not overlap, so they are in order. Those that share a pixel are drawn once.
        for (let b = first(l.bars, from, barEnd); b < l.bars.length; ) {
          const bar = l.bars[b], left = x(position(bar.from)), right = x(position(bar.to));
          if (left > width) break;
          b = next(l.bars, b, right, barEnd);
          pen.fillStyle = colors[bar.color];
          const slim = bar.color === 'wait' ? 9 : 6;
          pen.fillRect(left, y + slim, Math.max(right - left, 1), row - 2 * slim);
        }
        for (let s = first(l.marks, from, position); s < l.marks.length; ) {
          const i = l.marks[s], px = x(position(i)), kind = kinds[data.kinds[i]];
          if (px > width) break;
          s = next(l.marks, s, px + 0.5, position);
          pen.fillStyle = isRed(kind) ? colors.cancelled : kind === 'ran' ? colors.run : colors.faint;
          pen.fillRect(px - 1, y + 4, 2, row - 8);
        }
        if (chosen >= 0 && l.steps[first(l.steps, chosen, i => i)] === chosen) {
          pen.strokeStyle = colors.text; pen.strokeRect(x(position(chosen)) - 3.5, y + 2.5, 7, row - 5);
        }
        pen.restore();
        pen.fillStyle = colors.text; pen.fillText(fitting(l.name, label - 22), 10, y + row / 2);
      }
      if (failure >= 0) {
        const px = x(position(failure));
        pen.fillStyle = colors.cancelled;
        if (px >= label) pen.fillRect(px - 0.5, axis, 1, height);
      }
      paintMessages(colors.text, l => axis + l.row * row - top + row / 2);
      pen.fillStyle = color('ground'); pen.fillRect(0, 0, width, axis);
      pen.strokeStyle = colors.line; pen.beginPath();
      pen.moveTo(0, axis - 0.5); pen.lineTo(width, axis - 0.5);
      pen.moveTo(label - 4.5, 0); pen.lineTo(label - 4.5, height); pen.stroke();
      pen.fillStyle = colors.faint;
      pen.fillText(byStep ? 'step' : 'virtual time', 10, axis / 2);
      const rough = (to - from) / Math.max(1, (width - label) / 110), power = 10 ** Math.floor(Math.log10(rough));
      let tick = [1, 2, 5, 10].find(f => f * power >= rough) * power;
      // Whole minutes and hours read better than powers of ten of seconds.
      if (!byStep && rough > 1e10)
        tick = [15e9, 3e10, 6e10, 12e10, 3e11, 6e11, 9e11, 18e11, 36e11, 72e11, 216e11, 432e11, 864e11]
          .find(t => t >= rough) || Math.ceil(rough / 864e11) * 864e11;
      for (let v = Math.max(0, Math.ceil(from / tick) * tick); v <= to; v += tick) {
        const px = x(v);
        pen.strokeStyle = colors.line; pen.beginPath(); pen.moveTo(px, axis - 6); pen.lineTo(px, axis); pen.stroke();
        const text = byStep ? number(Math.round(v)) : duration(Math.round(v));
        if (px + pen.measureText(text).width + 6 < width) pen.fillText(text, px + 3, axis / 2);
      }
    }

    // Arrows from the lane of the sender to that of the receiver; of those at one place, one.
    function paintMessages(color, y) {
      const drawn = new Set();
      pen.save(); pen.beginPath(); pen.rect(label, axis, width - label, height); pen.clip();
      pen.strokeStyle = pen.fillStyle = color;
      for (let m = first(messages, from, m => position(m.i)); m < messages.length; m++) {
        const {i, sent, from: sender, to: receiver} = messages[m];
        if (sender.row < 0 || receiver.row < 0 || sender === receiver) continue;
        const x1 = x(byStep ? first(at, sent, t => t) + 0.5 : sent), x2 = x(position(i));
        if (x1 > width) continue;
        const y1 = y(sender), y2 = y(receiver), key = [x1 | 0, x2 | 0, y1, y2].join();
        if (drawn.has(key)) continue;
        drawn.add(key);
        const angle = Math.atan2(y2 - y1, x2 - x1);
        pen.beginPath(); pen.moveTo(x1, y1); pen.lineTo(x2, y2); pen.stroke();
        pen.beginPath(); pen.moveTo(x2, y2);
        for (const side of [-0.4, 0.4]) pen.lineTo(x2 - 8 * Math.cos(angle + side), y2 - 8 * Math.sin(angle + side));
        pen.fill();
      }
      pen.restore();
    }
    """#
}
