# data: 16_oblique_oscillator
# WP96, figures 6 to 8: coordinates over time, accelerations over velocities, sticking.
title = "Oscillator on an oblique plane, mu = 0.13"; rows = 4
load "style.gp"
table = "oblique_rough.csv"
set xlabel "t [s]"
set ylabel "x [mm]"
plot table using "t [s]":(1e3 * column("x [m]")) title "mu = 0.13", \
     "oblique_exchanged.csv" using "t [s]":(1e3 * column("x [m]")) title "mu and delta exchanged"
set ylabel "y [mm]";       plot table using "t [s]":(1e3 * column("y [m]"))
set ylabel "gamma [mrad]"; plot table using "t [s]":(1e3 * column("gamma [rad]"))
set ylabel "normal forces [N]"
plot for [i = 1:3] table using "t [s]":sprintf("N_%d [N]", i) title sprintf("foot %d", i)
set xlabel "x' [mm/s]"
set ylabel "x'' [m/s^2]"; plot table using (1e3 * column("vx [m/s]")):"ax [m/s^2]" with points
set xlabel "gamma' [rad/s]"
set ylabel "gamma'' [rad/s^2]"; plot table using "omega [rad/s]":"alpha [rad/s^2]" with points
set xlabel "t [s]"
set ylabel "x [mm], data as printed"; plot "oblique_printed.csv" using "t [s]":(1e3 * column("x [m]"))
unset ylabel
set xlabel "t [s], all feet sticking"
load "bars.gp"
set ytics ("as printed" 1, "exchanged" 2, "mu = 0.13" 3)
name(row) = "oblique_" . word("printed exchanged rough", row) . ".csv"
plot for [row = 1:3] name(row) using "t [s]":(bar(row, column("sticks"))):(row) @area row, \
     for [row = 1:3] name(row) using "t [s]":(bar(row, column("sticks"))) @outline row
