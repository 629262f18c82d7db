'use strict';
// Charts of one quantity over another: phase portraits, and figures as papers have them, on their axes.

// A quantity of a run by its name: a curve, the time, a contact's gap, percussion or force.
function quantityOf(run, name) {
  if (name === 't') return {data: run.t, unit: 's'};
  const curve = run.curves.find(c => c.name === name);
  if (curve) return {data: curve.data, unit: curve.unit};
  const contact = words => run.contacts.find(c => name === words + c.name), gap = contact('gap of '), hit = contact('percussion of '), force = contact('force on ');
  if (gap) return {data: gap.gap, unit: 'm'};
  if (hit) return {data: hit.P_N, unit: 'N s'};
  return force ? {data: Float32Array.from(force.P_N, (p, i) => frameTime(run, i) > 0 ? p / frameTime(run, i) : 0), unit: 'N'} : null;
}

function niceTicks(low, high, count) {
  const raw = (high - low) / count, ten = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find(m => m * ten >= raw) * ten;
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step && ticks.length < 20; ++n) ticks.push(+(n * step).toPrecision(10));
  return ticks.map(v => ({v, label: v !== 0 && (Math.abs(v) < 1e-3 || Math.abs(v) >= 1e5) ? v.toExponential(0) : String(v)}));
}

// Powers of ten, as labels and lines; not more than fit.
function decades(low, high) {
  const all = [];
  if (!(low > 0)) return all;
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high)), by = Math.max(1, Math.ceil((last - first) / 7));
  for (let e = first; e <= last; e += by)
    all.push({v: 10 ** e, label: e >= -3 && e <= 4 ? String(+(10 ** e).toPrecision(1)) : `1e${e}`});
  return all;
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

// The numbers of a column where those of the other axis are within its ends.
function within(column, other, {from, to}) {
  return from < to ? Array.from(column).filter((_, i) => other[i] >= from && other[i] <= to) : column;
}

// An axis in the unit that its numbers ask for. columns: all that is drawn along it, in SI.
class Scale {
  constructor(columns, unit, name, {from = 0, to = 0, log = false} = {}) {
    let low = Infinity, high = -Infinity;
    for (const column of columns) for (const v of column) if (Number.isFinite(v) && (!log || v > 0)) low = Math.min(low, v), high = Math.max(high, v);
    if (from < to) low = from, high = to;
    else if (!(low < high)) low = (Number.isFinite(low) ? low : log ? 2 : 0) - 1, high = low + 2;
    else if (!log) [low, high] = [low - 0.05 * (high - low), high + 0.05 * (high - low)];
    else [low, high] = [low / 1.3, high * 1.3];
    [this.factor, this.unit] = log ? [1, unit] : unitFor(Math.max(Math.abs(low), Math.abs(high)) * 1.001, unit);
    this.low = low, this.high = high, this.log = log, this.at = log ? Math.log10 : v => v;
    this.label = name + (this.unit ? ` in ${this.unit}` : '');
    this.turn = unit === 'rad' ? 3 : Infinity;  // an angle that was wrapped
  }
  // Part of the way from low to high.
  part(v) { return (this.at(v) - this.at(this.low)) / (this.at(this.high) - this.at(this.low)); }
  ticks(count) {
    if (this.log) return decades(this.low, this.high).filter(({v}) => v >= this.low && v <= this.high);
    return niceTicks(this.low * this.factor, this.high * this.factor, count).map(({v, label}) => ({v: v / this.factor, label}));
  }
}

// curves: {run: its index or -1 for a table, x, y, colour: its number}. What belongs to a run is drawn bright where the plots show it,
// and has a dot where the mechanism is.
class Chart {
  constructor(runs, canvas) { this.runs = runs, this.canvas = canvas, this.still = document.createElement('canvas'); }

