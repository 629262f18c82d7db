# Common style of the figures. A figure sets `title` and `rows`, optionally `columns`, and `width` and `height` of a
# panel, then loads this file. Its panels follow, one plot each, from left to right. Table columns are referred to by
# header.
if (!exists("columns")) { columns = 2 }
if (!exists("width")) { width = 440 }
if (!exists("height")) { height = 240 }
set terminal svg noenhanced size width * columns, height * rows + 40 font "sans-serif,13" background "#ffffff"
set datafile separator comma
set datafile columnheaders

set autoscale noextend        # axes end at the data
set offsets graph 0.01, graph 0.01, graph 0.05, graph 0.05
set border 3 linecolor "#59636e"
set tics nomirror out scale 0.5 textcolor "#1f2328" format "%g"
set xtics offset 0, 0.3
set grid linecolor "#d1d9e0" linewidth 0.5 dashtype solid
set key noautotitle tmargin right horizontal samplen 1.5 textcolor "#1f2328"  # above the panel, outside the plot
set xlabel textcolor "#1f2328" offset 0, 0.7
set ylabel textcolor "#1f2328" offset 0.8, 0
set style data lines
set style fill solid noborder

# Colours that are distinguishable with colour-blindness, on paper and on dark pages.
array colour[6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#7a5cc0"]
do for [i = 1:6] { set linetype i linecolor rgb colour[i] linewidth 1.4 pointtype 7 pointsize 0.3 }
set linetype cycle 6

# eval log_x, eval log_y: logarithmic axis of at most three decades, labelled at 1 and 3 of each decade. The automatic
# labels of gnuplot 6 overlap below two decades.
log_x = "set logscale x; set xtics (1); do for [e = -14:9] { set xtics add (10.0**e, 3 * 10.0**e) }"
log_y = "set logscale y; set ytics (1); do for [e = -14:9] { set ytics add (10.0**e, 3 * 10.0**e) }"

set multiplot layout rows, columns title title font ",16" textcolor "#1f2328"
