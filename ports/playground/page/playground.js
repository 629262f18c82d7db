'use strict';
// Assembles the page, runs the machine in step with the screen, and keeps the settings in the address.

const byId = id => document.getElementById(id);
const data = JSON.parse(byId('data').textContent);
const variables = data.variables, run = data.run;
const stops = [0, 1, 2, 3, 5, 7, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200];  // of the magnifier
const scales = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 3000, 10000];  // slow motion
const windowSeconds = 12;  // of the screen, that the plots show
const samples = 8;  // frames per picture
const budget = 12;  // ms of computation per picture
const preview = {frames: 250, steps: 80};  // a run at the start, for the size of the picture and the forces
const state = {playing: false, before: 0, owed: 0, k: 1, slow: 1, dt: data.dt, plotted: 0, speed: 0, behind: false, request: 0};
let machine, recent, stage, strips;
const knobs = new Map();  // by name
const defaults = {};
const bases = new Map();  // numbers of the picture that depend on variables

function notice(words) { byId('notices').replaceChildren(...(words ? [element('p', {}, words)] : [])); }

function record() { recent.add(machine.frame(), machine.get(state.plotted)); }

// Runs the machine for the constructor of the picture, and returns to the start.
function makePreview() {
  record();
  for (let n = 0; n < preview.frames; ++n) {
    if (machine.advance(preview.steps, data.dt)) break;
    record();
  }
  if (run.shapes.length) {
    const figure = element('figure');
    byId('stages').append(figure);
    stage = new LiveStage(run, figure);
    stage.changed = () => render();
    stage.preview = copyOf(run);
  }
  state.slow = defaults.slow = slowMotion();
  state.k = defaults.k = stage ? magnifierOf(stage, stops) : 1;
  machine.reset();
  recent.clear();
  record();
}
// Returns the time scale at which the fastest body takes about two seconds across the picture or for a turn.
function slowMotion() {
  const last = run.frames - 1, span = run.t[last] - run.t[0];
  if (!(span > 0)) return 1;
  const box = stage ? stage.box(1) : [0, 0, 1, 1], size = Math.hypot(box[2] - box[0], box[3] - box[1]);
  let fastest = 0;
  for (const {nominal: [x, y, phi]} of run.bodies) {
    let way = 0, turned = 0;
    for (let i = 1; i <= last; ++i) {
      way += Math.hypot(x[i] - x[i - 1], y[i] - y[i - 1]) / size;
      turned += Math.abs(Math.sin((phi[i] - phi[i - 1]) / 2)) / Math.PI;
    }
    fastest = Math.max(fastest, way / span, turned / span);
  }
  return scales.findLast(slow => slow <= Math.max(1, 2 * fastest)) || 1;
}
// Sets the numbers of the picture that depend on variables: their defaults plus rate times change, in one sum, since a
// difference of huge values would not return to the default.
function follow() {
  for (const [variable, list, item, key, place, rate] of data.rates) {
    const target = run[list][item], [object, name] = key === 'at' ?
      [list === 'shapes' ? target.at[place >> 2] : target.at, list === 'shapes' ? place & 3 : place] :
      key === 'numbers' ? [target.numbers, place] : [target, key];
    const id = [list, item, key, place].join();
    if (!bases.has(id)) bases.set(id, {object, name, base: object[name] || 0, change: 0});
    bases.get(id).change += rate * (machine.get(variable) - variables[variable].start);
  }
  for (const number of bases.values()) {
    number.object[number.name] = number.base + number.change;
    number.change = 0;
  }
  if (stage && bases.size) stage.boxes.clear();
}
function apply(i, value) {
  const reason = machine.set(i, value);
  if (!reason && data.rates.some(([variable]) => variable === i)) follow();
  return reason;
}

function makeKnobs() {
  const place = byId('knobs'), more = element('details', {}, element('summary', {}, 'all parameters'));
  place.append(element('h2', {}, 'Settings'));
  const changed = () => {
    notice('');
    remember();
    render();
  };
  const add = (to, knob) => {
    knobs.set(knob.name, knob);
    to.append(knob.place);
  };
  variables.forEach((v, i) => {
    if (v.kind !== 'input' && v.kind !== 'parameter') return;
    defaults[v.name] = v.start;
    add(isMain(v) ? place : more, new Knob({...v, scale: sliderScale(v), apply: value => apply(i, value),
      now: () => machine.get(i), changed}));
  });
  defaults.dt = data.dt;
  const takeDt = value => Number.isFinite(value) ? (state.dt = value, null) : 'the value is NaN or infinite';
  add(place, new Knob({name: 'dt', unit: 's', meaning: 'step size', scale: sliderScale({min: null, max: null, start: data.dt}),
    apply: takeDt, now: () => state.dt, changed}));
  place.append(more);
  more.hidden = more.children.length < 2;
}

