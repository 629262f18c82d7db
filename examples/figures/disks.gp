# data: 18_thousand_disks
# SLG08, figure 2: positions of the disks at the start and at the end; cost of a step.
title = "Collision of a thousand disks"; rows = 2; height = 320
# Each disk is a point of variable size; a circle would be a polygon with 72 corners. The number of pixels per metre is
# available only after drawing, so the panel is drawn twice, first to /dev/null.
points_per_metre = 0
array half[2] = ["left", "right"]
do for [file in "/dev/null -"] {
  if (file eq "-") { unset multiplot; unset output } else { set output file }
  load "style.gp"
  set size ratio -1
  set xtics 0.2
  set ylabel "y [m]"
  set xlabel "x [m], at the start"
  plot for [i = 1:2] "disks_" . half[i] . "_0.csv" using "x [m]":"y [m]":(points_per_metre * column("r [m]")) with points pointtype 7 pointsize variable
  points_per_metre = (GPVAL_TERM_XMAX - GPVAL_TERM_XMIN) / (GPVAL_X_MAX - GPVAL_X_MIN) / 4.5  # a point of size 1 has a radius of 4.5 pixels
}
set xlabel "x [m], after 0.3 s"
plot for [i = 1:2] "disks_" . half[i] . "_1.csv" using "x [m]":"y [m]":(points_per_metre * column("r [m]")) with points pointtype 7 pointsize variable
set size noratio
set offsets
set xlabel "contacts per step"
eval log_x
eval log_y
set ylabel "time of a step, 100 sweeps [us]"; plot "disks_cost.csv" using "contacts":"step [us]" with linespoints pointsize 0.6
unset logscale y
set ytics auto
set yrange [0:*]
set ylabel "time per contact and sweep [ns]"; plot "disks_cost.csv" using "contacts":"contact_and_sweep [ns]" with linespoints pointsize 0.6
