'use strict';
// Picture of the last frame of a machine that runs. Its size is that of a preview, because the recorded frames change.

const liveStage = Base => class extends Base {
  box(k) { return this.ofPreview(() => super.box(k)); }
  cloud(k) { return this.ofPreview(() => super.cloud(k)); }
  ofPreview(f) {
    const shown = this.run;
    this.run = this.preview || shown;
    const found = f();
    this.run = shown;
    return found;
  }
};
const LiveStage = liveStage(Stage);
function copyOf(shown) {
  const cut = columns => columns.map(column => column.slice(0, shown.frames));
  const bodies = shown.bodies.map(body => ({...body, nominal: cut(body.nominal), deviation: cut(body.deviation)}));
  return {...shown, bodies};
}
// Returns a magnifier that makes clearance visible: about a twentieth of the mechanism.
function magnifierOf(stage, stops) {
  const {run} = stage, plays = run.shapes.map(shape => shape.play).filter(play => play > 0);
  if (!run.moves || !plays.length) return 1;
  const box = stage.box(1), wanted = 0.04 * Math.hypot(box[2] - box[0], box[3] - box[1]) / Math.max(...plays);
  return stops.findLast(k => k >= 1 && k <= wanted) || 1;
}
