'use strict';
// Plots of the last seconds: gaps, forces, and one variable of the bench. The chart is that of the report.

function shownUnit(unit) { return unit === '1' ? '' : unit.replaceAll('.', ' '); }

class Strips {
  // recent: frames; outputs: [name, unit, index] of the variables that can be plotted.
  constructor(recent, place, outputs, onChoice) {
    this.recent = recent;
    this.run = recent.run;
    this.strips = [];
    const {contacts} = this.run;
    if (contacts.length) {
      this.add(place, 'Gaps', 'm', contacts.map(({name}, index) => ({name, index, y: i => contacts[index].gap[i]})));
      const force = index => i => {
        const dt = frameTime(this.run, i);
        return dt > 0 ? contacts[index].P_N[i] / dt : 0;
      };
      this.add(place, 'Normal forces', 'N', contacts.map(({name}, index) => ({name, index, y: force(index)})));
    }
    this.choice = element('select', {'aria-label': 'plotted variable'});
    for (const [name, , index] of outputs) this.choice.append(element('option', {value: index}, name));
    this.choice.onchange = () => onChoice(+this.choice.value);
    this.units = new Map(outputs.map(([, unit, index]) => [index, shownUnit(unit)]));
    this.variable = this.add(place, 'Variable', '', [{name: '', index: 0, y: i => recent.extra[i]}]);
    this.variable.head.append(' ', this.choice);
  }
  add(place, title, unit, curves) {
    const canvas = element('canvas', {class: 'drawn', role: 'img', 'aria-label': title});
    const head = element('h2', {}, title);
    const strip = {title, unit, curves, head, chart: new Chart([this.run], canvas)};
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
  // Draws the frames of the last `span` seconds.
  draw(span) {
    const {run} = this, first = this.recent.first(span), last = run.frames - 1;
    if (last < 0) return;
    const t = run.t.subarray(first, run.frames), from = Math.max(run.t[last] - span, t[0]);
    const x = new Scale([], 's', 't', {from, to: from + span});
    for (const {unit, curves, chart} of this.strips) {
      const lines = curves.map(({index, y}) =>
        ({run: 0, x: t, y: Float64Array.from(t, (_, i) => y(first + i)), colour: index}));
      chart.last = null;
      chart.set(x, new Scale(lines.map(line => line.y), unit, ''), lines, false);
      chart.draw([t.length - 1], [-Infinity, Infinity]);
    }
  }
}
