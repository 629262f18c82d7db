/* The crank bench as a component of LinuxCNC's HAL: pins crank.torque (in), crank.time, crank.play-used, crank.load-y (out),
   crank.left (in and out: periods that it still makes), and crank.nanoseconds, what the last period took. Its function
   crank.update makes the steps of one period of the thread it is added to. */
#include "hal.h"
#include "rtapi.h"
#include "rtapi_app.h"

#include "crank.h"

MODULE_LICENSE("MIT");

typedef struct {
  hal_float_t *torque, *time, *play_used, *load_y;
  hal_s32_t *left, *nanoseconds, *status;
  crank *bench;
} pins_of_crank;

static int component;
static pins_of_crank *pins;

static void update(void *unused, long period) {
  const long long begin = rtapi_get_time();
  const long steps = (long)(period * 1e-9 / CRANK_DT + 0.5);
  (void)unused;
  if (*pins->left <= 0) return;
  --*pins->left;
  *pins->status = crank_set(pins->bench, CRANK_VAR_MOTOR_TORQUE, *pins->torque);
  if (*pins->status == CRANK_OK) *pins->status = crank_step_many(pins->bench, steps, 0);
  crank_get(pins->bench, CRANK_VAR_TIME, (double *)pins->time);
  crank_get(pins->bench, CRANK_VAR_GUIDE_PLAY_USED, (double *)pins->play_used);
  crank_get(pins->bench, CRANK_VAR_GUIDE_LOAD_Y, (double *)pins->load_y);
  *pins->nanoseconds = (hal_s32_t)(rtapi_get_time() - begin);
}

static int make_pins(void) {
  int failed = hal_pin_float_newf(HAL_IN, &pins->torque, component, "crank.torque");
  failed = failed || hal_pin_float_newf(HAL_OUT, &pins->time, component, "crank.time");
  failed = failed || hal_pin_float_newf(HAL_OUT, &pins->play_used, component, "crank.play-used");
  failed = failed || hal_pin_float_newf(HAL_OUT, &pins->load_y, component, "crank.load-y");
  failed = failed || hal_pin_s32_newf(HAL_IO, &pins->left, component, "crank.left");
  failed = failed || hal_pin_s32_newf(HAL_OUT, &pins->nanoseconds, component, "crank.nanoseconds");
  failed = failed || hal_pin_s32_newf(HAL_OUT, &pins->status, component, "crank.status");
  return failed || hal_export_funct("crank.update", update, 0, 1, 0, component);
}

int rtapi_app_main(void) {
  component = hal_init("crank_hal");
  if (component < 0) return component;
  pins = hal_malloc(sizeof *pins);
  if (pins == 0 || crank_init(hal_malloc(CRANK_SIZE), CRANK_SIZE, &pins->bench) != CRANK_OK || make_pins() != 0) {
    hal_exit(component);
    return -1;
  }
  hal_ready(component);
  return 0;
}
void rtapi_app_exit(void) { hal_exit(component); }
