'use strict';
// A run as the recorder's page data has it, its columns decoded: see channel.hpp for the codings.

function bytesOf(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

function decodeChannel(c, n) {
  if (c.as === 'constant') return new Float64Array(n).fill(c.value === null ? NaN : c.value);
  if (c.as === 'even') {
    const t = Float64Array.from({length: n}, (_, i) => c.from + i * c.step);
    if (n > 0) t[n - 1] = c.last;
    return t;
  }
  const bytes = bytesOf(c.data), {buffer} = bytes;
  if (c.as === 'exact') return new Float32Array(buffer);
  if (c.as === 'double') return new Float64Array(buffer);
  if (c.as === 'flags') return new Uint8Array(buffer);
  if (c.as === 'fine') return ofLevels(c, Uint32Array.from({length: n}, (_, i) => bytes[3 * i] | bytes[3 * i + 1] << 8 | bytes[3 * i + 2] << 16), 2 ** 24 - 1);
  const levels = new Uint16Array(buffer);
  if (c.as === 'decade') return new Float32Array(Uint32Array.from(levels, b => b << 16).buffer);
  return ofLevels(c, levels, 2 ** 16 - 1);
}
function ofLevels(c, levels, none) {
  const step = (c.to - c.from) / (none - 1);
  return Float64Array.from(levels, l => l === none ? NaN : c.from + l * step);
}

function decodeRun(run) {
  const n = run.frames, decoded = c => decodeChannel(c, n);
  run.t = decoded(run.t);
  for (const body of run.bodies) {
    body.nominal = body.nominal.map(decoded);
    body.deviation = body.deviation.length ? body.deviation.map(decoded) : body.nominal.map(() => new Uint8Array(n));
  }
  for (const c of run.contacts) {
    c.gap = decoded(c.gap), c.P_N = decoded(c.P_N), c.P_T = c.P_T.map(decoded), c.mode = decoded(c.mode);
    c.began = contactBegins(c.mode);
  }
  for (const curve of run.curves) curve.data = decoded(curve.data);
  run.residual = decoded(run.residual), run.seconds = decoded(run.seconds), run.status = decoded(run.status);
  run.bad = framesWithNaN(run);
  run.moves = run.bodies.some(b => b.deviation.some(column => column.some(v => v !== 0)));
  return run;
}

// For every frame the last one, up to it, in which the contact closed; -1: none yet.
function contactBegins(mode) {
  const began = new Int32Array(mode.length);
  let last = -1;
  for (let i = 0; i < mode.length; ++i) {
    if (mode[i] & 1 && !(i > 0 && mode[i - 1] & 1)) last = i;
    began[i] = last;
  }
  return began;
}

function framesWithNaN(run) {
  const bad = new Uint8Array(run.frames);
  const columns = [...run.bodies.flatMap(b => [...b.nominal, ...b.deviation]), ...run.contacts.flatMap(c => [c.gap, c.P_N, ...c.P_T]),
    ...run.curves.map(c => c.data), run.t];
  for (const column of columns) for (let i = 0; i < column.length; ++i) if (!Number.isFinite(column[i])) bad[i] = 1;
  return bad.reduce((sum, b) => sum + b, 0);
}

// The last frame at or before t.
function frameAt(run, t) {
  let low = 0, high = run.frames - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (run.t[middle] <= t) low = middle; else high = middle - 1;
  }
  return Math.max(0, low);
}

// How long the frame is: what a percussion is divided by.
function frameTime(run, i) {
  return i > 0 ? run.t[i] - run.t[i - 1] : run.frames > 1 ? run.t[1] - run.t[0] : 0;
}

// A factor and a unit that make `most` a number between 1 and 1000.
const prefixed = {m: 1, s: 1, N: 1, 'N s': 1, 'N m': 1, J: 1, 'm/s': 1};
function unitFor(most, unit) {
  if (!prefixed[unit] || !(most > 0) || !Number.isFinite(most)) return [1, unit];
  for (const [factor, prefix] of [[1, ''], [1e3, 'm'], [1e6, 'µ'], [1e9, 'n']])
    if (most * factor >= 1 || prefix === 'n') return [factor, prefix + unit];
}

function largest(column) {
  let most = 0;
  for (const v of column) if (Number.isFinite(v) && Math.abs(v) > most) most = Math.abs(v);
  return most;
}

function short(x, digits = 4) {
  if (!Number.isFinite(x)) return 'NaN';
  const text = x.toPrecision(digits);
  return /e/.test(text) ? text.replace(/\.?0*e\+?/, 'e') : text;
}

function grouped(n) {
  return String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

// An element with texts and elements in it; texts never become markup.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
