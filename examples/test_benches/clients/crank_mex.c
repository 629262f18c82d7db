/* Client of the crank test bench in GNU Octave or MATLAB. Build: mkoctfile --mex crank_mex.c libcrank.a. The call
   values = crank_mex(torques) makes one step per torque and returns the values of the variables below. */
#include "mex.h"

#include "crank.h"

static const int wanted[] = {CRANK_VAR_TIME,         CRANK_VAR_GUIDE_G_N,    CRANK_VAR_GUIDE_PLAY_USED,
                             CRANK_VAR_GUIDE_LOAD_Y, CRANK_VAR_GUIDE_MOMENT, CRANK_VAR_STEP_RESIDUAL};
enum { values = sizeof wanted / sizeof wanted[0] };

void mexFunction(int outputs, mxArray *out[], int inputs, const mxArray *in[]) {
  double memory[CRANK_SIZE / sizeof(double) + 1];
  crank *bench;
  size_t n;
  int i;
  (void)outputs;
  if (inputs != 1 || !mxIsDouble(in[0])) mexErrMsgTxt("values = crank_mex(torques)");
  if (crank_init(memory, sizeof memory, &bench) != CRANK_OK) mexErrMsgTxt("initialisation failed");
  for (n = 0; n < mxGetNumberOfElements(in[0]); ++n) {
    crank_status status = crank_set(bench, CRANK_VAR_MOTOR_TORQUE, mxGetPr(in[0])[n]);
    if (status == CRANK_OK) status = crank_step(bench);
    if (status > CRANK_INEXACT) mexErrMsgTxt(crank_sentence(status));
  }
  out[0] = mxCreateDoubleMatrix(1, values, mxREAL);
  for (i = 0; i < values; ++i) crank_get(bench, wanted[i], &mxGetPr(out[0])[i]);
}
