# data: 15_prismatic_joint
# CSS, figures 4 to 12: heights, vertical velocity and contact forces of three cases; common motion along the rod.
title = "Prismatic joint with play"; rows = 4; columns = 3
load "style.gp"
ms = '(1e3 * column("t [s]"))'
do for [i = 1:3] {
  table = sprintf("prismatic_joint_%d.csv", i)
  set xlabel sprintf("t [ms], case %d", i)
  set ylabel "y [um]"
  plot table using @ms:(1e6 * column("y_left [m]")) title "left end", table using @ms:(1e6 * column("y [m]")) title "centre", \
       table using @ms:(1e6 * column("y_right [m]")) title "right end"
  set yrange [-15:15]
  set ylabel "v_y [mm/s]"; plot table using @ms:(1e3 * column("v_y [m/s]"))
  set yrange [i == 3 ? -60 : 0:60]
  set ylabel "contact force [N]"
  plot table using @ms:"force_left [N]" title "left end", table using @ms:"force_right [N]" title "right end"
  set yrange [*:*]
}
set xlabel "t [ms], all cases"
set ylabel "x [um]";     plot table using @ms:(1e6 * column("x [m]"))
set ylabel "v_x [mm/s]"; plot table using @ms:(1e3 * column("v_x [m/s]"))
