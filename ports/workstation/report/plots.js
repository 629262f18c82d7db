'use strict';
// Plots over time in one window, drawn by dygraphs: gaps, contact and stick, percussions, what the run has besides.

// One curve of a plot: name, colour, dashes, its run's times, its numbers.
function curvesOf(runs, pick) {
  const all = [];
  runs.forEach((run, r) => pick(run).forEach((curve, index) => all.push({
    ...curve, run: r, t: run.t, dash: r > 0 ? [5, 3] : null, colour: contactColour(index),
    plain: curve.name, name: curve.name + (r > 0 ? ' (2)' : '')})));
  return all;
}

// Rows of a plot: one per time, runs with other times in between.
function rowsOf(curves, perTime) {
  const times = [...new Set(curves.map(c => c.t))];
  const value = y => Number.isFinite(y) ? y : NaN;
  if (times.length <= 1) return Array.from(times[0] || [], (t, i) => [t * perTime, ...curves.map(c => value(c.y[i]))]);
  const rows = [];
  times.forEach(t => t.forEach((at, i) => rows.push([at * perTime, ...curves.map(c => c.t === t ? value(c.y[i]) : null)])));
  return rows.sort((a, b) => a[0] - b[0]);
}

function stems(e) {
  const {drawingContext: c, plotArea} = e, bottom = plotArea.y + plotArea.h;
  const points = e.points.filter(p => p.yval !== null);  // null: a time of the other run
  c.strokeStyle = c.fillStyle = e.color;
  c.lineWidth = 1.3;
  c.beginPath();
  points.forEach((p, j) => {
    if (!Number.isFinite(p.canvasy)) return;
    const alone = !(Number.isFinite((points[j - 1] || {}).yval) && Number.isFinite((points[j + 1] || {}).yval));
    if (alone) c.moveTo(p.canvasx, bottom), c.lineTo(p.canvasx, p.canvasy);
  });
  c.stroke();
  const dense = points.length > 2000;
  for (const p of points)
    if (Number.isFinite(p.canvasy)) c.fillRect(p.canvasx - (dense ? 0.8 : 1.6), p.canvasy - (dense ? 0.8 : 1.6), dense ? 1.6 : 3.2, dense ? 1.6 : 3.2);
}

// A bar while the contact is closed: high where it sticks, half as high where it slips.
function bars(rows) {
  return e => {
    const {drawingContext: c} = e, points = e.points.filter(p => p.yval !== null), unit = Math.abs(e.dygraph.toDomYCoord(1) - e.dygraph.toDomYCoord(0));
    const y = e.dygraph.toDomYCoord(rows - 1 - e.seriesIndex);
    c.fillStyle = e.color;
    for (let j = 0; j < points.length;) {
      const mode = points[j].yval, from = points[j - 1] || points[j];
      let last = j;
      while (last + 1 < points.length && points[last + 1].yval === mode) ++last;
      const wide = Math.max(1.1, points[last].canvasx - from.canvasx), high = unit * (mode & 2 ? 0.72 : 0.4);
      if (mode > 0) c.fillRect(points[last].canvasx - wide, y - high / 2, wide, high);
      j = last + 1;
    }
  };
}

// Names without the words that all of them begin with.
function shortNames(names, most) {
  const words = names.map(n => n.split(' '));
  let same = 0;
  while (names.length > 1 && words.every(w => w.length > same + 1 && w[same] === words[0][same])) ++same;
  return words.map(w => w.slice(same).join(' ')).map(n => n.length > most ? n.slice(0, most - 1) + '…' : n);
}

class Plots {
  constructor(runs, place, onWindow, onPick) {
    this.runs = runs, this.place = place, this.onWindow = onWindow, this.onPick = onPick, this.graphs = [];
    const t = runs.flatMap(r => r.frames ? [r.t[0], r.t[r.frames - 1]] : []).filter(Number.isFinite);
    this.whole = t.length ? [Math.min(...t), Math.max(...t)] : [0, 0];
    [this.perTime, this.timeUnit] = unitFor(this.whole[1] - this.whole[0], 's');
    this.window = [...this.whole];
    if (typeof Dygraph === 'undefined' || !(this.whole[1] > this.whole[0])) return;
    // Room for the names of contacts, the same in all plots: their times are under each other.
    const longest = Math.max(0, ...runs.flatMap(r => shortNames(r.contacts.map(c => c.name), 16)).map(n => n.length + (runs.length > 1 ? 4 : 0)));
    this.labelWidth = innerWidth < 600 ? 48 : Math.max(72, 6.4 * longest + 6);
    this.contactPlots();
    for (const panel of ['outputs', 'friction', 'speeds', 'energy', 'steps']) this.curvePlots(panel);
    this.place.lastChild.querySelector('h2 small').append(` · time in ${this.timeUnit}`);
  }