// Writes the settings that differ from their defaults into the address, once per 250 ms: browsers limit such changes.
let timer = 0;
function remember() { timer = timer || setTimeout(writeAddress, 250); }
function writeAddress() {
  clearTimeout(timer);
  timer = 0;
  const words = [];
  for (const [name, knob] of knobs) if (knob.now() !== defaults[name]) words.push(`${name}=${+knob.now().toPrecision(8)}`);
  for (const name of ['k', 'slow']) if (state[name] !== defaults[name]) words.push(`${name}=${state[name]}`);
  if (state.plotted !== defaults.plotted) words.push(`plot=${variables[state.plotted].name}`);
  try {
    window.history.replaceState(null, '', '#' + words.join('&'));
  } catch { /* a page without an address of its own */ }
}
// Applies the settings of the address. Unknown names and rejected values give a notice.
function recall() {
  const wrong = [];
  for (const [name, text] of new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B'))) {
    const value = text.trim() === '' ? NaN : +text;
    if (name === 'k' && value >= 0 && value <= stops.at(-1)) state.k = stops.findLast(k => k <= value);
    else if (name === 'slow' && value >= 1) state.slow = scales.findLast(slow => slow <= value);
    else if (name === 'plot' && variables.some(v => v.name === text)) choose(variables.findIndex(v => v.name === text));
    else if (!knobs.has(name) || !knobs.get(name).take(value)) wrong.push(`${name} = ${text}`);
  }
  if (wrong.length) notice(`Not applied, from the address of the page: ${wrong.join(', ').slice(0, 300)}`);
}

function choose(index) {
  state.plotted = index;
  strips.choose(index);
  recent.extra.fill(NaN);
}
function restart() {
  const reason = machine.restart();
  notice(reason ? `Restart rejected: ${reason}. Change the settings or reset them.` : '');
  recent.clear();
  record();
  render();
}
function reset() {
  machine.reset();
  follow();
  state.dt = data.dt;
  for (const knob of knobs.values()) {
    knob.says.textContent = '';
    knob.show();
  }
  setMagnifier(defaults.k);
  setRate(defaults.slow);
  notice('');
  recent.clear();
  record();
  remember();
  render();
}

// Performs steps for the given seconds of the screen. Ends early if they take longer than the budget.
function advance(seconds) {
  state.owed += seconds / state.slow / state.dt;
  let due = Math.floor(state.owed);
  if (!(due >= 1)) return;
  const part = Math.ceil(due / samples), begin = performance.now(), wanted = due;
  while (due > 0 && performance.now() - begin < budget) {
    const n = Math.min(part, due, 2000);
    due -= n;
    if (!take(n)) return;
  }
  state.behind = due > 0;
  state.owed = due > 0 ? 0 : state.owed - wanted;
  const cost = (performance.now() - begin) / (wanted - due);
  state.cost = state.cost ? 0.95 * state.cost + 0.05 * cost : cost;  // ms per step
}
// Performs n steps and records them; pauses with a notice if one does not advance.
function take(n) {
  let reason;
  try {
    reason = machine.advance(n, state.dt);
  } catch (error) {  // a trap of the module
    machine.begin();
    reset();
    reason = `The module ended with "${error.message}" and was started anew.`;
  }
  record();
  if (!reason) return true;
  play(false);
  notice(`Paused. ${reason}`);
  return false;
}

function play(on) {
  if (on && !state.playing) notice('');
  state.playing = on;
  byId('play').textContent = on ? 'Pause' : 'Run';
  state.before = performance.now();
  state.owed = 0;
  cancelAnimationFrame(state.request);  // of the time before a pause within one picture
  if (on) state.request = requestAnimationFrame(tick);
}
function tick(now) {
  if (!state.playing) return;
  const seconds = Math.min(0.1, Math.max(0, now - state.before) / 1000);
  state.before = now;
  advance(seconds);
  render();
  if (state.playing) state.request = requestAnimationFrame(tick);
}
function step() {
  play(false);
  notice('');
  take(1);
  render();
}

