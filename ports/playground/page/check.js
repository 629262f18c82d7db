'use strict';
// #check: the page tests itself and reports the results as attributes of <html>, for tests in a headless browser.

// Returns a hash of the pixels of a canvas, read through a second canvas.
const scratch = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
function pixels(canvas) {
  if (!canvas.width || !canvas.height) return 0;
  scratch.canvas.width = canvas.width;
  scratch.canvas.height = canvas.height;
  scratch.drawImage(canvas, 0, 0);
  const {data: bytes} = scratch.getImageData(0, 0, canvas.width, canvas.height);
  let hash = 2166136261;
  for (const value of bytes) hash = Math.imul(hash ^ value, 16777619);
  return hash;
}

// Values that a number field accepts as text.
const hostile = [NaN, Infinity, -Infinity, 1e308, -1e308, 1e-320, 0, -1, 1e9];

function check() {
  const found = document.documentElement.dataset, canvases = [...document.querySelectorAll('canvas')];
  play(false);
  reset();
  found.hash = machine.calls.hash_of_steps(10000) >>> 0;
  reset();
  const first = canvases.map(pixels);
  const [knob] = knobs.values();
  knob.take(knob.scale.value(0.7 * positions));  // a machine may be at rest by default
  const begin = performance.now(), pictures = 30;
  for (let n = 0; n < pictures; ++n) {
    advance(1 / 60);
    render();
  }
  found.pictureMs = ((performance.now() - begin) / pictures).toFixed(2);
  found.frames = run.frames;
  found.changed = canvases.map(pixels).filter((hash, i) => hash !== first[i]).length;
  found.canvases = canvases.length;
  if (run.moves) {
    const plain = pixels(canvases[0]);
    setMagnifier(next(stops, state.k, -1));
    render();
    found.magnifies = pixels(canvases[0]) !== plain;
  }
  // Every setting with hostile values: each is rejected by a sentence, or the next steps have a status.
  let refused = 0, paused = 0;
  for (const knob of knobs.values())
    for (const value of hostile) {
      if (!knob.take(value)) ++refused;
      if (!take(3)) ++paused;
      restart();
      reset();
    }
  found.refused = refused;
  found.paused = paused;
  found.unsaid = [...knobs.values()].filter(knob => !knob.take(NaN) && knob.says.textContent === '').length;
  reset();
  found.same = machine.calls.hash_of_steps(10000) >>> 0;
  found.requests = performance.getEntriesByType('resource').length;
  found.errors = errors.length ? errors.join('; ') : 'none';
  found.check = 'done';
}
if (location.hash === '#check') ready.then(check).catch(error => { document.documentElement.dataset.check = String(error.stack); });
