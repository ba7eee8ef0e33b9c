/*
 * A small program.
 * Its comment cannot be ended: * / int x; / * by what it says.
 */
#ifndef SMALL_H
#define SMALL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most steps of a search. */
#define SMALL_MOST_STEPS 100

/** Where a search begins. */
#define SMALL_START (-0.5 / 3.0)

/** How a search ended. */
typedef enum small_ending {
    /** With a root. */
    SMALL_ENDING_FOUND,
    /** At [`MOST_STEPS`]. */
    SMALL_ENDING_GAVE_UP
} small_ending_t;

/**
 * A search.
 *
 * Its root is that of a cubic.
 */
typedef struct small_search {
    /** The root. */
    double root;
    /** Steps taken. */
    size_t steps;
    small_ending_t ending;
} small_search_t;

/** The root of `a + b x + c x³`, from [`START`] by Newton's method. */
small_search_t small_search(const double coefficients[3], double tolerance);

/** A weighted mean of products, long enough to need more than one line. */
void small_smooth(const double previous_values[3], const double following_values[3],
        double *result);

#ifdef __cplusplus
}
#endif

#endif
