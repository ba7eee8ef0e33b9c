/* compare ONE OTHER: how far two files of lines as metal.h emits them are apart.
   Prints the lines that are equal, all lines, the largest difference in ulps,
   and the largest relative to the largest number of its run, which text ends;
   or, with status 1, the first pair of lines that cannot be compared. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    char text[80];
    int digits; /* of a number, or 0 */
    int64_t rank; /* the number's place among all, so that neighbours differ by 1 */
    double value;
} line;

/* 0 at the end of the file. */
static int next(FILE *file, line *out) {
    uint64_t bits;
    int used = 0;
    if (!fgets(out->text, sizeof out->text, file))
        return 0;
    out->text[strcspn(out->text, "\n")] = 0;
    out->digits = 0;
    if (sscanf(out->text, "f64 %16" SCNx64 "%n", &bits, &used) == 1 && used == 20) {
        out->digits = 16;
        memcpy(&out->value, &bits, sizeof bits);
        out->rank = bits >> 63 ? -(int64_t)(bits & INT64_MAX) : (int64_t)bits;
    } else if (sscanf(out->text, "f32 %8" SCNx64 "%n", &bits, &used) == 1 && used == 12) {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof half);
        out->digits = 8;
        out->value = value;
        out->rank = half >> 31 ? -(int64_t)(half & INT32_MAX) : (int64_t)half;
    }
    return 1;
}

int main(int count, char **names) {
    FILE *files[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        if (count != 3 || !(files[i] = fopen(names[i + 1], "r")))
            return fputs("usage: compare ONE OTHER\n", stderr), 2;
    line one = {.text = ""}, other = {.text = ""};
    unsigned equal = 0, lines = 0;
    double ulps = 0, relative = 0, difference = 0, largest = 0;
    for (;;) {
        int more = next(files[0], &one), others = next(files[1], &other);
        if (!more || !others || !one.digits) {
            relative = difference > 0 ? fmax(relative, difference / largest) : relative;
            difference = largest = 0;
        }
        if (!more && !others)
            break;
        if (!more || !others)
            return printf("one ends after %u lines, and the other goes on\n", lines), 1;
        lines++;
        int same = strcmp(one.text, other.text) == 0;
        equal += (unsigned)same;
        if (one.digits)
            largest = fmax(largest, fmax(fabs(one.value), fabs(other.value)));
        if (same)
            continue;
        if (one.digits == 0 || one.digits != other.digits || isnan(one.value) || isnan(other.value))
            return printf("'%s' against '%s' in line %u\n", one.text, other.text, lines), 1;
        difference = fmax(difference, fabs(one.value - other.value));
        ulps = fmax(ulps, fabs((double)one.rank - (double)other.rank));
    }
    printf("%u %u %.0f %.1e\n", equal, lines, ulps, relative);
    return 0;
}
