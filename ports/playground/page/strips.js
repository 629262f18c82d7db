'use strict';
// Plots of the last seconds: gaps, forces, and one variable of the bench. The chart is that of the report.

function shownUnit(unit) { return unit === '1' ? '' : unit.replaceAll('.', ' '); }

class Strips {
  // recent: frames; outputs: [name, unit, index] of the variables that can be plotted.
  constructor(recent, place, outputs, onChoice) {
    this.recent = recent;
    this.run = recent.run;
    this.strips = [];
    this.turn = 0;
    const {contacts} = this.run;
    if (contacts.length) {
      const curves = key => contacts.map((contact, index) => ({name: contact.name, index, y: contact[key]}));
      this.add(place, 'Gaps', 'm', curves('gap'));
      this.add(place, 'Normal forces', 'N', curves('force'));
    }
    this.choice = element('select', {'aria-label': 'plotted variable'});
    for (const [name, , index] of outputs) this.choice.append(element('option', {value: index}, name));
    this.choice.onchange = () => onChoice(+this.choice.value);
    this.units = new Map(outputs.map(([, unit, index]) => [index, shownUnit(unit)]));
    this.variable = this.add(place, 'Variable', '', [{name: '', index: 0, y: recent.extra}]);
    this.variable.head.append(' ', this.choice);
  }
  add(place, title, unit, curves) {
    const canvas = element('canvas', {class: 'drawn', role: 'img', 'aria-label': title});
    const head = element('h2', {}, title);
    const strip = {title, unit, curves, head, chart: new Chart([this.run], canvas, true)};
    if (curves.length > 1)
      for (const {name, index} of curves.slice(0, 12)) {
        const entry = element('i', {}, name);
        entry.style.setProperty('--colour', contactColour(index));
        head.append(' ', entry);
      }
    place.append(element('section', {class: 'card panel', 'aria-label': title}, head, canvas));
    this.strips.push(strip);
    return strip;
  }
  choose(index) {
    this.choice.value = index;
    this.variable.unit = this.units.get(index) || '';
  }
  // Draws the frames of the last `span` seconds; while the machine runs, one plot per picture in turn.
  draw(span, running = false) {
    const {run} = this, first = this.recent.first(span), last = run.frames - 1;
    if (last < 0) return;
    const from = Math.max(run.t[last] - span, run.t[first]), x = new Scale([], 's', 't', {from, to: from + span});
    this.turn = (this.turn + 1) % this.strips.length || 0;
    for (const {unit, curves, chart} of running ? [this.strips[this.turn]] : this.strips) {
      const columns = Math.max(1, chart.canvas.clientWidth >> 1);  // of two pixels
      const lines = curves.map(({index, y}) => ({run: 0, ...this.thinned(y, first, columns / span), colour: index}));
      chart.last = null;
      chart.set(x, new Scale(lines.map(line => line.y), unit, ''), lines, false);
      chart.draw([Infinity], [-Infinity, Infinity]);
    }
  }
  // Returns the smallest and the largest value of each column, in their order, and the last value.
  thinned(y, first, rate) {
    const {t, frames} = this.run, x = [], values = [];
    let low = first, high = first, column = NaN;
    const flush = () => {
      for (const i of low < high ? [low, high] : low > high ? [high, low] : [low]) x.push(t[i]), values.push(y[i]);
    };
    for (let i = first; i < frames; ++i) {
      const now = Math.floor(t[i] * rate), value = y[i];
      if (now !== column || Number.isNaN(value)) {
        if (i > first) flush();
        column = Number.isNaN(value) ? NaN : now;
        low = high = i;
      } else if (value < y[low]) low = i;
      else if (value > y[high]) high = i;
    }
    flush();
    if (x.at(-1) !== t[frames - 1]) x.push(t[frames - 1]), values.push(y[frames - 1]);
    return {x, y: values};
  }
}