  contactPlots() {
    const {runs} = this, contacts = runs[0].contacts;
    if (!contacts.length) return;
    const [gapFactor, gapUnit] = unitFor(Math.max(...runs.flatMap(r => r.contacts.map(c => largest(c.gap)))), 'm');
    this.add('Gaps', `in ${gapUnit}; 0 is contact`, curvesOf(runs, r => r.contacts.map(c => ({name: c.name, y: c.gap.map(g => g * gapFactor)}))));
    const modes = curvesOf(runs, r => r.contacts.map(c => ({name: c.name, y: c.mode})));
    const rows = modes.length, labels = runs.flatMap((_, r) => shortNames(modes.filter(m => m.run === r).map(m => m.plain), innerWidth < 600 ? 8 : 16).map(n => n + (r > 0 ? ' (2)' : '')));
    this.add('In contact', 'high: sticks', modes, {
      plotter: bars(rows), valueRange: [-0.6, rows - 0.4], height: Math.min(420, 46 + 19 * rows), legend: false,
      ticker: () => labels.map((label, j) => ({v: rows - 1 - j, label}))});
    const most = Math.max(...runs.flatMap(r => r.contacts.map(c => largest(c.P_N)))) || 1;  // 1: there are none
    const [pFactor, pUnit] = unitFor(most, 'N s'), frame = runs[0].frames > 2 ? frameTime(runs[0], 1) : 0;
    const [tFactor, tUnit] = unitFor(frame, 's'), forces = select(['percussion', 'force']);
    const shown = byForce => curvesOf(runs, r => r.contacts.map(c => ({
      name: c.name, y: Float64Array.from(c.P_N, (p, i) => p > 0 ? byForce ? p / frameTime(r, i) : p * pFactor : NaN)})));
    const adjusted = runs.some(r => r.curves.some(c => c.panel === 'steps')), long = adjusted ? '' : ` of ${short(frame * tFactor, 3)} ${tUnit}`;
    const say = byForce => byForce ? `mean over a frame${long}, in N, log` :
      `in ${pUnit} per frame${long}, log; a resting contact ${adjusted ? 'has more of it in longer steps' : 'is a band at force × frame'}`;
    // Six decades: what is below is rounding.
    const plot = this.add('Percussions', say(false), shown(false), {
      plotter: stems, logscale: true, valueRange: [most * pFactor * 2e-6, most * pFactor * 2], ticker: decades});
    plot.head.append(forces);
    forces.setAttribute('aria-label', 'what is plotted');
    forces.onchange = () => {
      const byForce = forces.value === 'force';
      plot.small.textContent = say(byForce);
      const curves = shown(byForce), top = Math.max(...curves.map(c => largest(c.y))) || 1;
      plot.graph.updateOptions({file: rowsOf(curves, this.perTime), valueRange: [top * 2e-6, top * 2]});
    };
  }

  overDecades(curves) {
    const sizes = curves.flatMap(c => Array.from(c.y)).filter(y => y > 0);
    return {logscale: true, ticker: decades, valueRange: [sizes.reduce((a, b) => Math.min(a, b), Infinity) / 2, sizes.reduce((a, b) => Math.max(a, b), 0) * 2]};
  }
  // One plot for each unit of a panel.
  curvePlots(panel) {
    const of = run => run.curves.filter(c => c.panel === panel);
    const units = [...new Set(this.runs.flatMap(of).map(c => c.unit))];
    for (const unit of units) {
      const same = run => of(run).filter(c => c.unit === unit);
      const most = Math.max(...this.runs.flatMap(r => same(r).map(c => largest(c.data))));
      const [factor, shown] = unitFor(most, unit);
      const curves = curvesOf(this.runs, r => same(r).map(c => ({name: c.name, y: c.data.map(v => v * factor)})));
      const names = [...new Set(this.runs.flatMap(same).map(c => c.name))];
      const title = panel === 'outputs' ? names.join(', ') : panel === 'speeds' ? 'Speeds' : panel === 'friction' ? 'Dry friction' : names[0];
      const log = panel === 'steps' && unit === 's', over = log ? this.overDecades(curves) : {};
      this.add(title.replace(/^[a-z]{3}/, word => word[0].toUpperCase() + word.slice(1)), shown ? `in ${shown}${log ? ', log' : ''}` : '', curves, over);
    }
  }

