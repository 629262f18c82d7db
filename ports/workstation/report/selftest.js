'use strict';
// #selftest: the page tests itself and reports the results as attributes of <html>, for tests in a headless browser.

// Returns the pixels of a canvas, through a second canvas for reading.
const scratch = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
function pixelsOf(canvas) {
  if (!canvas.width || !canvas.height) return [];
  scratch.canvas.width = canvas.width;
  scratch.canvas.height = canvas.height;
  scratch.drawImage(canvas, 0, 0);
  return scratch.getImageData(0, 0, canvas.width, canvas.height).data;
}
function inkOf(canvas) {
  const pixels = pixelsOf(canvas);
  let count = 0;
  for (let i = 3; i < pixels.length; i += 4) count += pixels[i] > 0;
  return count;
}
function pictureOf(canvas) {
  let hash = 2166136261;
  for (const value of pixelsOf(canvas)) hash = Math.imul(hash ^ value, 16777619);
  return hash;
}

// Returns the largest difference between a drawn gap and k times the recorded one, m; of closed contacts and of all.
function magnifierErrors(run, k) {
  const worst = {closed: 0, all: 0, compared: 0};
  run.contacts.forEach(contact => {
    const shape = run.shapes[contact.shape];
    if (!shape) return;
    const magnified = shape.play !== 0 || (!run.space && contact.at.length > 2);
    for (let i = 0; i < run.frames; ++i) {
      const drawn = run.space ? touchInSpace(run, contact, i, k).gap : drawnGap(run, contact, i, k);
      if (!Number.isFinite(drawn) || !Number.isFinite(contact.gap[i])) continue;
      const error = Math.abs(drawn - (magnified ? k : 1) * contact.gap[i]), isClosed = contact.mode[i] & 1;
      if (!magnified && !isClosed) continue;
      ++worst.compared;
      worst.all = Math.max(worst.all, error);
      if (isClosed) worst.closed = Math.max(worst.closed, error);
    }
  });
  return worst;
}

function selftest() {
  const found = document.documentElement.dataset;
  found.bushes = runs.some(run => run.contacts.some(contact => (run.shapes[contact.shape] || {}).kind === 'bush'));
  found.frames = runs.map(r => r.frames).join();
  const errorsAt = k => runs.map(run => magnifierErrors(run, k));
  for (const k of [0, 1, 20, 200]) {
    const e = errorsAt(k);
    found[`closed${k}`] = Math.max(0, ...e.map(x => x.closed)).toExponential(3);
    found[`gaps${k}`] = Math.max(0, ...e.map(x => x.all)).toExponential(3);
    found.compared = e.reduce((sum, x) => sum + x.compared, 0);
  }
  if (stages.length) {
    const canvas = stages[0].canvas, middle = (plots.whole[0] + plots.whole[1]) / 2;
    seek(plots.whole[0]);
    const first = pictureOf(canvas);
    seek(middle);
    found.moves = pictureOf(canvas) !== first;
    setMagnifier(1);
    const plain = pictureOf(canvas);
    setMagnifier(100);
    found.magnifies = pictureOf(canvas) !== plain;
    found.inkMechanism = inkOf(canvas);
  }
  const whole = plots.graphs.map(g => [...g.plot.querySelectorAll('canvas')].map(pictureOf).join());
  found.ink = plots.graphs.map(g => Math.max(...[...g.plot.querySelectorAll('canvas')].map(inkOf))).join();
  const [a, b] = plots.whole;
  if (plots.graphs.length) {
    const part = [a + 0.4 * (b - a), a + 0.5 * (b - a)];
    plots.graphs[0].graph.updateOptions({dateWindow: part.map(t => t * plots.perTime)});
    const follows = ({graph}) => {
      const shown = graph.xAxisRange().map(x => x / plots.perTime);
      return Math.abs(shown[0] - part[0]) + Math.abs(shown[1] - part[1]) < 1e-6 * (b - a);
    };
    found.zooms = plots.graphs.every(follows) &&
      plots.graphs.some((g, j) => [...g.plot.querySelectorAll('canvas')].map(pictureOf).join() !== whole[j]);
    plots.show([a, b]);
  }
  found.panels = [...document.querySelectorAll('.panel h2')].length;
  found.drawn = [...document.querySelectorAll('canvas.drawn')].map(inkOf).join();
  found.figures = figures.charts.length;
  found.inAxes = Math.min(1, ...figures.charts.flatMap(({chart}) => chart.inside()));
  found.requests = performance.getEntriesByType('resource').length;
  found.markup = document.querySelectorAll('body script, body style, body img, body iframe').length;
  found.says = byId('notices').textContent;
  found.errors = errors.length ? errors.join('; ') : 'none';
  found.selftest = 'done';
}
if (location.hash === '#selftest') selftest();
