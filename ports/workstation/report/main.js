'use strict';
// Assembles the page and animates it.

const byId = id => document.getElementById(id);
const runs = readRuns();
// Values of the magnifier.
const stops = [0, 1, 2, 3, 5, 7, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200];
const state = {t: 0, k: 1, playing: false, before: 0, frames: runs.map(() => 0)};

// Unreadable data give an empty run and a notice.
function readRuns() {
  try {
    return JSON.parse(byId('runs').textContent).map(decodeRun);
  } catch (error) {
    byId('notices').append(element('p', {}, `The data of this page cannot be read: ${error.message}`));
    const channel = {as: 'constant', value: 0};
    return [decodeRun({
      title: document.title, subtitle: '', steps: 0, frames: 0, stride: 1, statuses: {ok: 0, inexact: 0}, failure: null,
      reach: null, joints: null, flights: null, outside: null, bodies: [], shapes: [], contacts: [], curves: [], phases: [], figures: [], parameters: [], times: {bins: []},
      t: channel, residual: channel, seconds: channel, status: channel})];
  }
}
let stages, plots, figures, phase, histograms;

// Returns a magnifier that makes clearance visible: about a twentieth of the mechanism.
function magnifierFor(stage) {
  const run = stage.run, plays = run.shapes.map(shape => shape.play).filter(play => play > 0);
  if (!run.moves || !plays.length) return 1;
  const box = stage.box(1), wanted = 0.04 * Math.hypot(box[2] - box[0], box[3] - box[1]) / Math.max(...plays);
  return stops.filter(k => k >= 1 && k <= wanted).pop() || 1;
}

function notices() {
  const say = words => byId('notices').append(element('p', {}, words));
  for (const run of runs) {
    const which = runs.length > 1 ? `${run.title}: ` : '';
    if (run.failure) {
      const {step, t, status, cause, index} = run.failure;
      const what = `step ${grouped(step + 1)} failed at t = ${short(t, 6)} s with ${status}: ${cause}, index ${index}.`;
      const motion = step === 0 ? 'It was the first step: there is no motion to show.' : 'The run ends there.';
      say(`${which}${what} ${motion}`);
    } else if (run.steps === 0) {
      say(`${which}this run has no steps: nothing was recorded.`);
    }
    if (run.reach && !(run.reach.value <= run.reach.limit)) {
      const {value, contact, t, limit, recommended_dt} = run.reach;
      const [factor, unit] = unitFor(recommended_dt, 's');
      say(`${which}dt is too long for the play: at t = ${short(t, 4)} s, ${run.contacts[contact].name} moves by ` +
        `${short(value, 2)} plays within one step, and the limit is ${short(limit, 1)}. ` +
        `Use a dt of about ${short(recommended_dt * factor, 3)} ${unit}.`);
    }
    if (run.joints && !(run.joints.error <= run.joints.limit)) {
      const {name, error, limit, t} = run.joints;
      say(`${which}an ideal joint is open: at t = ${short(t, 4)} s, ${name}, the position error is ` +
        `${short(error, 2)} m or rad, and the limit of this step is ${short(limit, 2)}. ` +
        'A drive is beyond the reach of the linkage, its law jumps, or the start is not closed.');
    }
    if (run.flights && run.flights.share > run.flights.limit) {
      const {share, limit, short_steps} = run.flights;
      say(`${which}dt is too long for the impacts: ${short(100 * share, 2)} % of the impacts are at most ${short_steps} steps ` +
        `after the previous impact of their contact, and the limit is ${short(100 * limit, 2)} %. ` +
        'The declaration second_order does not reduce the error of this run.');
    }
    if (run.outside)
      say(`${which}a part has left its range, for example a slider its guide: at t = ${short(run.outside.t, 4)} s, ` +
        `${run.outside.name}.`);
    if (run.bad > 0)
      say(`${which}${grouped(run.bad)} of ${grouped(run.frames)} frames contain non-finite values; ` +
        'the plots omit these values.');
    if (run.frames > 0 && run.shapes.length === 0)
      say(`${which}no picture: the model does not define shapes() and poses() (see picture.hpp).`);
  }
  if (typeof Dygraph === 'undefined')
    say('No plots: dygraphs (Debian: libjs-dygraphs) was not installed when this page was written.');
}

