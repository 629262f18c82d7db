// One product and one sum, after the library's header and without it (no_contraction.sh).
#ifndef ALONE
#include "ball.hpp"
bool use_model() { return used<Ball<double>>(); }
#endif

double product_and_sum(double a, double b, double c) { return a * b + c; }
