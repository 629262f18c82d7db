'use strict';
// Puts the page together and moves it.

const byId = id => document.getElementById(id);
const runs = readRuns();
const stops = [0, 1, 2, 3, 5, 7, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200];  // of the magnifier
const state = {t: 0, k: 1, playing: false, before: 0, frames: runs.map(() => 0)};
// What cannot be read is a run without anything, and said.
function readRuns() {
  try {
    return JSON.parse(byId('runs').textContent).map(decodeRun);
  } catch (error) {
    byId('notices').append(element('p', {}, `The data of this page cannot be read: ${error.message}`));
    const channel = {as: 'constant', value: 0};
    return [decodeRun({title: document.title, subtitle: '', steps: 0, frames: 0, stride: 1, statuses: {ok: 0, inexact: 0}, failure: null, bodies: [],
      shapes: [], contacts: [], curves: [], phases: [], figures: [], parameters: [], times: {bins: []}, t: channel, residual: channel, seconds: channel, status: channel})];
  }
}
let stages, plots, figures, phase, histograms;

// Play should show, whatever its size: about a twentieth of the mechanism.
function magnifierFor(stage) {
  const run = stage.run, plays = run.shapes.map(s => s.play).filter(p => p > 0);
  if (!run.moves || !plays.length) return 1;
  const box = stage.box(1), wanted = 0.04 * Math.hypot(box[2] - box[0], box[3] - box[1]) / Math.max(...plays);
  return stops.filter(k => k >= 1 && k <= wanted).pop() || 1;
}

function notices() {
  const say = words => byId('notices').append(element('p', {}, words));
  runs.forEach((run, r) => {
    const which = runs.length > 1 ? `${run.title}: ` : '';
    if (run.failure) {
      const f = run.failure;
      say(`${which}step ${grouped(f.step + 1)} failed at t = ${short(f.t, 6)} s with ${f.status}: ${f.cause}, index ${f.index}. ` +
        (f.step === 0 ? 'It was the first one: there is no motion to show.' : 'The run ends there.'));
    } else if (run.steps === 0) {
      say(`${which}this run has no steps: nothing was recorded.`);
    }
    if (run.bad > 0) say(`${which}${grouped(run.bad)} of ${grouped(run.frames)} frames hold numbers that are none (NaN or infinite); they are left out of the plots.`);
    if (run.frames > 0 && run.shapes.length === 0) say(`${which}this model does not say what it looks like: no picture (it needs shapes() and poses(), see picture.hpp).`);
  });
  if (typeof Dygraph === 'undefined') say('The plots are missing: dygraphs (Debian: libjs-dygraphs) was not installed where this page was written.');
}

function badges() {
  const failed = run => Object.entries(run.statuses).filter(([name]) => !['ok', 'inexact'].includes(name)).reduce((sum, [, n]) => sum + n, 0);
  const badge = (words, count, kind) => byId('badges').append(element('span', kind ? {class: kind} : {}, words + ' ', element('b', {}, grouped(count))));
  const run = runs[0];
  badge('steps', run.steps), badge('ok', run.statuses.ok, 'good');
  badge('inexact', run.statuses.inexact, run.statuses.inexact ? 'bad' : ''), badge('failed', failed(run), failed(run) ? 'bad' : '');
}

function duration(run) { return run.frames > 1 ? run.t[run.frames - 1] - run.t[0] : 0; }

function seek(t) {
  const [low, high] = plots.whole;
  state.t = Math.min(high, Math.max(low, t));
  state.frames = runs.map(run => frameAt(run, state.t));
  render();
}

function render() {
  for (const [r, stage] of stages.entries()) stage.shown = plots.window, stage.draw(state.frames[r], state.k);
  byId('scrub').value = state.frames[0];
  byId('clock').textContent = `${(state.t * plots.perTime).toFixed(3)} ${plots.timeUnit}`;
  byId('times').textContent = `${state.k}×`;
  plots.mark(state.t);
  figures.draw(state.frames, plots.window);
  phase.draw(state.frames, plots.window);
  readout();
}

