// One product and one sum, with and without the library's header (no_contraction.sh).
#ifndef ALONE
#include "ball.hpp"
bool use_model() { return used<Ball<double>>(); }
#endif

double product_and_sum(double a, double b, double c) { return a * b + c; }
