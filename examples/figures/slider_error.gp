# study: slider_error
# Tolerance study: error of the slider position at a crank angle of 110 degrees, and largest percussion.
title = "Driven slider-crank: 4096 machines within tolerances"; rows = 1; columns = 3; width = 300
load "style.gp"
turns = 8; machines = 4096.0
error(i) = 1e3 * column(sprintf("error_%d [m]", i))
bin_width = 0.01  # mm
bin(x) = bin_width * (floor(x / bin_width) + 0.5)
set style fill solid 0.6 noborder
set offsets
set table $passages
plot for [i = 1:turns] "slider_error.csv" using (error(i)) with table
unset table
set xtics 0.05
set xlabel "error of the slider position [mm]"
set ylabel "relative frequency"
plot $passages using (bin(column(1))):(1 / (turns * machines)) smooth frequency with boxes
set ytics (0, 0.5, 0.95)
set xlabel "magnitude of the error [mm]"
set ylabel "cumulative frequency"
plot $passages using (abs(column(1))):(1 / (turns * machines)) smooth cumulative
set xtics 0.02
set xlabel "largest percussion in ten turns [N s]"
set ylabel "cumulative frequency of the machines"
plot "slider_error.csv" using "P_N [N s]":(1 / machines) smooth cumulative
