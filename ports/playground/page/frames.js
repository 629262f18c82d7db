'use strict';
// The last frames of a machine, as columns of the report's run.

const capacity = 4096;  // frames

class Frames {
  constructor(run) {
    this.run = run;
    const column = (Type = Float64Array) => new Type(capacity);
    run.t = column();
    for (const body of run.bodies) {
      body.deviation = body.nominal.map(() => column());
      body.nominal = body.nominal.map(() => column());
    }
    const tangents = run.contacts.length ? run.contacts[0].P_T.length : 0;
    for (const contact of run.contacts)
      Object.assign(contact, {gap: column(), P_N: column(), force: column(), mode: column(Uint8Array), began: column(Int32Array),
        P_T: Array.from({length: tangents}, () => column())});
    this.extra = column();  // the plotted variable
    this.columns = [run.t, this.extra, ...run.bodies.flatMap(body => [...body.nominal, ...body.deviation]),
      ...run.contacts.flatMap(contact => [contact.gap, contact.P_N, contact.force, contact.mode, contact.began, ...contact.P_T])];
    this.clear();
  }
  clear() { this.run.frames = 0; }

  add(frame, value) {
    const {run} = this;
    if (run.frames === capacity) this.forget(capacity / 4);
    const i = run.frames++, per = run.bodies.length ? run.bodies[0].nominal.length : 0, size = per * run.bodies.length;
    run.t[i] = frame[0];
    this.extra[i] = value;
    run.bodies.forEach((body, b) => {
      for (let k = 0; k < per; ++k) {
        body.nominal[k][i] = frame[1 + per * b + k];
        body.deviation[k][i] = frame[1 + size + per * b + k];
      }
    });
    let at = 1 + 2 * size;
    const dt = i > 0 ? run.t[i] - run.t[i - 1] : 0;
    for (const contact of run.contacts) {
      contact.gap[i] = frame[at++];
      contact.P_N[i] = frame[at++];
      contact.force[i] = dt > 0 ? contact.P_N[i] / dt : 0;  // mean over the frame
      contact.mode[i] = frame[at++];
      for (const column of contact.P_T) column[i] = frame[at++];
      const before = i > 0 && contact.mode[i - 1] & 1;
      contact.began[i] = contact.mode[i] & 1 && !before ? i : i > 0 ? contact.began[i - 1] : -1;
    }
  }
  // Removes the oldest frames.
  forget(count) {
    for (const column of this.columns) column.copyWithin(0, count);
    this.run.frames -= count;
    for (const {began} of this.run.contacts)
      for (let i = 0; i < this.run.frames; ++i) began[i] = Math.max(-1, began[i] - count);
  }
  // Returns the first frame within the last `span` seconds.
  first(span) {
    const {run} = this;
    return run.frames ? frameAt(run, run.t[run.frames - 1] - span) : 0;
  }
}
