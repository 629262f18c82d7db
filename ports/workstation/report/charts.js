'use strict';
// Charts of one quantity over another: phase portraits, and figures with the axes of a paper.

// Returns a quantity of a run by name: a curve, the time, or gap, percussion or force of a contact.
function quantityOf(run, name) {
  if (name === 't') return {data: run.t, unit: 's'};
  const curve = run.curves.find(other => other.name === name);
  if (curve) return {data: curve.data, unit: curve.unit};
  const contact = prefix => run.contacts.find(other => name === prefix + other.name);
  const gap = contact('gap of ');
  if (gap) return {data: gap.gap, unit: 'm'};
  const percussion = contact('percussion of ');
  if (percussion) return {data: percussion.P_N, unit: 'N s'};
  const force = contact('force on ');
  if (!force) return null;
  return {data: Float32Array.from(force.P_N, (p, i) => frameTime(run, i) > 0 ? p / frameTime(run, i) : 0), unit: 'N'};
}

function axisNumber(v, digits) {
  return v !== 0 && (Math.abs(v) < 1e-3 || Math.abs(v) >= 1e5) ? v.toExponential(0) : String(+v.toPrecision(digits));
}

function niceTicks(low, high, count) {
  const raw = (high - low) / count, ten = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find(multiple => multiple * ten >= raw) * ten;
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step && ticks.length < 20; ++n)
    ticks.push(+(n * step).toPrecision(10));
  return ticks.map(v => ({v, label: axisNumber(v, 10)}));
}

// Returns labelled powers of ten, at most the number that fits.
function decades(low, high) {
  const all = [];
  if (!(low > 0)) return all;
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high));
  const by = Math.max(1, Math.ceil((last - first) / 7));
  for (let e = first; e <= last; e += by)
    all.push({v: 10 ** e, label: e >= -3 && e <= 4 ? String(+(10 ** e).toPrecision(1)) : `1e${e}`});
  return all;
}

// Returns the cleared context of a canvas and its size in CSS pixels.
function sheet(canvas) {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth || 300, height = canvas.clientHeight || 200;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '11px system-ui, "DejaVu Sans", sans-serif';
  return {context, width, height};
}

// Returns the numbers of a column at which the other axis is within its ends.
function within(column, other, {from, to}) {
  return from < to ? Array.from(column).filter((_, i) => other[i] >= from && other[i] <= to) : column;
}

// Axis in a unit that suits its numbers. columns: all data along the axis, in SI.
class Scale {
  constructor(columns, unit, name, {from = 0, to = 0, log = false} = {}) {
    let low = Infinity, high = -Infinity;
    for (const column of columns)
      for (const v of column)
        if (Number.isFinite(v) && (!log || v > 0)) low = Math.min(low, v), high = Math.max(high, v);
    if (from < to) low = from, high = to;
    else if (!(low < high)) low = (Number.isFinite(low) ? low : log ? 2 : 0) - 1, high = low + 2;
    else if (!log) [low, high] = [low - 0.05 * (high - low), high + 0.05 * (high - low)];
    else [low, high] = [low / 1.3, high * 1.3];
    [this.factor, this.unit] = log ? [1, unit] : unitFor(Math.max(Math.abs(low), Math.abs(high)) * 1.001, unit);
    this.low = low;
    this.high = high;
    this.log = log;
    this.at = log ? Math.log10 : v => v;
    this.label = name + (this.unit ? ` in ${this.unit}` : '');
    this.turn = unit === 'rad' ? 3 : Infinity;  // a larger step is the jump of a wrapped angle
  }
  // Returns the fraction of the way from low to high.
  part(v) { return (this.at(v) - this.at(this.low)) / (this.at(this.high) - this.at(this.low)); }
  ticks(count) {
    if (this.log) return decades(this.low, this.high).filter(({v}) => v >= this.low && v <= this.high);
    const ticks = niceTicks(this.low * this.factor, this.high * this.factor, count);
    return ticks.map(({v, label}) => ({v: v / this.factor, label}));
  }
}

// curves: {run: index, or -1 for a table, x, y, colour: number}. Curves of a run are highlighted in the window of the
// plots, with a dot at the present instant.
class Chart {
  // changes: the curves are new in every drawing. A copy of them would only cost time, and browsers draw lines of one
  // pixel much faster than wider ones.
  constructor(runs, canvas, changes = false) {
    this.runs = runs;
    this.canvas = canvas;
    this.still = changes ? null : document.createElement('canvas');  // the curves, without the dots
  }

