# data: 18_thousand_disks
# SLG08, figure 2: the disks before and after. Then what a step costs.
title = "A thousand disks thrown together"; rows = 2; height = 320
# A disk is a point of its size, one element of the picture: a circle would be a polygon of 72 corners. How many pixels a metre
# has is known once it has been drawn, so the panel is drawn twice, and the first time to nowhere.
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
set xtics auto
set offsets
set xlabel "contacts in a step"
set logscale xy
set ylabel "step [us], 100 sweeps"; plot "disks_cost.csv" using "contacts":"step [us]" with linespoints pointsize 0.6
unset logscale y
set yrange [0:*]
set ylabel "contact and sweep [ns]"; plot "disks_cost.csv" using "contacts":"contact_and_sweep [ns]" with linespoints pointsize 0.6
