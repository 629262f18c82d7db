# data: 11_sliding_mass
title = "Sliding mass"; rows = 2
load "style.gp"
table = "sliding_mass.csv"
set xlabel "x [m]"
set ylabel "y [m]"; plot table using "x [m]":"y [m]"
set xlabel "t [s]"
set ylabel "friction force [N]"
plot table using "t [s]":"lambda_x [N]" title "lambda_x", table using "t [s]":"lambda_y [N]" title "lambda_y"
set ylabel "magnitude of the force [N]"; plot table using "t [s]":"lambda [N]"
set ylabel "speed [m/s]";       plot table using "t [s]":"speed [m/s]"