  set(x, y, curves, dots) {
    this.x = x;
    this.y = y;
    this.curves = curves;
    this.dots = dots;
    this.recolour();
  }
  // Returns for each curve the fraction of its points inside the y axis, among the points inside the x axis.
  inside() {
    const covers = (scale, v) => {
      const part = scale.part(v);
      return part >= -0.01 && part <= 1.01;  // tolerance: the width of a line
    };
    return this.curves.map(({x, y}) => {
      let all = 0, covered = 0;
      for (let i = 0; i < x.length; ++i) {
        if (!Number.isFinite(x[i] + y[i]) || !covers(this.x, x[i])) continue;
        ++all;
        covered += covers(this.y, y[i]);
      }
      return all ? covered / all : 0;
    });
  }
  recolour() {
    this.drawn = '';
    if (this.last) this.draw(...this.last);
  }

  draw(frames, shown) {
    this.last = [frames, shown];
    const {canvas, still} = this, left = 50, bottom = 32, top = 21, right = 9;
    const wanted = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio, ...shown].join();
    const {context, width, height} = sheet(canvas);
    const px = v => left + this.x.part(v) * (width - left - right);
    const py = v => height - bottom - this.y.part(v) * (height - bottom - top);
    const area = {left, top, right: width - right, bottom: height - bottom, width, height};
    if (!still) {
      this.drawCurves(context, px, py, shown, area);
    } else if (this.drawn !== wanted) {
      still.width = canvas.width;
      still.height = canvas.height;
      const behind = still.getContext('2d');
      behind.setTransform(context.getTransform());
      behind.font = context.font;
      this.drawCurves(behind, px, py, shown, area);
      this.drawn = wanted;
    }
    if (still) {
      context.save();
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(still, 0, 0);
      context.restore();
    }
    for (const {run, x, y} of this.curves) {
      if (run < 0 || !this.runs[run].frames) continue;
      const i = Math.min(frames[run], x.length - 1), at = [px(x[i]), py(y[i])];
      if (!(at[0] >= left - 1 && at[0] <= width - right + 1)) continue;
      if (!(at[1] >= top - 1 && at[1] <= height - bottom + 1)) continue;
      context.beginPath();
      context.arc(...at, 4, 0, 2 * Math.PI);
      context.fillStyle = ink('now');
      context.fill();
    }
  }
  drawCurves(context, px, py, shown, area) {
    this.drawAxes(context, px, py, area);
    context.save();
    context.beginPath();
    context.rect(area.left - 2, area.top - 2, area.right - area.left + 4, area.bottom - area.top + 4);
    context.clip();
    const part = ({run, x}) =>
      run < 0 ? [0, x.length - 1] : [frameAt(this.runs[run], shown[0]), frameAt(this.runs[run], shown[1])];
    const isCut = curve => { const [from, to] = part(curve); return from > 0 || to < curve.x.length - 1; };
    for (const curve of this.curves.filter(isCut))
      this.drawCurve(context, px, py, curve, [0, curve.x.length - 1], ink('hatch'), 0.7);
    for (const curve of this.curves)
      this.drawCurve(context, px, py, curve, part(curve), contactColour(curve.colour), this.still ? 1.3 : 1);
    context.restore();
  }
  drawAxes(context, px, py, area) {
    context.strokeStyle = ink('grid');
    context.fillStyle = ink('soft');
    context.lineWidth = 1;
    context.beginPath();
    context.textAlign = 'center';
    for (const {v, label} of this.x.ticks(Math.max(2, Math.min(6, (area.right - area.left) / 50)))) {
      const room = area.width - context.measureText(label).width / 2 - 1;
      context.moveTo(px(v), area.top);
      context.lineTo(px(v), area.bottom);
      context.fillText(label, Math.min(px(v), room), area.bottom + 13);
    }
    context.textAlign = 'right';
    for (const {v, label} of this.y.ticks(5)) {
      context.moveTo(area.left, py(v));
      context.lineTo(area.right, py(v));
      context.fillText(label, area.left - 5, py(v) + 4);
    }
    context.stroke();
    context.textAlign = 'center';
    context.fillText(this.x.label, (area.left + area.right) / 2, area.height - 3, area.width);
    context.textAlign = 'left';
    context.fillText(this.y.label, 4, 9, area.width - 8);
  }
  drawCurve(context, px, py, {run, x, y}, [from, to], colour, width) {
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    context.setLineDash(run > 0 ? [5, 3] : []);
    context.beginPath();
    for (let i = from, down = false; i <= to && i < x.length; ++i) {
      const at = [px(x[i]), py(y[i])];
      if (!Number.isFinite(at[0] + at[1])) { down = false; continue; }
      if (this.dots) { context.fillRect(at[0] - 0.8, at[1] - 0.8, 1.6, 1.6); continue; }
      if (i > from && Math.abs(x[i] - x[i - 1]) > this.x.turn) down = false;
      context[down ? 'lineTo' : 'moveTo'](...at);
      down = true;
    }
    context.stroke();
    context.setLineDash([]);
  }
}