  add(title, words, curves, more = {}) {
    const small = element('small', {}, words), head = element('h2', {}, title, ' ', small), value = element('span', {class: 'value'});
    const now = element('div', {class: 'now'}), plot = element('div', {class: 'plot'}), at = element('div');
    at.style.cssText = 'position:absolute;inset:0';
    plot.append(at, now);
    if (more.height) plot.style.height = more.height + 'px';
    this.place.append(element('section', {class: 'card panel', 'aria-label': title}, head, plot));
    const rows = rowsOf(curves, this.perTime), keys = curves.map((_, j) => 's' + j);
    const series = Object.fromEntries(keys.map((key, j) => [key, {strokePattern: curves[j].dash}]));
    const graph = new Dygraph(at, rows, {
      labels: ['t', ...keys], colors: curves.map(c => c.colour), series, legend: 'never', strokeWidth: 1.4, rightGap: 8,
      connectSeparatedPoints: new Set(curves.map(c => c.t)).size > 1, gridLineColor: ink('grid'), axisLineColor: ink('edge'),
      gridLineWidth: 1, axisLabelFontSize: 11, highlightCircleSize: 2.5, drawHighlightPointCallback: more.plotter ? () => {} : undefined,
      dateWindow: this.window.map(t => t * this.perTime), valueRange: more.valueRange || null, logscale: !!more.logscale,
      ...(more.plotter ? {plotter: more.plotter} : {}),
      axes: {x: {axisLabelWidth: 60}, y: {axisLabelWidth: this.labelWidth, pixelsPerLabel: 22, drawGrid: true, ...(more.ticker ? {ticker: more.ticker} : {}),
        axisLabelFormatter: more.ticker ? undefined : v => v !== 0 && (Math.abs(v) < 1e-3 || Math.abs(v) >= 1e5) ? v.toExponential(0) : String(+v.toPrecision(6))}},
      drawCallback: (g, first) => first || this.take(g),
      highlightCallback: (e, x, points) => { value.textContent = this.said(x, points, curves); },
      unhighlightCallback: () => { value.textContent = ''; },
      clickCallback: (e, x) => this.onPick(x / this.perTime)});
    const entry = {title, graph, now, head, small, plot};
    if (more.legend !== false) curves.forEach((c, j) => head.append(this.switchOf(entry, c, j)));
    head.append(value);
    this.graphs.push(entry);
    return entry;
  }
  switchOf(entry, curve, index) {
    const button = element('button', {type: 'button', 'aria-pressed': 'true'}, curve.name);
    button.style.setProperty('--colour', curve.colour);
    button.classList.toggle('dashed', !!curve.dash);
    button.onclick = () => {
      const on = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', on);
      entry.graph.setVisibility(index, on);
    };
    return button;
  }

  // What is under the pointer.
  said(x, points, curves) {
    const numbers = points.filter(p => Number.isFinite(p.yval)).map(p => `${curves[+p.name.slice(1)].name} ${short(p.yval)}`);
    return numbers.length > 6 ? '' : `at ${short(x, 6)} ${this.timeUnit}: ${numbers.join(', ')}`;
  }

  // A plot was zoomed or moved: all the others follow.
  take(graph) {
    if (this.busy) return;
    const range = graph.xAxisRange().map(x => x / this.perTime);
    if (Math.abs(range[0] - this.window[0]) + Math.abs(range[1] - this.window[1]) < 1e-9 * (this.whole[1] - this.whole[0])) return;
    this.show(range);
  }
  show(range) {
    const least = 1e-7 * (this.whole[1] - this.whole[0]);
    if (!(range[1] - range[0] > least)) return;
    this.window = [Math.max(range[0], this.whole[0]), Math.min(range[1], this.whole[1])];
    this.busy = true;
    for (const {graph} of this.graphs) graph.updateOptions({dateWindow: this.window.map(t => t * this.perTime)});
    this.busy = false;
    this.onWindow(this.window);
  }
  mark(t) {
    for (const {graph, now} of this.graphs) {
      const area = graph.getArea(), x = graph.toDomXCoord(t * this.perTime);
      now.hidden = !(x >= area.x && x <= area.x + area.w);
      now.style.transform = `translateX(${x}px)`, now.style.height = area.h + 'px';
    }
  }
  recolour() {
    for (const {graph} of this.graphs) graph.resize(), graph.updateOptions({gridLineColor: ink('grid'), axisLineColor: ink('edge')});
  }
}

function select(values) {
  return element('select', {}, ...values.map(v => element('option', {value: v}, v)));
}
