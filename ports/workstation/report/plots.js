'use strict';
// Plots over time in one window, drawn by dygraphs: gaps, contact and stick, percussions, further curves of the run.

// Returns the curves of a plot: name, colour, dashes, times of the run, values.
function curvesOf(runs, pick) {
  const all = [];
  runs.forEach((run, r) => pick(run).forEach((curve, index) => all.push({
    ...curve, run: r, t: run.t, dash: r > 0 ? [5, 3] : null, colour: contactColour(curve.index ?? index),
    plain: curve.name, name: curve.name + (r > 0 ? ' (2)' : '')})));
  return all;
}

// Returns the rows of a plot: one per time, with the times of all runs merged.
function rowsOf(curves, perTime) {
  const times = [...new Set(curves.map(curve => curve.t))];
  const value = y => Number.isFinite(y) ? y : NaN;
  if (times.length <= 1)
    return Array.from(times[0] || [], (t, i) => [t * perTime, ...curves.map(curve => value(curve.y[i]))]);
  const rows = [];
  for (const t of times)
    t.forEach((at, i) => rows.push([at * perTime, ...curves.map(curve => curve.t === t ? value(curve.y[i]) : null)]));
  return rows.sort((a, b) => a[0] - b[0]);
}

// Draws isolated percussions as stems, all others as points.
function stems({drawingContext: context, plotArea, points: allPoints, color}) {
  const bottom = plotArea.y + plotArea.h;
  const points = allPoints.filter(p => p.yval !== null);  // null: a time of the other run
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = 1.3;
  context.beginPath();
  const isThere = p => Number.isFinite((p || {}).yval);
  points.forEach((p, j) => {
    if (!Number.isFinite(p.canvasy)) return;
    if (isThere(points[j - 1]) && isThere(points[j + 1])) return;
    context.moveTo(p.canvasx, bottom);
    context.lineTo(p.canvasx, p.canvasy);
  });
  context.stroke();
  const half = points.length > 2000 ? 0.8 : 1.6;
  for (const p of points)
    if (Number.isFinite(p.canvasy)) context.fillRect(p.canvasx - half, p.canvasy - half, 2 * half, 2 * half);
}

// Draws a bar while the contact is closed: full height if it sticks, half height if it slips.
function bars(rows) {
  return event => {
    const {drawingContext: context, dygraph} = event, points = event.points.filter(p => p.yval !== null);
    const unit = Math.abs(dygraph.toDomYCoord(1) - dygraph.toDomYCoord(0));
    const y = dygraph.toDomYCoord(rows - 1 - event.seriesIndex);
    context.fillStyle = event.color;
    for (let j = 0; j < points.length;) {
      const mode = points[j].yval, from = points[j - 1] || points[j];
      let last = j;
      while (last + 1 < points.length && points[last + 1].yval === mode) ++last;
      const width = Math.max(1.1, points[last].canvasx - from.canvasx), height = unit * (mode & 2 ? 0.72 : 0.4);
      if (mode > 0) context.fillRect(points[last].canvasx - width, y - height / 2, width, height);
      j = last + 1;
    }
  };
}

// Draws each curve in a row of its own, filled from the lower edge of the row: many logarithmic curves.
function filledRows(rows) {
  return ({drawingContext: context, dygraph, points: allPoints, seriesIndex, color}) => {
    const bottom = dygraph.toDomYCoord(rows - 1 - seriesIndex);
    context.fillStyle = color;
    const points = allPoints.filter(p => Number.isFinite(p.canvasy) && p.yval !== null);
    const half = points.length > 2000 ? 0.8 : 1.6;
    for (const p of points) context.fillRect(p.canvasx - half, p.canvasy, 2 * half, bottom - p.canvasy);
  };
}

