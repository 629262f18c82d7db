'use strict';
// Side panels: step times, step outcomes, parameters.

function panel(title, words, ...children) {
  const head = element('h2', {}, title, ' ', element('small', {}, words));
  return element('section', {class: 'card panel', 'aria-label': title}, head, ...children);
}

function table(rows) {
  return element('table', {}, element('tbody', {}, ...rows.map(([name, value]) =>
    element('tr', {}, element('th', {scope: 'row'}, name), element('td', {}, value)))));
}

// Histogram of step times on logarithmic scales.
class Histogram {
  constructor(run, place, which) {
    this.run = run;
    if (!run.times.bins.length) return;
    this.canvas = element('canvas', {class: 'drawn', role: 'img', 'aria-label': 'Time per step'});
    this.canvas.style.height = '140px';
    const quantile = part => {
      let left = part * run.times.steps;
      for (const [seconds, count] of run.times.bins) if ((left -= count) <= 0) return seconds;
      return run.times.slowest;
    };
    const say = seconds => {
      const [factor, unit] = unitFor(seconds, 's');
      return `${short(seconds * factor, 3)} ${unit}`;
    };
    const median = say(1.25 * quantile(0.5)), tail = say(1.25 * quantile(0.99)), worst = say(run.times.slowest);
    place.append(panel('Time per step', which + 'number of steps on a log scale, bins of half an octave', this.canvas,
      element('p', {}, `median about ${median}, 99 % quantile about ${tail}, worst case ${worst}`)));
    this.recolour();
  }
  recolour() {
    if (!this.canvas) return;
    const {bins} = this.run.times, {context, width, height} = sheet(this.canvas), bottom = 18, left = 6;
    const octave = seconds => Math.log2(seconds);
    const first = octave(bins[0][0]), last = octave(bins[bins.length - 1][0]) + 0.5;
    const px = seconds => left + (octave(seconds) - first) / (last - first) * (width - 2 * left);
    const most = Math.log10(1 + Math.max(...bins.map(([, count]) => count)));
    context.fillStyle = ink('accent');
    for (const [seconds, count] of bins) {
      const high = Math.log10(1 + count) / most * (height - bottom - 4);
      context.fillRect(px(seconds), height - bottom - high, Math.max(2, px(1.4 * seconds) - px(seconds) - 1), high);
    }
    context.fillStyle = ink('soft');
    context.textAlign = 'center';
    let used = -Infinity;
    for (let e = -9; e < 2; ++e) {
      const seconds = 10 ** e, [factor, unit] = unitFor(seconds, 's');
      const x = Math.min(width - 24, Math.max(24, px(seconds)));
      if (octave(seconds) < first || octave(seconds) > last || x - used < 46) continue;
      context.fillText(`${short(seconds * factor, 3).replace(/\.0+$/, '')} ${unit}`, x, height - 4);
      used = x;
    }
  }
}

// Returns the row of the largest reach (moreau/step/reach.hpp): motion of a contact within a step, over its play.
function reachRow(run) {
  if (!run.reach) return [];
  const {value, contact, t} = run.reach;
  return [['largest reach', `${short(value, 2)} plays, ${run.contacts[contact].name}, ${short(t, 4)} s`]];
}

// Returns the row of the largest position error of the ideal joints (moreau/step/joint_error.hpp).
function jointRow(run) {
  if (!run.joints) return [];
  const {name, error, t} = run.joints;
  return [['largest joint error', `${short(error, 2)} m or rad, ${name}, ${short(t, 4)} s`]];
}

// Returns the row of the short flights (moreau/record/flights.hpp): share of the impacts of a run of second order.
function flightRow(run) {
  return run.flights ? [['short flights', `${short(100 * run.flights.share, 2)} % of the impacts`]] : [];
}

function stepTable(run, which) {
  const always = ['ok', 'inexact', 'no_solution'];
  const rows = Object.entries(run.statuses).filter(([name, count]) => count > 0 || always.includes(name));
  return panel('Steps', which, table([...rows.map(([name, count]) => [name, grouped(count)]),
    ['steps per frame', grouped(run.stride)], ['largest residual', `${short(largest(run.residual), 2)} m/s`],
    ...reachRow(run), ...jointRow(run), ...flightRow(run)]));
}

function parameterTable(run, which) {
  const laws = new Map();
  for (const contact of run.contacts) {
    const key = contact.law.join();
    laws.set(key, [...(laws.get(key) || []), contact]);
  }
  const names = same => same.length > 3 ? `${same.length} contacts` : same.map(contact => contact.name).join(', ');
  const rows = [...run.parameters];
  for (const same of laws.values()) {
    const [eps_N, eps_T, mu] = same[0].law.map(x => +x.toPrecision(4));
    rows.push([laws.size === 1 ? 'all contacts' : names(same), `ε_N ${eps_N}, ε_T ${eps_T}, µ ${mu}`]);
  }
  const loose = run.shapes.filter(shape => shape.play > 0);
  const plays = [...new Set(loose.map(shape => `${shape.kind} ${short(shape.play * 1e3, 3)} mm`))];
  if (plays.length) rows.push(['clearance, to either side', plays.join(', ')]);
  rows.push(['scalar', run.real], ['moreau', run.version], ['compiler', run.compiler]);
  return panel('Parameters', which, table(rows));
}
