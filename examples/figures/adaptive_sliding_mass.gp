# data: 22_adaptive_sliding_mass
# SLG08, figure 11: path, order, step size, friction force, speed. Dots: reversal, end of the push, sticking.
title = "Sliding mass with adjusted steps; dots: reversal, end of the push, sticking"; rows = 3
load "style.gp"
table = "adaptive_slide.csv"; points = "adaptive_slide_points.csv"
set xlabel "x [m]"
set ylabel "y [m]"
plot table using "x [m]":"y [m]", points using "x [m]":"y [m]" with points pointsize 0.6
set xlabel "t [s]"
set yrange [0:7]
set ylabel "order"; plot table using "t [s]":"order" with fsteps
set yrange [*:*]
set logscale y; set offsets
set ylabel "dt [s]"; plot table using "t [s]":"dt [s]"
unset logscale y
set offsets graph 0.01, graph 0.01, graph 0.05, graph 0.05
set ylabel "speed [m/s]"
plot table using "t [s]":"speed [m/s]", points using "t [s]":"speed [m/s]" with points pointsize 0.6
set ylabel "friction force [N]"
plot table using "t [s]":"lambda_x [N]" title "lambda_x", table using "t [s]":"lambda_y [N]" title "lambda_y"
set ylabel "magnitude of the force [N]"; plot table using "t [s]":"lambda [N]"
