'use strict';
// Settings of the machine: one slider and one number per input and parameter. The number accepts every value; the
// machine rejects it or not.

const positions = 1000;  // of a slider

// Returns the scale of a slider: the range of the variable, or a decade around its default.
function sliderScale({min, max, start}) {
  let [low, high] = [min, max];
  const bounded = low !== null && high !== null;
  if (!bounded && start > 0) [low, high] = [Math.max(low ?? 0, start / 10), Math.min(high ?? Infinity, 10 * start)];
  else if (!bounded && start === 0) [low, high] = [low ?? -(high ?? 1), high ?? 1];
  else if (!bounded) [low, high] = [low ?? 2 * start, high ?? -2 * start];
  const log = low > 0 && high / low >= 50;
  return {
    value: p => log ? low * (high / low) ** (p / positions) : low + (high - low) * p / positions,
    position: v => positions * (log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low))
  };
}

// A slider with a number. apply(value) returns null or the reason of a rejection; now() returns the present value.
class Knob {
  constructor({name, unit, meaning, scale, apply, now, changed}) {
    Object.assign(this, {name, scale, apply, now, changed});
    this.slider = element('input', {type: 'range', min: 0, max: positions, step: 1, 'aria-label': name});
    this.number = element('input', {type: 'text', inputmode: 'decimal', 'aria-label': `${name}, value`, spellcheck: 'false'});
    this.says = element('small', {role: 'alert'});
    const label = element('span', {title: meaning}, name);
    const value = element('span', {class: 'value'}, this.number, ' ' + shownUnit(unit));
    this.place = element('div', {class: 'knob'}, label, value, this.slider, this.says);
    this.slider.oninput = () => this.take(+this.scale.value(+this.slider.value).toPrecision(3));
    this.number.onchange = () => this.take(this.number.value.trim() === '' ? NaN : +this.number.value);
    this.show();
  }
  // Returns true if the value was accepted.
  take(value) {
    const reason = this.apply(value);
    this.says.textContent = reason ? `${value}: ${reason}` : '';
    this.place.classList.toggle('refused', !!reason);
    if (reason) return false;
    this.show();
    this.changed();
    return true;
  }
  show() {
    const value = this.now();
    this.slider.value = this.scale.position(value);
    const text = String(+value.toPrecision(6)), short = value.toExponential().replace('e+', 'e');
    this.number.value = text.length > 7 && short.length < text.length ? short : text;
  }
}

// Knobs that are visible at once: those that the list of the bench declares, and the usual ones of joints and drives.
function isMain({declared, name}) {
  return declared || /(^|\.)(play|mu|eps_N|speed|position)$/.test(name);
}
