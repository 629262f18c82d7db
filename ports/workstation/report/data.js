'use strict';
// Decoded data of a run. Codings: see channel.hpp.

function bytesOf(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

function decodeChannel(channel, frames) {
  if (channel.as === 'constant') return new Float64Array(frames).fill(channel.value === null ? NaN : channel.value);
  if (channel.as === 'even') {
    const t = Float64Array.from({length: frames}, (_, i) => channel.from + i * channel.step);
    if (frames > 0) t[frames - 1] = channel.last;
    return t;
  }
  const bytes = bytesOf(channel.data), {buffer} = bytes;
  if (channel.as === 'exact') return new Float32Array(buffer);
  if (channel.as === 'double') return new Float64Array(buffer);
  if (channel.as === 'flags') return new Uint8Array(buffer);
  if (channel.as === 'fine') {
    const level = (_, i) => bytes[3 * i] | bytes[3 * i + 1] << 8 | bytes[3 * i + 2] << 16;
    return ofLevels(channel, Uint32Array.from({length: frames}, level), 2 ** 24 - 1);
  }
  const levels = new Uint16Array(buffer);
  if (channel.as === 'decade') return new Float32Array(Uint32Array.from(levels, bits => bits << 16).buffer);
  return ofLevels(channel, levels, 2 ** 16 - 1);
}
// Maps levels to values; the level `none` is NaN.
function ofLevels({from, to}, levels, none) {
  const step = (to - from) / (none - 1);
  return Float64Array.from(levels, level => level === none ? NaN : from + level * step);
}

function decodeRun(run) {
  const decoded = channel => decodeChannel(channel, run.frames);
  run.t = decoded(run.t);
  for (const body of run.bodies) {
    body.nominal = body.nominal.map(decoded);
    body.deviation = body.deviation.length ? body.deviation.map(decoded) :
      body.nominal.map(() => new Uint8Array(run.frames));
  }
  for (const contact of run.contacts) {
    contact.gap = decoded(contact.gap);
    contact.P_N = decoded(contact.P_N);
    contact.P_T = contact.P_T.map(decoded);
    if (run.space) contact.touch = contact.touch.map(decoded);
    contact.mode = decoded(contact.mode);
    contact.began = contactBegins(contact.mode);
  }
  for (const curve of run.curves) curve.data = decoded(curve.data);
  for (const name of ['residual', 'seconds', 'status']) run[name] = decoded(run[name]);
  run.bad = framesWithNaN(run);
  run.moves = run.bodies.some(body => body.deviation.some(column => column.some(v => v !== 0)));
  return run;
}

// Returns for every frame the last frame, up to it, in which the contact closed; -1 before the first.
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
  const columns = [run.t, ...run.curves.map(curve => curve.data),
    ...run.bodies.flatMap(body => [...body.nominal, ...body.deviation]),
    ...run.contacts.flatMap(contact => [contact.gap, contact.P_N, ...contact.P_T])];
  for (const column of columns)
    for (let i = 0; i < column.length; ++i) if (!Number.isFinite(column[i])) bad[i] = 1;
  return bad.reduce((sum, b) => sum + b, 0);
}

// Returns the last frame at or before t.
function frameAt(run, t) {
  let low = 0, high = run.frames - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (run.t[middle] <= t) low = middle; else high = middle - 1;
  }
  return Math.max(0, low);
}

// Returns the duration of a frame, s: the divisor of percussions.
function frameTime(run, i) {
  return i > 0 ? run.t[i] - run.t[i - 1] : run.frames > 1 ? run.t[1] - run.t[0] : 0;
}

// Returns a factor and a unit that scale `most` to between 1 and 1000.
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

// Returns an element that contains texts and elements; texts never become markup.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