// A number of a curve in a unit that stays while it changes.
function amount(curve, i) {
  curve.most = curve.most || largest(curve.data);
  const [f, unit] = unitFor(curve.most, curve.unit), value = curve.data[i] * f;
  const digits = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(curve.most * f || 1))));
  if (!unit && Number.isInteger(value)) return [element('b', {}, String(value))];
  const tiny = curve.most * f < 1e-5, text = !Number.isFinite(value) ? 'NaN' : tiny ? short(value) : value.toFixed(digits).replace(/^-(0\.?0*)$/, '$1');
  return [element('b', {}, text), ' ' + unit];
}
function readout() {
  const run = runs[0], i = state.frames[0], out = byId('readout'), parts = [];
  if (!run.frames) return;
  for (const curve of run.curves.filter(c => c.panel === 'outputs' || c.panel === 'energy')) {
    parts.push(element('span', {}, curve.name + ' ', ...amount(curve, i)));
  }
  const inContact = run.contacts.filter(c => c.mode[i] & 1), dt = frameTime(run, i);
  const line = element('span', {}, 'in contact: ' + (inContact.length ? '' : 'none'));
  inContact.slice(0, 8).forEach((c, j) => {
    const b = element('b', {}, c.name);
    b.style.color = contactColour(run.contacts.indexOf(c));
    line.append(j ? ', ' : '', b, dt > 0 ? ` ${short(c.P_N[i] / dt, 3)} N` : '');
  });
  if (inContact.length > 8) line.append(` and ${inContact.length - 8} more`);
  if (run.contacts.length) parts.push(line);
  out.replaceChildren(...parts);
}

// Seconds of the run per second of the viewer. auto: what is shown takes 12 seconds.
function rate() {
  const chosen = +byId('rate').value;
  return chosen > 0 ? chosen : (plots.window[1] - plots.window[0]) / 12;
}
function fillRates() {
  const choice = byId('rate');
  choice.append(element('option', {value: '0'}, 'auto'));
  for (const slow of [1, 3, 10, 30, 100, 300, 1000, 10000]) choice.append(element('option', {value: 1 / slow}, `1:${slow}`));
  sayRate();
}
function sayRate() {
  const slow = 12 / (plots.window[1] - plots.window[0]);
  const words = slow < 1 ? `${short(1 / slow, 2)} times as fast` : `1:${slow < 10 ? short(slow, 2) : Math.round(slow)}`;
  byId('rate').options[0].textContent = Number.isFinite(slow) ? `auto (${words})` : 'auto';
}

function play(on) {
  state.playing = on && plots.whole[1] > plots.whole[0];
  byId('play').textContent = state.playing ? 'Pause' : 'Play';
  if (!state.playing) return;
  if (state.t >= plots.window[1] || state.t < plots.window[0]) seek(plots.window[0]);
  state.before = performance.now();
  requestAnimationFrame(tick);
}
function tick(now) {
  if (!state.playing) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches ? 250 : 0;  // ms between pictures
  if (now - state.before >= calm) {
    const t = state.t + Math.max(0, now - state.before) / 1000 * rate();
    state.before = now;
    seek(t > plots.window[1] ? plots.window[0] : t);
  }
  requestAnimationFrame(tick);
}

function setMagnifier(k) {
  state.k = k;
  byId('magnifier').value = stops.indexOf(k);
  render();
}
function zoom(factor) {
  const [a, b] = plots.window, half = (b - a) / 2 * factor, centre = state.t >= a && state.t <= b ? state.t : (a + b) / 2;
  const from = Math.max(plots.whole[0], Math.min(centre - half, plots.whole[1] - 2 * half));
  plots.show([from, from + 2 * half]);
}

