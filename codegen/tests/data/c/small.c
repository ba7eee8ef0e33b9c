/*
 * A small program.
 * Its comment cannot be ended: * / int x; / * by what it says.
 */
#include "small.h"

#include <float.h>
#include <math.h>

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) \
        || defined(__NO_SIGNED_ZEROS__) || defined(_M_FP_FAST)
#error "Results must be exact: compile without -ffast-math"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "Infinities must stay: compile without -ffinite-math-only"
#endif
#if !defined(FLT_EVAL_METHOD) || (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16)
#error "Numbers must not have excess digits: compile with -msse2 -mfpmath=sse"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#if (defined(__x86_64__) || defined(__i386__)) && !defined(__AVX512F__)
#pragma GCC target("no-fma,no-fma4")
#else
#pragma GCC optimize("no-tree-slp-vectorize", "no-tree-loop-vectorize")
#endif
#endif
typedef char compile_without_single_precision_constant[sizeof(1.0) == sizeof(double) ? 1 : -1];

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
