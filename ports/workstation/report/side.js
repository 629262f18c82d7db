'use strict';
// Beside the plots: phase portraits, how long steps took, how they ended, what was simulated.

function panel(title, words, ...children) {
  return element('section', {class: 'card panel', 'aria-label': title}, element('h2', {}, title, ' ', element('small', {}, words)), ...children);
}

function table(rows) {
  return element('table', {}, element('tbody', {}, ...rows.map(([name, value]) =>
    element('tr', {}, element('th', {scope: 'row'}, name), element('td', {}, value)))));
}

function niceTicks(low, high, count) {
  const raw = (high - low) / count, ten = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find(m => m * ten >= raw) * ten;
  const ticks = [];
  for (let v = Math.ceil(low / step) * step; v <= high + 1e-9 * step && ticks.length < 20; v += step) ticks.push(+v.toPrecision(10));
  return ticks;
}

function sheet(canvas) {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth || 300, height = canvas.clientHeight || 200;
  canvas.width = Math.round(width * ratio), canvas.height = Math.round(height * ratio);
  const c = canvas.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, height);
  c.font = '11px system-ui, "DejaVu Sans", sans-serif';
  return {c, width, height};
}

class Phase {
  constructor(runs, place) {
    this.runs = runs, this.pairs = runs[0].phases.filter(([x, y]) => runs.every(r => this.find(r, x) && this.find(r, y)));
    if (!this.pairs.length) return;
    this.canvas = element('canvas', {class: 'drawn', role: 'img', 'aria-label': 'Phase portrait'});
    this.canvas.style.height = '250px';
    this.choice = select(this.pairs.map((_, j) => String(j)));
    [...this.choice.options].forEach((o, j) => { o.textContent = `${this.pairs[j][1]} over ${this.pairs[j][0]}`; });
    this.choice.setAttribute('aria-label', 'which plane');
    const section = panel('Phase portrait', '', this.canvas);
    section.querySelector('h2').append(this.choice);
    this.choice.onchange = () => this.prepare();
    place.append(section);
    this.prepare();
  }
  find(run, name) { return run.curves.find(c => c.name === name); }

  prepare() {
    const [x, y] = this.pairs[+this.choice.value].map(name => this.runs.map(r => this.find(r, name)));
    const inUnit = curves => {
      const [factor, unit] = unitFor(Math.max(...curves.map(c => largest(c.data))), curves[0].unit);
      return [curves.map(c => c.data.map(v => v * factor)), curves[0].name + (unit ? ` in ${unit}` : '')];
    };
    const [xs, xLabel] = inUnit(x), [ys, yLabel] = inUnit(y);
    this.x = xs, this.y = ys, this.labels = [xLabel, yLabel];
    const range = columns => {
      let low = Infinity, high = -Infinity;
      for (const column of columns) for (const v of column) if (Number.isFinite(v)) low = Math.min(low, v), high = Math.max(high, v);
      if (!(low < high)) low = (Number.isFinite(low) ? low : 0) - 1, high = low + 2;
      return [low - 0.05 * (high - low), high + 0.05 * (high - low)];
    };
    this.xRange = range(this.x), this.yRange = range(this.y);
    if (this.last) this.draw(...this.last);
  }

  draw(frames, shown) {
    if (!this.canvas) return;
    this.last = [frames, shown];
    const {c, width, height} = sheet(this.canvas), left = 46, bottom = 32, top = 16, right = 8;
    const px = v => left + (v - this.xRange[0]) / (this.xRange[1] - this.xRange[0]) * (width - left - right);
    const py = v => height - bottom - (v - this.yRange[0]) / (this.yRange[1] - this.yRange[0]) * (height - bottom - top);
    c.strokeStyle = ink('grid'), c.fillStyle = ink('soft'), c.lineWidth = 1;
    c.beginPath();
    c.textAlign = 'center';
    for (const v of niceTicks(...this.xRange, 5)) c.moveTo(px(v), top), c.lineTo(px(v), height - bottom), c.fillText(v, px(v), height - bottom + 13);
    c.textAlign = 'right';
    for (const v of niceTicks(...this.yRange, 6)) c.moveTo(left, py(v)), c.lineTo(width - right, py(v)), c.fillText(v, left - 5, py(v) + 4);
    c.stroke();
    c.textAlign = 'center', c.fillText(this.labels[0], (left + width) / 2, height - 3);
    c.textAlign = 'left', c.fillText(this.labels[1], 4, 10);
    this.runs.forEach((run, r) => {
      const colour = r > 0 ? ink('c-1') : ink('accent');
      this.curve(c, px, py, r, 0, run.frames - 1, ink('hatch'), 0.7);
      this.curve(c, px, py, r, frameAt(run, shown[0]), frameAt(run, shown[1]), colour, 1.3);
      if (!run.frames) return;
      c.beginPath();
      c.arc(px(this.x[r][frames[r]]), py(this.y[r][frames[r]]), 4.5, 0, 2 * Math.PI);
      c.fillStyle = ink('now'), c.fill();
    });
  }
  curve(c, px, py, r, from, to, colour, width) {
    c.strokeStyle = colour, c.lineWidth = width;
    c.beginPath();
    let down = false;
    const turn = /\brad$/.test(this.labels[0]) ? 3 : Infinity;  // an angle that was wrapped
    for (let i = from; i <= to; ++i) {
      const x = px(this.x[r][i]), y = py(this.y[r][i]);
      if (!Number.isFinite(x + y)) { down = false; continue; }
      if (i > from && Math.abs(this.x[r][i] - this.x[r][i - 1]) > turn) down = false;
      c[down ? 'lineTo' : 'moveTo'](x, y), down = true;
    }
    c.stroke();
  }
}