const keys = {
  ' ': () => play(!state.playing),
  ArrowLeft: e => step(e.shiftKey ? -10 : -1), ArrowRight: e => step(e.shiftKey ? 10 : 1),
  Home: () => seek(plots.window[0]), End: () => seek(plots.window[1]),
  '+': () => magnify(1), '-': () => magnify(-1), i: () => zoom(0.5), o: () => zoom(2), a: () => plots.show([...plots.whole])
};
function step(by) {
  const i = Math.min(runs[0].frames - 1, Math.max(0, state.frames[0] + by));
  if (i >= 0) seek(runs[0].t[i]);
}
function magnify(by) {
  setMagnifier(stops[Math.min(stops.length - 1, Math.max(0, stops.indexOf(state.k) + by))]);
}

function listen() {
  byId('play').onclick = () => play(!state.playing);
  byId('scrub').max = Math.max(0, runs[0].frames - 1);
  byId('scrub').oninput = e => { play(false), seek(runs[0].t[+e.target.value]); };
  byId('magnifier').max = stops.length - 1;
  byId('magnifier').oninput = e => setMagnifier(stops[+e.target.value]);
  addEventListener('keydown', e => {
    const busy = /^(INPUT|SELECT|BUTTON)$/.test(e.target.tagName) && (e.key === ' ' || /^Arrow|Home|End/.test(e.key));
    if (e.ctrlKey || e.metaKey || e.altKey || busy || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key](e);
  });
  addEventListener('resize', render);
  for (const media of ['(prefers-color-scheme: dark)', 'print']) matchMedia(media).addEventListener('change', recolour);
}
function recolour() {
  readColours();
  for (const drawn of [plots, figures, phase, ...histograms]) drawn.recolour();
  render();
}

function begin() {
  readColours();
  byId('title').textContent = document.title = runs[0].title;
  byId('subtitle').textContent = runs[0].subtitle;
  notices(), badges();
  stages = runs.filter(r => r.shapes.length).map(run => {
    const figure = element('figure', {}, ...(runs.length > 1 ? [element('figcaption', {}, run.title + (run.subtitle ? ', ' + run.subtitle : ''))] : []));
    byId('stages').append(figure);
    const stage = new Stage(run, figure);
    stage.changed = () => render();
    return stage;
  });
  if (!stages.length) byId('stages').hidden = true;
  if (!runs.some(r => r.moves)) document.querySelectorAll('.magnifier').forEach(e => { e.hidden = true; });
  plots = new Plots(runs, byId('plots'), () => { sayRate(), render(); }, t => { play(false), seek(t); });
  figures = new Figures(runs, byId('figures'));
  phase = new Phase(runs, byId('side'));
  const which = run => runs.length > 1 ? `${run.title} ` : '';
  histograms = runs.map(run => new Histogram(run, byId('side'), which(run) && which(run) + '· '));
  for (const run of runs) byId('side').append(stepTable(run, which(run)), parameterTable(run, which(run)));
  byId('footer').append(element('p', {class: 'keys'}, element('kbd', {}, 'space'), ' play  ', element('kbd', {}, '←'), ' ', element('kbd', {}, '→'), ' frame  ',
    element('kbd', {}, '+'), ' ', element('kbd', {}, '−'), ' gaps  ', element('kbd', {}, 'i'), ' ', element('kbd', {}, 'o'), ' ', element('kbd', {}, 'a'),
    ' time closer, wider, all · drag in a plot to zoom, click to go there · drag moves the mechanism, ctrl and wheel make it larger, double click fits it'));
  fillRates(), listen();
  state.t = plots.whole[0];
  state.k = stages.length ? magnifierFor(stages[0]) : 1;
  byId('magnifier').value = stops.indexOf(state.k);
  const asked = new URLSearchParams(location.hash.slice(1));  // #t=0.01&k=20&from=0&to=0.05
  if (stops.includes(+asked.get('k')) && asked.has('k')) state.k = +asked.get('k');
  if (asked.has('from') && asked.has('to')) plots.show([+asked.get('from'), +asked.get('to')]);
  byId('magnifier').value = stops.indexOf(state.k);
  seek(asked.has('t') ? +asked.get('t') : plots.whole[0]);
  document.documentElement.dataset.readyMs = Math.round(performance.now());
}
begin();