// The figures of a run, or of two runs superimposed.
class Figures {
  constructor(runs, place) {
    this.charts = [];
    const figures = new Map(runs.flatMap(run => run.figures).map(figure => [figure.caption, figure]));
    place.hidden = !figures.size;
    if (runs.length > 1) place.append(element('p', {}, 'dashed: ' + runs[1].title));
    for (const figure of figures.values()) this.add(runs, figure, place);
  }
  add(runs, figure, place) {
    const canvas = element('canvas', {class: 'drawn', role: 'img', 'aria-label': figure.caption});
    const chart = new Chart(runs, canvas), legend = element('span');
    const caption = element('figcaption', {}, element('b', {}, figure.caption), ' ', legend);
    place.append(element('figure', {}, caption, canvas));
    const entry = (name, colour) => {
      const one = element('i', {}, name);
      one.style.setProperty('--colour', contactColour(colour));
      legend.append(one, ' ');
    };
    if (figure.tables.length) this.fillTables(chart, figure, entry);
    else this.fillCurves(chart, figure, runs, entry);
    this.charts.push({name: figure.caption, chart});
  }
  fillTables(chart, {x, y, tables, dots}, entry) {
    const curves = tables.map((table, j) => ({run: -1, x: table.x, y: table.y, colour: j}));
    chart.set(new Scale(tables.map(table => table.x), '', x.names[0], x),
      new Scale(tables.map(table => table.y), '', y.names[0], y), curves, dots);
    tables.forEach((table, j) => entry(table.name, j));
  }
  fillCurves(chart, {x, y, dots}, runs, entry) {
    const pairs = runs.flatMap((run, r) => y.names.map((name, j) =>
      ({run: r, across: quantityOf(run, x.names[0]), up: quantityOf(run, name), colour: j})));
    const all = pairs.filter(pair => pair.across && pair.up);  // the other run may lack a quantity
    const names = shortNames(y.names, 24), several = y.names.length > 1;
    const label = several ? y.names[0].slice(0, -names[0].length) + '…' : y.names[0];
    chart.set(new Scale(all.map(pair => pair.across.data), all[0].across.unit, x.names[0], x),
      new Scale(all.map(pair => within(pair.up.data, pair.across.data, x)), all[0].up.unit, label, y),
      all.map(({run, across, up, colour}) => ({run, x: across.data, y: up.data, colour})), dots);
    if (several) names.forEach(entry);
  }
  draw(frames, shown) { for (const {chart} of this.charts) chart.draw(frames, shown); }
  recolour() { for (const {chart} of this.charts) chart.recolour(); }
}

// One chart for all phase portraits of the run.
class Phase {
  constructor(runs, place) {
    this.runs = runs;
    this.pairs = runs[0].phases.filter(pair => runs.every(run => pair.every(name => quantityOf(run, name))));
    if (!this.pairs.length) return;
    const canvas = element('canvas', {class: 'drawn', role: 'img', 'aria-label': 'Phase portrait'});
    canvas.style.height = '250px';
    this.chart = new Chart(runs, canvas);
    this.choice = select(this.pairs.map((_, j) => String(j)));
    [...this.choice.options].forEach((option, j) => {
      option.textContent = `${this.pairs[j][1]} over ${this.pairs[j][0]}`;
    });
    this.choice.setAttribute('aria-label', 'phase plane');
    const section = panel('Phase portrait', '', canvas);
    section.querySelector('h2').append(this.choice);
    this.choice.onchange = () => this.prepare();
    place.append(section);
    this.prepare();
  }
  prepare() {
    const quantities = name => this.runs.map(run => ({name, ...quantityOf(run, name)}));
    const [x, y] = this.pairs[+this.choice.value].map(quantities);
    const scale = all => new Scale(all.map(quantity => quantity.data), all[0].unit, all[0].name);
    const curves = this.runs.map((_, r) => ({run: r, x: x[r].data, y: y[r].data, colour: r}));
    this.chart.set(scale(x), scale(y), curves, false);
  }
  draw(frames, shown) { if (this.chart) this.chart.draw(frames, shown); }
  recolour() { if (this.chart) this.chart.recolour(); }
}