// How many steps took how long, on log scales.
class Histogram {
  constructor(run, place, which) {
    this.run = run;
    if (!run.times.bins.length) return;
    this.canvas = element('canvas', {class: 'drawn', role: 'img', 'aria-label': 'Time per step'});
    this.canvas.style.height = '140px';
    const quantile = part => {
      let left = part * run.times.steps;
      for (const [seconds, count] of run.times.bins) if ((left -= count) <= 0) return seconds;
      return run.times.slowest;
    };
    const say = s => { const [f, unit] = unitFor(s, 's'); return `${short(s * f, 3)} ${unit}`; };
    place.append(panel('Time per step', which + 'steps on a log scale, bins of half an octave', this.canvas,
      element('p', {}, `half of the steps took at most about ${say(1.25 * quantile(0.5))}, 99 % about ${say(1.25 * quantile(0.99))}, the slowest ${say(run.times.slowest)}`)));
    this.draw();
  }
  draw() {
    if (!this.canvas) return;
    const {bins} = this.run.times, {c, width, height} = sheet(this.canvas), bottom = 18, left = 6;
    const octave = s => Math.log2(s), first = octave(bins[0][0]), last = octave(bins[bins.length - 1][0]) + 0.5;
    const px = s => left + (octave(s) - first) / (last - first) * (width - 2 * left), most = Math.log10(1 + Math.max(...bins.map(b => b[1])));
    c.fillStyle = ink('accent');
    for (const [s, count] of bins) {
      const high = Math.log10(1 + count) / most * (height - bottom - 4);
      c.fillRect(px(s), height - bottom - high, Math.max(2, px(1.4 * s) - px(s) - 1), high);
    }
    c.fillStyle = ink('soft'), c.textAlign = 'center';
    let used = -Infinity;
    for (let e = -9; e < 2; ++e) {
      const s = 10 ** e, [f, unit] = unitFor(s, 's');
      const x = Math.min(width - 24, Math.max(24, px(s)));
      if (octave(s) < first || octave(s) > last || x - used < 46) continue;
      c.fillText(`${short(s * f, 3).replace(/\.0+$/, '')} ${unit}`, used = x, height - 4);
    }
  }
}

function stepTable(run, which) {
  const rows = Object.entries(run.statuses).filter(([name, count]) => count > 0 || ['ok', 'inexact', 'no_solution'].includes(name));
  return panel('Steps', which, table([...rows.map(([name, count]) => [name, grouped(count)]),
    ['steps per frame', grouped(run.stride)], ['largest residual', `${short(largest(run.residual), 2)} m/s`]]));
}

function parameterTable(run, which) {
  const laws = new Map();
  run.contacts.forEach(c => { const key = c.law.join(); laws.set(key, [...(laws.get(key) || []), c]); });
  const rows = [...run.parameters];
  for (const [, same] of laws) {
    const [eps_N, eps_T, mu] = same[0].law, who = laws.size === 1 ? 'all contacts' : same.length > 3 ? `${same.length} contacts` : same.map(c => c.name).join(', ');
    rows.push([who, `ε_N ${+eps_N.toPrecision(4)}, ε_T ${+eps_T.toPrecision(4)}, µ ${+mu.toPrecision(4)}`]);
  }
  const plays = [...new Set(run.shapes.filter(s => s.play > 0).map(s => `${s.kind} ${short(s.play * 1e3, 3)} mm`))];
  if (plays.length) rows.push(['play, to either side', plays.join(', ')]);
  rows.push(['computed in', run.real], ['moreau', run.version], ['compiler', run.compiler]);
  return panel('Parameters', which, table(rows));
}
