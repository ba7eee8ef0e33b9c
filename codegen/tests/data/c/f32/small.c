/*
 * A small program.
 * Its comment cannot be ended: * / int x; / * by what it says.
 */
#include "small.h"

#include <math.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

static const float MANY = 3.0f;

static const float WEIGHTS[3] = {0.25f, 0.5f, 0.25f};

static float distance(float x);

small_search_t small_search(const float coefficients[3], float tolerance)
{
    float a = coefficients[0];
    float b = coefficients[1];
    float c = coefficients[2];
    float x = SMALL_START;
    for (size_t steps = 0; steps < SMALL_MOST_STEPS; steps++) {
        float value = a + x * (b + c * (x * x));
        float slope = b + MANY * c * (x * x);
        if (distance(value) <= tolerance) {
            return (small_search_t){.root = x, .steps = steps, .ending = SMALL_ENDING_FOUND};
        }
        x -= value / slope;
    }
    return (small_search_t){.root = x, .steps = SMALL_MOST_STEPS, .ending = SMALL_ENDING_GAVE_UP};
}

void small_smooth(const float previous_values[3], const float following_values[3], float *result)
{
    *result = WEIGHTS[0] * (previous_values[0] * following_values[0])
            + WEIGHTS[1] * (previous_values[1] * following_values[1])
            + WEIGHTS[2] * (previous_values[2] * following_values[2]);
}

/** From zero. */
static float distance(float x)
{
    return sqrtf(x * x);
}
