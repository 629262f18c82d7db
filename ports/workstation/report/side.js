'use strict';
// Beside the plots: how long steps took, how they ended, what was simulated.

function panel(title, words, ...children) {
  return element('section', {class: 'card panel', 'aria-label': title}, element('h2', {}, title, ' ', element('small', {}, words)), ...children);
}

function table(rows) {
  return element('table', {}, element('tbody', {}, ...rows.map(([name, value]) =>
    element('tr', {}, element('th', {scope: 'row'}, name), element('td', {}, value)))));
}

// How many steps took how long, on log scales.
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
    const say = s => { const [f, unit] = unitFor(s, 's'); return `${short(s * f, 3)} ${unit}`; };
    place.append(panel('Time per step', which + 'steps on a log scale, bins of half an octave', this.canvas,
      element('p', {}, `half of the steps took at most about ${say(1.25 * quantile(0.5))}, 99 % about ${say(1.25 * quantile(0.99))}, the slowest ${say(run.times.slowest)}`)));
    this.recolour();
  }
  recolour() {
    if (!this.canvas) return;
    const {bins} = this.run.times, {c, width, height} = sheet(this.canvas), bottom = 18, left = 6;
    const octave = s => Math.log2(s), first = octave(bins[0][0]), last = octave(bins[bins.length - 1][0]) + 0.5;
    const px = s => left + (octave(s) - first) / (last - first) * (width - 2 * left), most = Math.log10(1 + Math.max(...bins.map(b => b[1])));
    c.fillStyle = ink('accent');
    for (const [s, count] of bins) {
      const high = Math.log10(1 + count) / most * (height - bottom - 4);
      c.fillRect(px(s), height - bottom - high, Math.max(2, px(1.4 * s) - px(s) - 1), high);
    }
    c.fillStyle = ink('soft'), c.textAlign = 'center';
    let used = -Infinity;
    for (let e = -9; e < 2; ++e) {
      const s = 10 ** e, [f, unit] = unitFor(s, 's');
      const x = Math.min(width - 24, Math.max(24, px(s)));
      if (octave(s) < first || octave(s) > last || x - used < 46) continue;
      c.fillText(`${short(s * f, 3).replace(/\.0+$/, '')} ${unit}`, used = x, height - 4);
    }
  }
}

function stepTable(run, which) {
  const rows = Object.entries(run.statuses).filter(([name, count]) => count > 0 || ['ok', 'inexact', 'no_solution'].includes(name));
  return panel('Steps', which, table([...rows.map(([name, count]) => [name, grouped(count)]),
    ['steps per frame', grouped(run.stride)], ['largest residual', `${short(largest(run.residual), 2)} m/s`]]));
}

function parameterTable(run, which) {
  const laws = new Map();
  run.contacts.forEach(c => { const key = c.law.join(); laws.set(key, [...(laws.get(key) || []), c]); });
  const rows = [...run.parameters];
  for (const [, same] of laws) {
    const [eps_N, eps_T, mu] = same[0].law, who = laws.size === 1 ? 'all contacts' : same.length > 3 ? `${same.length} contacts` : same.map(c => c.name).join(', ');
    rows.push([who, `ε_N ${+eps_N.toPrecision(4)}, ε_T ${+eps_T.toPrecision(4)}, µ ${+mu.toPrecision(4)}`]);
  }
  const plays = [...new Set(run.shapes.filter(s => s.play > 0).map(s => `${s.kind} ${short(s.play * 1e3, 3)} mm`))];
  if (plays.length) rows.push(['play, to either side', plays.join(', ')]);
  rows.push(['computed in', run.real], ['moreau', run.version], ['compiler', run.compiler]);
  return panel('Parameters', which, table(rows));
}