function badges() {
  const run = runs[0];
  const others = Object.entries(run.statuses).filter(([name]) => !['ok', 'inexact'].includes(name));
  const failed = others.reduce((sum, [, count]) => sum + count, 0);
  const badge = (words, count, kind) =>
    byId('badges').append(element('span', kind ? {class: kind} : {}, words + ' ', element('b', {}, grouped(count))));
  badge('steps', run.steps);
  badge('ok', run.statuses.ok, 'good');
  badge('inexact', run.statuses.inexact, run.statuses.inexact ? 'bad' : '');
  badge('failed', failed, failed ? 'bad' : '');
}

function seek(t) {
  const [low, high] = plots.whole;
  state.t = Math.min(high, Math.max(low, t));
  state.frames = runs.map(run => frameAt(run, state.t));
  render();
}

function render() {
  stages.forEach((stage, r) => {
    stage.shown = plots.window;
    stage.draw(state.frames[r], state.k);
  });
  byId('scrub').value = state.frames[0];
  byId('clock').textContent = `${(state.t * plots.perTime).toFixed(3)} ${plots.timeUnit}`;
  byId('times').textContent = `${state.k}×`;
  plots.mark(state.t);
  figures.draw(state.frames, plots.window);
  phase.draw(state.frames, plots.window);
  readout();
}

// Returns the value of a curve in a unit that stays the same over the run.
function amount(curve, i) {
  curve.most = curve.most || largest(curve.data);
  const [factor, unit] = unitFor(curve.most, curve.unit), value = curve.data[i] * factor, most = curve.most * factor;
  if (!unit && Number.isInteger(value)) return [element('b', {}, String(value))];
  const digits = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(most || 1))));
  const fixed = () => value.toFixed(digits).replace(/^-(0\.?0*)$/, '$1');
  const text = !Number.isFinite(value) ? 'NaN' : most < 1e-5 ? short(value) : fixed();
  return [element('b', {}, text), ' ' + unit];
}
function readout() {
  const run = runs[0], i = state.frames[0], parts = [];
  if (!run.frames) return;
  for (const curve of run.curves.filter(({panel}) => panel === 'outputs' || panel === 'energy'))
    parts.push(element('span', {}, curve.name + ' ', ...amount(curve, i)));
  const closed = run.contacts.filter(contact => contact.mode[i] & 1), dt = frameTime(run, i);
  const line = element('span', {}, 'closed contacts: ' + (closed.length ? '' : 'none'));
  closed.slice(0, 8).forEach((contact, j) => {
    const name = element('b', {}, contact.name);
    name.style.color = contactColour(run.contacts.indexOf(contact));
    line.append(j ? ', ' : '', name, dt > 0 ? ` ${short(contact.P_N[i] / dt, 3)} N` : '');
  });
  if (closed.length > 8) line.append(` and ${closed.length - 8} more`);
  if (run.contacts.length) parts.push(line);
  byId('readout').replaceChildren(...parts);
}

// Returns the seconds of the run per second of animation. auto: the visible window takes 12 seconds.
function rate() {
  const chosen = +byId('rate').value;
  return chosen > 0 ? chosen : (plots.window[1] - plots.window[0]) / 12;
}
function fillRates() {
  const choice = byId('rate');
  choice.append(element('option', {value: '0'}, 'auto'));
  for (const slow of [1, 3, 10, 30, 100, 300, 1000, 10000])
    choice.append(element('option', {value: 1 / slow}, `1:${slow}`));
  sayRate();
}
function sayRate() {
  const slow = 12 / (plots.window[1] - plots.window[0]);
  const words = slow < 1 ? `${short(1 / slow, 2)}:1` : `1:${slow < 10 ? short(slow, 2) : Math.round(slow)}`;
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
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches ? 250 : 0;  // ms between frames
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
  const [a, b] = plots.window, half = (b - a) / 2 * factor;
  const centre = state.t >= a && state.t <= b ? state.t : (a + b) / 2;
  const from = Math.max(plots.whole[0], Math.min(centre - half, plots.whole[1] - 2 * half));
  plots.show([from, from + 2 * half]);
}