  set(x, y, curves, dots) {
    this.x = x, this.y = y, this.curves = curves, this.dots = dots, this.drawn = '';
    if (this.last) this.draw(...this.last);
  }
  // Which share of a curve is between the ends of the y axis, where it is between those of the x axis.
  inside() {
    return this.curves.map(({x, y}) => {
      let all = 0, within = 0;
      const is = (scale, v) => { const part = scale.part(v); return part >= -0.01 && part <= 1.01; };  // the width of a line
      for (let i = 0; i < x.length; ++i) if (Number.isFinite(x[i] + y[i]) && is(this.x, x[i])) ++all, within += is(this.y, y[i]);
      return all ? within / all : 0;
    });
  }
  recolour() { this.drawn = ''; if (this.last) this.draw(...this.last); }

  draw(frames, shown) {
    this.last = [frames, shown];
    const {canvas, still} = this, wanted = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio, ...shown].join();
    const {c, width, height} = sheet(canvas), left = 50, bottom = 32, top = 21, right = 9;
    const px = v => left + this.x.part(v) * (width - left - right), py = v => height - bottom - this.y.part(v) * (height - bottom - top);
    if (this.drawn !== wanted) {
      still.width = canvas.width, still.height = canvas.height;
      const behind = still.getContext('2d');
      behind.setTransform(c.getTransform()), behind.font = c.font;
      this.drawCurves(behind, px, py, shown, {left, top, right: width - right, bottom: height - bottom, width, height});
      this.drawn = wanted;
    }
    c.save(), c.setTransform(1, 0, 0, 1, 0, 0), c.drawImage(still, 0, 0), c.restore();
    for (const {run, x, y} of this.curves) {
      if (run < 0 || !this.runs[run].frames) continue;
      const at = [px(x[frames[run]]), py(y[frames[run]])];
      if (!(at[0] >= left - 1 && at[0] <= width - right + 1 && at[1] >= top - 1 && at[1] <= height - bottom + 1)) continue;
      c.beginPath(), c.arc(...at, 4, 0, 2 * Math.PI);
      c.fillStyle = ink('now'), c.fill();
    }
  }
  drawCurves(c, px, py, shown, area) {
    c.strokeStyle = ink('grid'), c.fillStyle = ink('soft'), c.lineWidth = 1;
    c.beginPath();
    c.textAlign = 'center';
    for (const {v, label} of this.x.ticks(Math.max(2, Math.min(6, (area.right - area.left) / 50))))
      c.moveTo(px(v), area.top), c.lineTo(px(v), area.bottom), c.fillText(label, Math.min(px(v), area.width - c.measureText(label).width / 2 - 1), area.bottom + 13);
    c.textAlign = 'right';
    for (const {v, label} of this.y.ticks(5)) c.moveTo(area.left, py(v)), c.lineTo(area.right, py(v)), c.fillText(label, area.left - 5, py(v) + 4);
    c.stroke();
    c.textAlign = 'center', c.fillText(this.x.label, (area.left + area.right) / 2, area.height - 3, area.width);
    c.textAlign = 'left', c.fillText(this.y.label, 4, 9, area.width - 8);
    c.save();
    c.beginPath(), c.rect(area.left - 2, area.top - 2, area.right - area.left + 4, area.bottom - area.top + 4), c.clip();
    const part = ({run, x}) => run < 0 ? [0, x.length - 1] : [frameAt(this.runs[run], shown[0]), frameAt(this.runs[run], shown[1])];
    const behind = this.curves.filter(curve => { const [from, to] = part(curve); return from > 0 || to < curve.x.length - 1; });
    for (const curve of behind) this.curve(c, px, py, curve, [0, curve.x.length - 1], ink('hatch'), 0.7);
    for (const curve of this.curves) this.curve(c, px, py, curve, part(curve), contactColour(curve.colour), 1.3);
    c.restore();
  }
  curve(c, px, py, {run, x, y}, [from, to], colour, width) {
    c.strokeStyle = c.fillStyle = colour, c.lineWidth = width;
    c.setLineDash(run > 0 ? [5, 3] : []);
    c.beginPath();
    for (let i = from, down = false; i <= to; ++i) {
      const at = [px(x[i]), py(y[i])];
      if (!Number.isFinite(at[0] + at[1])) { down = false; continue; }
      if (this.dots) { c.fillRect(at[0] - 0.8, at[1] - 0.8, 1.6, 1.6); continue; }
      if (i > from && Math.abs(x[i] - x[i - 1]) > this.x.turn) down = false;
      c[down ? 'lineTo' : 'moveTo'](...at), down = true;
    }
    c.stroke();
    c.setLineDash([]);
  }
}

