# data: 13_woodpecker
# GS05, figures 4 to 6: woodpecker, sleeve, limit cycle.
title = "Woodpecker"; rows = 4
load "style.gp"
table = "woodpecker.csv"
set xlabel "t [s]"
set ylabel "phi_S [rad]";     plot table using "t [s]":"phi_S [rad]"
set ylabel "omega_S [rad/s]"; plot table using "t [s]":"omega_S [rad/s]"
set ylabel "phi_M [rad]";     plot table using "t [s]":"phi_M [rad]"
set ylabel "omega_M [rad/s]"; plot table using "t [s]":"omega_M [rad/s]"
set xlabel "phi_S [rad]"
set ylabel "omega_S [rad/s]"; plot table using "phi_S [rad]":"omega_S [rad/s]"
set xlabel "phi_M [rad]"
set ylabel "omega_M [rad/s]"; plot table using "phi_M [rad]":"omega_M [rad/s]"
set xlabel "t [s]"
set ylabel "y [mm]"; plot table using "t [s]":(1e3 * column("y [m]"))
unset ylabel
set xlabel "t [s], contacts closed"
set xrange [0:0.5]
load "bars.gp"
set ytics ("sticking" 1, "lower edge" 2, "upper edge" 3, "beak" 4)
name(row) = word("lower_sticks lower upper beak", row)
plot for [row = 1:4] table using "t [s]":(bar(row, column(name(row)))):(row) @area row, \
     for [row = 1:4] table using "t [s]":(bar(row, column(name(row)))) @outline row