const keys = {
  ' ': () => play(!state.playing),
  ArrowLeft: event => step(event.shiftKey ? -10 : -1), ArrowRight: event => step(event.shiftKey ? 10 : 1),
  Home: () => seek(plots.window[0]), End: () => seek(plots.window[1]),
  '+': () => magnify(1), '-': () => magnify(-1), i: () => zoom(0.5), o: () => zoom(2),
  a: () => plots.show([...plots.whole]),
  1: () => look('oblique'), 2: () => look('front'), 3: () => look('side'), 4: () => look('top'),
  p: () => spatial().forEach(stage => { stage.perspective = !stage.perspective; })
};
const spatial = () => stages.filter(stage => stage.run.space);
function look(view) { spatial().forEach(stage => stage.see(view)); }
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
  byId('scrub').oninput = event => {
    play(false);
    seek(runs[0].t[+event.target.value]);
  };
  byId('magnifier').max = stops.length - 1;
  byId('magnifier').oninput = event => setMagnifier(stops[+event.target.value]);
  addEventListener('keydown', event => {
    const isControl = /^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName);
    const busy = isControl && (event.key === ' ' || /^Arrow|Home|End/.test(event.key));
    if (event.ctrlKey || event.metaKey || event.altKey || busy || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key](event);
    if (/^[1-4p]$/.test(event.key)) render();
  });
  addEventListener('resize', render);
  for (const media of ['(prefers-color-scheme: dark)', 'print'])
    matchMedia(media).addEventListener('change', recolour);
}
function recolour() {
  readColours();
  for (const drawn of [plots, figures, phase, ...histograms]) drawn.recolour();
  render();
}

function makeStage(run) {
  const caption = run.title + (run.subtitle ? ', ' + run.subtitle : '');
  const figure = element('figure', {}, ...(runs.length > 1 ? [element('figcaption', {}, caption)] : []));
  byId('stages').append(figure);
  const stage = new (run.space ? SpaceStage : Stage)(run, figure);
  stage.changed = () => render();
  return stage;
}

function keyHelp() {
  const key = name => element('kbd', {}, name);
  return element('p', {class: 'keys'}, key('space'), ' play  ', key('←'), ' ', key('→'), ' frame  ',
    key('+'), ' ', key('−'), ' magnify gaps  ', key('i'), ' ', key('o'), ' ', key('a'), ' time: zoom in, out, all',
    ' · plots: drag to zoom, click to set the time',
    ' · mechanism: ', ...(spatial().length ? ['drag or ', key('←'), ' ', key('↑'), ' to turn, shift + drag'] : ['drag']),
    ' to move, ctrl + wheel to zoom, double click to fit',
    ...(spatial().length ? [' · ', key('1'), ' … ', key('4'), ' views, ', key('p'), ' perspective'] : []));
}

function begin() {
  readColours();
  byId('title').textContent = document.title = runs[0].title;
  byId('subtitle').textContent = runs[0].subtitle;
  notices();
  badges();
  stages = runs.filter(run => run.shapes.length).map(makeStage);
  if (!stages.length) byId('stages').hidden = true;
  if (!runs.some(run => run.moves)) document.querySelectorAll('.magnifier').forEach(e => { e.hidden = true; });
  const onWindow = () => {
    sayRate();
    render();
  };
  const onPick = t => {
    play(false);
    seek(t);
  };
  plots = new Plots(runs, byId('plots'), onWindow, onPick);
  figures = new Figures(runs, byId('figures'));
  phase = new Phase(runs, byId('side'));
  const which = run => runs.length > 1 ? `${run.title} ` : '';
  histograms = runs.map(run => new Histogram(run, byId('side'), which(run) && which(run) + '· '));
  for (const run of runs) byId('side').append(stepTable(run, which(run)), parameterTable(run, which(run)));
  byId('footer').append(keyHelp());
  fillRates();
  listen();
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