// The figures of a run, or of two over each other.
class Figures {
  constructor(runs, place) {
    this.charts = [];
    const figures = new Map(runs.flatMap(r => r.figures).map(f => [f.caption, f]));
    place.hidden = !figures.size;
    if (runs.length > 1) place.append(element('p', {}, 'dashed: ' + runs[1].title));
    for (const figure of figures.values()) this.add(runs, figure, place);
  }
  add(runs, figure, place) {
    const canvas = element('canvas', {class: 'drawn', role: 'img', 'aria-label': figure.caption}), legend = element('span');
    const chart = new Chart(runs, canvas), {x, y, tables} = figure;
    place.append(element('figure', {}, element('figcaption', {}, element('b', {}, figure.caption), ' ', legend), canvas));
    const entry = (words, colour) => { const one = element('i', {}, words); one.style.setProperty('--colour', contactColour(colour)); legend.append(one, ' '); };
    if (tables.length) {
      chart.set(new Scale(tables.map(t => t.x), '', x.names[0], x), new Scale(tables.map(t => t.y), '', y.names[0], y),
        tables.map((t, j) => ({run: -1, x: t.x, y: t.y, colour: j})), figure.dots);
      tables.forEach((t, j) => entry(t.name, j));
    } else {
      const all = runs.flatMap((run, r) => y.names.map((name, j) => ({run: r, across: quantityOf(run, x.names[0]), up: quantityOf(run, name), colour: j})))
        .filter(curve => curve.across && curve.up);  // the other run may have no such quantity
      const names = shortNames(y.names, 24), same = y.names.length > 1 ? y.names[0].slice(0, -names[0].length) + '…' : y.names[0];
      chart.set(new Scale(all.map(c => c.across.data), all[0].across.unit, x.names[0], x),
        new Scale(all.map(c => within(c.up.data, c.across.data, x)), all[0].up.unit, same, y),
        all.map(({run, across, up, colour}) => ({run, x: across.data, y: up.data, colour})), figure.dots);
      if (y.names.length > 1) names.forEach(entry);
    }
    this.charts.push({name: figure.caption, chart});
  }
  draw(frames, shown) { for (const {chart} of this.charts) chart.draw(frames, shown); }
  recolour() { for (const {chart} of this.charts) chart.recolour(); }
}

// One chart for all planes of two quantities that the run names.
class Phase {
  constructor(runs, place) {
    this.runs = runs, this.pairs = runs[0].phases.filter(pair => runs.every(r => pair.every(n => quantityOf(r, n))));
    if (!this.pairs.length) return;
    const canvas = element('canvas', {class: 'drawn', role: 'img', 'aria-label': 'Phase portrait'});
    canvas.style.height = '250px';
    this.chart = new Chart(runs, canvas);
    this.choice = select(this.pairs.map((_, j) => String(j)));
    [...this.choice.options].forEach((o, j) => { o.textContent = `${this.pairs[j][1]} over ${this.pairs[j][0]}`; });
    this.choice.setAttribute('aria-label', 'which plane');
    const section = panel('Phase portrait', '', canvas);
    section.querySelector('h2').append(this.choice);
    this.choice.onchange = () => this.prepare();
    place.append(section);
    this.prepare();
  }
  prepare() {
    const [x, y] = this.pairs[+this.choice.value].map(name => this.runs.map(r => ({name, ...quantityOf(r, name)})));
    const scale = all => new Scale(all.map(q => q.data), all[0].unit, all[0].name);
    this.chart.set(scale(x), scale(y), this.runs.map((_, r) => ({run: r, x: x[r].data, y: y[r].data, colour: r})), false);
  }
  draw(frames, shown) { if (this.chart) this.chart.draw(frames, shown); }
  recolour() { if (this.chart) this.chart.recolour(); }
}