// Returns groups of contacts with gaps of similar size, the smallest first: in one plot, the gap of a distant stop
// would flatten a clearance to a line.
function gapGroups(runs) {
  const most = new Map();
  for (const run of runs)
    for (const {name, gap} of run.contacts) most.set(name, Math.max(most.get(name) || 0, largest(gap)));
  const groups = [];
  let last = 0;
  for (const [name, size] of [...most].sort((a, b) => a[1] - b[1])) {
    if (!groups.length || last > 0 && size > 20 * last) groups.push(new Set());
    groups[groups.length - 1].add(name);
    last = size;
  }
  return groups;
}

// Returns the names without their common first words.
function shortNames(names, most) {
  const words = names.map(name => name.split(' '));
  let same = 0;
  while (names.length > 1 && words.every(w => w.length > same + 1 && w[same] === words[0][same])) ++same;
  const rest = words.map(w => w.slice(same).join(' '));
  return rest.map(name => name.length > most ? name.slice(0, most - 1) + '…' : name);
}

class Plots {
  constructor(runs, place, onWindow, onPick) {
    this.runs = runs;
    this.place = place;
    this.onWindow = onWindow;
    this.onPick = onPick;
    this.graphs = [];
    const ends = runs.flatMap(run => run.frames ? [run.t[0], run.t[run.frames - 1]] : []).filter(Number.isFinite);
    this.whole = ends.length ? [Math.min(...ends), Math.max(...ends)] : [0, 0];
    [this.perTime, this.timeUnit] = unitFor(this.whole[1] - this.whole[0], 's');
    this.window = [...this.whole];
    if (typeof Dygraph === 'undefined' || !(this.whole[1] > this.whole[0])) return;
    // Reserve the same width for the names of contacts in all plots, so that their time axes are aligned.
    const names = runs.flatMap(run => shortNames(run.contacts.map(contact => contact.name), 16));
    const longest = Math.max(0, ...names.map(name => name.length + (runs.length > 1 ? 4 : 0)));
    this.labelWidth = innerWidth < 600 ? 48 : Math.max(72, 6.4 * longest + 6);
    this.contactPlots();
    for (const panel of ['outputs', 'friction', 'speeds', 'energy', 'steps']) this.curvePlots(panel);
    this.place.lastChild.querySelector('h2 small').append(` · time in ${this.timeUnit}`);
  }

