'use strict';
// Receives the events of a running program and draws its last frames. The page keeps no connection of its own making:
// the browser reconnects, and the events that are missing then appear as a gap.

const byId = id => document.getElementById(id);
const run = JSON.parse(byId('run').textContent);
const stops = [0, 1, 2, 3, 5, 7, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200];  // of the magnifier
const windows = [0.03, 0.1, 0.3, 1, 3, 10];  // s of the machine, that the plots show
const quiet = 1500;  // ms without an event after which the page reports it
const rebuilds = [16, 64, 256, 1024];  // frames after which the picture is fitted anew
const state = {k: 1, window: 1, plotted: 0, paused: false, event: -1, program: null, restart: 0, next: 0, oldest: 0,
  lost: 0, skipped: 0, gaps: 0, at: 0, rate: 0, mark: null, recording: null, failure: null, chosen: false};
let recent, stage, strips, figure, stream, dirty = true;

function notice(words) { byId('notices').replaceChildren(...(words ? [element('p', {}, words)] : [])); }

// Returns frame i of an event as one array of numbers, in the order of Frames.add.
function frameOf(part, i) {
  const poses = key => part.bodies.flatMap(body => body[key].map(column => column[i]));
  return [part.t[i], ...poses('nominal'), ...poses('deviation'),
    ...part.contacts.flatMap(contact => [contact.gap[i], contact.P_N[i], contact.mode[i], ...contact.P_T.map(column => column[i])])];
}
// Adds an interruption to the plots: a frame without numbers.
function addGap(t) {
  ++state.gaps;
  if (run.frames) recent.add([t, ...Array(frameSize() - 1).fill(NaN)], NaN);
}
function frameSize() {
  return 1 + run.bodies.reduce((sum, body) => sum + 2 * body.nominal.length, 0) + run.contacts.reduce((sum, contact) => sum + 3 + contact.P_T.length, 0);
}

function take({data: text, lastEventId}) {
  const event = JSON.parse(text), number = +lastEventId, now = performance.now();
  if (state.program !== null && state.program !== event.program) return location.reload();  // another program
  const before = state.event < 0 ? 0 : number - state.event - 1;
  state.program = event.program;
  state.event = number;
  state.lost = event.lost_in_all;
  state.oldest = event.oldest;
  if (event.restart > state.restart) recent.clear();
  state.restart = event.restart;
  state.at = now;
  if (!state.mark || now - state.mark.at >= 1000) {
    if (state.mark) state.rate = (event.next - state.mark.next) / (now - state.mark.at) * 1000;
    state.mark = {at: now, next: event.next};
  }
  state.next = event.next;
  const part = decodeRun(event.run);
  state.failure = part.failure || state.failure;
  if (before > 0) state.skipped += before;
  if (state.paused || !part.frames) return;
  if (event.lost > 0 || before > 0) addGap(part.t[0]);
  const curve = part.curves[state.plotted];
  for (let i = 0; i < part.frames; ++i) recent.add(frameOf(part, i), curve ? curve.data[i] : NaN);
  if (rebuilds.some(n => run.frames >= n && run.frames - part.frames < n)) fit();
  dirty = true;
}

// Constructs the picture from the frames so far: its size, the length of guides, and the scale of forces.
function fit() {
  if (!run.shapes.length) return;
  const {pan, zoom, azimuth, elevation, perspective} = stage || {};
  figure.replaceChildren();
  stage = new (run.space ? liveStage(SpaceStage) : LiveStage)(run, figure);
  if (pan) Object.assign(stage, {pan, zoom}, run.space ? {azimuth, elevation, perspective} : {});
  stage.changed = () => { dirty = true; };
  stage.preview = copyOf(run);
  if (!state.chosen) setMagnifier(magnifierOf(stage, stops));
}

function render() {
  requestAnimationFrame(render);
  badges();
  if (!dirty || !run.frames) return;
  dirty = false;
  const last = run.frames - 1, span = state.window;
  if (stage) {
    stage.shown = [run.t[last] - Math.min(span, 0.3), run.t[last]];  // the time that a star is visible
    stage.draw(last, state.k);
  }
  strips.draw(span);
  byId('clock').textContent = `${run.t[last].toFixed(3)} s`;
  byId('times').textContent = `${state.k}×`;
}

