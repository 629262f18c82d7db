/* A client in C89: return values of all calls with invalid arguments, which must leave the bench unchanged. */
#include <stdio.h>
#include <string.h>

#include "crank.h"

static double memory[CRANK_SIZE / sizeof(double) + 2];
static unsigned char saved[CRANK_SAVED_SIZE], before[CRANK_SAVED_SIZE], after[CRANK_SAVED_SIZE];
static int failures = 0;

/* Checks that the call returned `wanted` and left the bench unchanged. */
static void expect(const crank *bench, int wanted, int answered, const char *call) {
  if (answered != wanted) {
    printf("%s returns %d (%s) instead of %d\n", call, answered, crank_sentence(answered), wanted);
    ++failures;
  }
  if (bench != NULL && wanted != CRANK_OK) {
    if (crank_save(bench, after, sizeof after) != CRANK_OK || memcmp(before, after, sizeof before) != 0) {
      printf("%s has changed the bench\n", call);
      ++failures;
    }
  }
}
#define EXPECT(wanted, call) expect(bench, CRANK_##wanted, call, #call)

int main(void) {
  crank *bench = NULL, *nothing = NULL;
  crank_variable variable;
  crank_report report;
  double zero = 0, value = 0, nan, infinite;
  int i, index = 0;
  long done = 0;
  nan = zero / zero;
  infinite = 1 / zero;

  EXPECT(NULL_POINTER, crank_init(NULL, sizeof memory, &bench));
  EXPECT(NULL_POINTER, crank_init(memory, sizeof memory, NULL));
  EXPECT(WRONG_SIZE, crank_init(memory, CRANK_SIZE - 1, &bench));
  EXPECT(MISALIGNED, crank_init((char *)memory + 1, sizeof memory - 1, &bench));
  EXPECT(NOT_INITIALISED, crank_step((crank *)memory));
  if (bench != NULL) ++failures;
  EXPECT(OK, crank_init(memory, CRANK_SIZE, &bench));
  if (crank_abi() != CRANK_ABI || crank_size() != CRANK_SIZE) ++failures;

  EXPECT(OK, crank_set(bench, CRANK_VAR_MOTOR_TORQUE, 0.25));
  EXPECT(OK, crank_step_many(bench, 1000, &done));
  if (done != 1000) ++failures;
  EXPECT(OK, crank_save(bench, before, sizeof before));
  memcpy(saved, before, sizeof saved);

  EXPECT(NULL_POINTER, crank_step(nothing));
  EXPECT(NULL_POINTER, crank_reset(nothing));
  EXPECT(NULL_POINTER, crank_restart(nothing));
  EXPECT(NULL_POINTER, crank_set(nothing, 1, 0));
  EXPECT(NULL_POINTER, crank_get(nothing, 1, &value));
  EXPECT(NULL_POINTER, crank_get(bench, 1, NULL));
  EXPECT(NULL_POINTER, crank_set_named(bench, NULL, 0));
  EXPECT(NULL_POINTER, crank_get_named(bench, "time", NULL));
  EXPECT(NULL_POINTER, crank_find(NULL, &index));
  EXPECT(NULL_POINTER, crank_find("time", NULL));
  EXPECT(NULL_POINTER, crank_describe(0, NULL));
  EXPECT(NULL_POINTER, crank_report_of(bench, NULL));
  EXPECT(NULL_POINTER, crank_report_of(nothing, &report));
  EXPECT(NULL_POINTER, crank_save(bench, NULL, sizeof saved));
  EXPECT(NULL_POINTER, crank_restore(bench, NULL, sizeof saved));
  EXPECT(MISALIGNED, crank_step((crank *)((char *)bench + 1)));

  EXPECT(UNKNOWN_VARIABLE, crank_set(bench, -1, 0));
  EXPECT(UNKNOWN_VARIABLE, crank_set(bench, CRANK_VARIABLES, 0));
  EXPECT(UNKNOWN_VARIABLE, crank_get(bench, CRANK_VARIABLES, &value));
  EXPECT(UNKNOWN_VARIABLE, crank_set_named(bench, "motor.tork", 0));
  EXPECT(UNKNOWN_VARIABLE, crank_get_named(bench, "", &value));
  EXPECT(UNKNOWN_VARIABLE, crank_describe(-1, &variable));
  EXPECT(NOT_SETTABLE, crank_set(bench, CRANK_VAR_TIME, 0));
  EXPECT(NOT_SETTABLE, crank_set_named(bench, "guide.play_used", 0));
  EXPECT(NOT_A_NUMBER, crank_set(bench, CRANK_VAR_MOTOR_TORQUE, nan));
  EXPECT(NOT_A_NUMBER, crank_set(bench, CRANK_VAR_MOTOR_TORQUE, infinite));
  EXPECT(NOT_A_NUMBER, crank_set(bench, CRANK_VAR_GUIDE_LAW_MU, infinite));
  EXPECT(OUT_OF_RANGE, crank_set(bench, CRANK_VAR_MOTOR_TORQUE, 20.5));
  EXPECT(OUT_OF_RANGE, crank_set_named(bench, "guide.law.eps_N", -0.1));
  EXPECT(WRONG_SIZE, crank_save(bench, saved, sizeof saved - 1));
  EXPECT(WRONG_SIZE, crank_save(bench, saved, sizeof saved + 1));
  EXPECT(WRONG_SIZE, crank_restore(bench, saved, sizeof saved - 1));
  EXPECT(WRONG_SIZE, crank_step_many(bench, -1, &done));
  saved[40] ^= 1;
  EXPECT(WRONG_BYTES, crank_restore(bench, saved, sizeof saved));

  /* Restart with the current parameters. */
  EXPECT(OK, crank_set(bench, CRANK_VAR_GUIDE_PLAY, 2e-3));
  EXPECT(OK, crank_restart(bench));
  EXPECT(OK, crank_get(bench, CRANK_VAR_TIME, &value));
  if (value != 0) ++failures;
  EXPECT(OK, crank_get(bench, CRANK_VAR_GUIDE_PLAY, &value));
  if (value != 2e-3) ++failures;
  EXPECT(OK, crank_step_many(bench, 10, NULL));

  /* A slider without inertia about its pin: the step is rejected, the state is unchanged, and the report has the cause. */
  EXPECT(OK, crank_set_named(bench, "slider.J", 0));
  EXPECT(OK, crank_get(bench, CRANK_VAR_TIME, &value));
  index = crank_step(bench);
  EXPECT(OK, crank_report_of(bench, &report));
  if (index != CRANK_MASS_NOT_POSITIVE_DEFINITE || report.status != index ||
      strcmp(crank_cause(report.cause), "mass") != 0)
    ++failures;
  zero = value;
  EXPECT(OK, crank_get(bench, CRANK_VAR_TIME, &value));
  if (value != zero) ++failures;

  for (i = 0; i < CRANK_VARIABLES; ++i) {
    EXPECT(OK, crank_describe(i, &variable));
    EXPECT(OK, crank_find(variable.name, &index));
    if (index != i || variable.unit[0] == 0 || !(variable.min <= variable.max)) ++failures;
  }
  for (i = 0; i <= CRANK_WRONG_BYTES; ++i)
    if (strlen(crank_sentence(i)) < 4) ++failures;
  printf("%d failures\n", failures);
  return failures != 0;
}