  contactPlots() {
    if (!this.runs[0].contacts.length) return;
    this.gapPlot();
    this.modePlot();
    this.percussionPlot();
  }
  gapPlot() {
    for (const group of gapGroups(this.runs)) {
      const members = run => run.contacts.map((contact, index) => ({contact, index})).filter(({contact}) => group.has(contact.name));
      const most = Math.max(...this.runs.flatMap(run => members(run).map(({contact}) => largest(contact.gap))));
      const [factor, unit] = unitFor(most, 'm');
      const scaled = run => members(run).map(({contact: {name, gap}, index}) =>
        ({name, index, y: gap.map(g => g * factor)}));
      this.add('Gaps', `in ${unit}; 0: contact`, curvesOf(this.runs, scaled));
    }
  }
  modePlot() {
    const modes = curvesOf(this.runs, run => run.contacts.map(({name, mode}) => ({name, y: mode})));
    const rows = modes.length;
    this.add('Contact state', 'high bars: sticking, low bars: slipping', modes, {
      plotter: bars(rows), valueRange: [-0.6, rows - 0.4], height: Math.min(420, 46 + 19 * rows), legend: false,
      ticker: this.rowLabels(modes, 0)});
  }
  // Returns a ticker that labels the row of each curve with its name, at a height above the lower edge of the row.
  rowLabels(curves, height) {
    const labels = this.runs.flatMap((_, r) => {
      const names = curves.filter(curve => curve.run === r).map(curve => curve.plain);
      return shortNames(names, innerWidth < 600 ? 8 : 16).map(name => name + (r > 0 ? ' (2)' : ''));
    });
    return () => labels.map((label, j) => ({v: labels.length - 1 - j + height, label}));
  }
  percussionPlot() {
    const {runs} = this;
    const most = Math.max(...runs.flatMap(run => run.contacts.map(({P_N}) => largest(P_N)))) || 1;  // 1: all are zero
    const [factor, unit] = unitFor(most, 'N s'), frame = runs[0].frames > 2 ? frameTime(runs[0], 1) : 0;
    const [timeFactor, timeUnit] = unitFor(frame, 's'), choice = select(['percussion', 'force']);
    const shown = byForce => curvesOf(runs, run => run.contacts.map(({name, P_N}) => ({
      name, y: Float64Array.from(P_N, (p, i) => p > 0 ? byForce ? p / frameTime(run, i) : p * factor : NaN)})));
    const adaptive = runs.some(run => run.curves.some(curve => curve.panel === 'steps'));
    const length = adaptive ? '' : ` of ${short(frame * timeFactor, 3)} ${timeUnit}`;
    const resting = adaptive ? 'contacts at rest: proportional to the step size' : 'contacts at rest: force × frame';
    const say = byForce =>
      byForce ? `mean over a frame${length}, in N, log` : `in ${unit} per frame${length}, log; ${resting}`;
    // Six decades: values below are rounding error.
    const decadesShown = 6, least = 10 ** -decadesShown;
    const curvesInRows = (curves, top) => curves.map((curve, j) => {
      const row = curves.length - 1 - j, part = v => Math.max(0, 1 + Math.log10(v / top) / decadesShown);
      return {...curve, y: curve.y.map(v => row + 0.9 * part(v)), read: y => top * 10 ** (((y - row) / 0.9 - 1) * decadesShown)};
    });
    const range = top => [top * 2 * least, top * 2], first = shown(false), inRows = first.length > 4;
    const largestOf = curves => Math.max(...curves.map(curve => largest(curve.y))) || 1;
    const drawn = curves => inRows ? curvesInRows(curves, largestOf(curves)) : curves;
    const words = (curves, byForce) => inRows ? `${say(byForce)}; height of a row: ${decadesShown} decades up to ${+largestOf(curves).toPrecision(2)}` : say(byForce);
    const plot = this.add('Percussions', words(first, false), drawn(first), inRows ?
      {plotter: filledRows(first.length), valueRange: [0, first.length], height: Math.min(420, 46 + 30 * first.length),
        legend: false, ticker: this.rowLabels(first, 0.4)} :
      {plotter: stems, logscale: true, valueRange: range(most * factor), ticker: decades});
    plot.head.append(choice);
    choice.setAttribute('aria-label', 'plotted quantity');
    choice.onchange = () => {
      const curves = shown(choice.selectedIndex > 0), now = drawn(curves);
      plot.small.textContent = words(curves, choice.selectedIndex > 0);
      plot.curves.splice(0, plot.curves.length, ...now);
      plot.graph.updateOptions({file: rowsOf(now, this.perTime), ...(inRows ? {} : {valueRange: range(largestOf(curves))})});
    };
  }

  overDecades(curves) {
    const sizes = curves.flatMap(curve => Array.from(curve.y)).filter(y => y > 0);
    const low = sizes.reduce((a, b) => Math.min(a, b), Infinity), high = sizes.reduce((a, b) => Math.max(a, b), 0);
    return {logscale: true, ticker: decades, valueRange: [low / 2, high * 2]};
  }
  // Adds one plot for each unit of a panel.
  curvePlots(panel) {
    const of = run => run.curves.filter(curve => curve.panel === panel);
    const units = [...new Set(this.runs.flatMap(of).map(curve => curve.unit))];
    for (const unit of units) {
      const same = run => of(run).filter(curve => curve.unit === unit);
      const most = Math.max(...this.runs.flatMap(run => same(run).map(curve => largest(curve.data))));
      const [factor, shown] = unitFor(most, unit);
      const scaled = run => same(run).map(({name, data}) => ({name, y: data.map(v => v * factor)}));
      const curves = curvesOf(this.runs, scaled);
      const names = [...new Set(this.runs.flatMap(same).map(curve => curve.name))];
      const titles = {outputs: names.join(', '), speeds: 'Velocities', friction: 'Dry friction'};
      const title = (titles[panel] || names[0]).replace(/^[a-z]{3}/, word => word[0].toUpperCase() + word.slice(1));
      const log = panel === 'steps' && unit === 's', over = log ? this.overDecades(curves) : {};
      this.add(title, shown ? `in ${shown}${log ? ', log' : ''}` : '', curves, over);
    }
  }