function render() {
  if (!run.frames) return;
  const last = run.frames - 1, span = windowSeconds / state.slow;
  if (stage) {
    stage.shown = [run.t[last] - span, run.t[last]];  // the time that a star is visible
    stage.draw(last, state.k);
  }
  strips.draw(span, state.playing);
  const [factor, unit] = unitFor(Math.max(span, 1e-6), 's');
  byId('clock').textContent = `${(run.t[last] * factor).toFixed(unit === 's' ? 3 : 2)} ${unit}`;
  byId('times').textContent = `${state.k}×`;
  badges();
}
function badges() {
  const badge = (words, value, kind) => element('span', kind ? {class: kind} : {}, words + ' ', element('b', {}, value));
  const inexact = machine.calls.inexact(), status = data.statuses[machine.calls.status()][0];
  const all = [badge('steps', grouped(machine.steps)), badge('status', status, status === 'ok' ? 'good' : 'bad'),
    badge('inexact', grouped(inexact), inexact ? 'bad' : '')];
  if (state.cost > 0) all.push(badge('steps per second', grouped(Math.round(1e3 / state.cost / 1e3) * 1e3)));
  if (state.behind) all.push(badge('slower than', `1:${state.slow}`, 'bad'));
  byId('badges').replaceChildren(...all);
}

function setMagnifier(k) {
  state.k = k;
  byId('magnifier').value = stops.indexOf(k);
}
function setRate(slow) {
  state.slow = slow;
  byId('rate').value = slow;
}
function next(list, value, by) { return list[Math.min(list.length - 1, Math.max(0, list.indexOf(value) + by))]; }

const keys = {
  ' ': () => play(!state.playing), s: step, r: restart, 0: reset, l: copyLink,
  '+': () => setMagnifier(next(stops, state.k, 1)), '-': () => setMagnifier(next(stops, state.k, -1)),
  '<': () => setRate(next(scales, state.slow, 1)), '>': () => setRate(next(scales, state.slow, -1))
};
function copyLink() {
  writeAddress();
  const done = () => { byId('link').textContent = 'Copied'; };
  if (navigator.clipboard) navigator.clipboard.writeText(location.href).then(done, () => notice(location.href));
  else notice(location.href);
}
function listen() {
  for (const slow of scales) byId('rate').append(element('option', {value: slow}, `1:${slow}`));
  byId('magnifier').max = stops.length - 1;
  const then = f => event => {
    f(event);
    remember();
    render();
  };
  byId('play').onclick = keys[' '];
  byId('step').onclick = step;
  byId('restart').onclick = restart;
  byId('reset').onclick = reset;
  byId('link').onclick = copyLink;
  byId('rate').onchange = then(event => setRate(+event.target.value));
  byId('magnifier').oninput = then(event => setMagnifier(stops[+event.target.value]));
  addEventListener('keydown', event => {
    const isControl = /^(INPUT|SELECT|BUTTON|SUMMARY)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey || isControl || !keys[event.key]) return;
    event.preventDefault();
    then(keys[event.key])(event);
  });
  addEventListener('resize', render);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    readColours();
    render();
  });
}

function footer() {
  const key = name => element('kbd', {}, name);
  byId('footer').append(element('p', {class: 'keys'}, key('space'), ' run, pause  ', key('s'), ' one step  ', key('r'),
    ' restart  ', key('0'), ' reset  ', key('+'), ' ', key('−'), ' magnify gaps  ', key('<'), ' ', key('>'),
    ' slower, faster  ', key('l'), ' copy link'), element('p', {}, `moreau ${run.version}, WebAssembly, ${run.real}`));
}

async function begin() {
  readColours();
  byId('title').textContent = run.title;
  const moves = run.bodies.some(body => body.deviation.length > 0);
  decodeRun(run);
  recent = new Frames(run);
  run.moves = moves;
  machine = await Machine.of(bytesOf(byId('module').textContent.trim()), data);
  makePreview();
  const outputs = variables.map((v, i) => [v.name, v.unit, i, v]).filter(([, , , v]) => v.kind === 'output');
  strips = new Strips(recent, byId('plots'), outputs, index => {
    choose(index);
    remember();
    render();
  });
  defaults.plotted = (outputs.find(([, unit]) => /\/s$/.test(unit)) || outputs[0])[2];
  choose(defaults.plotted);
  makeKnobs();
  listen();
  footer();
  if (!stage) byId('stages').hidden = true;
  if (!run.moves) document.querySelectorAll('.magnifier').forEach(e => { e.hidden = true; });
  if (location.hash !== '#check') recall();
  setMagnifier(state.k);
  setRate(state.slow);
  recent.clear();
  record();
  render();
  document.documentElement.dataset.readyMs = Math.round(performance.now());
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches && !byId('notices').textContent) play(true);
}
const ready = begin();
