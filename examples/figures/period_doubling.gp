# study: period_doubling
# Hop period of the woodpecker over the friction coefficient: one dot for each of the last 24 hops; equal periods share one.
title = "Woodpecker: hop period over the friction coefficient"; rows = 1; columns = 1; width = 880; height = 320
load "style.gp"
hops = 24
same = 0.4  # ms
hop(i) = 1e3 * column(sprintf("T_%d [s]", i))
known(i) = sum [j = i + 1:hops] (abs(hop(i) - hop(j)) < same)
set xlabel "mu"
set ylabel "hop period [ms]"
plot for [i = 1:hops] "period_doubling.csv" using "mu [1]":(known(i) > 0 ? NaN : hop(i)) with points linetype 1