// Returns the words on the connection, and whether it is good.
function connection() {
  const silent = performance.now() - state.at;
  if (stream.readyState === EventSource.CLOSED) return ['no connection', false];
  if (stream.readyState === EventSource.CONNECTING) return ['reconnecting', false];
  if (state.at === 0) return ['waiting', false];
  return silent > quiet ? [`no data for ${(silent / 1000).toFixed(0)} s`, false] : [state.paused ? 'paused' : 'live', true];
}
let shown = '';
function badges() {
  const [words, good] = connection(), {failure} = state;
  const counts = [['stream', words, good ? 'good' : 'bad'], ['samples', grouped(state.next), ''],
    ['samples lost', grouped(state.lost), state.lost ? 'bad' : '']];
  if (state.skipped) counts.push(['events missed here', grouped(state.skipped), 'bad']);
  const now = counts.join() + Math.round(state.rate) + failure;
  if (now === shown) return;
  shown = now;
  byId('badges').replaceChildren(...counts.map(([name, value, kind]) =>
    element('span', kind ? {class: kind} : {}, name + ' ', element('b', {}, value))));
  if (failure) notice(`A step did not advance: ${failure.status}, cause ${failure.cause}, index ${failure.index}, after t = ${short(failure.t, 6)} s.`);
  byId('side').replaceChildren(panel('Stream', '', table([
    ['samples per second', grouped(Math.round(state.rate))], ['samples lost', grouped(state.lost)],
    ['events missed by this browser', grouped(state.skipped)], ['gaps in the plots', grouped(state.gaps)],
    ['samples that can be saved', grouped(state.next - state.oldest)]])));
}

// Starts a record, or ends it and offers it for download.
function record() {
  const begin = state.recording;
  state.recording = begin === null ? state.next : null;
  byId('record').textContent = begin === null ? 'Stop recording' : 'Record';
  byId('record').setAttribute('aria-pressed', String(begin === null));
  if (begin === null) return byId('saved').replaceChildren();
  const link = format => element('a', {href: `/record.${format}?from=${begin}&to=${state.next}`, download: `record.${format}`},
    format === 'html' ? 'report page' : format.toUpperCase());
  const missing = begin < state.oldest ? ` without the first ${grouped(state.oldest - begin)}` : '';
  byId('saved').replaceChildren(`${grouped(state.next - begin)} samples${missing}: `, link('csv'), ', ', link('mcap'), ', ', link('html'));
}

function pause(on) {
  state.paused = on;
  byId('play').textContent = on ? 'Continue' : 'Pause';
  if (!on && run.frames) addGap(run.t[run.frames - 1]);
}
function setMagnifier(k) {
  state.k = k;
  byId('magnifier').value = stops.indexOf(k);
  dirty = true;
}
function setWindow(span) {
  state.window = span;
  byId('window').value = span;
  dirty = true;
}
function next(list, value, by) { return list[Math.min(list.length - 1, Math.max(0, list.indexOf(value) + by))]; }
function choose(index) {
  state.plotted = index;
  strips.choose(index);
  recent.extra.fill(NaN);
  dirty = true;
}
function magnify(k) {
  state.chosen = true;
  setMagnifier(k);
}

const keys = {
  ' ': () => pause(!state.paused), r: record,
  '+': () => magnify(next(stops, state.k, 1)), '-': () => magnify(next(stops, state.k, -1)),
  '<': () => setWindow(next(windows, state.window, 1)), '>': () => setWindow(next(windows, state.window, -1))
};
function listen() {
  for (const span of windows) byId('window').append(element('option', {value: span}, `${span} s`));
  byId('magnifier').max = stops.length - 1;
  byId('play').onclick = keys[' '];
  byId('record').onclick = record;
  byId('window').onchange = event => setWindow(+event.target.value);
  byId('magnifier').oninput = event => magnify(stops[+event.target.value]);
  addEventListener('keydown', event => {
    const isControl = /^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey || isControl || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  addEventListener('resize', () => { dirty = true; });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    readColours();
    dirty = true;
  });
  const key = name => element('kbd', {}, name);
  byId('footer').append(element('p', {class: 'keys'}, key('space'), ' pause  ', key('r'), ' record  ', key('+'), ' ', key('−'),
    ' magnify gaps  ', key('<'), ' ', key('>'), ' longer, shorter window'), element('p', {}, `moreau ${run.version}, ${run.real}`));
}

function begin() {
  readColours();
  byId('title').textContent = run.title;
  byId('subtitle').textContent = run.subtitle;
  const moves = run.bodies.some(body => body.deviation.length > 0);
  decodeRun(run);
  recent = new Frames(run);
  run.moves = moves;
  figure = element('figure');
  byId('stages').append(figure);
  if (!run.shapes.length) byId('stages').hidden = true;
  if (!run.moves) document.querySelectorAll('.magnifier').forEach(e => { e.hidden = true; });
  const outputs = run.curves.map(({name, unit}, i) => [name, unit, i]);
  strips = new Strips(recent, byId('plots'), outputs, choose);
  const speed = run.curves.findIndex(({unit}) => /\/s$/.test(unit));
  choose(Math.max(0, speed));
  listen();
  setMagnifier(1);
  setWindow(state.window);
  stream = new EventSource('/events');
  stream.onmessage = take;
  requestAnimationFrame(render);
}
begin();
