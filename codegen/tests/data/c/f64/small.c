/*
 * A small program.
 * Its comment cannot be ended: * / int x; / * by what it says.
 */
#include "small.h"

#include <math.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

static const double MANY = 3.0;

static const double WEIGHTS[3] = {0.25, 0.5, 0.25};

static double distance(double x);

small_search_t small_search(const double coefficients[3], double tolerance)
{
    double a = coefficients[0];
    double b = coefficients[1];
    double c = coefficients[2];
    double x = SMALL_START;
    for (size_t steps = 0; steps < SMALL_MOST_STEPS; steps++) {
        double value = a + x * (b + c * (x * x));
        double slope = b + MANY * c * (x * x);
        if (distance(value) <= tolerance) {
            return (small_search_t){.root = x, .steps = steps, .ending = SMALL_ENDING_FOUND};
        }
        x -= value / slope;
    }
    return (small_search_t){.root = x, .steps = SMALL_MOST_STEPS, .ending = SMALL_ENDING_GAVE_UP};
}

void small_smooth(const double previous_values[3], const double following_values[3], double *result)
{
    *result = WEIGHTS[0] * (previous_values[0] * following_values[0])
            + WEIGHTS[1] * (previous_values[1] * following_values[1])
            + WEIGHTS[2] * (previous_values[2] * following_values[2]);
}

/** From zero. */
static double distance(double x)
{
    return sqrt(x * x);
}