  add(title, words, curves, more = {}) {
    const small = element('small', {}, words), head = element('h2', {}, title, ' ', small);
    const value = element('span', {class: 'value'}), now = element('div', {class: 'now'});
    const plot = element('div', {class: 'plot'}), at = element('div');
    at.style.cssText = 'position:absolute;inset:0';
    plot.append(at, now);
    if (more.height) plot.style.height = more.height + 'px';
    this.place.append(element('section', {class: 'card panel', 'aria-label': title}, head, plot));
    const rows = rowsOf(curves, this.perTime), keys = curves.map((_, j) => 's' + j);
    const series = Object.fromEntries(keys.map((key, j) => [key, {strokePattern: curves[j].dash}]));
    const graph = new Dygraph(at, rows, {
      labels: ['t', ...keys], colors: curves.map(curve => curve.colour), series, legend: 'never', strokeWidth: 1.4,
      rightGap: 8, connectSeparatedPoints: new Set(curves.map(curve => curve.t)).size > 1,
      gridLineColor: ink('grid'), axisLineColor: ink('edge'), gridLineWidth: 1, axisLabelFontSize: 11,
      highlightCircleSize: 2.5, drawHighlightPointCallback: more.plotter ? () => {} : undefined,
      dateWindow: this.window.map(t => t * this.perTime), valueRange: more.valueRange || null,
      logscale: !!more.logscale, ...(more.plotter ? {plotter: more.plotter} : {}),
      axes: {x: {axisLabelWidth: 60}, y: {
        axisLabelWidth: this.labelWidth, pixelsPerLabel: 22, drawGrid: true,
        ...(more.ticker ? {ticker: more.ticker} : {}),
        axisLabelFormatter: more.ticker ? undefined : v => axisNumber(v, 6)}},
      drawCallback: (g, first) => first || this.take(g),
      highlightCallback: (e, x, points) => { value.textContent = this.said(x, points, curves); },
      unhighlightCallback: () => { value.textContent = ''; },
      clickCallback: (e, x) => this.onPick(x / this.perTime)});
    const entry = {title, graph, now, head, small, plot, curves};
    if (more.legend !== false) curves.forEach((curve, j) => head.append(this.switchOf(entry, curve, j)));
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

  // Returns the values under the pointer.
  said(x, points, curves) {
    const finite = points.filter(p => Number.isFinite(p.yval));
    const numbers = finite.map(p => {
      const {name, read} = curves[+p.name.slice(1)];
      return `${name} ${short(read ? read(p.yval) : p.yval)}`;
    });
    return numbers.length > 6 ? '' : `at ${short(x, 6)} ${this.timeUnit}: ${numbers.join(', ')}`;
  }

  // A plot was zoomed or moved: updates all others.
  take(graph) {
    if (this.busy) return;
    const range = graph.xAxisRange().map(x => x / this.perTime);
    const change = Math.abs(range[0] - this.window[0]) + Math.abs(range[1] - this.window[1]);
    if (change < 1e-9 * (this.whole[1] - this.whole[0])) return;
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
      now.style.transform = `translateX(${x}px)`;
      now.style.height = area.h + 'px';
    }
  }
  recolour() {
    for (const {graph} of this.graphs) {
      graph.resize();
      graph.updateOptions({gridLineColor: ink('grid'), axisLineColor: ink('edge')});
    }
  }
}

function select(values) {
  return element('select', {}, ...values.map(value => element('option', {value}, value)));
}
